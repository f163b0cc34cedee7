"""Every call of the public API is reachable from the client, at its address and with its fields."""

from collections.abc import Callable
from typing import Any

import pytest

from gateway.client import ApiProblem, NinetyEight
from tests.unit.client.documents import tokens
from tests.unit.client.peer import Peer, answers

EMPTY: dict[str, Any] = {"items": [], "next_cursor": None}
SIGNED_UP = {"account": {"id": "1", "email": "a@example.org"}, **tokens(2)}
PASSWORDS = {"email": "a@example.org", "password": "long enough"}
SHOWN: Any = {
    "piles": {"up1": 23, "up2": 1, "down1": None, "down2": 100},
    "deck": 40,
    "hands": [6, 5],
    "active_seat": 1,
}
Call = Callable[[NinetyEight], Any]

CALLS: list[tuple[Call, str, str, Any, Any]] = [
    (lambda c: c.accounts.sign_up(**PASSWORDS), "POST", "/v1/accounts", PASSWORDS, SIGNED_UP),
    (lambda c: c.auth.sign_in(**PASSWORDS), "POST", "/v1/auth/tokens", PASSWORDS, tokens(2)),
    (
        lambda c: c.auth.refresh(),
        "POST",
        "/v1/auth/tokens/refresh",
        {"refresh_token": "refresh-1"},
        tokens(2),
    ),
    (lambda c: c.auth.sign_out(), "DELETE", "/v1/auth/tokens", None, None),
    (lambda c: c.auth.sign_out(everywhere=True), "DELETE", "/v1/auth/tokens?everywhere=true", None, None),
    (
        lambda c: c.accounts.change_password("the old one", "the new one"),
        "POST",
        "/v1/me/password",
        {"current_password": "the old one", "new_password": "the new one"},
        tokens(2),
    ),
    (
        lambda c: c.auth.reset_password("code", "the new one"),
        "POST",
        "/v1/auth/password-reset",
        {"code": "code", "password": "the new one"},
        None,
    ),
    (lambda c: c.players.page(archived="all"), "GET", "/v1/players?archived=all", None, EMPTY),
    (lambda c: c.accounts.me(), "GET", "/v1/me", None, {}),
    (lambda c: c.accounts.change(locale="sl"), "PATCH", "/v1/me", {"locale": "sl"}, {}),
    (lambda c: c.accounts.delete("long enough"), "DELETE", "/v1/me", {"password": "long enough"}, None),
    (lambda c: c.accounts.export(), "GET", "/v1/me/export", None, {}),
    (lambda c: c.accounts.redeem("CODE"), "POST", "/v1/me/plus", {"code": "CODE"}, {"plan": "plus"}),
    (lambda c: c.players.page(limit=5), "GET", "/v1/players?limit=5", None, EMPTY),
    (
        lambda c: c.players.add("Ana", colour="#ff0000", player_id="p"),
        "POST",
        "/v1/players",
        {"id": "p", "name": "Ana", "colour": "#ff0000"},
        {},
    ),
    (lambda c: c.players.get("p"), "GET", "/v1/players/p", None, {}),
    (lambda c: c.players.change("p", name="Ann"), "PATCH", "/v1/players/p", {"name": "Ann"}, {}),
    (lambda c: c.players.archive("p"), "DELETE", "/v1/players/p", None, None),
    (lambda c: c.players.merge("p", "q"), "POST", "/v1/players/p/merge", {"into": "q"}, {}),
    (lambda c: c.players.unmerge("p"), "POST", "/v1/players/p/unmerge", None, {}),
    (lambda c: c.rulesets.page(), "GET", "/v1/rulesets", None, EMPTY),
    (lambda c: c.rulesets.get(), "GET", "/v1/rulesets/the-game", None, {}),
    (lambda c: c.rulesets.guide(), "GET", "/v1/rulesets/the-game/guide", None, {}),
    (lambda c: c.rulesets.guide("es"), "GET", "/v1/rulesets/the-game/guide?lang=es", None, {}),
    (
        lambda c: c.rulesets.evaluate({"players": 2}, [{"type": "draw"}], tables=True),
        "POST",
        "/v1/rulesets/the-game/evaluate?tables=true",
        {"options": {"players": 2}, "actions": [{"type": "draw"}]},
        {},
    ),
    (
        lambda c: c.games.start([{"name": "Ana"}, {"player_id": "p"}], {"first_seat": 1}, game_id="g"),
        "POST",
        "/v1/games",
        {
            "id": "g",
            "ruleset": "the-game",
            "options": {"first_seat": 1},
            "players": [{"name": "Ana"}, {"player_id": "p"}],
        },
        {},
    ),
    (
        lambda c: c.games.page(status="finished", player_id="p", updated_after="2026-01-01T00:00:00Z"),
        "GET",
        "/v1/games?status=finished&player_id=p&updated_after=2026-01-01T00%3A00%3A00Z",
        None,
        EMPTY,
    ),
    (lambda c: c.games.page(binned=True), "GET", "/v1/games?bin=true", None, EMPTY),
    (lambda c: c.games.get("g"), "GET", "/v1/games/g", None, {}),
    (lambda c: c.games.at("g", 3), "GET", "/v1/games/g?at=3", None, {}),
    (
        lambda c: c.games.act("g", [{"id": "a", "type": "draw"}], expected_version=4),
        "POST",
        "/v1/games/g/actions",
        {"actions": [{"id": "a", "type": "draw"}], "expected_version": 4},
        {},
    ),
    (
        lambda c: c.games.log_page("g", after=2, limit=1),
        "GET",
        "/v1/games/g/log?after=2&limit=1",
        None,
        EMPTY,
    ),
    (lambda c: list(c.games.stream_log("g", after=2)), "GET", "/v1/games/g/log?after=2", None, None),
    (
        lambda c: list(c.games.log_with_tables("g", after=2)),
        "GET",
        "/v1/games/g/log?after=2&tables=true",
        None,
        EMPTY,
    ),
    (lambda c: c.games.access("g"), "GET", "/v1/games/g/access", None, {}),
    (
        lambda c: c.invitations.create("g", "viewer", expires_in_s=60),
        "POST",
        "/v1/games/g/invitations",
        {"role": "viewer", "expires_in": 60},
        {},
    ),
    (
        lambda c: c.invitations.create("g", "recorder"),
        "POST",
        "/v1/games/g/invitations",
        {"role": "recorder"},
        {},
    ),
    (lambda c: c.invitations.page("g", limit=5), "GET", "/v1/games/g/invitations?limit=5", None, EMPTY),
    (lambda c: c.invitations.revoke("g", "i"), "DELETE", "/v1/games/g/invitations/i", None, None),
    (lambda c: c.invitations.accept("c"), "POST", "/v1/invitations/accept", {"code": "c"}, {}),
    (lambda c: c.invitations.join("c"), "POST", "/v1/invitations/accept", {"code": "c"}, {}),
    (lambda c: c.games.leave("g"), "DELETE", "/v1/games/g/access", None, None),
    (lambda c: c.games.delete("g"), "DELETE", "/v1/games/g", None, None),
    (lambda c: c.games.restore("g"), "POST", "/v1/games/g/restore", None, {}),
    (lambda c: c.system.jwks(), "GET", "/.well-known/jwks.json", None, {}),
    (lambda c: c.system.openapi(), "GET", "/v1/openapi.json", None, {}),
    (lambda c: c.system.ready(), "GET", "/ready", None, {}),
    (lambda c: c.system.live(), "GET", "/live", None, {}),
    (lambda c: c.system.problems(), "GET", "/problems", None, EMPTY),
    (lambda c: c.system.problem("game_over"), "GET", "/problems/game_over", None, {}),
    (
        lambda c: c.games.sync("g", "phone", 3, [{"id": "a", "type": "draw"}]),
        "POST",
        "/v1/games/g/sync",
        {"device": "phone", "base_version": 3, "actions": [{"id": "a", "type": "draw"}]},
        {},
    ),
    (lambda c: c.games.parked_page("g", limit=5), "GET", "/v1/games/g/parked?limit=5", None, EMPTY),
    (lambda c: list(c.games.parked("g")), "GET", "/v1/games/g/parked", None, EMPTY),
    (lambda c: c.games.delete_parked("g", "a"), "DELETE", "/v1/games/g/parked/a", None, None),
    (
        lambda c: c.games.adopt("g", SHOWN, expected_version=3, action_id="a"),
        "POST",
        "/v1/games/g/adopt",
        {"id": "a", "table": SHOWN, "expected_version": 3},
        {},
    ),
    (
        lambda c: c.games.rewind("g", 1, expected_version=3, action_id="a"),
        "POST",
        "/v1/games/g/rewind",
        {"id": "a", "to_version": 1, "expected_version": 3},
        {},
    ),
    (lambda c: c.conflicts.page(status="pending"), "GET", "/v1/conflicts?status=pending", None, EMPTY),
    (lambda c: list(c.conflicts.each(game_id="g")), "GET", "/v1/conflicts?game_id=g", None, EMPTY),
    (lambda c: c.conflicts.get("c"), "GET", "/v1/conflicts/c", None, {}),
    (
        lambda c: c.conflicts.decide("c", "cloud"),
        "POST",
        "/v1/conflicts/c/decision",
        {"choice": "cloud"},
        {},
    ),
    (
        lambda c: c.conflicts.decide("c", "table", table=SHOWN, expected_version=3),
        "POST",
        "/v1/conflicts/c/decision",
        {"choice": "table", "table": SHOWN, "expected_version": 3},
        {},
    ),
    (
        lambda c: c.conflicts.reopen("c", "device", game_id="g"),
        "POST",
        "/v1/conflicts/c/reopen",
        {"id": "g", "side": "device"},
        {},
    ),
]


