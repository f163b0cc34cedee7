"""Commands for the account: what is sent, what is kept, and that no secret is shown."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gateway.client.home import Home
from gateway.client.tokens import Tokens
from tests.unit.client import documents as a
from tests.unit.client.command import ACCOUNT, Ninety8
from tests.unit.client.peer import Behaviour, Peer, Received, answers, refuses


def test_signing_up_keeps_tokens_and_never_shows_them(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    peer.script += [answers(201, {"account": ACCOUNT, **a.tokens(7)})]
    result = ninety8("sign-up", "ana@example.org", "--name", "Ana", "--password-stdin", stdin="long enough\n")
    assert result.exit_code == 0
    assert result.stdout.startswith("Signed up: ana@example.org (Ana), plan free.")
    assert "access-7" not in result.output
    assert peer.received[0].body["password"] == "long enough"
    assert home.tokens(peer.url).read() == Tokens("access-7", "refresh-7")


def test_a_password_is_asked_for_twice_without_showing_it(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [answers(201, {"account": ACCOUNT, **a.tokens(7)})]
    result = ninety8("sign-up", "ana@example.org", stdin="long enough\nlong enough\n")
    assert result.exit_code == 0
    assert "long enough" not in result.output


@pytest.mark.parametrize("command", ["sign-up", "sign-in", "password", "delete-account"])
def test_no_command_takes_a_password_as_a_word(ninety8: Ninety8, command: str) -> None:
    assert "--password " not in ninety8(command, "--help").stdout
    assert ninety8(command, "ana@example.org", "secret password", "--password-stdin").exit_code == 2


def test_an_empty_standard_input_is_no_password(ninety8: Ninety8) -> None:
    result = ninety8("sign-in", "ana@example.org", "--password-stdin", stdin="")
    assert result.exit_code == 2
    assert "standard input has no such line" in result.stderr


def test_signing_out_forgets_the_tokens_even_when_the_gateway_has(
    peer: Peer, ninety8: Ninety8, home: Home
) -> None:
    peer.script += [refuses(401, "unauthenticated"), refuses(401, "bad_refresh_token")]
    assert ninety8("sign-out").exit_code == 0
    assert home.tokens(peer.url).read() is None


def test_changing_the_password_keeps_this_machine_signed_in(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    peer.script += [answers(200, a.tokens(9))]
    result = ninety8("password", "--password-stdin", stdin="the old one\nthe new one\n")
    assert result.exit_code == 0
    assert peer.received[0].body == {"current_password": "the old one", "new_password": "the new one"}
    assert home.tokens(peer.url).read() == Tokens("access-9", "refresh-9")


def test_a_password_is_reset_with_the_link_of_an_operator(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [answers(204), answers(204)]
    for pasted in ("http://127.0.0.1:8098/reset#c0de", "c0de"):
        result = ninety8("reset-password", "--password-stdin", stdin=f"{pasted}\nthe new one\n")
        assert result.exit_code == 0
        assert "c0de" not in result.output
        assert peer.received[-1].body == {"code": "c0de", "password": "the new one"}


def test_an_export_into_a_file_is_for_its_owner_alone(peer: Peer, ninety8: Ninety8, tmp_path: Path) -> None:
    peer.script += [answers(200, {"account": ACCOUNT})]
    file = tmp_path / "export.json"
    assert ninety8("my-data", "--output", str(file)).exit_code == 0
    assert json.loads(file.read_text()) == {"account": ACCOUNT}
    assert file.stat().st_mode & 0o777 == 0o600


def test_two_commands_that_meet_an_old_token_renew_it_once(peer: Peer, home: Home) -> None:
    both_refused = threading.Barrier(2, timeout=20)

    def rule(request: Received) -> Behaviour:
        if request.path == "/v1/auth/tokens/refresh":
            known = request.body == {"refresh_token": "refresh-1"}
            return answers(200, a.tokens(2)) if known else refuses(401, "bad_refresh_token")
        if request.headers["Authorization"] == "Bearer access-1":
            both_refused.wait()
            return refuses(401, "unauthenticated")
        return answers(200, ACCOUNT)

    peer.rule = rule
    command = [sys.executable, "-m", "gateway.client", "whoami", "--url", peer.url]
    environment = {"NINETY8_HOME": str(home.directory), "PATH": ""}
    root = Path(__file__).parents[3]
    started = [
        subprocess.Popen(command, env=environment, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=60)[0].decode() for process in started]
    assert [process.returncode for process in started] == [0, 0], outputs
    assert [request.path for request in peer.received].count("/v1/auth/tokens/refresh") == 1
    assert home.tokens(peer.url).read() == Tokens("access-2", "refresh-2")
