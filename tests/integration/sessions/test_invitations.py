"""Inviting, coming by an invitation, withdrawing it: what is told, what is kept, and where it ends."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
import structlog

from services.sessions.application.invitations import EVER_LIMIT, GUESTS_LIMIT, IN_FORCE_LIMIT
from services.sessions.application.purge import sweep
from tests.integration.sessions.running import running
from tests.integration.sessions.served import (
    GAME,
    PUBLIC_URL,
    Answer,
    Owner,
    Served,
    accept,
    accepted,
    is_refused,
)
from tests.integration.sessions.test_events import validate
from tests.integration.sessions.world import LONG_AGO, World, eventually, now
from tests.support.api import play
from tests.support.unreliable import at_once

AT_ONCE = 8


@pytest.fixture
def served(world: World) -> Served:
    return Served(world)


def listed(owner: Owner, query: str = "") -> list[Any]:
    answer = owner.call("GET", owner.invitations + query)
    assert answer.status_code == 200
    return list(answer.json["items"])


def codes(answers: list[Answer]) -> list[str]:
    return [answer.json.get("code") if answer.status_code >= 400 else "" for answer in answers]


@pytest.mark.parametrize("role", ["recorder", "viewer"])
def test_an_invitation_comes_with_its_code_as_a_link_and_a_qr(served: Served, role: str) -> None:
    owner = served.owner()
    answer = owner.call("POST", owner.invitations, {"role": role, "expires_in": 3600})
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    told = answer.json
    assert told.keys() == {"id", "role", "code", "url", "qr", "created_at", "expires_at"}
    assert told["role"] == role
    assert len(told["code"]) == 43
    assert told["url"] == f"{PUBLIC_URL}/join#{told['code']}"
    assert told["qr"].startswith("<svg xmlns=")
    lifetime = datetime.fromisoformat(told["expires_at"]) - datetime.fromisoformat(told["created_at"])
    assert lifetime == timedelta(hours=1)


def test_an_invitation_lasts_a_day_unless_told_otherwise(served: Served) -> None:
    told = served.owner().invite()
    assert datetime.fromisoformat(told["expires_at"]) == served.clock.now + timedelta(days=1)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"role": "owner"},
        {"role": None},
        {"role": "viewer", "expires_in": 59},
        {"role": "viewer", "expires_in": 30 * 24 * 3600 + 1},
        {"role": "viewer", "expires_in": "3600"},
        {"role": "viewer", "expires_in": True},
        {"role": "viewer", "name": "Ana"},
    ],
)
def test_what_is_no_invitation_is_refused(served: Served, body: Any) -> None:
    owner = served.owner()
    assert is_refused(owner.call("POST", owner.invitations, body), 422, "validation_failed")
    assert listed(owner) == []


@pytest.mark.parametrize("seconds", [60, 30 * 24 * 3600])
def test_the_shortest_and_the_longest_invitation_are_taken(served: Served, seconds: int) -> None:
    told = served.owner().guest(expires_in=seconds).told
    assert told["expires_in"] == seconds


def test_who_comes_by_an_invitation_gets_a_token_of_their_own(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    served.clock.turn(seconds=10.5)
    answer = accept(served, invitation["code"])
    assert answer.headers["Cache-Control"] == "no-store"
    told = answer.json
    token, guest_id = told.pop("access_token"), told.pop("guest_id")
    assert told == {
        "token_type": "Bearer",
        "expires_in": 24 * 3600 - 11,
        "expires_at": invitation["expires_at"],
        "game_id": owner.game_id,
        "role": "recorder",
        "invitation_id": invitation["id"],
    }
    assert (token[:6], len(token)) == ("guest_", 49)
    other = accepted(served, invitation["code"])
    assert other.token != token
    assert other.told["guest_id"] != guest_id


def test_only_the_plan_plus_invites_and_a_lapsed_one_hides_and_keeps_nothing(served: Served) -> None:
    owner = served.owner("plus")
    invitation = owner.invite()
    world = served.world
    with running(world.consumer().run):
        changed_at = (now() + timedelta(seconds=1)).isoformat()
        event = world.hear("accounts.plan.changed", owner.account_id, plan="free", changed_at=changed_at)
        eventually(lambda: world.is_handled(event))
    eventually(lambda: owner.call("POST", owner.invitations, {"role": "viewer"}).status_code != 201)
    refused = owner.call("POST", owner.invitations, {"role": "viewer"})
    assert is_refused(refused, 403, "plus_required")
    assert invitation["id"] in [one["id"] for one in listed(owner)]
    guest = accepted(served, invitation["code"])
    assert guest.call("GET", guest.game).status_code == 200
    assert owner.revoke(invitation["id"]).status_code == 204


def test_without_plus_nobody_invites(served: Served) -> None:
    owner = served.owner("free")
    assert is_refused(owner.call("POST", owner.invitations, {"role": "viewer"}), 403, "plus_required")
    assert listed(owner) == []


def test_a_stranger_without_plus_is_told_of_no_game_and_not_of_the_plan(served: Served) -> None:
    owner, stranger = served.owner(), served.owner("free")
    for game in (owner.game_id, str(uuid4())):
        answer = stranger.call("POST", f"/v1/games/{game}/invitations", {"role": "viewer"})
        assert is_refused(answer, 404, "not_found")


def test_the_list_shows_what_became_of_each_newest_first_and_no_secret(served: Served) -> None:
    owner = served.owner()
    old = owner.invite("viewer", expires_in=60)
    served.clock.turn(seconds=1)
    withdrawn = owner.invite("viewer")
    served.clock.turn(seconds=1)
    current = owner.invite()
    for _ in range(3):
        accepted(served, current["code"])
    served.clock.turn(seconds=58)
    owner.revoke(withdrawn["id"])
    items = listed(owner)
    assert [(it["id"], it["role"], it["status"], it["guests"]) for it in items] == [
        (current["id"], "recorder", "active", 3),
        (withdrawn["id"], "viewer", "revoked", 0),
        (old["id"], "viewer", "expired", 0),
    ]
    assert [it["revoked_at"] is None for it in items] == [True, False, True]
    assert {key for it in items for key in it} == {
        "id", "role", "status", "created_at", "expires_at", "revoked_at", "guests",
    }  # fmt: skip


def test_the_list_comes_in_pages(served: Served) -> None:
    owner, other = served.owner(), served.owner()
    made = [owner.invite("viewer")["id"] for _ in range(7)]
    elsewhere = other.invite("viewer")["id"]
    found, cursor = [], ""
    while True:
        page = owner.call("GET", f"{owner.invitations}?limit=3{cursor}").json
        found += [it["id"] for it in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert found == made[::-1]
    assert listed(owner, f"?cursor={elsewhere}") == []
    for query in ("?limit=0", "?limit=201", "?cursor=x", "?status=active"):
        assert is_refused(owner.call("GET", owner.invitations + query), 422, "validation_failed")


def test_withdrawing_twice_is_fine_and_told_once(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    first = owner.call(
        "DELETE", f"{owner.invitations}/{invitation['id']}", traceparent=f"00-{'a' * 32}-{'b' * 16}-01"
    )
    assert first.status_code == 204
    at = listed(owner)[0]["revoked_at"]
    served.clock.turn(seconds=5)
    assert owner.revoke(invitation["id"]).status_code == 204
    assert listed(owner)[0]["revoked_at"] == at
    (told,) = served.world.events(invitation["id"])
    assert (told.type, told.data) == (
        "sessions.access.ended",
        {"kind": "invitation", "id": invitation["id"]},
    )
    assert told.traceparent == f"00-{'a' * 32}-{'b' * 16}-01"
    validate("sessions.access.ended.json", told.data)


def test_a_withdrawal_and_its_news_are_one_transaction(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    owner.revoke(invitation["id"])
    (row,) = served.world.rows(
        "SELECT i.xmin = o.xmin AS same FROM invitations i, outbox o"
        " WHERE i.id = :id AND o.subject = CAST(:id AS text)",
        id=invitation["id"],
    )
    assert row.same


def test_an_invitation_is_withdrawn_at_its_own_game_only(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    other = owner.call("POST", "/v1/games", GAME).json["id"]
    for game, one in ((other, invitation["id"]), (owner.game_id, str(uuid4()))):
        answer = owner.call("DELETE", f"/v1/games/{game}/invitations/{one}")
        assert is_refused(answer, 404, "not_found")
    assert listed(owner)[0]["status"] == "active"


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
    assert len(listed(owner)) == 1
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
    assert len(listed(owner, "?limit=200")) == EVER_LIMIT


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
    assert len(listed(owner, "?limit=200")) == before + 3


def test_whoever_accepts_at_once_never_exceeds_the_limit(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    for _ in range(GUESTS_LIMIT - 3):
        accepted(served, invitation["code"])
    answers = at_once(*[partial(accept, served, invitation["code"])] * AT_ONCE)
    assert sorted(codes(answers)) == [""] * 3 + ["too_many_guests"] * (AT_ONCE - 3)
    assert listed(owner)[0]["guests"] == GUESTS_LIMIT


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


def test_no_secret_is_kept_told_or_logged(served: Served) -> None:
    """Everything that the database holds, as text, and everything that is logged on the way."""
    owner = served.owner()
    with structlog.testing.capture_logs() as logged:
        invitation = owner.invite()
        guest = accepted(served, invitation["code"])
        guest.call("POST", f"{guest.game}/actions", {"actions": [play("up1", 7)]})
        guest.call("GET", f"{guest.game}/log")
        owner.revoke(invitation["id"])
        guest.call("GET", guest.game)
        accept(served, invitation["code"])
    world = served.world
    tables = world.rows(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"
    )
    assert len(tables) > 8
    kept = [
        row.line
        for table in tables
        for row in world.rows(f"SELECT CAST({table.name} AS text) AS line FROM {table.name}")
    ]
    everything = "\n".join([*kept, json.dumps(logged, default=str)])
    assert invitation["id"] in everything
    for secret in (invitation["code"], guest.token, guest.token.removeprefix("guest_")):
        assert secret not in everything
        assert secret.encode().hex() not in everything


def fill(owner: Owner, count: int) -> None:
    """Invitations of old that nobody can use any more."""
    owner.served.world.rows(
        "INSERT INTO invitations (id, game_id, role, code_hash, created_at, expires_at)"
        " SELECT gen_random_uuid(), :game_id, 'viewer', sha256(CAST(gen_random_uuid() AS text)::bytea),"
        " now() - interval '2 days', now() - interval '1 day' FROM generate_series(1, :count) RETURNING id",
        game_id=owner.game_id,
        count=count,
    )


def test_naming_a_card_later_is_part_of_plus_for_accounts(served: Served) -> None:
    owner = served.owner("free")
    sent = {"id": str(uuid4()), "type": "identify", "target": str(uuid4()), "card": 7}
    answer = owner.call("POST", f"{owner.game}/actions", {"actions": [sent]})
    assert is_refused(answer, 403, "plus_required")
    assert owner.call("GET", owner.game).json["version"] == 0
    with_plus = served.owner("plus")
    answer = with_plus.call("POST", f"{with_plus.game}/actions", {"actions": [sent]})
    assert is_refused(answer, 422, "target_not_valueless")
