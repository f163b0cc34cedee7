"""Commands that act on a game, one command an action (or several plays at once)."""

from collections.abc import Sequence

import click

from gateway.client import actions
from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.find import game_id
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.look import of_game
from gateway.client.cli.unsent import require_sent, went_on
from gateway.client.contract import Action
from gateway.client.problems import ApiProblem
from gateway.client.rendering.outcomes import happened
from gateway.client.rendering.sentences import next_step, seat_names
from gateway.client.rendering.table import standing

expected = click.option(
    "--expect", type=click.IntRange(min=0), metavar="VERSION", help="Refuse if the game is not at VERSION."
)


def act(
    invocation: Invocation, chosen: str, wanted: Sequence[Action], expected_version: int | None = None
) -> None:
    """Send actions and tell what came of them; what was applied before a refusal is told too."""
    require_sent(invocation, chosen)
    client = invocation.client_at(chosen)
    try:
        answer = client.games.act(chosen, wanted, expected_version=expected_version)
    except ApiProblem as problem:
        if problem.game is not None:
            invocation.saw(problem.game)
            invocation.tell(*happened(wanted, problem.outcomes, problem.game))
        elif problem.missed and not invocation.as_json:
            invocation.names = seat_names(client.games.get(chosen))
            invocation.reader = invocation.viewpoint(chosen)
        raise
    game = answer["game"]
    went_on(invocation, game)
    told = happened(wanted, answer["outcomes"], game)
    step = next_step(game["table"], seat_names(game))
    invocation.answer(answer, *told, standing(game["table"]), *([step] if step else []))


# A card like -3 is for the rules to refuse, not an option.
@click.command("play", cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("cards", nargs=-1, required=True, metavar="PILE CARD [PILE CARD]…")
@click.option("--hidden", is_flag=True, help="A card laid without telling its value: only the PILE is given.")
@click.option("--confirmed", "--confirm", is_flag=True, help="You looked at the pile: the card fits.")
@of_game
@expected
@pass_invocation
def play(
    invocation: Invocation,
    cards: tuple[str, ...],
    hidden: bool,
    confirmed: bool,
    game: str | None,
    expect: int | None,
) -> None:
    """Lay cards: `play up1 17`, or several in order: `play up1 17 down2 80`."""
    wanted = plays(cards, hidden=hidden, confirmed=confirmed)
    act(invocation, game_id(invocation, game), wanted, expect)


def plays(words: Sequence[str], *, hidden: bool, confirmed: bool) -> list[Action]:
    """The actions that `words` mean: piles alone when `hidden`, else pile and card in turns."""
    if hidden:
        return [actions.play(pile, confirmed=confirmed) for pile in words]
    if len(words) % 2:
        raise click.UsageError("Give a pile and a card each, or --hidden for a card without its value.")
    pairs = zip(words[::2], words[1::2], strict=True)
    return [actions.play(pile, _card(card), confirmed=confirmed) for pile, card in pairs]


def _card(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise click.UsageError(f"{word} is no card: give a whole number from 2 to 99.") from None


@click.command("draw", cls=Command)
@of_game
@expected
@pass_invocation
def draw(invocation: Invocation, game: str | None, expect: int | None) -> None:
    """Confirm that the cards are drawn."""
    act(invocation, game_id(invocation, game), [actions.draw()], expect)


@click.command("end", cls=Command)
@of_game
@expected
@pass_invocation
def end(invocation: Invocation, game: str | None, expect: int | None) -> None:
    """End the turn."""
    act(invocation, game_id(invocation, game), [actions.end_turn()], expect)


@click.command("block", cls=Command)
@of_game
@expected
@pass_invocation
def block(invocation: Invocation, game: str | None, expect: int | None) -> None:
    """Declare that the minimum cannot be laid."""
    act(invocation, game_id(invocation, game), [actions.block()], expect)


@click.command("confirm", cls=Command)
@of_game
@expected
@pass_invocation
def confirm(invocation: Invocation, game: str | None, expect: int | None) -> None:
    """Confirm the result."""
    act(invocation, game_id(invocation, game), [actions.confirm()], expect)


@click.command("undo", cls=Command)
@of_game
@pass_invocation
def undo(invocation: Invocation, game: str | None) -> None:
    """Take the last action back."""
    chosen = game_id(invocation, game)
    last = invocation.client_at(chosen).games.get(chosen)["undo"]
    act(invocation, chosen, [actions.undo(last["target"] if last else None)])


@click.command("redo", cls=Command)
@of_game
@pass_invocation
def redo(invocation: Invocation, game: str | None) -> None:
    """Do the action that was taken back last again."""
    chosen = game_id(invocation, game)
    last = invocation.client_at(chosen).games.get(chosen)["redo"]
    act(invocation, chosen, [actions.redo(last["target"] if last else None)])
