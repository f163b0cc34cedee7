"""Joining a game as a guest, what the guest's token is used for, and leaving."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gateway.client.home import Home
from gateway.client.joined import JoinedGames
from tests.unit.client import documents as a
from tests.unit.client.command import Ninety8
from tests.unit.client.peer import Behaviour, Peer, Received, answers, refuses

CODE = "c0de-" + "x" * 37 + "h"
OTHER = "0190a000-0000-7000-8000-00000000beef"
TOKEN = "guest_" + "t" * 43
Rule = Callable[[Received], Behaviour]


def accepted(role: str = "recorder", game_id: str = OTHER) -> dict[str, Any]:
    return {
        "access_token": TOKEN,
        "token_type": "Bearer",
        "expires_in": 86_400,
        "expires_at": "2026-01-03T10:00:00Z",
        "game_id": game_id,
        "role": role,
        "invitation_id": "i-1",
        "guest_id": "0190a000-0000-7000-8000-00000000face",
    }


def gateway(role: str = "recorder", *, owner: bool = False) -> Rule:
    """A gateway where the bearer of `access-1` owns the game joined, or is a stranger to it."""

    def rule(request: Received) -> Behaviour:
        as_guest = request.headers.get("Authorization") == f"Bearer {TOKEN}"
        if request.path == "/v1/invitations/accept":
            return answers(200, accepted(role))
        if request.path.startswith("/v1/games?"):
            return answers(200, {"items": [a.game()], "next_cursor": None})
        if not as_guest and not owner:
            return refuses(404, "not_found")
        if request.path.endswith("/access"):
            mine = {"account_id": None, "guest_id": accepted()["guest_id"]} if as_guest else {}
            return answers(200, a.access(role if as_guest else "owner", game_id=OTHER, **mine))
        if request.path.endswith("/actions"):
            if role == "viewer":
                return refuses(403, "role_insufficient")
            return answers(200, {"version": 1, "outcomes": [a.outcome()], "game": a.game(id=OTHER)})
        if "/log" in request.path:
            return answers(200, {"items": [], "next_cursor": None})
        return answers(200, a.game(id=OTHER))

    return rule


@pytest.fixture
def signed_out(peer: Peer, home: Home) -> None:
    home.tokens(peer.url).forget()
    (home.directory / "config.json").unlink()


def bearers(peer: Peer, ending: str) -> list[str | None]:
    return [it.headers.get("Authorization") for it in peer.received if it.path.endswith(ending)]


@pytest.mark.usefixtures("signed_out")
@pytest.mark.parametrize(
    "given",
    [CODE, f"  {CODE}\n", f"https://ninety-eight.example/join#{CODE}", f" http://[::1]:8098/x/join/#{CODE} "],
)
def test_a_code_or_a_link_joins_without_an_account(
    peer: Peer, ninety8: Ninety8, home: Home, given: str
) -> None:
    peer.rule = gateway()
    result = ninety8("join", given)
    assert result.exit_code == 0, result.output
    assert "Joined as recorder, to enter what happens, until 2026-01-0" in result.stdout
    assert "Ana, Ben · version 0" in result.stdout
    assert "ninety8 play" in result.stdout
    assert TOKEN not in result.output
    assert peer.received[0].body == {"code": CODE}
    assert home.current_game(peer.url) == OTHER
    file: Path = home.directory / "guests.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.usefixtures("signed_out")
@pytest.mark.parametrize("code", ["-h" + "x" * 41, "--" + "y" * 41, "-" + "jh" * 21])
def test_a_code_that_looks_like_an_option_is_a_code(peer: Peer, ninety8: Ninety8, code: str) -> None:
    peer.rule = gateway()
    assert ninety8("join", code).exit_code == 0
    assert peer.received[0].body == {"code": code}


@pytest.mark.usefixtures("signed_out")
def test_a_link_says_where_the_game_is_unless_an_address_was_given(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway()
    joined = ninety8("join", f"{peer.url}/join#{CODE}", NINETY8_URL="")
    assert joined.exit_code == 0, joined.output
    assert f"export NINETY8_URL={peer.url}" in joined.stdout


@pytest.mark.usefixtures("signed_out")
def test_what_a_guest_does_is_done_with_the_guest_s_token(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway()
    ninety8("join", CODE, "--device", "Ben's phone")
    for words in (("show",), ("log",), ("play", "up1", "17"), ("undo",), ("use", "beef")):
        result = ninety8(*words)
        assert result.exit_code == 0, (words, result.output)
    assert {it.headers["Authorization"] for it in peer.received[1:]} == {f"Bearer {TOKEN}"}
    assert {it.headers["X-Device"] for it in peer.received} == {"Ben's phone"}


def test_the_guest_s_token_counts_even_while_somebody_is_signed_in(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway()
    ninety8("join", CODE, "--as-guest")
    assert ninety8("play", "up1", "17").exit_code == 0
    assert bearers(peer, "/actions") == [f"Bearer {TOKEN}"]


def test_in_a_game_of_one_s_own_the_account_counts(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    peer.rule = gateway(owner=True)
    result = ninety8("join", CODE, "--as-guest")
    assert "a game of your own" in result.stdout
    assert JoinedGames(home, peer.url).each() == []
    assert ninety8("play", "up1", "17").exit_code == 0
    assert bearers(peer, "/actions") == ["Bearer access-1"]


def test_an_account_that_owns_the_game_comes_before_a_guest_s_token_kept_earlier(
    peer: Peer, ninety8: Ninety8
) -> None:
    peer.rule = gateway()
    ninety8("join", CODE, "--as-guest")
    peer.rule = gateway(owner=True)
    assert ninety8("play", "up1", "17").exit_code == 0
    assert bearers(peer, "/actions") == ["Bearer access-1"]


def test_who_is_signed_in_and_given_a_guest_s_token_all_the_same_keeps_that(
    peer: Peer, ninety8: Ninety8, home: Home
) -> None:
    peer.rule = gateway()
    result = ninety8("join", CODE)
    assert "Joined as recorder, to enter what happens, until 2026-01-0" in result.stdout
    assert [it.access_token for it in JoinedGames(home, peer.url).each()] == [TOKEN]


def test_whoever_may_only_watch_is_told_so(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway("viewer")
    joined = ninety8("join", CODE, "--as-guest")
    assert "Joined as viewer, to watch" in joined.stdout
    assert joined.stdout.splitlines()[-1] == "Next: ninety8 watch shows each entry as it is made."
    refused = ninety8("play", "up1", "17")
    assert refused.exit_code == 1
    assert refused.stderr.splitlines() == [
        "Refused (role_insufficient): Detail of role_insufficient.",
        "Next: ninety8 watch shows the game; ask for an invitation that allows more.",
    ]


def test_a_guest_whose_invitation_ended_is_not_sent_to_sign_in(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway()
    ninety8("join", CODE, "--as-guest")
    peer.rule = lambda request: refuses(401, "unauthenticated")
    refused = ninety8("show").stderr
    assert "ask for a new one, or ninety8 leave" in refused
    assert "sign-in" not in refused


@pytest.mark.parametrize(("status", "code"), [(404, "invitation_unknown"), (410, "invitation_ended")])
def test_a_code_that_is_not_good_joins_nothing(
    peer: Peer, ninety8: Ninety8, home: Home, status: int, code: str
) -> None:
    peer.script += [refuses(status, code)]
    refused = ninety8("join", CODE)
    assert refused.exit_code == 1
    assert f"Refused ({code})" in refused.stderr
    assert home.current_game(peer.url) == a.GAME_ID


def test_joined_games_are_listed_beside_one_s_own(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway("viewer")
    ninety8("join", CODE, "--as-guest")
    own, joined = ninety8("games", "--status", "playing").stdout.splitlines()[1:]
    assert own.split()[0] == a.GAME_ID
    assert (joined.split()[0], joined.split()[1], joined.split()[-1]) == ("*", OTHER, "viewer")
    listed = json.loads(ninety8("games", "--json", "--status", "playing").stdout)
    assert [game["id"] for game in listed["items"]] == [a.GAME_ID]
    assert [(it["game_id"], it["role"]) for it in listed["joined"]] == [(OTHER, "viewer")]
    assert TOKEN not in json.dumps(listed)
    assert "beef" not in ninety8("games", "--bin").stdout


@pytest.mark.usefixtures("signed_out")
def test_without_an_account_the_joined_games_are_the_list(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway()
    ninety8("join", CODE)
    assert OTHER in ninety8("games").stdout
    peer.rule = lambda request: refuses(401, "unauthenticated")
    assert f"Ended: {OTHER}" in ninety8("games").stdout


def test_leaving_forgets_the_token(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    peer.rule = gateway()
    ninety8("join", CODE, "--as-guest")
    assert ninety8("leave").exit_code == 0
    assert TOKEN not in (home.directory / "guests.json").read_text()
    assert home.current_game(peer.url) is None
    again = ninety8("leave", OTHER)
    assert again.exit_code == 1
    assert "not joined with an invitation" in again.stderr


def test_spoilt_guests_are_told_and_not_overwritten(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    file = home.directory / "guests.json"
    for content in ("{", json.dumps({peer.url: []}), json.dumps({peer.url: {a.GAME_ID: {"role": "x"}}})):
        file.write_text(content)
        result = ninety8("show")
        assert result.exit_code == 1
        assert "guests.json" in result.stderr
        assert file.read_text() == content
