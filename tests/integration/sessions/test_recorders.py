"""What a guest who records may do about conflicts, and what only the owner of the game may."""

from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from services.sessions.domain.branch import MERGED, NEEDS_DECISION
from tests.integration.sessions.devices import Device, branches, parked, told
from tests.integration.sessions.forks import ALIKE, Fork, sent
from tests.integration.sessions.opened import Open
from tests.integration.sessions.running import running
from tests.integration.sessions.served import Answer, Guest, Owner, Served, is_refused
from tests.integration.sessions.world import Table, World, eventually, now
from tests.support.api import Json, action, play


@pytest.fixture
def owner(served: Served) -> Owner:
    return served.owner()


def act(by: Owner | Guest, *actions: Json) -> Answer:
    answer: Answer = by.call("POST", f"{by.game}/actions", {"actions": actions})
    return answer


def table_of(owner: Owner) -> Table:
    return Table(owner.served.world, owner.account_id, UUID(owner.game_id))


@pytest.mark.parametrize("choice", ["cloud", "device"])
def test_a_recorder_neither_takes_a_decision_back_nor_brings_it_back(owner: Owner, choice: str) -> None:
    opened, guest = Open(owner), owner.guest()
    decided = opened.decide(choice).json
    assert is_refused(act(guest, action("undo")), 403, "role_insufficient")
    targeted = action("undo", target=decided["undo"]["target"])
    assert is_refused(act(guest, targeted), 403, "role_insufficient")
    batch = act(guest, play("down2", 95), action("undo"), action("undo"), play("down2", 94))
    assert is_refused(batch, 403, "role_insufficient")
    assert batch.json["index"] == 2, "what comes before stays"
    assert opened.read()["status"] == "settled"
    assert act(owner, action("undo")).status_code == 200
    assert is_refused(act(guest, action("redo")), 403, "role_insufficient")
    assert opened.read()["status"] == "needs_decision"
    assert act(owner, action("redo")).status_code == 200
    assert opened.read()["status"] == "settled"


def test_a_recorder_takes_back_what_is_around_a_decision(owner: Owner) -> None:
    opened, guest = Open(owner), owner.guest()
    opened.decide("device")
    assert act(guest, play("down2", 95), action("undo"), action("redo"), action("undo")).status_code == 200
    assert opened.read()["status"] == "settled"


def test_a_recorder_takes_back_what_was_proved_for_nobody_decided_it(owner: Owner) -> None:
    opened, guest = Open(owner, ALIKE), owner.guest()
    assert opened.read()["status"] == "merged"
    assert act(guest, action("undo")).status_code == 200
    assert opened.read()["status"] == "needs_decision"
    assert act(guest, action("redo")).status_code == 200


def test_a_recorder_does_not_reach_a_decision_around_a_corner(owner: Owner) -> None:
    """Undoing a rewind that went back to before it would bring it back."""
    opened, guest = Open(owner), owner.guest()
    opened.decide("device")
    body = {"to_version": 1, "expected_version": 3}
    assert owner.call("POST", f"{owner.game}/rewind", body).status_code == 200
    assert is_refused(act(guest, action("undo")), 403, "role_insufficient")
    assert act(owner, action("undo")).status_code == 200


def test_a_recorder_s_branch_takes_no_decision_back_and_the_rest_goes_on(owner: Owner) -> None:
    opened = Open(owner)
    opened.decide("device")
    table = table_of(owner)
    device = Device(table, guest_id=uuid4(), base=table.game.head.version)
    synced = device.sync(play("down2", 95), action("undo"), action("undo"), play("down2", 94))
    assert told(synced) == ["accepted", "accepted", "role_insufficient", "accepted"]
    assert parked(table) == {device.story[2]["id"]: "role_insufficient"}
    assert opened.read()["status"] == "settled"


