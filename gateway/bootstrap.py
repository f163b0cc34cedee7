"""Puts the gateway together: the only place that knows all its parts."""

from collections.abc import Iterable

from gateway import documentation, metrics, operation, pages, problem_pages, settings
from gateway.admission import Admission
from gateway.allowances import Allowances, Rate
from gateway.breaker import Breaker
from gateway.connections import open_pool
from gateway.edge import Edge
from gateway.matching import Matcher
from gateway.proxy import Proxy
from gateway.routes import ROUTES, Route
from gateway.shared_allowances import SharedAllowances, open_redis
from gateway.upstream import Upstream
from shared.observability import logging

# How much of the threads may wait for one service. Signing in takes long and needs no token, so accounts
# leaves some to the others; plays may have them all, for a full house is not an emergency.
SHARES = {"rules": 1.0, "sessions": 1.0, "accounts": 3 / 8}


def build(config: settings.Settings, routes: Iterable[Route] = ROUTES) -> Edge:
    """The gateway's WSGI application; connects to nothing until it is asked something."""
    urls = {
        "rules": config.rules_url,
        "sessions": config.sessions_url,
        "accounts": config.accounts_url,
    }
    redis = open_redis(config.redis_url)
    upstreams = {
        name: Upstream(
            name, open_pool(url, config.threads), Breaker(), max(1, int(config.threads * SHARES[name]))
        )
        for name, url in urls.items()
    }
    probes = {name: operation.service_probe(open_pool(url, 1)) for name, url in urls.items()}
    app = pages.create_app()
    app.register_blueprint(operation.blueprint(probes | {"redis": operation.redis_probe(redis)}))
    app.register_blueprint(problem_pages.pages)
    app.register_blueprint(documentation.blueprint())
    evaluations = Rate(config.evaluations_per_s, config.evaluations_burst)
    return Edge(
        Matcher(routes),
        Admission(
            Allowances(Rate(config.requests_per_s, config.requests_burst)),
            SharedAllowances(redis, "limits:evaluations", evaluations),
        ),
        Proxy(upstreams),
        pages.Pages(app),
        config.trusted_proxies,
    )


def app_from_environment() -> Edge:
    """What a server's worker runs: the gateway as the environment sets it."""
    logging.configure("gateway", "web")
    config = settings.read()
    if config.metrics_port is not None:
        metrics.serve(config.host, config.metrics_port)
    return build(config)
