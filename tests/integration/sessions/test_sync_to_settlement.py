"""The whole way of a branch: sent by its device, reconciled by a worker, read and decided by the table."""

from typing import Any

import pytest

from tests.integration.sessions.forks import ALIKE, APART, DEVICE, Lays, job, lays
from tests.integration.sessions.served import Answer, Owner, Served
from tests.integration.sessions.world import World
from tests.support.api import Json, play


@pytest.fixture
def owner(world: World) -> Owner:
    return Served(world).owner()


def act(owner: Owner, *actions: Json) -> Answer:
    answer = owner.call("POST", f"{owner.game}/actions", {"actions": actions})
    assert answer.status_code == 200, answer.data
    return answer


def sync(owner: Owner, base: int, actions: list[Json], device: str = DEVICE) -> Answer:
    body = {"device": device, "base_version": base, "actions": actions}
    return owner.call("POST", f"{owner.game}/sync", body)


def parted(owner: Owner, sides: tuple[Lays, Lays]) -> tuple[list[Json], Answer]:
    """What the device sent, and the answer that opened a conflict."""
    act(owner, play("up1", 7), *lays(sides[0]))
    sent = lays(sides[1])
    answer = sync(owner, 1, sent)
    assert answer.status_code == 202, answer.data
    return sent, answer


def settle(owner: Owner, answer: Answer) -> Any:
    """The conflict of an answer after a worker has looked at it."""
    job(owner.served.world).sweep()
    job(owner.served.world).run(answer.json["conflict"]["id"])
    read = owner.call("GET", answer.headers["Location"])
    assert read.status_code == 200, read.data
    return read.json


def test_a_branch_in_another_order_is_merged_without_a_question(owner: Owner) -> None:
    cloud, device = ALIKE
    _, answer = parted(owner, (cloud, [*device, ("down2", 95)]))
    assert settle(owner, answer)["status"] == "merged"
    assert owner.call("GET", owner.game).json["table"]["played"] == [7, 12, 90, 95]


def test_one_card_on_two_piles_is_decided_and_both_devices_see_one_table(owner: Owner) -> None:
    _, answer = parted(owner, APART)
    conflict = settle(owner, answer)
    assert conflict["status"] == "needs_decision"
    path = answer.headers["Location"]
    decided = owner.call("POST", f"{path}/decision", {"choice": "device"}).json
    assert decided["table"] == conflict["device"]["table"]
    third = owner.served.token(owner.account_id, "plus")[0]
    other = owner.served.call("POST", f"{path}/reopen", {"side": "cloud"}, third)
    assert other.json["table"] == conflict["cloud"]["table"]


def test_the_same_branch_again_is_the_same_conflict_before_and_after_it_is_settled(owner: Owner) -> None:
    sent, answer = parted(owner, APART)
    before = sync(owner, 1, sent)
    settle(owner, answer)
    path = answer.headers["Location"]
    assert owner.call("POST", f"{path}/decision", {"choice": "cloud"}).status_code == 200
    after = sync(owner, 1, sent)
    assert {it.json["conflict"]["id"] for it in (answer, before, after)} == {answer.json["conflict"]["id"]}
    assert len(owner.call("GET", "/v1/conflicts").json["items"]) == 1


def test_a_branch_that_goes_on_while_it_is_asked_about_is_one_conflict(owner: Owner) -> None:
    sent, answer = parted(owner, APART)
    settle(owner, answer)
    longer = sync(owner, 1, [*sent, play("down2", 95)])
    assert longer.status_code == 202
    assert longer.json["conflict"] == answer.json["conflict"]
    conflict = settle(owner, longer)
    assert conflict["status"] == "needs_decision"
    assert conflict["device"]["table"]["played"] == [7, 12, 95]
    decided = owner.call("POST", f"{answer.headers['Location']}/decision", {"choice": "device"})
    assert decided.json["table"]["played"] == [7, 12, 95]
