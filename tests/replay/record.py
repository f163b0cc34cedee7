"""Records a game for every way a game can end: `python -m tests.replay.record` adds what is missing."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import count
from random import Random
from typing import Any

from services.rules.rulesets import RULESETS
from services.rules.the_game.cards import HIGHEST, LOWEST
from services.rules.the_game.options import Options
from services.rules.the_game.simulation.simulator import play
from services.rules.the_game.simulation.strategies import STRATEGIES
from tests.replay.recording import Recording, digest, write

Json = dict[str, Any]
RULESET = RULESETS["the-game"]
UNDO: Json = {"type": "undo"}
REDO: Json = {"type": "redo"}


def main() -> None:
    for recording in recordings():
        print(f"{recording.name}: {'recorded' if write(recording) else 'kept as it is'}")


def recordings() -> Iterator[Recording]:
    """The games to record, each with its ending."""
    won, expert = Options(3, first_seat=1), Options(2, "expert")
    yield record("won", "the last card, confirmed", won, with_second_thoughts(found(won, [0])))
    yield record("won-expert", "a win with a minimum of three", expert, found(expert, [0]))
    excellent = found(Options(4), range(1, 10))
    yield record("blocked-excellent", "fewer than ten cards left", Options(4), excellent)
    counted = found(Options(1, reduced_hand=True), range(10, 99))
    yield record("blocked-counted", "ten cards or more left", Options(1, reduced_hand=True), counted)
    partial = found(Options(5), range(10, 40))
    yield record("partial", "ended with cards whose value is not known", Options(5), without_values(partial))
    partly_won = without_values(found(won, [0]))
    yield record("partial-won", "won with cards whose value is not known", won, partly_won)
    contradicted: list[Json] = [{"type": "block"}, {"type": "confirm"}]
    yield record("blocked-at-once", "a block that public facts disprove", Options(2), contradicted)
    yield record("not-begun", "abandoned before the first card", Options(2), [])
    yield record("abandoned", "left in the middle of a turn", Options(4), excellent[:60])
    yield record("blocked-unconfirmed", "left with a block nobody confirmed", Options(4), excellent[:-1])
    yield record("cleared-unconfirmed", "left with a win nobody confirmed", won, found(won, [0])[:-1])
    reopened = [*counted, UNDO, UNDO]
    yield record("reopened", "confirmed, taken back, left", Options(1, reduced_hand=True), reopened)
    again = [*reopened, REDO, REDO]
    yield record("reopened-and-ended", "ended a second time", Options(1, reduced_hand=True), again)


def record(name: str, why: str, options: Options, actions: Sequence[Json]) -> Recording:
    """A recording of actions that must all be accepted; they get their ids here."""
    log = [
        {"id": f"{number:08x}-0000-4000-8000-000000000000", **action} for number, action in enumerate(actions)
    ]
    answer = RULESET.evaluate(asdict(options), log, tables=True)
    refused = [outcome for outcome in answer["outcomes"] if outcome["verdict"] != "accepted"]
    if refused:
        raise ValueError(f"{name}: {refused[0]}")
    return Recording(
        name=name,
        why=why,
        ruleset=RULESET.NAME,
        rules_version=RULESET.VERSION,
        options=asdict(options),
        actions=log,
        digests=[digest(outcome["table"]) for outcome in answer["outcomes"]],
        table=answer["table"],
        result=answer["result"],
    )


def found(options: Options, remaining: Sequence[int]) -> list[Json]:
    """The first simulated game that leaves so many cards, as actions."""
    for seed in count():
        cards, chance = list(range(LOWEST, HIGHEST + 1)), Random(seed)
        chance.shuffle(cards)
        steps = list(play(options, STRATEGIES["least_step"], cards, chance))
        if steps[-1][1].remaining in remaining:
            return [
                {"type": action.type}
                | ({"pile": action.pile, "card": action.card} if action.type == "play" else {})
                for action, _ in steps
            ]
    raise AssertionError


def with_second_thoughts(actions: Sequence[Json]) -> list[Json]:
    """The same game with some actions taken back and done again."""
    return [
        step
        for number, action in enumerate(actions)
        for step in (action, *([UNDO, REDO] if number % 10 == 9 else []))
    ]


def without_values(actions: Sequence[Json]) -> list[Json]:
    """The same game with the value of every eighth play left out, and all plays confirmed by hand."""
    plays = count()
    return [_by_hand(action, next(plays)) if action["type"] == "play" else action for action in actions]


def _by_hand(action: Json, number: int) -> Json:
    known = {} if number % 8 == 5 else {"card": action["card"]}
    return {"type": "play", "pile": action["pile"], "confirmed": True, **known}


if __name__ == "__main__":
    main()
