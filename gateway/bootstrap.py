"""Puts the gateway together: the only place that knows all its parts."""

from collections.abc import Iterable

from gateway import client_files, client_pages, documentation, operation, pages, problem_pages, settings
from gateway.admission import Admission
from gateway.allowances import Allowances, Rate
from gateway.breaker import Breaker
from gateway.connections import open_pool
from gateway.edge import Edge
from gateway.matching import Matcher
from gateway.proxy import Proxy
from gateway.routes import ROUTES, Route
from gateway.server import Handler
from gateway.shared_allowances import SharedAllowances, open_redis
from gateway.threads import Threads
from gateway.upstream import Upstream
from gateway.watching import Watching

# How much of the threads may wait for one service. Signing in takes long and needs no token, so accounts
# leaves some to the others; plays may have them all, for a full house is not an emergency.
SHARES = {"rules": 1.0, "sessions": 1.0, "accounts": 3 / 8}


def build(config: settings.Settings, routes: Iterable[Route] = ROUTES) -> Edge:
    """Everything between a request and its answer; connects to nothing until it is asked something."""
    urls = {
        "rules": config.rules_url,
        "sessions": config.sessions_url,
        "accounts": config.accounts_url,
    }
    probes = {name: operation.service_probe(open_pool(url, 1)) for name, url in urls.items()}
    probes["live"] = operation.service_probe(open_pool(config.live_url, 1))
    redis = open_redis(config.redis_url)
    upstreams = {
        name: Upstream(
            name, open_pool(url, config.threads), Breaker(), max(1, int(config.threads * SHARES[name]))
        )
        for name, url in urls.items()
    }
    app = pages.create_app()
    app.register_blueprint(operation.blueprint(probes | {"redis": operation.redis_probe(redis)}))
    app.register_blueprint(problem_pages.pages)
    app.register_blueprint(documentation.blueprint())
    app.register_blueprint(client_pages.blueprint(client_files.read()))
    evaluations = Rate(config.evaluations_per_s, config.evaluations_burst)
    guesses = Rate(config.guesses / settings.GUESSES_WITHIN_S, config.guesses)
    return Edge(
        Matcher(routes),
        Admission(
            Allowances(Rate(config.requests_per_s, config.requests_burst)),
            SharedAllowances(redis, "limits:evaluations", evaluations),
            SharedAllowances(redis, "limits:guesses", guesses),
        ),
        Proxy(upstreams),
        pages.Pages(app),
        config.trusted_proxies,
    )


def serving(config: settings.Settings) -> tuple[Handler, Watching]:
    """What the server does with requests. Made, and the second one stopped, where the event loop runs."""
    edge = build(config)
    watching = Watching(config.live_url, edge, Breaker())
    return Handler(edge, Threads(config.threads), watching), watching