@pytest.mark.parametrize("who", ["guest", "account", "owner"])
def test_a_proof_for_a_recorder_s_branch_that_takes_a_decision_back_is_left_to_the_owner(
    owner: Owner, who: str
) -> None:
    opened = Open(owner)
    opened.decide("device")
    table = table_of(owner)
    base = table.game.head.version
    table.send(play("down2", 95), action("undo"))
    ids = {"guest": {"guest_id": uuid4()}, "account": {"account_id": uuid4()}, "owner": {}}
    conflict_id = sent(table, [action("undo")], base, **ids[who])
    assert Fork(table, conflict_id).run() == (MERGED if who == "owner" else NEEDS_DECISION)
    assert (table.game.head.table["piles"]["up2"]["top"] == 12) is (who != "owner")


def test_a_recorder_cannot_have_its_story_told_in_the_owner_s_name(world: World) -> None:
    """The owner's branch begins it, and the device calls itself alike."""
    table = world.new_game()
    table.send(play("up1", 30))
    owner, guest = Device(table), Device(table, guest_id=uuid4())
    first = owner.sync(play("up2", 50))
    same = guest.send(owner.story)
    longer = guest.send([*owner.story, action("block"), action("confirm")])
    assert same.conflict_id != first.conflict_id
    assert longer.conflict_id == same.conflict_id
    by_owner, by_guest = branches(table)
    assert [len(it.actions) for it in (by_owner, by_guest)] == [1, 3]
    assert (by_owner.by.account_id, by_guest.by.guest_id) == (table.account_id, guest.guest_id)


def lapse(owner: Owner, plan: str = "free") -> None:
    """Accounts tell of another plan."""
    world = owner.served.world
    with running(world.consumer().run):
        event = world.hear("accounts.plan.changed", owner.account_id, plan=plan, changed_at=now().isoformat())
        eventually(lambda: world.is_handled(event))


def is_forbidden(guest: Guest, path: str, body: Any) -> bool:
    return bool(guest.call("POST", path, body).status_code == 403)


def needing_plus(owner: Owner) -> list[tuple[str, Any]]:
    story = {"device": "phone", "base_version": 0, "actions": [play("up1", 7)]}
    named = action("identify", target=str(uuid4()), card=7)
    return [(f"{owner.game}/sync", story), (f"{owner.game}/actions", {"actions": [named]})]


def test_a_guest_needs_the_owner_s_plus_as_long_as_it_lasts(owner: Owner) -> None:
    guest = owner.guest()
    (sync, story), (actions, named) = needing_plus(owner)
    assert guest.call("POST", sync, story).status_code == 200
    assert is_refused(guest.call("POST", actions, named), 422, "target_not_valueless")
    lapse(owner)
    for path, body in needing_plus(owner):
        # What is known of a plan is kept for a moment.
        eventually(partial(is_forbidden, guest, path, body))
        assert is_refused(guest.call("POST", path, body), 403, "plus_required")
    assert guest.call("GET", f"{owner.game}/parked").status_code == 200
    assert act(guest, play("up1", 8)).status_code == 200, "a lapsed plan keeps nobody from recording"
    lapse(owner, "plus")
    eventually(lambda: guest.call("POST", sync, story).status_code == 200)


def test_what_is_not_there_or_not_allowed_is_told_before_what_is_wrong_in_a_body(served: Served) -> None:
    owner = served.owner()
    opened, guest, stranger = Open(owner), owner.guest(), served.owner("free")
    free, _ = served.token(owner.account_id, "free")
    paths = [f"{opened.path}/decision", f"{opened.path}/reopen"]
    paths += [f"{owner.game}/{it}" for it in ("sync", "adopt", "rewind")]
    for path in paths:
        bad = {"unheard": "of"}
        assert is_refused(stranger.call("POST", path, bad), 404, "not_found")
        assert is_refused(served.call("POST", path, bad, free), 403, "plus_required")
        if not path.endswith("sync"):
            assert is_refused(guest.call("POST", path, bad), 403, "role_insufficient")
        assert is_refused(owner.call("POST", path, bad), 422, "validation_failed")
        nowhere = path.replace(owner.game_id, str(uuid4())).replace(opened.path, f"/v1/conflicts/{uuid4()}")
        assert is_refused(owner.call("POST", nowhere, bad), 404, "not_found")