@pytest.mark.parametrize(
    ("call", "method", "path", "body", "answer"), CALLS, ids=[f"{case[1]} {case[2]}" for case in CALLS]
)
def test_a_call_goes_where_the_contract_says(
    peer: Peer, client: NinetyEight, call: Call, method: str, path: str, body: Any, answer: Any
) -> None:
    peer.script += [answers(200, answer)]
    call(client)
    sent = peer.received[-1]
    assert (sent.method, sent.path, sent.body) == (method, path, body)


def test_a_list_is_walked_page_after_page(peer: Peer, client: NinetyEight) -> None:
    peer.script += [
        answers(200, {"items": [{"id": "1"}, {"id": "2"}], "next_cursor": "c&1"}),
        answers(200, {"items": [{"id": "3"}], "next_cursor": None}),
    ]
    assert [game["id"] for game in client.games.each(status="playing")] == ["1", "2", "3"]
    assert [request.path for request in peer.received] == [
        "/v1/games?status=playing",
        "/v1/games?status=playing&cursor=c%261",
    ]


def test_the_log_is_walked_page_after_page(peer: Peer, client: NinetyEight) -> None:
    peer.script += [
        answers(200, {"items": [{"seq": 3}], "next_cursor": "3"}),
        answers(200, {"items": [{"seq": 4}], "next_cursor": None}),
    ]
    assert [entry["seq"] for entry in client.games.log("g", after=2)] == [3, 4]
    assert [request.path for request in peer.received] == [
        "/v1/games/g/log?after=2",
        "/v1/games/g/log?cursor=3",
    ]


