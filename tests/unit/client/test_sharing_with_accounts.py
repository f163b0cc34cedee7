"""Joining a game while signed in: it is shared with the account, which uses it with its own token."""

import json
from dataclasses import replace
from typing import Any

import pytest

from gateway.client.home import Home
from gateway.client.joined import Joined, JoinedGames
from tests.unit.client import documents as a
from tests.unit.client.command import Ninety8
from tests.unit.client.peer import Behaviour, Peer, Received, answers, drops, refuses

CODE = "c0de-" + "x" * 37 + "h"
OTHER = "0190a000-0000-7000-8000-00000000beef"
TOKEN = "guest_" + "t" * 43
GUEST = Joined(OTHER, TOKEN, "viewer", "2026-01-03T10:00:00Z", "g-1")
RECORDER = replace(GUEST, role="recorder")


class Gateway:
    """A gateway where the account of `access-1` is invited as `role`; None: it has the game no more.

    `guest` is the role that the guest's token is good for. An account that may watch is refused actions.
    """

    def __init__(self, role: str | None, guest: str | None = None) -> None:
        self.role = role
        self.guest = guest

    def __call__(self, request: Received) -> Behaviour:
        if request.path == "/v1/invitations/accept":
            is_guest = "Authorization" not in request.headers
            return answers(200, admitted(str(self.guest)) if is_guest else accepted(str(self.role)))
        if request.headers["Authorization"] == f"Bearer {TOKEN}":
            return self.to_guest(request)
        if request.path.partition("?")[0] == "/v1/games":
            shared = [listed(OTHER, self.role)] if self.role else []
            return answers(200, {"items": [listed(a.GAME_ID, "owner"), *shared], "next_cursor": None})
        if self.role is None:
            return refuses(404, "not_found")
        if request.path.endswith("/access"):
            if request.method == "DELETE":
                self.role = None
                return answers(204, None)
            return answers(200, a.access(self.role, game_id=OTHER, owner_id="ana"))
        if request.path.endswith("/actions") and self.role == "viewer":
            return refuses(403, "role_insufficient")
        return in_game(request)

    def to_guest(self, request: Received) -> Behaviour:
        if self.guest is None:
            return refuses(401, "unauthenticated")
        if request.path.endswith("/access"):
            return answers(200, a.access(self.guest, account_id=None, guest_id="g-1", owner_id="ana"))
        return in_game(request)


def in_game(request: Received) -> Behaviour:
    if request.path.endswith("/actions"):
        return answers(200, {"version": 1, "outcomes": [a.outcome()], "game": a.game(id=OTHER)})
    return answers(200, a.game(id=OTHER))


def accepted(role: str) -> dict[str, Any]:
    return {
        "access_token": None,
        "token_type": None,
        "expires_in": None,
        "expires_at": None,
        "game_id": OTHER,
        "role": role,
        "invitation_id": "i-1",
        "guest_id": None,
        "shared": role != "owner",
    }


def admitted(role: str) -> dict[str, Any]:
    return {
        **accepted(role),
        "access_token": TOKEN,
        "token_type": "Bearer",
        "expires_in": 86_400,
        "expires_at": "2026-01-03T10:00:00Z",
        "guest_id": "g-1",
        "shared": False,
    }


def listed(game_id: str, role: str) -> dict[str, Any]:
    return a.game(id=game_id) | {"access": {"role": role}}


