"""How answers are told: refusals with all their fields, and what is no answer of ours."""

import pytest

from gateway.client import ApiProblem, NinetyEight, Tokens, UnexpectedAnswer, actions
from tests.unit.client.documents import GAME_ID, entry, game, outcome
from tests.unit.client.peer import Behaviour, Peer, answers, refuses

GARBAGE = [
    answers(200, b"<html>welcome</html>", content_type="text/html"),
    answers(200, b'{"id": '),
    answers(404, b"not here", content_type="text/plain"),
    answers(418, {"message": "no problem document"}),
    answers(302, None, location="http://127.0.0.1:1/elsewhere"),
]


@pytest.mark.parametrize("behaviour", GARBAGE)
def test_an_answer_that_is_not_ours_is_told_as_such(
    peer: Peer, client: NinetyEight, behaviour: Behaviour
) -> None:
    peer.script += [behaviour]
    with pytest.raises(UnexpectedAnswer):
        client.accounts.me()
    assert len(peer.received) == 1


def test_a_proxy_that_lost_its_server_is_asked_again_where_that_is_safe(
    peer: Peer, client: NinetyEight
) -> None:
    broken = answers(502, b"bad gateway", content_type="text/html")
    peer.script += [broken, answers(200, game())]
    assert client.games.get(GAME_ID)["id"] == GAME_ID
    peer.script += [broken]
    with pytest.raises(UnexpectedAnswer):
        client.accounts.redeem("CODE")


def test_a_refusal_carries_every_field_of_the_problem(peer: Peer, client: NinetyEight) -> None:
    refused = outcome("rejected", code="illegal_play")
    peer.script += [
        refuses(
            422,
            "illegal_play",
            index=1,
            action_id="b",
            outcomes=[outcome(), refused],
            version=5,
            game=game(),
            missed=[entry(5, {"type": "draw"})],
            errors={"json": {}},
        )
    ]
    with pytest.raises(ApiProblem) as raised:
        client.games.act(GAME_ID, [actions.play("up1", 17)])
    problem = raised.value
    assert (problem.code, problem.status, problem.title) == ("illegal_play", 422, "illegal_play")
    assert problem.detail == "Detail of illegal_play."
    assert problem.request_id == "r-1"
    assert (problem.index, problem.action_id, problem.version) == (1, "b", 5)
    assert problem.outcomes[1] == refused
    assert problem.game == game()
    assert problem.missed[0]["seq"] == 5
    assert set(problem.extra) == {"index", "action_id", "outcomes", "version", "game", "missed", "errors"}


def test_fields_a_refusal_lacks_read_as_none_or_empty(peer: Peer, client: NinetyEight) -> None:
    peer.script += [refuses(404, "not_found")]
    with pytest.raises(ApiProblem) as raised:
        client.games.get(GAME_ID)
    problem = raised.value
    assert (problem.index, problem.version, problem.game, problem.retry_after_s) == (None,) * 4
    assert (problem.missed, problem.outcomes, problem.extra) == ([], [], {})


def test_an_unchanged_game_is_not_sent_again(peer: Peer, client: NinetyEight) -> None:
    peer.script += [answers(200, game(), etag='"e1"'), answers(304, None, etag='"e1"')]
    first, etag = client.games.changed_since(GAME_ID, None)
    again, same = client.games.changed_since(GAME_ID, etag)
    assert (first, again, etag, same) == (game(), None, '"e1"', '"e1"')
    assert peer.received[1].headers["If-None-Match"] == '"e1"'


def test_the_language_travels_with_every_call(peer: Peer) -> None:
    peer.script += [answers(200, {"keys": []})]
    with NinetyEight(peer.url, language="sl") as client:
        client.system.jwks()
    assert peer.received[0].headers["Accept-Language"] == "sl"


def test_tokens_do_not_show_in_messages() -> None:
    assert "secret" not in repr(Tokens("secret-access", "secret-refresh"))


@pytest.mark.parametrize("url", ["", "127.0.0.1:8098", "ftp://host", "http://", "http://user:pw@host"])
def test_what_is_not_the_address_of_a_gateway_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="address"):
        NinetyEight(url)
