"""The gateway's command line: `python -m gateway web | openapi`."""

import click

from gateway import documentation, openapi
from gateway.settings import PORT, THREADS
from shared.web.server import serve


@click.group()
def main() -> None:
    """The gateway: the one address that clients know."""


@main.command()
def web() -> None:
    """Serve the gateway."""
    serve("gateway.bootstrap:app_from_environment", default_port=PORT, default_threads=THREADS)


@main.command(name="openapi")
def write_openapi() -> None:
    """Merge the services' OpenAPI documents into openapi.json beside this file."""
    documentation.OPENAPI.write_text(openapi.text(), encoding="utf-8")
    click.echo(f"wrote {documentation.OPENAPI.name}")


if __name__ == "__main__":
    main()