def test_ids_cannot_lead_to_another_address(peer: Peer, client: NinetyEight) -> None:
    peer.script += [answers(200, {})]
    client.games.get("../me?x=1")
    assert peer.received[0].path == "/v1/games/..%2Fme%3Fx%3D1"


def test_signing_out_forgets_the_tokens(peer: Peer, client: NinetyEight) -> None:
    peer.script += [answers(204)]
    client.auth.sign_out()
    assert client.tokens.read() is None


def test_nobody_signed_in_means_no_token_in_the_call(peer: Peer) -> None:
    peer.script += [answers(200, {})]
    with NinetyEight(peer.url) as guest:
        guest.accounts.me()
    assert "Authorization" not in peer.received[0].headers


def test_an_invitation_is_accepted_without_a_token_and_used_with_the_guest_s(
    peer: Peer, client: NinetyEight
) -> None:
    peer.script += [answers(200, {"access_token": "guest_1"}), answers(200, {}), answers(401, {"code": "x"})]
    accepted = client.invitations.accept("c")
    guest = client.as_guest(accepted["access_token"])
    guest.games.get("g")
    assert [it.headers.get("Authorization") for it in peer.received] == [None, "Bearer guest_1"]
    assert guest.auth.refresh() is False
    with pytest.raises(ApiProblem):
        guest.games.get("g")
    assert len(peer.received) == 3
