"""Owns the making of games for the tests of the rules: single actions, whole timelines, and random walks."""

from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

from services.rules.the_game.actions import read_actions
from services.rules.the_game.cards import HIGHEST, LOWEST
from services.rules.the_game.judgement import Outcome, judge
from services.rules.the_game.log import replay
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NAMES
from services.rules.the_game.simulation.simulator import play
from services.rules.the_game.simulation.strategies import STRATEGIES
from services.rules.the_game.table import Table, table
from services.rules.the_game.timeline import Timeline

Json = dict[str, Any]

DRAW: Json = {"type": "draw"}
END: Json = {"type": "end_turn"}
BLOCK: Json = {"type": "block"}
CONFIRM: Json = {"type": "confirm"}
UNDO: Json = {"type": "undo"}
REDO: Json = {"type": "redo"}
TWO = Options(players=2)

ODD_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
OPTIONS = st.builds(
    lambda players, difficulty, reduced_hand, first: Options(
        players, difficulty, reduced_hand, first % players
    ),
    st.integers(1, 5),
    st.sampled_from(["normal", "expert"]),
    st.booleans(),
    st.integers(0, 4),
)


def lay(pile: str, card: int | None = None, **fields: Any) -> Json:
    """A play; without a card it is one without a value."""
    return {"type": "play", "pile": pile, **({} if card is None else {"card": card}), **fields}


def as_json(options: Options) -> Json:
    """Options as they are sent."""
    names = ("players", "difficulty", "reduced_hand", "first_seat")
    return {name: getattr(options, name) for name in names}


def judged(options: Options, actions: Sequence[Json]) -> tuple[Timeline, list[Outcome]]:
    """The timeline after all actions, with what became of each."""
    timeline, outcomes = replay(options, []), []
    for action in read_actions(list(actions)):
        timeline, outcome = judge(options, timeline, action)
        outcomes.append(outcome)
    return timeline, outcomes


def after(*actions: Json, options: Options = TWO) -> Timeline:
    """The timeline after actions that must all be accepted."""
    timeline, outcomes = judged(options, actions)
    assert [outcome.refusal for outcome in outcomes] == [None] * len(actions)
    return timeline


def last(*actions: Json, options: Options = TWO) -> Outcome:
    """What became of the last action; those before it must be accepted."""
    after(*actions[:-1], options=options)
    return judged(options, actions)[1][-1]


def table_of(timeline: Timeline, options: Options = TWO) -> Table:
    """The public table of the present moment."""
    return table(options, timeline.now.state)


@st.composite
def walks(draw: st.DrawFn, most: int = 40, timeline_too: bool = True) -> tuple[Options, list[Json]]:
    """A random walk: options and actions, most of them such as a table would send, some of them refused.

    Half of them begin in the middle of a game, so that the end of the deck and of the cards is walked too.
    """
    options = draw(OPTIONS)
    actions = _opening(draw, options) if draw(st.booleans()) else []
    timeline, _ = judged(options, actions)
    kinds = ["fitting"] * 6 + ["go on"] * 4 + ["valueless", "any card", "any type"]
    kinds += ["undo", "undo", "redo"] if timeline_too else []
    for _ in range(draw(st.integers(0, most))):
        action = step(draw, draw(st.sampled_from(kinds)), table(options, timeline.now.state))
        actions.append(action)
        timeline, _ = judge(options, timeline, read_actions([action])[0])
    return options, [action | {"id": f"a{number}"} for number, action in enumerate(actions)]


def _opening(draw: st.DrawFn, options: Options) -> list[Json]:
    """Some share of a game played by the simulator's strategy."""
    game = simulated(options, draw(st.integers(0, 2**16)))
    return game[: len(game) - draw(st.integers(0, 40))]


def simulated(options: Options, seed: int, strategy: str = "least_step") -> list[Json]:
    """A whole game of a simulated strategy, up to its confirmed result."""
    chance = Random(seed)
    cards = list(range(LOWEST, HIGHEST + 1))
    chance.shuffle(cards)
    return [
        lay(action.pile, action.card) if action.type == "play" else {"type": action.type}
        for action, _ in play(options, STRATEGIES[strategy], cards, chance)
    ]


def step(draw: st.DrawFn, kind: str, seen: Table) -> Json:
    """One action such as a table would send, of this kind: fitting, go on, valueless, any card, any type."""
    pile = draw(st.sampled_from(NAMES))
    if kind == "go on" and seen["status"] != "playing":
        return dict(CONFIRM)
    if kind == "go on" and seen["played_this_turn"] >= seen["minimum"]:
        return dict(DRAW if seen["to_draw"] else END)
    if kind in ("fitting", "go on"):
        cards = seen["piles"][pile]["playable"] + seen["piles"][pile]["uncertain"]
        return (
            lay(pile, draw(st.sampled_from(cards)), confirmed=draw(st.booleans())) if cards else dict(BLOCK)
        )
    if kind == "valueless":
        return lay(pile, confirmed=True)
    if kind == "any card":
        return lay(pile, draw(st.integers(0, 101)), confirmed=draw(st.booleans()))
    if kind == "any type":
        return dict(draw(st.sampled_from([DRAW, END, BLOCK, CONFIRM])))
    return {"type": kind}
