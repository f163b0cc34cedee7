"""The log as a stream, taken up again where it breaks off."""

import pytest

from gateway.client import ApiProblem, NinetyEight
from tests.unit.client.documents import GAME_ID
from tests.unit.client.peer import Peer, answers, breaks_off, refuses

NDJSON = "application/x-ndjson"


def test_a_log_stream_that_breaks_off_is_taken_up_after_the_last_entry(
    peer: Peer, client: NinetyEight
) -> None:
    peer.script += [
        breaks_off(b'{"seq": 1}\n{"seq": 2}\n{"se', content_type=NDJSON),
        answers(200, b'{"seq": 3}\n', content_type=NDJSON),
    ]
    assert [item["seq"] for item in client.games.stream_log(GAME_ID)] == [1, 2, 3]
    assert [request.path.rsplit("?")[-1] for request in peer.received] == ["after=0", "after=2"]
    assert peer.received[0].headers["Accept"] == NDJSON


def test_half_a_line_at_the_end_of_a_stream_counts_as_broken_off(peer: Peer, client: NinetyEight) -> None:
    peer.script += [
        answers(200, b'{"seq": 1}\n{"se', content_type=NDJSON),
        answers(200, b'{"seq": 2}\n', content_type=NDJSON),
    ]
    assert [item["seq"] for item in client.games.stream_log(GAME_ID)] == [1, 2]


def test_a_refused_stream_is_a_problem(peer: Peer, client: NinetyEight) -> None:
    peer.script += [refuses(404, "not_found")]
    with pytest.raises(ApiProblem):
        list(client.games.stream_log(GAME_ID))
