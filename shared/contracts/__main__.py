"""Writes what is committed of the contracts: `python -m shared.contracts write`."""

import json
from pathlib import Path
from typing import Any

import click

from shared.contracts import asyncapi, schemas
from shared.contracts.additions import losses

ASYNCAPI = Path(asyncapi.__file__).with_suffix(".json")


@click.group()
def contracts() -> None:
    """What the parts of the system say to each other."""


@contracts.command()
@click.option(
    "--schemas", "folder", type=click.Path(path_type=Path), default=schemas.FOLDER, show_default=True
)
@click.option("--asyncapi", "target", type=click.Path(path_type=Path), default=ASYNCAPI, show_default=True)
def write(folder: Path, target: Path) -> None:
    """Write the JSON Schemas and the AsyncAPI document; refused where a shape would lose something."""
    found = schemas.documents()
    refusals = list(_losses(folder, found))
    if refusals:
        raise click.ClickException(
            "\n".join([*refusals, "Shapes only grow: make a new type (….v2) instead."])
        )
    folder.mkdir(exist_ok=True)
    for name, schema in found.items():
        (folder / f"{name}.json").write_text(render(schema), encoding="utf-8")
    target.write_text(render(asyncapi.document()), encoding="utf-8")
    click.echo(f"wrote {len(found)} schemas and {target.name}")


def render(document: dict[str, Any]) -> str:
    """`document` as it is committed."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _losses(folder: Path, found: dict[str, dict[str, Any]]) -> list[str]:
    refusals = []
    for path in sorted(folder.glob("*.json")):
        name = path.name.removesuffix(".json")
        if name not in found:
            refusals.append(f"{name} is gone")
        else:
            old = json.loads(path.read_text(encoding="utf-8"))
            refusals += [f"{name}: {loss}" for loss in losses(old, found[name])]
    return refusals


if __name__ == "__main__":
    contracts(prog_name="python -m shared.contracts")
