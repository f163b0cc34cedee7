"""The command line of accounts."""

import click

from services.accounts.entrypoints.commands.operate import keys, password, plus
from services.accounts.entrypoints.commands.processes import migrate, relay, respond, web, write_openapi


@click.group()
def main() -> None:
    """Accounts: people, their saved players and their plan."""


for command in (web, relay, respond, migrate, write_openapi, password, plus, keys):
    main.add_command(command)
