"""The processes of rules: `python -m services.rules web|respond|openapi`."""

from pathlib import Path

import click

from services.rules import bootstrap, settings
from shared.bus.process import run_until_stopped
from shared.observability import logging
from shared.web import openapi, server

PORT = 8101


@click.group()
def main() -> None:
    """Rules: what is legal; stores nothing."""


@main.command()
def web() -> None:
    """Serve the HTTP API."""
    server.serve("services.rules.entrypoints.http:app_from_environment", default_port=PORT)


@main.command()
def respond() -> None:
    """Answer the requests on rules.requests."""
    logging.configure(bootstrap.SERVICE, "respond")
    config = settings.read()
    run_until_stopped(lambda stop: bootstrap.respond(config, stop), metrics_port=config.metrics_port)


@main.command(name="openapi")
def write_openapi() -> None:
    """Write openapi.json beside this file."""
    target = Path(__file__).parent / "openapi.json"
    target.write_text(openapi.write(bootstrap.web_app()), encoding="utf-8")
    click.echo(f"wrote {target.name}")


if __name__ == "__main__":
    main()
