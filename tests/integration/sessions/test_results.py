"""Results on the way: told at each entry that brings one or takes one back; a recorder takes none back."""

from typing import Any
from uuid import uuid4

import orjson
import pytest

from services.sessions.application.judging import SHOWN_TOGETHER
from shared.web.encoding import dumps
from tests.integration.sessions.world import Table, World, verdicts
from tests.support.api import Json, action, play


def undo(taken: Json) -> Json:
    return action("undo", target=taken["id"])


def redo(taken: Json) -> Json:
    return action("redo", target=taken["id"])


def told(table: Table) -> list[tuple[str, int]]:
    """(kind, version) of what is told of the game after its creation, in order."""
    return [(row.type.rpartition(".")[2], row.data["version"]) for row in table.world.events(table.id)[1:]]


def advanced(table: Table) -> Any:
    """The data of the last event about entries."""
    return [row.data for row in table.world.events(table.id) if row.type.endswith("advanced")][-1]


def public(document: Any) -> Any:
    """As the API sends it."""
    return orjson.loads(dumps(document))


@pytest.fixture
def confirm() -> Json:
    return action("confirm")


@pytest.fixture
def finished(world: World, confirm: Json) -> Table:
    table = world.new_game()
    table.send(action("block"))
    table.send(confirm)
    return table


def test_a_result_taken_back_and_brought_again_in_one_batch_is_told_twice(
    finished: Table, confirm: Json
) -> None:
    before = public(finished.game.document())["result"]
    after = public(finished.send(undo(confirm), redo(confirm)).game.document())
    assert told(finished)[-3:] == [("advanced", 4), ("reopened", 3), ("finished", 4)]
    assert after == public(finished.game.document())
    assert after["result"] == public(advanced(finished)["result"]) == before
    assert after["result"]["confirmed_at"] == public(finished.log()[1])["recorded_at"]
    assert [it["result"] for it in public(advanced(finished)["after"])] == [None, before]


def test_a_result_that_comes_and_goes_in_one_batch_is_told_and_gone(world: World, confirm: Json) -> None:
    table = world.new_game()
    assert table.send(action("block"), confirm, undo(confirm)).game.head.result is None
    assert told(table) == [("advanced", 3), ("finished", 2), ("reopened", 3)]


def test_every_change_in_a_long_batch_is_told_in_order(finished: Table, confirm: Json) -> None:
    block = finished.actions[0]
    back = []
    for _ in range(5):
        back += [undo(confirm), undo(block), redo(block), redo(confirm)]
    finished.send(*back)
    assert len(back) > SHOWN_TOGETHER
    assert "after" not in advanced(finished)
    changes = [
        (kind, 2 + 4 * turn + n) for turn in range(5) for kind, n in (("reopened", 1), ("finished", 4))
    ]
    assert told(finished)[3:] == [("advanced", 22), *changes]


def test_a_result_that_stays_is_not_told_again(finished: Table) -> None:
    assert verdicts(finished.send(action("draw"))) == ["rejected"]
    assert told(finished) == [("advanced", 1), ("advanced", 2), ("finished", 2)]


def test_entries_told_together_come_with_what_there_was_to_see_after_each(world: World) -> None:
    table = world.new_game()
    laid = [play("up1", 7), play("down1", 93), action("draw"), action("end_turn")]
    table.send(*laid)
    seen = advanced(table)["after"]
    assert [it["table"]["played_this_turn"] for it in seen] == [1, 2, 2, 0]
    assert seen[-1] == {"table": advanced(table)["table"], "result": None}
    table.send(play("up1", 8))
    assert "after" not in advanced(table)


def test_of_a_batch_that_stops_only_the_stored_entries_are_told(world: World) -> None:
    table = world.new_game()
    table.send(play("up1", 7), play("up1", 9), play("up1", 8), play("up1", 10))
    assert [it["table"]["piles"]["up1"]["top"] for it in advanced(table)["after"]] == [7, 9]
    table.send(play("up1", 11), play("up1", 10))
    assert "after" not in advanced(table)


def test_a_guest_is_named_in_the_log_and_in_what_is_told(world: World) -> None:
    table, guest_id = world.new_game(), uuid4()
    laid = play("up1", 7)
    table.send(laid, device="second phone", guest_id=guest_id)
    by = {"account_id": None, "guest_id": guest_id, "device": "second phone"}
    assert table.log()[0]["by"] == by
    assert advanced(table)["entries"][0]["by"] == by | {"guest_id": str(guest_id)}
    assert verdicts(table.send(laid)) == ["duplicate"]


def test_a_recorder_takes_back_anything_but_a_result(world: World, confirm: Json) -> None:
    table, guest_id = world.new_game(), uuid4()
    block = action("block")
    assert verdicts(table.send(block, undo(block), guest_id=guest_id)) == ["accepted", "accepted"]
    assert verdicts(table.send(redo(block), confirm, guest_id=guest_id)) == ["accepted", "accepted"]
    before = table.game
    for target in ({"target": confirm["id"]}, {}):
        answer = table.send(action("undo", **target), guest_id=guest_id)
        assert answer.refusal is not None
        assert (answer.refusal.code, answer.refusal.index) == ("role_insufficient", 0)
        assert answer.outcomes[-1]["code"] == "role_insufficient"
    assert table.game == before
    assert verdicts(table.send(undo(confirm))) == ["accepted"]
    assert verdicts(table.send(redo(confirm), guest_id=guest_id)) == ["accepted"]


def test_a_recorder_is_stopped_where_a_result_of_the_same_batch_would_go(world: World, confirm: Json) -> None:
    table = world.new_game()
    block, back, never = action("block"), undo(confirm), action("undo")
    answer = table.send(block, confirm, block, back, never, guest_id=uuid4())
    assert verdicts(answer) == ["accepted", "accepted", "duplicate", "rejected"]
    assert answer.refusal is not None
    assert (answer.refusal.code, answer.refusal.index) == ("role_insufficient", 3)
    assert answer.refusal.action_id == back["id"]
    assert table.actions == [block, confirm]
    assert public(table.game.document()) == public(answer.game.document())
    assert told(table) == [("advanced", 2), ("finished", 2)]
    assert [it["result"] is None for it in advanced(table)["after"]] == [True, False]
    assert verdicts(table.send(back)) == ["accepted"]


def test_what_the_rules_refuse_before_is_what_a_recorder_is_told(finished: Table) -> None:
    answer = finished.send(action("undo", target=str(uuid4())), guest_id=uuid4())
    assert answer.refusal is not None
    assert answer.refusal.code == "undo_target_mismatch"
    assert verdicts(finished.send(action("draw"), action("undo"), guest_id=uuid4())) == ["rejected"]
