"""Owns the making of two stories of one evening: a common log, and what two devices recorded after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from services.rules.the_game.actions import Action, read_actions
from services.rules.the_game.branches import CLOSING_A_TURN
from services.rules.the_game.cards import HIGHEST, LOWEST
from services.rules.the_game.judgement import judge
from services.rules.the_game.log import replay
from services.rules.the_game.options import Options
from services.rules.the_game.state import State
from services.rules.the_game.table import Table, table
from services.rules.the_game.timeline import Timeline
from tests.unit.rules.builders import BLOCK, CONFIRM, DRAW, END, OPTIONS, Json, lay, step

GOES_ON = 0.55


@dataclass(frozen=True)
class Evening:
    """Options, the common log, and two branches; `original` is what truly happened, where that is known."""

    options: Options
    common: list[Action]
    cloud: list[Action]
    device: list[Action]
    original: list[Action] | None = None


def whole_game(options: Options, seed: int) -> list[Json]:
    """A game up to its confirmed result, every card known, with turns of many cards as well as of few."""
    chance = Random(seed)
    pack = list(range(LOWEST, HIGHEST + 1))
    chance.shuffle(pack)
    timeline = replay(options, [])
    hands = [[pack.pop() for _ in range(count)] for count in timeline.now.state.hands]
    actions: list[Json] = []
    while timeline.now.state.status != "finished":
        before = timeline.now.state
        made = _next(chance, table(options, before), hands[before.seat])
        timeline, outcome = judge(options, timeline, *read_actions([made]))
        assert outcome.refusal is None
        if made["type"] == "play":
            hands[before.seat].remove(made["card"])
        hands[before.seat] += [pack.pop() for _ in range(before.deck - timeline.now.state.deck)]
        actions.append(made)
    return actions


def _next(chance: Random, seen: Table, hand: list[int]) -> Json:
    """A near card of the hand, or what ends the turn."""
    if seen["status"] != "playing":
        return dict(CONFIRM)
    moves = [
        (card - pile["top"] if pile["direction"] == "up" else pile["top"] - card, name, card)
        for name, pile in seen["piles"].items()
        for card in pile["playable"]
        if card in hand
    ]
    is_owed = seen["played_this_turn"] < seen["minimum"]
    if moves and (is_owed or chance.random() < GOES_ON):
        _, name, card = chance.choice(sorted(moves)[:2])
        return lay(name, card)
    if is_owed:
        return dict(BLOCK)
    return dict(DRAW if seen["to_draw"] else END)


def accepted(options: Options, timeline: Timeline, actions: Sequence[Action]) -> list[Action]:
    """The actions that are accepted in turn; refused ones change nothing."""
    kept = []
    for action in actions:
        timeline, outcome = judge(options, timeline, action)
        if outcome.refusal is None:
            kept.append(action)
    return kept


def state_after(options: Options, log: Sequence[Action]) -> State:
    """The state at the end of a log."""
    return replay(options, log).now.state


@st.composite
def forks(draw: st.DrawFn, most: int = 14) -> Evening:
    """Two branches at random: some plays of the other's, some of their own, some without value or undone."""
    options, common = _common(draw)
    base = replay(options, common)
    cloud = _walk(draw, options, base, "c", [], most)
    if draw(st.booleans()):
        device = _walk(draw, options, base, "d", cloud, most)
    else:
        device = _walk(draw, options, base, "d", [], most)
    return Evening(options, common, cloud, device)


@st.composite
def split_evenings(draw: st.DrawFn) -> Evening:
    """One real game, cut, shuffled within what commutes, split and doubled over two devices.

    One device has every closed turn; of an open turn, and of the turn where the other device stopped, each
    may have seen only some plays.
    """
    options = draw(OPTIONS)
    chance = Random(draw(st.integers(0, 2**32)))
    game = read_actions(whole_game(options, chance.randrange(2**16)))
    ends = [number for number, action in enumerate(game, 1) if action.type == "play"]
    end = chance.choice(ends) if chance.random() < 0.7 else chance.randrange(len(game) + 1)
    cut = max(0, end - chance.choice([2, 4, 8, 16, 40, 120]))
    common, real = game[:cut], game[cut:end]
    turns = _turns(real)
    stop = len(turns) if chance.random() < 0.5 else chance.randrange(len(turns) + 1)
    seen: list[list[list[Action]]] = [[], []]
    for number, turn in enumerate(turns):
        halves = _halves(turn, chance) if _is_open(turn) and stop == len(turns) else [turn, turn]
        seen[0].append(halves[0])
        if number < stop:
            seen[1].append(halves[1])
        elif number == stop:
            seen[1].append([play for play in turn if play.type == "play" and chance.random() < 0.6])
    chance.shuffle(seen)
    cloud, device = (
        _device(options, common, turns, side, chance) for turns, side in zip(seen, "cd", strict=True)
    )
    return Evening(options, common, cloud, device, [*common, *real])


