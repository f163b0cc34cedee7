"""Taking the table as it lies, naming a card later, going back: of any game, and undone to the last field."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from tests.support.api import Api, Json, Reply, action, play, whole_log
from tests.support.guests import owner_with_plus
from tests.support.moves import PILES
from tests.support.offline import Phone, lasting, new_ids, read, with_ids
from tests.support.system import System
from tests.support.thorough import thorough
from tests.unit.rules.builders import OPTIONS, as_json, walks
from tests.unit.rules.evenings import whole_game

CARDS = range(2, 100)
THOROUGH = thorough(10)


@pytest.fixture(scope="module")
def api(system: System) -> Api:
    """Somebody with Plus."""
    return owner_with_plus(system).api


class Game:
    """A game into which a device has brought whatever it recorded, refused actions and all."""

    def __init__(self, api: Api, options: Json, recorded: list[Json]) -> None:
        self.api = api
        players = [{"name": f"Player {number}"} for number in range(options["players"])]
        chosen = {name: value for name, value in options.items() if name != "players"}
        body = {"ruleset": "the-game", "options": chosen, "players": players}
        made = api.post("/v1/games", body)
        assert made.status == 201, made.body
        self.path = f"/v1/games/{made.json['id']}"
        brought = Phone(api, made.json["id"], "cellar", story=recorded).sync()
        assert brought.status == 200, brought.body
        self.document: Json = brought.json["game"]

    @property
    def table(self) -> Json:
        table: Json = self.document["table"]
        return table

    @property
    def log(self) -> list[Json]:
        return whole_log(self.api, self.document["id"])

    def post(self, what: str, **body: Any) -> Reply:
        """Ask for a correction; the document is what it leads to. A refused one changes nothing at all."""
        answer = self.api.post(f"{self.path}/{what}", {"expected_version": self.document["version"], **body})
        if answer.status == 200:
            assert [outcome["verdict"] for outcome in answer.json["outcomes"]] == ["accepted"]
            self.document = answer.json["game"]
        else:
            assert read(self.api, self.path) == self.document
        return answer

    def send(self, one: Json) -> Reply:
        return self.post("actions", actions=[one])

    def assert_undone(self, before: Json, log: list[Json]) -> None:
        """Undo brings back the state of before, redo that of after; at last it is as it was `before`."""
        after, kind = self.document, self.document["undo"]
        for _ in range(2):
            assert self.send(action("undo", target=kind["target"])).status == 200
            assert lasting(self.document) == lasting(before)
            assert self.document["redo"] == kind
            if self.document["version"] == after["version"] + 1:
                assert self.send(action("redo", target=kind["target"])).status == 200
                assert lasting(self.document) == lasting(after)
        assert read(self.api, self.path) == self.document
        counting = [entry["effective"] for entry in self.log]
        assert counting == [entry["effective"] for entry in log] + [False] * (len(counting) - len(log))


def at_the_table(table: Json, chance: Random) -> Json:
    """What might truly lie there: some piles unread, on some a card that the log does not know of."""
    tops: Json = {name: pile["top"] for name, pile in table["piles"].items()}
    unknown = [card for card in CARDS if card not in table["played"]]
    chance.shuffle(unknown)
    deck, hands = table["deck"], table["hands"]
    for name in PILES:
        match chance.randrange(3):
            case 0:
                tops[name] = None
            case 1 if deck and unknown:
                # It came out while nobody recorded; the deck has one less.
                tops[name], deck = unknown.pop(), deck - 1
    holding = [seat for seat, count in enumerate(hands) if count] or list(range(len(hands)))
    return {"piles": tops, "deck": deck, "hands": hands, "active_seat": chance.choice(holding)}


def impossible(table: Json, seen: Json) -> Iterator[tuple[str, Json]]:
    """The same with one thing that cannot be, and the field that is to blame."""
    seats, played = len(seen["hands"]), table["played"]
    room = 98 - len({*played, *(top for top in seen["piles"].values() if top in CARDS)})
    yield "deck", seen | {"deck": room - sum(seen["hands"]) + 1}
    yield "deck", seen | {"deck": -1}
    yield "hands", seen | {"hands": [*seen["hands"], 1]}
    yield "hands", seen | {"hands": [9] * seats}
    yield "active_seat", seen | {"active_seat": seats}
    if seen["deck"]:
        yield "hands", seen | {"hands": [0] * seats}
    for card in set(played) - {pile["top"] for pile in table["piles"].values()}:
        yield "piles", seen | {"piles": seen["piles"] | {"up1": card}}
        return
    lying = [name for name in PILES if seen["piles"][name] in CARDS]
    if lying:
        other = next(name for name in PILES if name != lying[0])
        yield "piles", seen | {"piles": seen["piles"] | {other: seen["piles"][lying[0]]}}


@THOROUGH
@given(walk=walks(), seed=st.integers(0, 2**16))
def test_adopting_keeps_what_the_log_proves_leaves_the_rest_unknown_and_is_undone_to_the_last_field(
    api: Api, walk: tuple[Any, list[Json]], seed: int
) -> None:
    game = Game(api, as_json(walk[0]), with_ids(walk[1], new_ids()))
    before, log, chance = game.document, game.log, Random(seed)
    seen = at_the_table(game.table, chance)
    for field, wrong in impossible(before["table"], seen):
        refused = game.post("adopt", table=wrong)
        assert (refused.status, refused.code) == (422, "table_impossible"), (field, wrong)
        assert field in refused.json["errors"]["json"]["table"], (field, wrong, refused.json["errors"])
    event(f"adopted where it was {before['table']['status']}")
    assert game.post("adopt", table=seen).status == 200, seen
    table = game.table
    assert {name: pile["top"] for name, pile in table["piles"].items()} == seen["piles"]
    for name in ("deck", "hands", "active_seat"):
        assert table[name] == seen[name]
    assert (table["phase"], table["played_this_turn"]) == ("play", 0)
    read_cards = {top for top in seen["piles"].values() if top in CARDS}
    assert table["played"] == sorted({*before["table"]["played"], *read_cards}), "known cards stay known"
    out = 98 - table["deck"] - sum(table["hands"])
    assert (table["control"] == "full") == (out == len(table["played"])), "and what is not known is said so"
    assert [player["hand"] for player in game.document["players"]] == seen["hands"]
    goes_on(game, chance)
    game.assert_undone(before, log)


def goes_on(game: Game, chance: Random) -> None:
    """What the table then offers is what it takes; the game is left as it was found."""
    adopted = game.document
    for name in PILES:
        offers = adopted["table"]["piles"][name]
        for kind, sure in (("playable", False), ("uncertain", True)):
            if offers[kind]:
                laid = play(name, chance.choice(offers[kind]), **({"confirmed": True} if sure else {}))
                assert game.send(laid).status == 200, laid
                assert game.send(action("undo", target=laid["id"])).status == 200
                assert lasting(game.document) == lasting(adopted)


@THOROUGH
@given(options=OPTIONS, seed=st.integers(0, 2**16), data=st.data())
def test_a_game_with_cards_nobody_saw_is_the_whole_game_once_they_are_named(
    api: Api, options: Any, seed: int, data: st.DataObject
) -> None:
    told = [it for it in whole_game(options, seed) if it["type"] not in ("block", "confirm")]
    told = with_ids(told[: data.draw(st.integers(1, len(told)))], new_ids())
    plays = [it for it in told if it["type"] == "play"]
    assume(plays)
    unseen = data.draw(
        st.lists(st.sampled_from(plays), unique_by=lambda it: it["id"], min_size=1, max_size=3)
    )
    hidden = {it["id"] for it in unseen}
    whole = Game(api, as_json(options), with_ids(told, new_ids()))
    game = Game(api, as_json(options), [_unseen(it) if it["id"] in hidden else _sure(it) for it in told])
    assume(whole.table["status"] == "playing")
    for it in unseen:
        before, log = game.document, game.log
        wrong = data.draw(st.sampled_from(plays))
        if wrong["id"] not in hidden:
            named = game.send(action("identify", target=it["id"], card=wrong["card"]))
            assert (named.status, named.code) == (422, "card_already_played")
            named = game.send(action("identify", target=wrong["id"], card=it["card"]))
            assert (named.status, named.code) == (422, "target_not_valueless")
        assert game.send(action("identify", target=it["id"], card=it["card"])).status == 200
        assert game.table["played"] == sorted([*before["table"]["played"], it["card"]])
        after = game.document
        game.assert_undone(before, log)
        assert game.send(action("redo")).status == 200
        assert lasting(game.document) == lasting(after)
    assert game.table == whole.table


@THOROUGH
@given(options=OPTIONS, seed=st.integers(0, 2**16), data=st.data())
def test_a_name_that_contradicts_the_log_is_refused_with_the_entries_that_do(
    api: Api, options: Any, seed: int, data: st.DataObject
) -> None:
    told = [it for it in whole_game(options, seed)[:40] if it["type"] not in ("block", "confirm")]
    told = with_ids(told, new_ids())
    unseen = data.draw(st.sampled_from([it for it in told if it["type"] == "play"]))
    game = Game(api, as_json(options), [_unseen(it) if it is unseen else _sure(it) for it in told])
    before, log = game.document, game.log
    free = [card for card in CARDS if card not in game.table["played"]]
    card = data.draw(st.sampled_from(free))
    answer = game.send(action("identify", target=unseen["id"], card=card))
    bare = [{**it, "card": card} if it is unseen else it for it in told]
    body = {"options": game.document["options"], "actions": [_sure(it) for it in bare]}
    outcomes = api.post("/v1/rulesets/the-game/evaluate", body).json["outcomes"]
    is_legal = all(outcome["verdict"] == "accepted" for outcome in outcomes)
    event("legal" if is_legal else "contradicted")
    if is_legal:
        assert answer.status == 200
        game.assert_undone(before, log)
    else:
        assert (answer.status, answer.code) == (422, "illegal_play")
        first = next(outcome["action_id"] for outcome in outcomes if outcome["verdict"] == "rejected")
        assert answer.json["errors"][0] == first
        assert set(answer.json["errors"]) <= {it["id"] for it in told}
        assert game.document == before


@THOROUGH
@given(walk=walks(), data=st.data())
def test_going_back_shows_the_game_as_it_was_then_and_is_undone_to_the_last_field(
    api: Api, walk: tuple[Any, list[Json]], data: st.DataObject
) -> None:
    game = Game(api, as_json(walk[0]), with_ids(walk[1], new_ids()))
    before, log = game.document, game.log
    version = data.draw(st.integers(0, before["version"]))
    then = read(api, f"{game.path}?at={version}")
    refused = game.post("rewind", to_version=before["version"] + 1)
    assert (refused.status, refused.code) == (422, "validation_failed")
    assert game.post("rewind", to_version=version).status == 200
    assert game.document["table"] == then["table"]
    assert game.document["players"] == then["players"]
    assert (game.document["result"] is None) == (then["result"] is None)
    game.assert_undone(before, log)


@pytest.mark.parametrize("correction", ["adopt", "rewind"])
def test_a_result_that_a_correction_took_back_comes_back_with_the_time_at_which_it_was_confirmed(
    api: Api, correction: str
) -> None:
    over = [play("up1", 7), action("block"), action("confirm")]
    game = Game(api, {"players": 2, "difficulty": "normal", "reduced_hand": False, "first_seat": 0}, over)
    before, log = game.document, game.log
    assert before["result"]["confirmed_at"] == log[-1]["recorded_at"]
    seen = {"piles": {"up1": 7, "up2": 1, "down1": 100, "down2": 100}, "deck": 84, "hands": [6, 7]}
    body = {"table": seen | {"active_seat": 0}} if correction == "adopt" else {"to_version": 1}
    assert game.post(correction, **body).json["game"]["result"] is None
    game.assert_undone(before, log)
    assert game.post("rewind", to_version=1).status == 200
    assert game.post("rewind", to_version=3).status == 200
    assert game.document["result"] == before["result"]
    told = read(api, f"{game.path}/log?tables=true")["items"]
    assert {it["seq"]: it["result"] for it in told if it["result"]} == dict.fromkeys(
        (3, 5, 7, 9), before["result"]
    )
    assert read(api, f"{game.path}?at={before['version']}")["result"] == before["result"]


def _unseen(it: Json) -> Json:
    return {name: value for name, value in it.items() if name != "card"} | {"confirmed": True}


def _sure(it: Json) -> Json:
    return it | {"confirmed": True} if it["type"] == "play" else it
