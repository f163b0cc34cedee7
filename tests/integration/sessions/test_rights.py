"""Who may do what: every route with every kind of token there is."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from services.sessions.domain.roles import Right
from tests.integration.sessions.forks import APART, fork
from tests.integration.sessions.running import running
from tests.integration.sessions.served import GAME, Answer, Guest, Owner, Served, accepted, is_refused
from tests.integration.sessions.sharers import joined
from tests.integration.sessions.world import Table, eventually
from tests.support.api import Json, action, play

READ, RECORD, OWN = Right.READ, Right.RECORD, Right.OWN
UNKNOWN = "01890f3c-8a00-7000-8000-000000000001"


@dataclass(frozen=True, slots=True)
class Operation:
    """One route: what it asks for and, with `{}` for the invitation at hand, how to use it as its owner."""

    method: str
    rule: str
    right: Right | None
    status: int
    body: Any = None

    def call(self, served: Served, token: str | None, game_id: str, invitation_id: str = UNKNOWN) -> Answer:
        path = self.rule.replace("<uuid:game_id>", game_id).replace("<uuid:invitation_id>", invitation_id)
        path = path.replace("<uuid:action_id>", UNKNOWN)
        if self.has_conflict:
            path = path.replace("<uuid:conflict_id>", conflict_of(served, game_id))
        body = self.body() if callable(self.body) else self.body
        return served.call(self.method, path, body, token)

    @property
    def has_game(self) -> bool:
        """Whether it is about one game, be it by a conflict of it."""
        return "game_id" in self.rule or self.has_conflict

    @property
    def has_conflict(self) -> bool:
        return "conflict_id" in self.rule

    def __str__(self) -> str:
        return f"{self.method} {self.rule}"


def conflict_of(served: Served, game_id: str) -> str:
    """A conflict of the game, waiting for a decision; of no game there is none."""
    rows = served.world.rows("SELECT account_id FROM games WHERE id = :id", id=game_id)
    if not rows:
        return UNKNOWN
    forked = fork(served.world, APART, table=Table(served.world, rows[0].account_id, UUID(game_id)))
    forked.run()
    return str(forked.conflict_id)


OF_CONFLICT = "/v1/conflicts/<uuid:conflict_id>"
OF_GAME = "/v1/games/<uuid:game_id>"
STORY = {"device": "cellar phone", "base_version": 0}
SHOWN: Json = {
    "piles": {"up1": 12, "up2": 1, "down1": 100, "down2": None},
    "deck": 80,
    "hands": [7, 7],
    "active_seat": 1,
}
OPERATIONS = [
    Operation("POST", "/v1/games", OWN, 201, GAME),
    Operation("GET", "/v1/games", OWN, 200),
    Operation("GET", OF_GAME, READ, 200),
    Operation("DELETE", OF_GAME, OWN, 204),
    Operation("POST", f"{OF_GAME}/restore", OWN, 200),
    Operation("POST", f"{OF_GAME}/actions", RECORD, 200, lambda: {"actions": [play("up1", 7)]}),
    Operation("GET", f"{OF_GAME}/log", READ, 200),
    Operation("GET", f"{OF_GAME}/access", READ, 200),
    # Nothing to leave for its owner, nor for a guest.
    Operation("DELETE", f"{OF_GAME}/access", READ, 409),
    Operation("POST", f"{OF_GAME}/invitations", OWN, 201, {"role": "viewer"}),
    Operation("GET", f"{OF_GAME}/invitations", OWN, 200),
    Operation("DELETE", f"{OF_GAME}/invitations/<uuid:invitation_id>", OWN, 204),
    Operation("GET", "/v1/conflicts", OWN, 200),
    Operation("GET", OF_CONFLICT, READ, 200),
    Operation("POST", f"{OF_CONFLICT}/decision", OWN, 200, {"choice": "cloud"}),
    Operation("POST", f"{OF_CONFLICT}/reopen", OWN, 201, {"side": "cloud"}),
    Operation("POST", f"{OF_GAME}/sync", RECORD, 200, lambda: STORY | {"actions": [play("up1", 7)]}),
    Operation("GET", f"{OF_GAME}/parked", READ, 200),
    Operation("DELETE", f"{OF_GAME}/parked/<uuid:action_id>", OWN, 204),
    Operation("POST", f"{OF_GAME}/adopt", OWN, 200, {"table": SHOWN, "expected_version": 0}),
    Operation("POST", f"{OF_GAME}/rewind", OWN, 200, {"to_version": 0, "expected_version": 0}),
    Operation("GET", "/v1/stats", OWN, 200),
    Operation("GET", "/v1/results", OWN, 200),
    # Its owner is no operator.
    Operation("GET", "/v1/ops/stats", OWN, 403),
    Operation("GET", "/v1/ops/results", OWN, 403),
    Operation("POST", "/v1/invitations/accept", None, 404, {"code": "unknown"}),
]
ASKING = [operation for operation in OPERATIONS if operation.right]
ALLOWED = {"owner": {READ, RECORD, OWN}, "recorder": {READ, RECORD}, "viewer": {READ}}


def test_the_table_has_every_route_there_is(served: Served) -> None:
    rules = served.app.url_map.iter_rules()
    there = {(method, it.rule) for it in rules for method in it.methods or () if it.rule.startswith("/v1")}
    listed = {(operation.method, operation.rule) for operation in OPERATIONS}
    assert {(method, rule) for method, rule in there if method not in ("HEAD", "OPTIONS")} == listed


@pytest.mark.parametrize("operation", ASKING, ids=str)
@pytest.mark.parametrize("role", ALLOWED)
def test_a_role_may_what_it_is_for_and_nothing_else(served: Served, operation: Operation, role: str) -> None:
    owner = served.owner()
    invitation = owner.invite(role if role != "owner" else "viewer")
    token = owner.token if role == "owner" else accepted(served, invitation["code"]).token
    answer = operation.call(served, token, owner.game_id, invitation["id"])
    if operation.right in ALLOWED[role]:
        assert answer.status_code == operation.status, answer.data
    else:
        assert is_refused(answer, 403, "role_insufficient")


@pytest.mark.parametrize("operation", [it for it in ASKING if it.has_game], ids=str)
@pytest.mark.parametrize("role", ["recorder", "viewer"])
def test_an_account_that_a_game_is_shared_with_may_what_a_guest_of_that_role_may(
    served: Served, operation: Operation, role: str
) -> None:
    owner = served.owner()
    invitation = owner.invite(role)
    sharer = joined(served, invitation["code"])
    answer = operation.call(served, sharer.token, owner.game_id, invitation["id"])
    if operation.right in ALLOWED[role]:
        assert answer.status_code == (
            204 if operation.rule.endswith("/access") and operation.method == "DELETE" else operation.status
        ), answer.data
    else:
        assert is_refused(answer, 403, "role_insufficient")


@pytest.mark.parametrize("operation", ASKING, ids=str)
def test_a_guest_s_token_opens_no_other_game(served: Served, operation: Operation) -> None:
    """Not even one of the same owner; the answer is that of a game that does not exist."""
    owner = served.owner()
    other = owner.call("POST", "/v1/games", GAME).json["id"]
    guest = owner.guest()
    answers = [operation.call(served, guest.token, game_id) for game_id in (other, UNKNOWN)]
    code = (404, "not_found") if operation.has_game else (403, "role_insufficient")
    assert all(is_refused(answer, *code) for answer in answers)
    one, two = [{**answer.json, "request_id": ""} for answer in answers]
    assert one == two


@pytest.mark.parametrize("operation", [it for it in ASKING if it.has_game], ids=str)
def test_a_stranger_s_game_is_not_there(served: Served, operation: Operation) -> None:
    owner, stranger = served.owner(), served.owner()
    invitation = owner.invite()
    answers = [
        operation.call(served, stranger.token, game_id, invitation["id"])
        for game_id in (owner.game_id, UNKNOWN)
    ]
    assert all(is_refused(answer, 404, "not_found") for answer in answers)
    kept = 2 if operation.has_conflict else 0  # what the conflict is about
    assert owner.call("GET", owner.game).json["version"] == kept
    (listed,) = owner.call("GET", owner.invitations).json["items"]
    assert listed["status"] == "active"


def without(_: Owner, __: Guest) -> str | None:
    return None


def made_up(_: Owner, __: Guest) -> str:
    return f"guest_{'A' * 43}"


def bare(_: Owner, guest: Guest) -> str:
    return guest.token.removeprefix("guest_")


def odd(_: Owner, __: Guest) -> str:
    return "guest_\u00e4 \u00ff"


def revoked(owner: Owner, guest: Guest) -> str:
    assert owner.revoke(guest.told["invitation_id"]).status_code == 204
    return guest.token


def expired(owner: Owner, guest: Guest) -> str:
    owner.served.clock.turn(days=1)
    return guest.token


@pytest.mark.parametrize("operation", ASKING, ids=str)
@pytest.mark.parametrize("way", [without, made_up, bare, odd, revoked, expired])
def test_a_token_that_does_not_count_opens_nothing(
    served: Served, operation: Operation, way: Callable[[Owner, Guest], str | None]
) -> None:
    owner = served.owner()
    guest = owner.guest()
    answer = operation.call(served, way(owner, guest), owner.game_id, guest.told["invitation_id"])
    assert is_refused(answer, 401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("role", ["recorder", "viewer"])
def test_withdrawing_an_invitation_counts_for_the_very_next_request(served: Served, role: str) -> None:
    owner = served.owner()
    guest, other = owner.guest(role), owner.guest(role)
    assert guest.call("GET", guest.game).status_code == 200
    owner.revoke(guest.told["invitation_id"])
    assert is_refused(guest.call("GET", guest.game), 401, "unauthenticated")
    assert other.call("GET", other.game).status_code == 200


def test_a_guest_s_token_counts_up_to_the_end_of_the_invitation_and_not_at_it(served: Served) -> None:
    guest = served.owner().guest(expires_in=60)
    served.clock.turn(seconds=59, milliseconds=999)
    assert guest.call("GET", guest.game).status_code == 200
    served.clock.turn(milliseconds=1)
    assert is_refused(guest.call("GET", guest.game), 401, "unauthenticated")


def test_a_game_in_the_bin_is_gone_for_guests_and_back_when_it_is_restored(served: Served) -> None:
    owner = served.owner()
    guest = owner.guest()
    owner.call("DELETE", owner.game)
    for path in ("", "/log", "/access", "/invitations"):
        assert is_refused(guest.call("GET", guest.game + path), 404, "not_found")
    refused = guest.call("POST", f"{guest.game}/actions", {"actions": [play("up1", 7)]})
    assert is_refused(refused, 404, "not_found")
    assert owner.call("GET", f"{owner.game}/access").status_code == 200
    owner.call("POST", f"{owner.game}/restore")
    assert guest.call("GET", guest.game).status_code == 200


def test_a_game_whose_owner_is_gone_is_gone_for_guests(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    guest = accepted(served, invitation["code"])
    with running(served.world.consumer().run):
        event = served.world.hear("accounts.account.deleted", owner.account_id)
        eventually(lambda: served.world.is_handled(event))
    assert is_refused(guest.call("GET", guest.game), 404, "not_found")
    again = served.call("POST", "/v1/invitations/accept", {"code": invitation["code"]})
    assert is_refused(again, 410, "invitation_ended")


def test_what_a_guest_enters_says_so_and_names_nobody(served: Served) -> None:
    owner = served.owner()
    guest = owner.guest()
    sent = guest.call("POST", f"{guest.game}/actions", {"actions": [play("up1", 7)]}, X_Device="my phone")
    assert sent.status_code == 200
    owner.call("POST", f"{owner.game}/actions", {"actions": [play("up1", 8)]})
    first, second = owner.call("GET", f"{owner.game}/log").json["items"]
    assert first["by"] == {"account_id": None, "guest_id": guest.told["guest_id"], "device": "my phone"}
    assert second["by"] == {"account_id": str(owner.account_id)}


def test_a_recorder_takes_back_entries_of_others_but_no_confirmed_result(served: Served) -> None:
    owner = served.owner()
    guest = owner.guest()
    confirm = action("confirm")

    def send(by: Any, *actions: Any) -> Answer:
        answer: Answer = by.call("POST", f"{owner.game}/actions", {"actions": actions})
        return answer

    assert send(owner, play("up1", 7)).status_code == 200
    assert send(guest, action("undo"), action("block"), confirm).status_code == 200
    undo = action("undo", target=confirm["id"])
    assert is_refused(send(guest, undo), 403, "role_insufficient")
    assert owner.call("GET", owner.game).json["result"] is not None
    assert send(owner, undo).status_code == 200
    assert send(guest, action("undo"), play("up1", 9)).status_code == 200


def test_access_says_what_an_owner_may_and_until_when(served: Served) -> None:
    owner = served.owner()
    owner.call("POST", f"{owner.game}/actions", {"actions": [play("up1", 7)]})
    answer = owner.call("GET", f"{owner.game}/access")
    assert answer.headers["Cache-Control"] == "no-store"
    document = answer.json
    issued_at, expires_at = (datetime.fromisoformat(document.pop(it)) for it in ("issued_at", "expires_at"))
    assert document == {
        "game_id": owner.game_id,
        "version": 1,
        "role": "owner",
        "owner_id": str(owner.account_id),
        "account_id": str(owner.account_id),
        "sign_in": str(owner.family),
        "guest_id": None,
        "invitation_id": None,
        "joined_at": None,
    }
    assert 899 <= (expires_at - issued_at).total_seconds() <= 901
    assert abs((datetime.now(UTC) - issued_at).total_seconds()) < 60


@pytest.mark.parametrize("role", ["recorder", "viewer"])
def test_access_says_what_a_guest_may_and_until_when(served: Served, role: str) -> None:
    owner = served.owner()
    guest = owner.guest(role)
    owner.call("POST", f"{owner.game}/actions", {"actions": [play("up1", 7)]})
    document = guest.call("GET", f"{guest.game}/access").json
    assert datetime.fromisoformat(document.pop("issued_at")) == served.clock.now
    assert datetime.fromisoformat(document.pop("joined_at")) == served.clock.now
    assert document == {
        "game_id": owner.game_id,
        "version": 1,
        "role": role,
        "owner_id": str(owner.account_id),
        "expires_at": guest.told["expires_at"],
        "account_id": None,
        "sign_in": None,
        "guest_id": guest.told["guest_id"],
        "invitation_id": guest.told["invitation_id"],
    }


def test_a_sign_in_that_is_over_may_nothing_any_more(served: Served) -> None:
    owner = served.owner()
    again, _ = served.token(owner.account_id)
    with running(served.world.consumer().run):
        event = served.world.hear("accounts.sign_in.ended", owner.account_id, family=str(owner.family))
        eventually(lambda: served.world.is_handled(event))
    # What is known of a sign-in is kept for a moment.
    eventually(lambda: owner.call("GET", owner.game).status_code == 401)
    assert is_refused(owner.call("GET", owner.game), 401, "unauthenticated")
    assert served.call("GET", owner.game, token=again).status_code == 200
