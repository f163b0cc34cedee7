"""The real host with stand-ins for the services: `python -m tests.integration.host.standin_host DATA PORT`.

`FAILING` and `DEAF` in the environment name a part that gets that verb; `FAILING_STEP=1` breaks the
migrations.
"""

import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from infra.host.__main__ import REFUSALS
from infra.host.host import Host, Plan
from infra.host.parts import MIGRATIONS, PARTS, Part

STANDIN = "tests.integration.host.standin"


def stand_in(part: Part) -> Part:
    verb = "web" if part.port_variable == "PORT" else "background"
    verb = {os.environ.get("FAILING"): "failing", os.environ.get("DEAF"): "deaf"}.get(part.name, verb)
    return replace(part, module=STANDIN, verb=verb)


def main(data: str, port: str) -> None:
    step = "failing" if os.environ.get("FAILING_STEP") else "migrate"
    steps = [replace(part, module=STANDIN, verb=step) for part in MIGRATIONS]
    plan = Plan(Path(data), int(port), steps=steps, parts=[stand_in(part) for part in PARTS])
    try:
        Host(plan, os.environ, click.echo).run()
    except REFUSALS as refusal:
        click.echo(str(refusal))
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
