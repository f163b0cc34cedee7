"""What came of a batch of actions, told in sentences."""

from collections.abc import Sequence

from gateway.client.contract import Action, Evaluation, Game, Outcome
from gateway.client.rendering.sentences import action, instructions, name_of, seat_names, warning

ACCEPTED = ("accepted", "duplicate")


def happened(wanted: Sequence[Action], outcomes: Sequence[Outcome], game: Game) -> list[str]:
    """One line and more for each accepted action; refused ones are told by the refusal."""
    lines: list[str] = []
    for sent, outcome in zip(wanted, outcomes, strict=False):
        if outcome["verdict"] not in ACCEPTED:
            continue
        if sent["type"] == "play":
            who = name_of(seat_names(game), game["table"]["active_seat"])
            lines.append(f"{who} lays {action(sent)}.")
        lines += instructions(outcome["instructions"], game)
        lines += [warning(code) for code in outcome["warnings"]]
    return lines


def judged(wanted: Sequence[Action], evaluation: Evaluation) -> list[str]:
    """What an evaluation found: a line for each refused action and each warning, and the sum."""
    lines: list[str] = []
    refused = 0
    for number, (sent, outcome) in enumerate(zip(wanted, evaluation["outcomes"], strict=False), start=1):
        if outcome["verdict"] not in ACCEPTED:
            refused += 1
            lines.append(f"{number:>4}  {action(sent)}: refused ({outcome.get('code')})")
        lines += [f"{number:>4}  {action(sent)}: {warning(code)}" for code in outcome["warnings"]]
    total = len(evaluation["outcomes"])
    lines.append(f"{total} actions: {total - refused} accepted, {refused} refused.")
    return lines
