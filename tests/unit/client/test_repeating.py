"""Which calls are sent again after a failure, and for how long."""

import socket
import threading
import time

import pytest

from gateway.client import (
    NO_PATIENCE,
    ApiProblem,
    Lost,
    MemoryTokens,
    NinetyEight,
    NoGateway,
    Patience,
    actions,
)
from gateway.client.calls import Calls
from gateway.client.system import System
from gateway.client.transport import Transport
from tests.unit.client import peer as peers
from tests.unit.client.documents import GAME_ID, game, outcome, tokens
from tests.unit.client.peer import Behaviour, Peer, answers, breaks_off, drops, refuses, stays_silent

ACCEPTED = answers(200, {"version": 1, "outcomes": [outcome()], "game": game()})


def test_an_action_whose_answer_is_lost_is_sent_again_under_the_same_id(
    peer: Peer, client: NinetyEight
) -> None:
    peer.script += [drops, breaks_off(b'{"version"'), ACCEPTED]
    assert client.games.act(GAME_ID, [actions.play("up1", 17)])["version"] == 1
    first, second, third = peer.received
    assert first.body == second.body == third.body
    assert first.body["actions"][0]["id"]


def test_a_new_game_whose_answer_is_lost_is_asked_for_again_under_the_same_id(
    peer: Peer, client: NinetyEight
) -> None:
    peer.script += [drops, answers(201, game())]
    client.games.start([{"name": "Ana"}])
    assert peer.received[0].body == peer.received[1].body


def test_a_sign_up_whose_answer_is_lost_is_not_repeated(peer: Peer, client: NinetyEight) -> None:
    peer.script += [drops, drops]
    with pytest.raises(Lost):
        client.accounts.sign_up("ana@example.org", "long enough")
    assert len(peer.received) == 1


@pytest.mark.parametrize("status", [503, 429])
def test_a_call_that_shall_come_back_later_does(peer: Peer, client: NinetyEight, status: int) -> None:
    code = {503: "service_unavailable", 429: "too_many_requests"}[status]
    answer = {"account": {"id": "1", "email": "ana@example.org"}, **tokens(2)}
    peer.script += [refuses(status, code, retry_after="0"), answers(201, answer)]
    client.accounts.sign_up("ana@example.org", "long enough")
    assert len(peer.received) == 2


def test_a_wait_longer_than_the_patience_is_told_at_once(peer: Peer, client: NinetyEight) -> None:
    peer.script += [refuses(429, "too_many_requests", retry_after="900")]
    with pytest.raises(ApiProblem) as raised:
        client.auth.sign_in("ana@example.org", "wrong password")
    assert raised.value.retry_after_s == 900


NOT_THERE = refuses(404, "not_found")


@pytest.mark.parametrize(
    "lost", [drops, answers(502), refuses(503, "service_unavailable", retry_after="0"), answers(504)]
)
def test_a_game_that_is_not_there_when_leaving_it_is_repeated_was_left(
    peer: Peer, client: NinetyEight, lost: Behaviour
) -> None:
    peer.script += [lost, NOT_THERE]
    client.games.leave(GAME_ID)
    assert [it.method for it in peer.received] == ["DELETE", "DELETE"]


def test_it_was_left_even_where_the_token_has_run_out_meanwhile(peer: Peer, client: NinetyEight) -> None:
    peer.script += [drops, refuses(401, "unauthenticated"), answers(200, tokens(2)), NOT_THERE]
    client.games.leave(GAME_ID)
    assert len(peer.received) == 4


@pytest.mark.parametrize(
    ("before", "refusal", "code"),
    [
        ([], NOT_THERE, "not_found"),
        ([refuses(429, "too_many_requests", retry_after="0")], NOT_THERE, "not_found"),
        ([drops], refuses(409, "not_shared"), "not_shared"),
    ],
)
def test_leaving_is_refused_where_no_earlier_call_can_have_done_it(
    peer: Peer, client: NinetyEight, before: list[Behaviour], refusal: Behaviour, code: str
) -> None:
    peer.script += [*before, refusal]
    with pytest.raises(ApiProblem) as raised:
        client.games.leave(GAME_ID)
    assert raised.value.code == code


def test_patience_ends(peer: Peer) -> None:
    peer.rule = lambda _: drops
    patience = Patience(lost_s=0.2, first_pause_s=0.01)
    with NinetyEight(peer.url, patience=patience) as client, pytest.raises(Lost):
        client.games.act(GAME_ID, [actions.draw()])
    assert len(peer.received) > 2


def test_without_patience_the_first_failure_is_told(peer: Peer) -> None:
    peer.script += [refuses(503, "service_unavailable", retry_after="0")]
    with NinetyEight(peer.url, patience=NO_PATIENCE) as client, pytest.raises(ApiProblem):
        client.games.act(GAME_ID, [actions.draw()])
    assert len(peer.received) == 1


def test_nothing_listening_is_no_gateway() -> None:
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    with (
        NinetyEight(f"http://127.0.0.1:{port}", patience=NO_PATIENCE) as client,
        pytest.raises(NoGateway),
    ):
        client.accounts.me()


def test_a_gateway_that_comes_back_within_the_patience_is_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    listening = threading.Event()

    def listen() -> None:
        with socket.create_server(("127.0.0.1", port)) as server:
            listening.set()
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"keys": []}')

    pauses: list[float] = []

    def first_pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 1:
            threading.Thread(target=listen, daemon=True).start()
            assert listening.wait(10)

    calls = Calls(Transport(f"http://127.0.0.1:{port}"), MemoryTokens(), Patience(), sleep=first_pause)
    assert System(calls).jwks() == {"keys": []}
    assert pauses == [0.05]


def test_a_silent_gateway_is_given_up_after_the_read_timeout(peer: Peer) -> None:
    peer.script += [stays_silent]
    started = time.monotonic()
    with (
        NinetyEight(peer.url, patience=NO_PATIENCE, read_timeout_s=0.1) as client,
        pytest.raises(Lost),
    ):
        client.accounts.me()
    assert time.monotonic() - started < 5


def test_a_slow_answer_to_an_action_leads_to_the_same_action_again(peer: Peer) -> None:
    peer.script += [stays_silent, ACCEPTED]
    patience = Patience(first_pause_s=0.001)
    with NinetyEight(peer.url, patience=patience, read_timeout_s=0.2) as client:
        client.games.act(GAME_ID, [actions.draw()])
    assert peer.received[0].body == peer.received[1].body


def test_a_gateway_that_was_there_before_is_waited_for_longer() -> None:
    with peers.running() as peer:
        peer.script += [answers(200, {"keys": []}, connection="close")]
        pauses: list[float] = []

        def count(seconds: float) -> None:
            pauses.append(seconds)

        patience = Patience(lost_s=3600, unreachable_s=-1)
        elapsed = iter(range(0, 100_000, 600))
        calls = Calls(
            Transport(peer.url), MemoryTokens(), patience, clock=lambda: float(next(elapsed)), sleep=count
        )
        System(calls).jwks()
    with pytest.raises(NoGateway):
        System(calls).jwks()
    assert len(pauses) == 5
