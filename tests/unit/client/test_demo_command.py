"""The demonstration against a peer that does not play along."""

from gateway.client.home import Home
from gateway.client.tokens import Tokens
from tests.unit.client import documents as a
from tests.unit.client.command import ACCOUNT, Ninety8, accepted
from tests.unit.client.peer import Behaviour, Peer, Received, answers, refuses


def test_a_demonstration_that_goes_otherwise_fails_and_still_tidies_up(peer: Peer, ninety8: Ninety8) -> None:
    def rule(request: Received) -> Behaviour:
        if request.path == "/v1/accounts":
            return answers(201, {"account": ACCOUNT, **a.tokens(2)})
        if request.path.endswith("/actions"):
            return accepted(a.outcome())
        if request.path.endswith("/log?after=0"):
            return answers(200, b"", content_type="application/x-ndjson")
        return answers(200, a.game())

    peer.rule = rule
    result = ninety8("demo", "--turns")
    assert result.exit_code == 1
    assert "The game did not go as recorded: result is None" in result.stderr
    last = peer.received[-1]
    assert (last.method, last.path) == ("DELETE", "/v1/me")
    assert last.body == {"password": peer.received[0].body["password"]}


def test_a_demonstration_leaves_the_sign_in_alone(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    peer.script += [
        answers(201, {"account": ACCOUNT, **a.tokens(2)}),
        refuses(422, "ruleset_unknown"),
        answers(204),
    ]
    assert ninety8("demo").exit_code == 1
    assert home.tokens(peer.url).read() == Tokens("access-1", "refresh-1")
