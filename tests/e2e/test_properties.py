"""What holds of every game, whatever is tapped: shown through the gateway on the running system."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.api import Api, Json, action, new_game, play, send, sign_up, whole_log
from tests.support.audit import effective, replay
from tests.support.moves import PILES
from tests.support.system import System
from tests.support.thorough import thorough
from tests.support.wishes import WISHES, Wish, meant

OPTIONS = st.fixed_dictionaries(
    {"players": st.integers(1, 5)},
    optional={
        "difficulty": st.sampled_from(["normal", "expert"]),
        "reduced_hand": st.booleans(),
        "first_seat": st.just(0),
    },
)
MANY = st.lists(WISHES, min_size=10, max_size=60)
CARDS = range(2, 100)
THOROUGH = thorough(25)


@pytest.fixture(scope="module")
def api(system: System) -> Api:
    return sign_up(system.url)


def play_through(api: Api, game: Json, wishes: Sequence[Wish]) -> tuple[Json, list[Json]]:
    """Send what `wishes` mean one by one; the game afterwards and all that was sent."""
    sent: list[Json] = []
    for wish in wishes:
        sent.append(meant(wish, game, sent))
        document = send(api, game, [sent[-1]]).json
        game = document.get("game", game)
    return game, sent


def lasting(game: Json) -> Json:
    """What two games have in common that were played alike."""
    result = {name: value for name, value in (game["result"] or {}).items() if name != "confirmed_at"}
    kept = ("options", "version", "table", "undo", "redo", "rules_version")
    return {name: game[name] for name in kept} | {"result": result}


@THOROUGH
@given(options=OPTIONS, wishes=MANY)
def test_no_card_is_lost_or_found_and_the_log_replays_to_the_table(
    api: Api, options: dict[str, Any], wishes: list[Wish]
) -> None:
    begun = new_game(api, **options)
    game, _ = play_through(api, begun, wishes)
    log = whole_log(api, game["id"])
    tables = replay(api, game, log)
    assert tables[0] == begun["table"]
    assert tables[-1] == game["table"]
    counts = effective(log)
    assert [entry["effective"] for entry in log] == counts
    laid = sum(it and entry["action"]["type"] == "play" for it, entry in zip(counts, log, strict=True))
    for table in tables:
        assert table["deck"] + sum(table["hands"]) == table["remaining"]
    assert game["table"]["remaining"] + laid == 98


@THOROUGH
@given(options=OPTIONS, wishes=MANY)
def test_undo_of_everything_returns_to_the_start_and_redo_of_everything_back(
    api: Api, options: dict[str, Any], wishes: list[Wish]
) -> None:
    begun = new_game(api, **options)
    game, _ = play_through(api, begun, wishes)
    end = game
    undone = 0
    while game["undo"]:
        answer = send(api, game, [action("undo", target=game["undo"]["target"])])
        assert answer.status == 200
        game = answer.json["game"]
        undone += 1
    assert game["table"] == begun["table"]
    assert game["result"] is None
    assert send(api, game, [action("undo")]).code == "nothing_to_undo"
    for _ in range(undone):
        answer = send(api, game, [action("redo", target=game["redo"]["target"])])
        assert answer.status == 200
        game = answer.json["game"]
    assert lasting(game) | {"version": 0} == lasting(end) | {"version": 0}


@THOROUGH
@given(options=OPTIONS, wishes=MANY, sizes=st.lists(st.integers(1, 12), min_size=1, max_size=10))
def test_a_batch_is_the_same_actions_one_by_one(
    api: Api, options: dict[str, Any], wishes: list[Wish], sizes: list[int]
) -> None:
    one_by_one, sent = play_through(api, new_game(api, **options), wishes)
    in_batches = new_game(api, **options)
    rest, turn = list(sent), 0
    while rest:
        batch, turn = rest[: sizes[turn % len(sizes)]], turn + 1
        answer = send(api, in_batches, batch)
        looked_at = len(answer.json["outcomes"])
        assert looked_at == len(batch) or answer.json["outcomes"][-1]["verdict"] == "rejected"
        rest = rest[looked_at:]
        in_batches = answer.json["game"]
    assert lasting(in_batches) == lasting(one_by_one)
    logs = [whole_log(api, game["id"]) for game in (one_by_one, in_batches)]
    facts = [[(e["seq"], e["action"], e["instructions"], e["effective"]) for e in log] for log in logs]
    assert facts[0] == facts[1]


@THOROUGH
@given(options=OPTIONS, wishes=MANY)
def test_playable_and_uncertain_are_what_play_then_answers(
    api: Api, options: dict[str, Any], wishes: list[Wish]
) -> None:
    game, _ = play_through(api, new_game(api, **options), wishes)
    log = [entry["action"] for entry in whole_log(api, game["id"])]
    probes: list[Json] = []
    expected: list[str | None] = []
    for name in PILES:
        offer = game["table"]["piles"][name]
        for card in CARDS:
            probes.append(play(name, card))
            expected.append("accepted" if card in offer["playable"] else None)
            if card in offer["uncertain"]:
                probes.append(play(name, card, confirmed=True))
                expected += ["accepted"]
            if card in offer["playable"] or card in offer["uncertain"]:
                probes.append(action("undo"))
                expected.append("accepted")
    answer = api.post(
        "/v1/rulesets/the-game/evaluate", {"options": game["options"], "actions": [*log, *probes]}
    )
    found = answer.json["outcomes"][len(log) :]
    uncertain = {name: pile["uncertain"] for name, pile in game["table"]["piles"].items()}
    for probe, wanted, outcome in zip(probes, expected, found, strict=True):
        assert (outcome["verdict"] == "accepted") == (wanted == "accepted"), (probe, outcome)
        if wanted is None:
            is_uncertain = probe["card"] in uncertain[probe["pile"]]
            assert (outcome["code"] == "confirmation_required") == is_uncertain, (probe, outcome)