def test_who_is_signed_in_joins_with_the_account(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    peer.rule = Gateway("recorder")
    result = ninety8("join", CODE)
    assert result.exit_code == 0, result.output
    assert "Joined as recorder, to enter what happens. It is among your games now" in result.stdout
    assert "ninety8 play" in result.stdout
    assert peer.received[0].headers["Authorization"] == "Bearer access-1"
    assert JoinedGames(home, peer.url).each() == []
    assert home.current_game(peer.url) == OTHER
    assert ninety8("play", "up1", "17").exit_code == 0
    assert peer.received[-1].headers["Authorization"] == "Bearer access-1"


def test_a_guest_s_token_kept_for_that_game_is_forgotten(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    JoinedGames(home, peer.url).keep(GUEST)
    peer.rule = Gateway("recorder")
    assert ninety8("join", CODE).exit_code == 0
    assert JoinedGames(home, peer.url).each() == []


def test_an_account_that_has_the_game_comes_before_a_guest_s_token(
    peer: Peer, ninety8: Ninety8, home: Home
) -> None:
    JoinedGames(home, peer.url).keep(GUEST)
    peer.rule = Gateway("recorder")
    assert ninety8("play", "up1", "17", "--game", OTHER).exit_code == 0
    assert peer.received[-1].headers["Authorization"] == "Bearer access-1"


def test_a_guest_s_token_that_allows_more_is_kept_and_used(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    JoinedGames(home, peer.url).keep(RECORDER)
    peer.rule = Gateway("viewer", guest="recorder")
    told = ninety8("join", CODE).stdout.splitlines()
    assert told[0] == "Joined as viewer, to watch. It is among your games now: ninety8 games."
    assert told[1] == "On this machine you stay a guest as recorder, to enter what happens."
    assert "ninety8 play" in told[-1]
    assert JoinedGames(home, peer.url).each() == [RECORDER]
    assert ninety8("play", "up1", "17").exit_code == 0
    assert peer.received[-1].headers["Authorization"] == f"Bearer {TOKEN}"


def test_a_guest_s_token_that_allowed_more_and_has_ended_is_forgotten(
    peer: Peer, ninety8: Ninety8, home: Home
) -> None:
    JoinedGames(home, peer.url).keep(RECORDER)
    peer.rule = Gateway("viewer")
    told = ninety8("join", CODE).stdout
    assert "you stay a guest" not in told
    assert "ninety8 play" not in told
    assert JoinedGames(home, peer.url).each() == []


def test_where_the_guest_s_token_has_ended_the_account_s_right_is_left(
    peer: Peer, ninety8: Ninety8, home: Home
) -> None:
    JoinedGames(home, peer.url).keep(RECORDER)
    peer.rule = Gateway("viewer")
    assert ninety8("show", "--game", OTHER).exit_code == 0
    assert peer.received[-1].headers["Authorization"] == "Bearer access-1"


@pytest.mark.parametrize("role", ["recorder", "owner"])
def test_a_guest_s_token_that_allows_less_than_the_account_is_not_kept(
    peer: Peer, ninety8: Ninety8, home: Home, role: str
) -> None:
    peer.rule = Gateway(role, guest="viewer")
    told = ninety8("join", CODE, "--as-guest").stdout
    assert ("of your own" if role == "owner" else "among your games already, as recorder") in told
    assert JoinedGames(home, peer.url).each() == []
    assert home.current_game(peer.url) == OTHER


@pytest.mark.parametrize("is_over", [False, True])
def test_a_guest_s_token_does_not_take_the_place_of_one_that_allows_more(
    peer: Peer, ninety8: Ninety8, home: Home, is_over: bool
) -> None:
    earlier = replace(RECORDER, access_token="guest_earlier")
    JoinedGames(home, peer.url).keep(earlier)
    gateway, before = Gateway(None, "viewer"), Gateway(None, "recorder")

    def rule(request: Received) -> Behaviour:
        if request.headers.get("Authorization") == "Bearer guest_earlier":
            return refuses(401, "unauthenticated") if is_over else before.to_guest(request)
        return gateway(request)

    peer.rule = rule
    told = ninety8("join", CODE, "--as-guest").stdout
    assert ("Joined as viewer" if is_over else "among your games already, as recorder") in told
    (kept,) = JoinedGames(home, peer.url).each()
    assert (kept == earlier) is not is_over


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("role", ["owner", "recorder"])
def test_without_a_token_in_the_answer_one_s_own_is_used(
    peer: Peer, ninety8: Ninety8, home: Home, role: str, shared: bool
) -> None:
    rule = Gateway(role)
    answer = answers(200, {**accepted(role), "shared": shared})
    peer.rule = lambda request: answer if request.path.endswith("/accept") else rule(request)
    told = ninety8("join", CODE)
    assert told.exit_code == 0, told.output
    assert ("a game of your own" if role == "owner" else "Joined as recorder") in told.stdout
    assert JoinedGames(home, peer.url).each() == []
    assert {it.headers["Authorization"] for it in peer.received} == {"Bearer access-1"}


def test_what_machines_are_told_of_joining(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = Gateway("viewer")
    told = json.loads(ninety8("join", CODE, "--json").stdout)
    assert (told["game_id"], told["role"], told["shared"]) == (OTHER, "viewer", True)
    assert told["game"]["id"] == OTHER


def test_shared_games_are_listed_with_the_role_in_them(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = Gateway("viewer")
    own, shared = ninety8("games").stdout.splitlines()[1:]
    assert "owner" not in own
    assert (shared.split()[0], shared.split()[-1]) == (OTHER, "viewer")


def test_leaving_ends_the_share_and_forgets_a_guest_s_token_too(
    peer: Peer, ninety8: Ninety8, home: Home
) -> None:
    JoinedGames(home, peer.url).keep(GUEST)
    peer.rule = Gateway("recorder")
    ninety8("use", OTHER)
    left = ninety8("leave")
    assert left.exit_code == 0, left.output
    assert (peer.received[-1].method, peer.received[-1].path) == ("DELETE", f"/v1/games/{OTHER}/access")
    assert JoinedGames(home, peer.url).each() == []
    assert home.current_game(peer.url) is None
    again = ninety8("leave", OTHER)
    assert again.exit_code == 1
    assert "not joined with an invitation" in again.stderr


@pytest.mark.parametrize("lost", [drops, refuses(503, "service_unavailable", retry_after="0")])
def test_leaving_whose_answer_is_lost_is_done_and_forgotten(
    peer: Peer, ninety8: Ninety8, home: Home, lost: Behaviour
) -> None:
    rule = Gateway("recorder")

    def once(request: Received) -> Behaviour:
        answer = rule(request)
        return lost if rule.role is None and request.method == "DELETE" and deletes(peer) == 1 else answer

    peer.rule = once
    ninety8("use", OTHER)
    left = ninety8("leave")
    assert left.exit_code == 0, left.output
    assert left.stdout == "Left. Joining it again takes an invitation.\n"
    assert deletes(peer) == 2
    assert home.current_game(peer.url) is None


def deletes(peer: Peer) -> int:
    return sum(it.method == "DELETE" for it in peer.received)


GONE = "This game is not among yours any more, so there was nothing to leave. Forgotten on this machine.\n"


def test_leaving_a_game_that_is_not_there_any_more_forgets_it_here(
    peer: Peer, ninety8: Ninety8, home: Home
) -> None:
    peer.rule = Gateway("recorder")
    ninety8("use", OTHER)
    peer.rule = Gateway(None)
    assert ninety8("leave").stdout == GONE
    assert home.current_game(peer.url) is None
    assert "not joined with an invitation" in ninety8("leave", OTHER).stderr


def test_leaving_a_game_that_ends_just_then_forgets_it_too(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    rule = Gateway("viewer")
    peer.rule = lambda request: refuses(404, "not_found") if request.method == "DELETE" else rule(request)
    ninety8("use", OTHER)
    assert ninety8("leave").stdout == GONE
    assert home.current_game(peer.url) is None


def test_where_the_sign_in_has_ended_nothing_is_taken_for_gone(
    peer: Peer, ninety8: Ninety8, home: Home
) -> None:
    peer.rule = Gateway("recorder")
    ninety8("use", OTHER)
    peer.rule = lambda _: refuses(401, "unauthenticated")
    refused = ninety8("leave")
    assert refused.exit_code == 1
    assert "Refused (unauthenticated)" in refused.stderr
    assert home.current_game(peer.url) == OTHER


def test_one_s_own_game_is_not_left(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = Gateway("owner")
    refused = ninety8("leave", OTHER)
    assert refused.exit_code == 1
    assert [it.method for it in peer.received] == ["GET"]
