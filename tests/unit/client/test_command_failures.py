"""Global options, output for machines, and the exit code of everything that can go wrong."""

import json
import socket

import pytest

from gateway.client.home import Home
from tests.unit.client import documents as a
from tests.unit.client.command import ACCOUNT, Ninety8, accepted
from tests.unit.client.peer import Peer, answers, drops, refuses


def test_for_machines_the_documents_are_printed_as_they_are(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [accepted(a.outcome()), refuses(422, "illegal_play", index=0)]
    answer = json.loads(ninety8("--json", "play", "up1", "17").stdout)
    assert answer["game"] == a.game()
    refused = ninety8("play", "up1", "17", "--json")
    assert refused.stdout == ""
    assert json.loads(refused.stderr)["code"] == "illegal_play"


def test_global_options_count_before_and_after_the_command(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = lambda _: answers(200, ACCOUNT)
    for words in (
        ("--url", peer.url, "--lang", "sl", "whoami"),
        ("whoami", "--url", peer.url, "--lang", "sl"),
        ("--lang", "de", "whoami", "--lang", "sl"),
    ):
        assert ninety8(*words).exit_code == 0
        assert peer.received[-1].headers["Accept-Language"] == "sl"
    ninety8("whoami", NINETY8_LANG="fr")
    assert peer.received[-1].headers["Accept-Language"] == "fr"


def test_the_url_given_outranks_the_environment_and_has_its_own_sign_in(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [refuses(401, "unauthenticated")]
    result = ninety8("whoami", "--url", peer.url + "/elsewhere", NINETY8_URL="http://127.0.0.1:1")
    assert result.exit_code == 1
    assert "Next: ninety8 sign-in" in result.stderr
    assert peer.received[0].path == "/elsewhere/v1/me"
    assert "Authorization" not in peer.received[0].headers


@pytest.mark.parametrize(
    "words", [("--url", "localhost", "whoami"), ("whoami", "--url", "ftp://x"), ("fly",)]
)
def test_what_is_not_understood_exits_with_2(ninety8: Ninety8, words: tuple[str, ...]) -> None:
    assert ninety8(*words).exit_code == 2


def test_no_gateway_exits_with_3_and_says_how_to_start_one(ninety8: Ninety8) -> None:
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    result = ninety8("whoami", "--url", f"http://127.0.0.1:{port}")
    assert result.exit_code == 3
    assert "make run" in result.stderr


def test_an_answer_that_was_lost_exits_with_3_and_says_to_look_first(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [drops]
    result = ninety8("plus", "redeem", "CODE")
    assert result.exit_code == 3
    assert "It may have been carried out" in result.stderr


def test_something_else_at_the_address_exits_with_3(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [answers(200, b"<html>", content_type="text/html")]
    result = ninety8("whoami")
    assert result.exit_code == 3
    assert "does not answer like a gateway" in result.stderr


def test_spoilt_files_are_told_without_a_trace(ninety8: Ninety8, home: Home) -> None:
    (home.directory / "credentials.json").write_text("{")
    result = ninety8("whoami")
    assert result.exit_code == 1
    assert "Remove it and sign in again" in result.stderr


def test_without_a_sign_in_the_way_to_one_is_told(ninety8: Ninety8, home: Home, peer: Peer) -> None:
    home.tokens(peer.url).forget()
    result = ninety8("show")
    assert result.exit_code == 1
    assert "ninety8 sign-in" in result.stderr
    assert peer.received == []


def test_without_a_game_in_use_the_way_to_one_is_told(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    home.remember_account(peer.url, "somebody else")
    result = ninety8("show")
    assert result.exit_code == 1
    assert "ninety8 new" in result.stderr
