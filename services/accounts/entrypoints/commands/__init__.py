"""The command line of accounts."""

import click

from services.accounts.entrypoints.commands.operate import keys, operator, password, plus
from services.accounts.entrypoints.commands.processes import (
    migrate,
    relay,
    republish,
    respond,
    web,
    write_openapi,
)


@click.group()
def main() -> None:
    """Accounts: people, their saved players and their plan."""


for command in (web, relay, respond, migrate, republish, write_openapi, password, plus, operator, keys):
    main.add_command(command)
