"""Whatever stands in the first line of a request, there is one way to read it."""

from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.environ import environ_for

# As aiohttp decodes what it is sent: bytes that are no UTF-8 become surrogates.
SENT = st.binary(max_size=40).map(lambda it: it.decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [
        ("/", "/", ""),
        ("/v1/games?limit=5", "/v1/games", "limit=5"),
        ("/v1/games?a=b?c", "/v1/games", "a=b?c"),
        ("/v1/g%61mes%2F1?x=%2F", "/v1/games/1", "x=%2F"),
        ("/v1/caf%C3%A9", "/v1/caf\xc3\xa9", ""),
        ("/v1/café", "/v1/caf\xc3\xa9", ""),
        ("/v1/me#there?x", "/v1/me", ""),
        ("//v1/me", "//v1/me", ""),
        ("http://host/v1/me?x", "/v1/me", "x"),
        ("http://host:80", "/", ""),
        ("*", "*", ""),
        ("host:443", "host:443", ""),
    ],
)
def test_a_target_is_read_as_path_and_query(target: str, path: str, query: str) -> None:
    environ = environ_for("GET", target, "127.0.0.1")
    assert (environ["PATH_INFO"], environ["QUERY_STRING"]) == (path, query)


@given(SENT)
def test_any_path_is_the_bytes_that_were_sent_each_as_one_character(sent: str) -> None:
    path = sent.replace("#", "").replace("?", "")
    found = environ_for("GET", f"/{path}", "")["PATH_INFO"]
    assert found.encode("latin-1") == unquote_to_bytes(f"/{path}".encode("utf-8", "surrogateescape"))


@given(SENT)
def test_any_query_passes_as_it_is(sent: str) -> None:
    query = sent.replace("#", "")
    found = environ_for("GET", f"/?{query}", "")["QUERY_STRING"]
    assert found.encode("latin-1") == query.encode("utf-8", "surrogateescape")
