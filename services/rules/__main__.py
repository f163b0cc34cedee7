"""The commands of rules: `python -m services.rules web|respond|openapi|yardstick`."""

import os
from pathlib import Path
from typing import Any

import click

from services.rules import bootstrap, settings
from services.rules.the_game import yardstick
from services.rules.the_game.ruleset import NAME, VERSION
from services.rules.the_game.simulation.strategies import STRATEGIES
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


@main.command(name="yardstick")
@click.option("--games", type=click.IntRange(2), default=20_000, show_default=True, help="Games a row.")
@click.option("--seed", default=98, show_default=True, help="The same seed plays the same games.")
@click.option("--processes", type=click.IntRange(1), default=os.cpu_count, help="To spread them over.")
@click.option("--file", "target", type=click.Path(path_type=Path), default=yardstick.FILE, help="To write.")
def write_yardstick(games: int, seed: int, processes: int, target: Path) -> None:
    """Play every strategy at every kind of table and write the figures that groups are compared with."""
    from services.rules.the_game.simulation import computing  # what serves has no need of its pool

    about = {
        "ruleset": NAME,
        "rules_version": VERSION,
        "command": f"python -m services.rules yardstick --games {games} --seed {seed}",
        "games": games,
        "seed": seed,
        "strategies": [{"id": strategy.id, "about": strategy.about} for strategy in STRATEGIES.values()],
    }
    computed = computing.compute(games, seed, processes, _show)
    target.write_text(computing.text(about, computed), encoding="utf-8")
    click.echo(f"wrote {target.name}")


def _show(row: dict[str, Any]) -> None:
    reduced = " reduced" if row["reduced_hand"] else ""
    click.echo(
        f"{row['strategy']:13} {row['players']} {row['difficulty'] + reduced:15}"
        f"  mean {row['mean_remaining']:6.2f} ± {row['mean_remaining_se']:.2f}"
        f"  won {row['win_rate']:7.2%} ± {row['win_rate_se']:.2%}"
        f"  excellent {row['excellent_rate']:7.2%} ± {row['excellent_rate_se']:.2%}"
    )


if __name__ == "__main__":
    main()
