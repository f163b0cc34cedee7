"""Headers pass by name; what is not named stays where it is."""

from gateway.headers import LENGTH_LIMIT, inward, outward


def test_only_named_headers_go_in() -> None:
    sent = {"HTTP_ACCEPT": "a", "HTTP_COOKIE": "b", "HTTP_X_ACCOUNT_ID": "c", "REMOTE_ADDR": "d"}
    assert inward(sent) == {"Accept": "a"}


def test_a_header_too_long_for_the_servers_behind_counts_as_absent() -> None:
    assert inward({"HTTP_AUTHORIZATION": "x" * LENGTH_LIMIT})
    assert not inward({"HTTP_AUTHORIZATION": "x" * (LENGTH_LIMIT + 1)})


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
