"""The composition root of rules: every process of the service is put together here."""

import threading

from flask import Flask

from services.rules import settings
from services.rules.entrypoints import http
from services.rules.entrypoints.responder import handle
from services.rules.entrypoints.routes import guide
from services.rules.the_game import yardstick
from shared.bus.responder import Responder
from shared.contracts.streams import stream
from shared.web.app import create_app

SERVICE = "rules"


def web_app() -> Flask:
    """The web app; it depends on nothing, so it is ready once it runs."""
    return create_app(SERVICE, "Rules", [http.rulesets(), guide.blueprint(), http.stats(yardstick.read())])


def respond(config: settings.Settings, stop: threading.Event) -> None:
    """Answer the requests of other services until `stop`."""
    Responder(config.redis_url, stream("rules.requests").key, SERVICE, handle).run(stop)
