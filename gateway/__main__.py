"""The gateway's command line: `python -m gateway web | live | openapi`."""

import click


@click.group()
def main() -> None:
    """The gateway: the one address that clients know."""


@main.command()
def web() -> None:
    """Serve the gateway."""
    from gateway import process  # each command loads what it needs: a live process is to be small

    process.run()


@main.command()
def live() -> None:
    """Serve live streams behind the gateway."""
    from gateway.live import process

    process.run()


@main.command(name="openapi")
def write_openapi() -> None:
    """Merge the services' OpenAPI documents into openapi.json beside this file."""
    from gateway import documentation, openapi

    documentation.OPENAPI.write_text(openapi.text(), encoding="utf-8")
    click.echo(f"wrote {documentation.OPENAPI.name}")


if __name__ == "__main__":
    main()
