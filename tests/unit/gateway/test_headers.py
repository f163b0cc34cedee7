"""Headers pass by name; what is not named stays where it is."""

import pytest

from gateway.headers import LENGTH_LIMIT, inward, outward
from shared.web.problems import Problem


def test_only_named_headers_go_in() -> None:
    sent = {"HTTP_ACCEPT": "a", "HTTP_COOKIE": "b", "HTTP_X_ACCOUNT_ID": "c", "REMOTE_ADDR": "d"}
    assert inward(sent) == {"Accept": "a"}


def test_a_header_too_long_for_the_servers_behind_counts_as_absent() -> None:
    assert inward({"HTTP_AUTHORIZATION": "x" * LENGTH_LIMIT})
    assert not inward({"HTTP_AUTHORIZATION": "x" * (LENGTH_LIMIT + 1)})


@pytest.mark.parametrize("key", ["HTTP_X_DEVICE", "HTTP_LAST_EVENT_ID"])
def test_a_header_that_says_what_is_meant_is_refused_rather_than_dropped(key: str) -> None:
    assert inward({key: "x" * LENGTH_LIMIT})
    with pytest.raises(Problem) as refused:
        inward({key: "x" * (LENGTH_LIMIT + 1)})
    assert refused.value.code == "validation_failed"


def test_hops_and_inner_matters_stay_inside() -> None:
    answered = [
        ("ETag", '"1"'),
        ("Transfer-Encoding", "chunked"),
        ("X-Internal-Node", "1"),
        ("SERVER", "x"),
        ("Access-Control-Allow-Credentials", "true"),
        ("X-Request-Id", "another"),
        ("Vary", "Accept"),
        ("Vary", "Accept-Language"),
    ]
    assert outward(answered) == [("ETag", '"1"'), ("Vary", "Accept"), ("Vary", "Accept-Language")]
