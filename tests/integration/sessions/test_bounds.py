"""What devices leave of a game beside its log is bounded, whoever sends at once and whatever they send."""

from functools import partial
from uuid import uuid4

import pytest

from services.sessions.application import recording
from services.sessions.application.branching import EVER_LIMIT, UNDECIDED_LIMIT
from services.sessions.application.parked import LIMIT
from services.sessions.domain.branch import NEEDS_DECISION
from shared.web.problems import Problem
from tests.integration.sessions.devices import Device, branches, parked, syncing, told
from tests.integration.sessions.forks import ALIKE, APART, fork
from tests.integration.sessions.opened import Open
from tests.integration.sessions.served import Owner, Served, is_refused
from tests.integration.sessions.world import Table, World
from tests.support.api import Json, action, play
from tests.support.unreliable import at_once

REFUSED = ("left", 3)


def fill_parked(table: Table, count: int) -> None:
    """Actions that were refused long ago."""
    table.world.rows(
        "INSERT INTO parked (game_id, action_id, action, code, account_id, device, parked_at)"
        " SELECT :game_id, gen_random_uuid(), '{}', 'illegal_play', :account_id, 'phone',"
        " now() - interval '1 day' FROM generate_series(1, :count) RETURNING action_id",
        game_id=table.id,
        account_id=table.account_id,
        count=count,
    )


def fill_conflicts(table: Table, count: int, status: str) -> None:
    """Conflicts of other devices, copied from one that there is."""
    table.world.rows(
        "WITH one AS (SELECT * FROM conflicts WHERE game_id = :game_id LIMIT 1), b AS ("
        " INSERT INTO branches SELECT gen_random_uuid(), b.game_id, b.account_id, b.guest_id, 'copy ' || n,"
        " b.base_version, b.actions, b.outcomes, b.digest, b.received_at, b.newest_at"
        " FROM one JOIN branches b ON b.id = one.branch_id, generate_series(1, :count) n RETURNING id)"
        " INSERT INTO conflicts (id, game_id, branch_id, status, base_version, length, cloud_version, found,"
        " outline, created_at, updated_at, tried_at) SELECT gen_random_uuid(), one.game_id, b.id, :status,"
        " one.base_version, one.length, one.cloud_version, one.found, one.outline, one.created_at,"
        " one.updated_at, one.tried_at FROM one, b RETURNING id",
        game_id=table.id,
        count=count,
        status=status,
    )


def code(device: Device, *actions: Json) -> str:
    """What a sync is refused with, empty when it is not."""
    try:
        device.sync(*actions, process=syncing(device.table.world))
    except Problem as problem:
        return problem.code
    return ""


def behind(world: World) -> Table:
    """A game that went on after its start."""
    table = world.new_game()
    table.send(play("up1", 30))
    return table


@pytest.mark.parametrize("way", ["straight on", "nothing accepted", "contained", "in conflict"])
def test_more_refused_actions_than_a_game_keeps_are_refused_with_all_that_came_with_them(
    world: World, way: str
) -> None:
    more = {
        "straight on": [play("up1", 40)],
        "contained": [play("up1", 30)],
        "in conflict": [play("up2", 30)],
    }
    table = behind(world)
    device = Device(table, base=0 if way in ("contained", "in conflict") else 1)
    fill_parked(table, LIMIT - 1)
    device.story = [play(*REFUSED), *more.get(way, []), play(*REFUSED)]
    assert code(device) == "too_many_parked"
    assert table.game.head.version == 1
    assert branches(table) == []
    assert len(parked(table)) == LIMIT - 1
    table.world.rows("DELETE FROM parked WHERE parked_at < now() - interval '1 hour' RETURNING code")
    assert code(device) == ""
    assert len(parked(table)) == 2


def test_devices_at_once_never_leave_more_refused_actions_than_a_game_keeps(world: World) -> None:
    table = world.new_game()
    fill_parked(table, LIMIT - 30)
    devices = [Device(table, f"device {n}") for n in range(8)]
    codes = at_once(*[partial(code, it, *(play(*REFUSED) for _ in range(10))) for it in devices])
    assert sorted(codes) == [""] * 3 + ["too_many_parked"] * 5
    assert len(parked(table)) == LIMIT


def test_a_refused_action_that_is_kept_already_needs_no_room(world: World) -> None:
    table = world.new_game()
    device = Device(table)
    device.sync(play(*REFUSED))
    fill_parked(table, LIMIT - 1)
    assert told(device.sync()) == ["pile_unknown"]
    assert told(device.sync(play("up1", 50))) == ["pile_unknown", "accepted"]


