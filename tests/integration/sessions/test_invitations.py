"""Inviting and withdrawing: what is told, what is listed, and what is kept secret."""

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
import structlog

from tests.integration.sessions.running import running
from tests.integration.sessions.served import (
    GAME,
    PUBLIC_URL,
    Served,
    accept,
    accepted,
    is_refused,
)
from tests.integration.sessions.test_events import validate
from tests.integration.sessions.world import eventually, now
from tests.support.api import play


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
    assert owner.listed() == []


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
        "shared": False,
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
    assert invitation["id"] in [one["id"] for one in owner.listed()]
    guest = accepted(served, invitation["code"])
    assert guest.call("GET", guest.game).status_code == 200
    assert owner.revoke(invitation["id"]).status_code == 204


def test_without_plus_nobody_invites(served: Served) -> None:
    owner = served.owner("free")
    assert is_refused(owner.call("POST", owner.invitations, {"role": "viewer"}), 403, "plus_required")
    assert owner.listed() == []


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
    items = owner.listed()
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
    assert owner.listed(f"?cursor={elsewhere}") == []
    for query in ("?limit=0", "?limit=201", "?cursor=x", "?status=active"):
        assert is_refused(owner.call("GET", owner.invitations + query), 422, "validation_failed")


def test_withdrawing_twice_is_fine_and_told_once(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    first = owner.call(
        "DELETE", f"{owner.invitations}/{invitation['id']}", traceparent=f"00-{'a' * 32}-{'b' * 16}-01"
    )
    assert first.status_code == 204
    at = owner.listed()[0]["revoked_at"]
    served.clock.turn(seconds=5)
    assert owner.revoke(invitation["id"]).status_code == 204
    assert owner.listed()[0]["revoked_at"] == at
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
    assert owner.listed()[0]["status"] == "active"


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
