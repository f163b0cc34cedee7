"""Coming by an invitation: whom its code lets in, and until when."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from services.sessions.application.purge import sweep
from tests.integration.sessions.served import (
    Served,
    accept,
    accepted,
    is_refused,
)
from tests.integration.sessions.world import LONG_AGO, eventually, now
from tests.support.api import play


@pytest.mark.parametrize(
    "code", ["x", "A" * 42, "A" * 43, "A" * 44, "\u00e4" * 43, " " * 43, f"{'A' * 42}\n", "A" * 256]
)
def test_an_unknown_code_is_told_to_be_looked_at_again(served: Served, code: str) -> None:
    assert is_refused(accept(served, code), 404, "invitation_unknown")


@pytest.mark.parametrize("body", [{}, {"code": ""}, {"code": 7}, {"code": "A" * 257}, {"code": "x", "a": 1}])
def test_what_is_no_code_is_not_valid(served: Served, body: Any) -> None:
    answer = served.call("POST", "/v1/invitations/accept", body)
    assert is_refused(answer, 422, "validation_failed")


def test_an_almost_right_code_is_unknown(served: Served) -> None:
    code = served.owner().invite()["code"]
    for wrong in (code.swapcase(), code[:-1], f"{code}A", f" {code}"):
        assert is_refused(accept(served, wrong), 404, "invitation_unknown")


def test_an_invitation_is_accepted_up_to_its_end_and_not_at_it(served: Served) -> None:
    code = served.owner().invite(expires_in=60)["code"]
    served.clock.turn(seconds=59, milliseconds=999)
    assert accept(served, code).json["expires_in"] == 0
    served.clock.turn(milliseconds=1)
    assert is_refused(accept(served, code), 410, "invitation_ended")


def test_a_withdrawn_invitation_is_over(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    owner.revoke(invitation["id"])
    assert is_refused(accept(served, invitation["code"]), 410, "invitation_ended")


def test_a_game_in_the_bin_takes_no_guests_and_no_invitations_until_it_is_restored(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    owner.call("DELETE", owner.game)
    assert is_refused(accept(served, invitation["code"]), 410, "invitation_ended")
    refused = owner.call("POST", owner.invitations, {"role": "viewer"})
    assert is_refused(refused, 409, "game_in_bin")
    assert len(owner.listed()) == 1
    owner.call("POST", f"{owner.game}/restore")
    assert accept(served, invitation["code"]).status_code == 200


def test_a_purged_game_leaves_no_invitation_no_guest_and_no_news_of_them(served: Served) -> None:
    owner, other = served.owner(), served.owner()
    withdrawn, invitation = owner.invite(), owner.invite()
    guest, kept = accepted(served, invitation["code"]), other.guest()
    guest.call("POST", f"{guest.game}/actions", {"actions": [play("up1", 7)]})
    owner.revoke(withdrawn["id"])
    served.clock.turn(seconds=-LONG_AGO.total_seconds())
    owner.call("DELETE", owner.game)
    served.clock.turn(seconds=LONG_AGO.total_seconds())
    sweep(served.world.purge, now())
    for table in ("games", "entries", "invitations", "guests"):
        assert served.world.count(table, owner.game_id) == 0  # type: ignore[arg-type]
    assert served.world.events(withdrawn["id"]) == []
    assert is_refused(guest.call("GET", guest.game), 401, "unauthenticated")
    assert is_refused(accept(served, invitation["code"]), 404, "invitation_unknown")
    assert kept.call("GET", kept.game).status_code == 200


def test_joining_a_game_that_is_just_being_purged_finds_the_invitation_over(served: Served) -> None:
    owner, world = served.owner(), served.world
    invitation = owner.invite()
    accepted(served, invitation["code"])
    served.clock.turn(seconds=-LONG_AGO.total_seconds())
    owner.call("DELETE", owner.game)
    served.clock.turn(seconds=LONG_AGO.total_seconds())
    guests = "SELECT id FROM guests WHERE game_id = :id FOR UPDATE"
    with world.held(guests, id=owner.game_id) as lock, ThreadPoolExecutor(2) as pool:
        swept = pool.submit(sweep, world.purge, now())
        eventually(lambda: world.waiting("test-sessions_purge"), "the sweep has locked the game")
        joined = pool.submit(accept, served, invitation["code"])
        eventually(lambda: world.waiting("test-sessions"), "the guest is waiting for the game")
        lock.rollback()
        assert swept.result(30) >= 1
        assert is_refused(joined.result(30), 410, "invitation_ended")
    assert world.count("guests", owner.game_id) == 0  # type: ignore[arg-type]
