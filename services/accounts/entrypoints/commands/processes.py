"""Commands that run a process of accounts, or prepare one."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from services.accounts import bootstrap, settings
from shared.bus.process import run_until_stopped
from shared.observability import logging
from shared.web import openapi, server

PORT = 8103
# A few may wait for their turn at hashing; the rest of the service goes on meanwhile.
THREADS = 32
OPENAPI = Path(bootstrap.__file__).parent / "openapi.json"


@click.command()
def web() -> None:
    """Serve the HTTP API."""
    server.serve(
        "services.accounts.entrypoints.http:app_from_environment", default_port=PORT, default_threads=THREADS
    )


@click.command()
def relay() -> None:
    """Publish the outbox on accounts.events, and forget what is no longer needed."""
    config = _begin("relay")
    run_until_stopped(
        lambda stop: bootstrap.relay(config, stop),
        lambda stop: bootstrap.keep_up(config, stop),
        metrics_port=config.metrics_port,
    )


@click.command()
def respond() -> None:
    """Answer the requests on accounts.requests."""
    config = _begin("respond")
    run_until_stopped(lambda stop: bootstrap.respond(config, stop), metrics_port=config.metrics_port)


@click.command()
def migrate() -> None:
    """Bring the database up to date; safe to run again."""
    click.echo(f"accounts: database at revision {bootstrap.upgrade(_begin('migrate'))}")


@click.command()
@click.option("--since", type=click.DateTime(), required=True, help="In UTC.")
def republish(since: datetime) -> None:
    """Publish every event since a moment again; who has had one takes it for the same."""
    count = bootstrap.republish(_begin("republish"), since.replace(tzinfo=UTC))
    click.echo(f"accounts: {count} events will be published again")


@click.command(name="openapi")
def write_openapi() -> None:
    """Write openapi.json beside the service."""
    config = replace(settings.read(), database_url="postgresql://")  # never connected to
    app = bootstrap.app_of(bootstrap.parts(config, bootstrap.key_folder(config)), config)
    OPENAPI.write_text(openapi.write(app), encoding="utf-8")
    click.echo(f"wrote {OPENAPI.name}")


def _begin(part: str) -> settings.Settings:
    logging.configure(bootstrap.SERVICE, part)
    return settings.read()
