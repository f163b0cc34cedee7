"""The processes and commands of sessions, by `python -m services.sessions`."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from services.sessions import bootstrap, settings
from services.sessions.application.rebuilding import Progress
from shared.bus.process import run_until_stopped
from shared.jobs import celery_app
from shared.observability import logging
from shared.web import openapi, server

PORT = 8102
TELL_EVERY_S = 1.0


@click.group()
def main() -> None:
    """Sessions: what happened at the table."""


@main.command()
def web() -> None:
    """Serve the HTTP API."""
    server.serve("services.sessions.entrypoints.http:app_from_environment", default_port=PORT)


@main.command()
def relay() -> None:
    """Publish the outbox on sessions.events."""
    config = _begin("relay")
    run_until_stopped(lambda stop: bootstrap.relay(config, stop), metrics_port=config.metrics_port)


@main.command()
def consume() -> None:
    """Follow the events of accounts, and start the jobs that our own ask for."""
    config = _begin("consume")
    parts = [consumer.run for consumer in bootstrap.consumers(config)]
    run_until_stopped(*parts, metrics_port=config.metrics_port)


@main.command()
def work() -> None:
    """Work on the jobs."""
    config = _begin("work")
    celery_app.run_worker(bootstrap.jobs(config), config.worker_concurrency, config.metrics_port)


@main.command()
def beat() -> None:
    """Start the jobs that are due. Run one of these only."""
    config = _begin("beat")
    celery_app.run_beat(bootstrap.jobs(config), config.metrics_port)


@main.command()
def migrate() -> None:
    """Bring the database up to date; safe to run again."""
    click.echo(f"sessions: database at revision {bootstrap.upgrade(_begin('migrate'))}")


@main.command()
@click.option("--since", type=click.DateTime(), required=True, help="In UTC.")
def republish(since: datetime) -> None:
    """Publish every event since a moment again; who has had one takes it for the same."""
    count = bootstrap.republish(_begin("republish"), since.replace(tzinfo=UTC))
    click.echo(f"sessions: {count} events will be published again")


@main.group()
def results() -> None:
    """Finished games as figures."""


@results.command()
def rebuild() -> None:
    """Count all finished games anew, account by account, while everything goes on; safe to run again."""
    heard_at = 0.0

    def tell(progress: Progress) -> None:
        nonlocal heard_at
        if time.monotonic() - heard_at > TELL_EVERY_S:
            heard_at = time.monotonic()
            click.echo(_told(progress))

    done = bootstrap.rebuild(_begin("rebuild"), tell)
    click.echo(_told(done))
    if done.untold:
        click.echo(f"{done.untold} games wait for rules to sum them up")


@main.command(name="openapi")
def write_openapi() -> None:
    """Write openapi.json beside this file."""
    target = Path(__file__).parent / "openapi.json"
    unconnected = replace(settings.read(), database_url="postgresql://")
    target.write_text(openapi.write(bootstrap.web_app(unconnected)), encoding="utf-8")
    click.echo(f"wrote {target.name}")


def _told(progress: Progress) -> str:
    return (
        f"accounts {progress.accounts}/{progress.of_accounts},"
        f" games {progress.games}, changed {progress.changed}"
    )


def _begin(part: str) -> settings.Settings:
    logging.configure(bootstrap.SERVICE, part)
    return settings.read()


if __name__ == "__main__":
    main()