def _halves(turn: Sequence[Action], chance: Random) -> list[list[Action]]:
    """The plays of a turn over two devices, each on one of them or on both; perhaps pile by pile."""
    piles = {play.pile: chance.choice(((0,), (1,), (0, 1))) for play in turn}
    is_by_pile = chance.random() < 0.5
    fates = [piles[play.pile] if is_by_pile else chance.choice(((0,), (1,), (0, 1))) for play in turn]
    return [[play for play, fate in zip(turn, fates, strict=True) if side in fate] for side in (0, 1)]


def _common(draw: st.DrawFn) -> tuple[Options, list[Action]]:
    options = draw(OPTIONS)
    game = whole_game(options, draw(st.integers(0, 2**16)))
    kept = game[: draw(st.integers(0, len(game))) if draw(st.booleans()) else draw(st.integers(0, 6))]
    if kept and draw(st.integers(0, 3)) == 0:
        kept = [*kept, {"type": "undo"}]
    log = read_actions([action | {"id": f"b{number}"} for number, action in enumerate(kept)])
    return options, _hidden(draw, options, log)


def _hidden(draw: st.DrawFn, options: Options, log: list[Action]) -> list[Action]:
    """The same log, where perhaps one of the last cards was not seen."""
    if not log or draw(st.integers(0, 2)):
        return log
    number = draw(st.integers(max(0, len(log) - 8), len(log) - 1))
    if log[number].type != "play":
        return log
    unseen = Action("play", log[number].pile, None, True, log[number].id)
    return accepted(options, replay(options, []), [*log[:number], unseen, *log[number + 1 :]])


def _walk(
    draw: st.DrawFn, options: Options, base: Timeline, side: str, other: list[Action], most: int
) -> list[Action]:
    """A branch; with another's entries to copy, often the same things under ids of its own."""
    timeline, entries = base, []
    kinds = ["fitting"] * 6 + ["go on"] * 4 + ["valueless", "undo", "undo", "redo", "identify"]
    copied = iter(other)
    for number in range(draw(st.integers(0, most))):
        action = None
        if other and draw(st.integers(0, 3)):
            action = _copied(draw, next(copied, None), f"{side}{number}")
        if action is None:
            made = _made(draw, draw(st.sampled_from(kinds)), options, timeline) | {"id": f"{side}{number}"}
            (action,) = read_actions([made])
        timeline, outcome = judge(options, timeline, action)
        if outcome.refusal is None:
            entries.append(action)
    return entries


def _copied(draw: st.DrawFn, entry: Action | None, own_id: str) -> Action | None:
    """What the other has, as it was passed on or as it was entered again."""
    if entry is None or draw(st.integers(0, 7)) == 0:
        return None
    is_passed_on = draw(st.booleans()) or entry.type in ("undo", "redo", "identify")
    id_ = entry.id if is_passed_on else own_id
    return Action(entry.type, entry.pile, entry.card, entry.confirmed, id_, entry.target)


def _made(draw: st.DrawFn, kind: str, options: Options, timeline: Timeline) -> Json:
    if kind != "identify":
        return step(draw, kind, table(options, timeline.now.state))
    moment, unseen = timeline.now, []
    while moment.action is not None and moment.before is not None:
        if moment.action.type == "play" and moment.action.card is None:
            unseen.append(moment.action.id)
        moment = moment.before
    if not unseen:
        return {"type": "redo"}
    return {
        "type": "identify",
        "target": draw(st.sampled_from(unseen)),
        "card": draw(st.integers(LOWEST, HIGHEST)),
    }


def _turns(actions: Sequence[Action]) -> list[list[Action]]:
    turns: list[list[Action]] = []
    is_open = False
    for action in actions:
        if not is_open:
            turns.append([])
        turns[-1].append(action)
        is_open = action.type not in CLOSING_A_TURN
    return turns


def _is_open(turn: Sequence[Action]) -> bool:
    """Only plays so far: then devices may have seen different ones."""
    return all(action.type == "play" for action in turn)


def _device(
    options: Options, common: list[Action], turns: Sequence[Sequence[Action]], side: str, chance: Random
) -> list[Action]:
    """What one device recorded of these turns, the plays of each in an order that leads to the same."""
    seen = [action for turn in turns for action in _shuffled(turn, chance)]
    named = [
        Action(action.type, action.pile, action.card, action.confirmed, f"{side}{number}")
        for number, action in enumerate(seen)
    ]
    return accepted(options, replay(options, common), named)


def _shuffled(turn: Sequence[Action], chance: Random) -> list[Action]:
    """The plays in another order across piles, in the same order on each."""
    plays = [action for action in turn if action.type == "play"]
    piles = [action.pile for action in plays]
    chance.shuffle(piles)
    waiting = {pile: [action for action in plays if action.pile == pile] for pile in piles}
    return [waiting[pile].pop(0) for pile in piles] + [action for action in turn if action.type != "play"]
