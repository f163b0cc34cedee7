"""Either side of a conflict as a game of its own."""

from uuid import UUID, uuid4

import pytest

from tests.integration.sessions.forks import BEFORE, DEVICE, Fork, grown, lays, sent
from tests.integration.sessions.opened import READ, Open, tops
from tests.integration.sessions.served import Owner, Served, is_refused
from tests.integration.sessions.world import Table, World
from tests.support.api import action, play
from tests.support.unreliable import at_once


@pytest.fixture
def served(world: World) -> Served:
    return Served(world)


@pytest.fixture
def owner(served: Served) -> Owner:
    return served.owner()


@pytest.mark.parametrize(("side", "expected"), [("cloud", [12, 1]), ("device", [7, 12])])
def test_either_side_opens_as_a_game_of_its_own(owner: Owner, side: str, expected: list[int]) -> None:
    opened = Open(owner)
    opened.decide("table", table=READ)
    third = owner.served.token(owner.account_id, "plus")[0]
    answer = owner.served.call("POST", f"{opened.path}/reopen", {"side": side}, third)
    assert answer.status_code == 201
    game = answer.json
    assert answer.headers["Location"] == f"/v1/games/{game['id']}"
    assert game["id"] != owner.game_id
    assert tops(game)[:2] == expected
    there = owner.call("GET", f"/v1/games/{game['id']}").json
    assert there == game
    assert [seat["name"] for seat in game["players"]] == ["Ana", "Ben"]
    log = owner.call("GET", f"/v1/games/{game['id']}/log").json["items"]
    assert [entry["seq"] for entry in log] == [1, 2]
    assert log[-1]["by"].get("device") == (DEVICE if side == "device" else None)
    assert (log[-1]["at"] is not None) == (side == "device")
    original = opened.read()[side]["entries"]
    assert log[-1]["action"]["id"] == original[-1]["action"]["id"]
    played_on = {"actions": [action("undo", target=game["undo"]["target"]), play("down2", 95)]}
    assert owner.call("POST", f"/v1/games/{game['id']}/actions", played_on).status_code == 200


def test_opening_a_side_twice_with_one_id_gives_one_game(owner: Owner) -> None:
    opened = Open(owner)
    game_id = str(uuid4())
    answers = at_once(*[lambda: opened.reopen("device", id=game_id)] * 4)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert is_refused(opened.reopen("cloud", id=game_id), 409, "id_taken")
    assert is_refused(opened.reopen("cloud", id=owner.game_id), 409, "id_taken")
    stranger = Open(owner.served.owner())
    assert is_refused(stranger.reopen("cloud", id=game_id), 409, "id_taken")


def test_a_side_is_opened_as_it_was_found_whatever_has_been_played_since(owner: Owner) -> None:
    opened = Open(owner)
    opened.send(play("down2", 95), play("down2", 90))
    opened.send(action("undo"))
    assert opened.reopen("cloud").json["table"]["played"] == [7, 12]
    assert opened.reopen("device").json["table"]["played"] == [7, 12]


def test_a_branch_that_grew_opens_with_all_of_it_also_before_anybody_looked_again(owner: Owner) -> None:
    opened = Open(owner)
    grown(opened.fork, [play("up2", 13)])
    document = opened.read()
    assert (document["status"], document["questions"], document["proposal"]) == ("pending", [], None)
    assert len(document["device"]["entries"]) == 2
    assert opened.reopen("device").json["table"]["played"] == [7, 12, 13]


def test_a_finished_side_opens_finished_and_is_told_so(owner: Owner) -> None:
    table = Table(owner.served.world, owner.account_id, UUID(owner.game_id))
    base = table.send(*lays(BEFORE)).game.head.version
    table.send(play("up1", 12))
    over = [play("up2", 30), action("undo"), action("block"), action("confirm")]
    conflict_id = sent(table, over, base)
    Fork(table, conflict_id).run()
    game = owner.call("POST", f"/v1/conflicts/{conflict_id}/reopen", {"side": "device"}).json
    assert game["result"]["remaining"] == 97
    kinds = [event.type for event in owner.served.world.events(UUID(game["id"]))]
    assert kinds == ["sessions.game.created", "sessions.game.finished"]
    log = owner.call("GET", f"/v1/games/{game['id']}/log").json["items"]
    assert [entry["action"]["type"] for entry in log] == ["play", "block", "confirm"]
