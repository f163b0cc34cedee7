"""The HTTP API of accounts."""

from flask import Flask, Response

from services.accounts.adapters.hasher import Overloaded
from services.accounts.adapters.keys import NoKeys
from services.accounts.application.parts import Parts
from services.accounts.entrypoints.routes import me, players, tokens
from shared.observability import logging
from shared.web.blueprint import Blueprint
from shared.web.problems import Problem, respond

OVERLOAD_RETRY_AFTER_S = 2


def blueprints(parts: Parts) -> list[Blueprint]:
    """Every route of accounts."""
    return [
        tokens.sign_up_blueprint(parts),
        tokens.token_blueprint(parts),
        tokens.key_blueprint(parts),
        me.blueprint(parts),
        players.blueprint(parts),
    ]


def map_faults(app: Flask) -> None:
    """What this service lacks for a moment is a 503: room to hash a password, a key to sign with."""

    def overloaded(_: Exception) -> Response:
        return respond(Problem("service_unavailable", retry_after=OVERLOAD_RETRY_AFTER_S))

    app.register_error_handler(Overloaded, overloaded)
    app.register_error_handler(NoKeys, overloaded)


def app_from_environment() -> Flask:
    """The app as the web process serves it."""
    from services.accounts.bootstrap import SERVICE, web_app

    logging.configure(SERVICE, "web")
    return web_app()
