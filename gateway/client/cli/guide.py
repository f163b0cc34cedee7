"""The command that tells the rules."""

import click

from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.invocation import Invocation
from gateway.client.rendering.guide import guide_view


@click.command("guide", cls=Command)
@click.argument("section", required=False)
@pass_invocation
def guide(invocation: Invocation, section: str | None) -> None:
    """Tell the rules of the game, in the language of --lang: all of them, or one SECTION.

    SECTION is an id, as `talk` or `question-step-of-ten`; a wrong one shows those there are.
    """
    answer = invocation.client.rulesets.guide(invocation.language)
    told = [it for it in answer["sections"] if section in (None, it["id"])]
    if not told:
        known = ", ".join(it["id"] for it in answer["sections"])
        raise click.UsageError(f"There is no section {section}; there are {known}.")
    invocation.answer(answer | {"sections": told}, guide_view(told))