def test_devices_at_once_never_open_more_conflicts_than_people_can_decide(world: World) -> None:
    forked = fork(world, APART)
    table = forked.table
    fill_conflicts(table, UNDECIDED_LIMIT - 4, "needs_decision")
    devices = [Device(table, f"device {n}") for n in range(8)]
    codes = at_once(*[partial(code, it, play("up2", 50)) for it in devices])
    assert sorted(codes) == [""] * 3 + ["too_many_conflicts"] * 5
    assert len(branches(table)) == UNDECIDED_LIMIT


def test_at_the_limit_what_is_known_is_answered_and_grows(world: World) -> None:
    device = Device(behind(world))
    first = device.sync(play("up2", 50))
    fill_conflicts(device.table, UNDECIDED_LIMIT - 1, "pending")
    assert device.sync().conflict_id == first.conflict_id
    assert device.sync(play("up2", 51)).conflict_id == first.conflict_id
    assert code(Device(device.table, "other"), play("up2", 60), play(*REFUSED)) == "too_many_conflicts"
    assert parked(device.table) == {}, "nothing of it was taken in"
    device.table.send(play("up1", 40))
    straight_on = Device(device.table, "other", base=2)
    assert told(straight_on.sync(play("up1", 41))) == ["accepted"]


def test_decided_conflicts_make_room_until_there_were_too_many_ever(world: World) -> None:
    device = Device(behind(world))
    device.sync(play("up2", 50))
    fill_conflicts(device.table, EVER_LIMIT - 2, "settled")
    assert code(Device(device.table, "other"), play("up2", 60)) == ""
    assert code(Device(device.table, "third"), play("up2", 60)) == "too_many_conflicts"


def test_what_no_card_or_pile_can_be_is_refused_and_little_of_it_is_kept(served: Served) -> None:
    owner = served.owner()
    odd = ["x" * 50_000, "\0", "a\0b", "\ud7ff\U0010ffff"]
    actions = [
        *(play(it, 7) for it in odd),
        *({**play("up1"), "card": it} for it in odd),
        *(action("undo", target=it) for it in odd),
    ]
    for version, card in ((0, 50), (1, 60)):
        story = {"device": f"phone {version}", "base_version": 0, "actions": [*actions, play("up2", card)]}
        answer = owner.call("POST", f"{owner.game}/sync", story)
        assert answer.status_code == (202 if version else 200), answer.data
        assert [it.get("code") for it in answer.json["outcomes"]] == [
            *["pile_unknown"] * 4,
            *["card_out_of_range"] * 4,
            *["nothing_to_undo"] * 4,
            None,
        ]
        again = owner.call("POST", f"{owner.game}/sync", story)
        assert again.status_code == answer.status_code
        actions = [{**it, "id": str(uuid4())} for it in actions]
    kept = owner.call("GET", f"{owner.game}/parked?limit=200")
    assert len(kept.json["items"]) == 24
    assert len(kept.data) < 24 * 600


def test_whoever_puts_parked_actions_away_while_turning_pages_sees_all_of_them(owner: Owner) -> None:
    story = {"device": "phone", "base_version": 0, "actions": [play(*REFUSED) for _ in range(7)]}
    owner.call("POST", f"{owner.game}/sync", story)
    seen, cursor = [], ""
    while cursor is not None:
        page = owner.call("GET", f"{owner.game}/parked?limit=3{cursor and f'&cursor={cursor}'}").json
        for it in page["items"]:
            seen.append(it["action_id"])
            assert owner.call("DELETE", f"{owner.game}/parked/{it['action_id']}").status_code == 204
        cursor = page["next_cursor"]
    assert sorted(seen) == sorted(it["id"] for it in story["actions"])
    for odd in ("x", str(uuid4()), "1.2", f"1.{'-' * 36}", f"{9**18}.{uuid4()}"):
        answer = owner.call("GET", f"{owner.game}/parked?cursor={odd}")
        assert is_refused(answer, 422, "validation_failed")


def test_a_log_takes_no_more_than_so_many_bytes_of_stories_told_anew(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Open(owner)
    assert opened.decide("device").status_code == 200
    (size,) = opened.table.world.rows(
        "SELECT sum(length(action::text)) FROM entries WHERE game_id = :id AND action ->> 'type' = 'resolve'",
        id=opened.table.id,
    )
    monkeypatch.setattr(recording, "RESOLVED_LIMIT", size[0] * 2 - 1)
    opened.send(action("undo"))
    assert is_refused(opened.decide("device"), 422, "log_full")
    assert opened.read()["status"] == "needs_decision"
    opened.send(play("down2", 95))
    proved = fork(owner.served.world, ALIKE, table=opened.table)
    assert proved.run() == NEEDS_DECISION, "what cannot be written is asked"
    monkeypatch.undo()
    assert opened.decide("device", expected_version=opened.table.game.head.version).status_code == 200


@pytest.fixture
def owner(served: Served) -> Owner:
    return served.owner()
