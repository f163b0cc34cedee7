"""How many may be invited and how many may come, also when all do so at once."""

from functools import partial

import pytest

from services.sessions.application.invitations import EVER_LIMIT, GUESTS_LIMIT, IN_FORCE_LIMIT
from tests.integration.sessions.served import (
    Answer,
    Owner,
    Served,
    accept,
    accepted,
    is_refused,
)
from tests.support.unreliable import at_once

AT_ONCE = 8


def codes(answers: list[Answer]) -> list[str]:
    return [answer.json.get("code") if answer.status_code >= 400 else "" for answer in answers]


def test_at_most_twenty_invitations_are_in_force(served: Served) -> None:
    owner = served.owner()
    made = [owner.invite("viewer") for _ in range(IN_FORCE_LIMIT)]
    refused = owner.call("POST", owner.invitations, {"role": "viewer"})
    assert is_refused(refused, 409, "too_many_invitations")
    owner.revoke(made[7]["id"])
    owner.invite(expires_in=60)
    refused = owner.call("POST", owner.invitations, {"role": "viewer"})
    assert is_refused(refused, 409, "too_many_invitations")
    served.clock.turn(seconds=60)
    owner.invite()
    assert served.owner().invite()


def test_at_most_two_hundred_invitations_are_ever_made(served: Served) -> None:
    owner = served.owner()
    fill(owner, EVER_LIMIT - 1)
    served.clock.turn(seconds=60)
    owner.invite()
    refused = owner.call("POST", owner.invitations, {"role": "viewer"})
    assert is_refused(refused, 409, "too_many_invitations")
    assert len(owner.listed("?limit=200")) == EVER_LIMIT


def test_an_invitation_is_accepted_fifty_times_at_most(served: Served) -> None:
    owner = served.owner()
    invitation, other = owner.invite(), owner.invite()
    first = accepted(served, invitation["code"])
    for _ in range(GUESTS_LIMIT - 1):
        accepted(served, invitation["code"])
    assert is_refused(accept(served, invitation["code"]), 409, "too_many_guests")
    assert first.call("GET", first.game).status_code == 200
    assert accept(served, other["code"]).status_code == 200


@pytest.mark.parametrize(("limit", "before"), [("in force", IN_FORCE_LIMIT - 3), ("ever", EVER_LIMIT - 3)])
def test_whoever_invites_at_once_never_exceeds_a_limit(served: Served, limit: str, before: int) -> None:
    owner = served.owner()
    if limit == "ever":
        fill(owner, before)
        served.clock.turn(seconds=60)
    else:
        for _ in range(before):
            owner.invite()
    answers = at_once(*[partial(owner.call, "POST", owner.invitations, {"role": "viewer"})] * AT_ONCE)
    assert sorted(codes(answers)) == [""] * 3 + ["too_many_invitations"] * (AT_ONCE - 3)
    assert len(owner.listed("?limit=200")) == before + 3


def test_whoever_accepts_at_once_never_exceeds_the_limit(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    for _ in range(GUESTS_LIMIT - 3):
        accepted(served, invitation["code"])
    answers = at_once(*[partial(accept, served, invitation["code"])] * AT_ONCE)
    assert sorted(codes(answers)) == [""] * 3 + ["too_many_guests"] * (AT_ONCE - 3)
    assert owner.listed()[0]["guests"] == GUESTS_LIMIT


def test_after_a_withdrawal_that_races_with_guests_none_of_them_is_let_in(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    answers = at_once(
        *[partial(accept, served, invitation["code"])] * AT_ONCE, partial(owner.revoke, invitation["id"])
    )
    assert set(codes(answers[:AT_ONCE])) <= {"", "invitation_ended"}
    tokens = [answer.json["access_token"] for answer in answers[:AT_ONCE] if answer.status_code == 200]
    for token in tokens:
        assert is_refused(served.call("GET", owner.game, token=token), 401, "unauthenticated")


def fill(owner: Owner, count: int) -> None:
    """Invitations of old that nobody can use any more."""
    owner.served.world.rows(
        "INSERT INTO invitations (id, game_id, role, code_hash, created_at, expires_at)"
        " SELECT gen_random_uuid(), :game_id, 'viewer', sha256(CAST(gen_random_uuid() AS text)::bytea),"
        " now() - interval '2 days', now() - interval '1 day' FROM generate_series(1, :count) RETURNING id",
        game_id=owner.game_id,
        count=count,
    )
