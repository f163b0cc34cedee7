"""Refused access tokens are renewed once, whoever meets them first."""

import threading

import pytest

from gateway.client import ApiProblem, NinetyEight, Tokens, UnexpectedAnswer
from tests.unit.client.documents import GAME_ID, game, tokens
from tests.unit.client.peer import Behaviour, Peer, Received, answers, drops, refuses


def test_a_refused_token_is_renewed_and_the_call_repeated(peer: Peer, client: NinetyEight) -> None:
    peer.script += [refuses(401, "unauthenticated"), answers(200, tokens(2)), answers(200, game())]
    client.games.get(GAME_ID)
    used = [request.headers.get("Authorization") for request in peer.received]
    assert used == ["Bearer access-1", None, "Bearer access-2"]
    assert peer.received[1].body == {"refresh_token": "refresh-1"}
    assert client.tokens.read() == Tokens("access-2", "refresh-2")


def test_a_renewal_whose_answer_is_lost_is_repeated(peer: Peer, client: NinetyEight) -> None:
    peer.script += [refuses(401, "unauthenticated"), drops, answers(200, tokens(2)), answers(200, game())]
    client.games.get(GAME_ID)
    assert peer.received[1].body == peer.received[2].body == {"refresh_token": "refresh-1"}


def test_a_refused_renewal_signs_out_and_tells_the_first_refusal(peer: Peer, client: NinetyEight) -> None:
    peer.script += [refuses(401, "unauthenticated"), refuses(401, "bad_refresh_token")]
    with pytest.raises(ApiProblem) as raised:
        client.games.get(GAME_ID)
    assert raised.value.code == "unauthenticated"
    assert client.tokens.read() is None


def test_a_renewal_that_finds_no_service_keeps_the_tokens(peer: Peer, client: NinetyEight) -> None:
    peer.script += [
        refuses(401, "unauthenticated"),
        refuses(503, "service_unavailable", retry_after="60"),
    ]
    with pytest.raises(ApiProblem) as raised:
        client.games.get(GAME_ID)
    assert raised.value.code == "service_unavailable"
    assert client.tokens.read() == Tokens("access-1", "refresh-1")


@pytest.mark.parametrize("answer", [{}, [], None, "signed in"])
def test_an_answer_without_tokens_is_not_a_sign_in(peer: Peer, client: NinetyEight, answer: object) -> None:
    peer.script += [answers(200, answer)]
    with pytest.raises(UnexpectedAnswer):
        client.auth.sign_in("ana@example.org", "long enough")
    assert client.tokens.read() == Tokens("access-1", "refresh-1")


def test_wrong_credentials_are_not_taken_for_an_old_token(peer: Peer, client: NinetyEight) -> None:
    peer.script += [refuses(401, "bad_credentials")]
    with pytest.raises(ApiProblem):
        client.auth.sign_in("ana@example.org", "wrong password")
    assert len(peer.received) == 1
    assert "Authorization" not in peer.received[0].headers


def test_threads_that_meet_an_old_token_renew_it_once(peer: Peer, client: NinetyEight) -> None:
    both_refused = threading.Barrier(2, timeout=10)

    def rule(request: Received) -> Behaviour:
        if request.path == "/v1/auth/tokens/refresh":
            known = request.body == {"refresh_token": "refresh-1"}
            return answers(200, tokens(2)) if known else refuses(401, "bad_refresh_token")
        if request.headers["Authorization"] == "Bearer access-1":
            both_refused.wait()
            return refuses(401, "unauthenticated")
        return answers(200, game())

    peer.rule = rule
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(client.games.get(GAME_ID)["id"])) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert found == [GAME_ID, GAME_ID]
    assert [request.path for request in peer.received].count("/v1/auth/tokens/refresh") == 1
