"""Bytes on a socket that are no HTTP, or HTTP of the kind that two readers read differently."""

import json

import pytest

from tests.support.api import Api
from tests.support.system import System
from tests.support.wire import exchange, statuses
from tests.support.world import World, new_world

HOST = b"Host: localhost\r\n"
CLOSE = b"Connection: close\r\n"
JSON = b"Content-Type: application/json\r\n"
START = b"POST /v1/accounts HTTP/1.1\r\n" + HOST + CLOSE + JSON
SECOND = b"GET /live HTTP/1.1\r\n" + HOST + CLOSE + b"\r\n"

NO_HTTP = {
    "nothing": b"",
    "line feeds": b"\r\n\r\n\r\n",
    "words": b"open sesame\r\n\r\n",
    "no version": b"GET /live\r\n\r\n",
    **{
        f"version {version}": b"GET /live HTTP/%b\r\n%b\r\n" % (version.encode(), HOST)
        for version in ("0.9", "1.2", "2", "2.0", "3.0", "9.9", "01.1")
    },
    "no path": b"GET HTTP/1.1\r\n" + HOST + b"\r\n",
    "a blank in the path": b"GET /v1/ga mes HTTP/1.1\r\n" + HOST + b"\r\n",
    "NUL in the path": b"GET /v1/\0games HTTP/1.1\r\n" + HOST + b"\r\n",
    "bytes in the path": b"GET /v1/\xff\xfe HTTP/1.1\r\n" + HOST + b"\r\n",
    "a header without a colon": b"GET /v1/me HTTP/1.1\r\n" + HOST + b"Authorization\r\n\r\n",
    "a header without a name": b"GET /v1/me HTTP/1.1\r\n" + HOST + b": x\r\n\r\n",
    "NUL in a header": b"GET /v1/me HTTP/1.1\r\n" + HOST + b"Authorization: Bearer \0\r\n\r\n",
    "a header over two lines": b"GET /v1/me HTTP/1.1\r\n" + HOST + b"Authorization: Bearer\r\n x\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64,
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a million headers": b"GET /v1/me HTTP/1.1\r\n" + HOST + b"X-A: b\r\n" * 100_000 + b"\r\n",
    "a header of a megabyte": b"GET /v1/me HTTP/1.1\r\n" + HOST + b"X-A: " + b"b" * 1_000_000 + b"\r\n\r\n",
    "a length below nought": START + b"Content-Length: -1\r\n\r\n{}",
    "a length that is none": START + b"Content-Length: two\r\n\r\n{}",
    "a length beyond all": START + b"Content-Length: 99999999999999999999999\r\n\r\n{}",
    "two lengths": START + b"Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}",
    "a list of lengths": START + b"Content-Length: 2, 40\r\n\r\n{}",
    "a chunk that is none": START + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "a chunk below nought": START + b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
    "a chunk beyond all": START + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
    "no last chunk": START + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    "an unknown encoding": START + b"Transfer-Encoding: tea\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "chunked before another": START + b"Transfer-Encoding: chunked, tea\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "less than the length": START + b"Content-Length: 40\r\n\r\n{}",
    "a length over the limit": START + b"Content-Length: 307200\r\n\r\n{}",
}


@pytest.fixture(scope="module")
def world(system: System) -> World:
    return new_world(system.url)


@pytest.mark.parametrize("label", NO_HTTP)
def test_what_is_no_http_is_refused_or_hung_up_on_and_the_next_request_is_served(
    system: System, label: str
) -> None:
    """The server itself answers some of it, before anything of ours could: then without a document."""
    answered = exchange(system.url, NO_HTTP[label], ends=True)
    found = statuses(answered)
    assert len(found) <= 1
    assert all(400 <= status < 500 for status in found), answered
    assert Api(system.url).get("/live").status == 200


@pytest.mark.parametrize("label", [label for label in NO_HTTP if "version" in label])
def test_a_version_that_is_not_spoken_is_refused_before_the_client_hangs_up(
    system: System, label: str
) -> None:
    assert statuses(exchange(system.url, NO_HTTP[label])) == [400]


def test_an_odd_but_proper_request_is_answered_with_a_document(system: System) -> None:
    """Lower case, no host, an address in full, a length that comes twice but alike."""
    odd = {
        "no media type": b"POST /v1/accounts HTTP/1.1\r\n" + HOST + CLOSE + b"Content-Length: 2\r\n\r\n{}",
        "an address in full": b"GET http://localhost/v1/me HTTP/1.1\r\n" + HOST + CLOSE + b"\r\n",
        "HTTP/1.0": b"GET /v1/me HTTP/1.0\r\n\r\n",
        "a method of its own": b"BREW /v1/me HTTP/1.1\r\n" + HOST + CLOSE + b"\r\n",
        "bytes in the language": b"GET /v1/me HTTP/1.1\r\n"
        + HOST
        + CLOSE
        + b"Accept-Language: \xff\xfe\r\n\r\n",
        "bytes in the token": b"GET /v1/me HTTP/1.1\r\n"
        + HOST
        + CLOSE
        + b"Authorization: Bearer \xff\r\n\r\n",
        "a token of 5,000 characters": b"GET /v1/me HTTP/1.1\r\n%b%bAuthorization: Bearer %b\r\n\r\n"
        % (HOST, CLOSE, b"x" * 5_000),
        "an announcement": START + b"Expect: 100-continue\r\nContent-Length: 307200\r\n\r\n",
        "trailers": START
        + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\n\r\n",
    }
    for label, request in odd.items():
        answered = exchange(system.url, request)
        (status,) = [found for found in statuses(answered) if found != 100]
        assert 400 <= status < 500, label
        assert json.loads(answered[answered.rindex(b"\r\n\r\n") + 4 :])["status"] == status, label


def test_a_request_hidden_in_another_s_body_is_not_served_as_its_own(world: World) -> None:
    """Told both a length and chunks the server hangs up after its answer: it may have been told a lie."""
    token = f"Authorization: Bearer {world.api.token}\r\n".encode()
    hidden = b"DELETE /v1/games/%b HTTP/1.1\r\n%b%b%b\r\n" % (world.game_id.encode(), HOST, token, CLOSE)
    length = b"Content-Length: %d\r\n" % (5 + len(hidden))
    before = world.snapshot()
    for framing in (
        length + b"Transfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\n" + length,
        b"Transfer-Encoding: xchunked\r\n" + length,
        b"Transfer-Encoding:\tchunked\r\n" + length,
        length + CLOSE,
    ):
        request = b"POST /v1/accounts HTTP/1.1\r\n" + HOST + JSON + framing + b"\r\n0\r\n\r\n" + hidden
        (status,) = statuses(exchange(world.api.url, request))
        assert 400 <= status < 500
        assert world.snapshot() == before


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games/../me",
        "/v1/games/{game}/../../me",
        "/v1/./me",
        "/v1/rulesets/../rulesets",
        "/problems/../problems",
        "/docs/../settings.py",
        "/docs/../../../../etc/passwd",
        "//v1/me",
        "/v1\\me",
        "/v1/me;x=1",
        "/v1/me%3Fx",
    ],
)
def test_a_path_is_taken_as_it_is_and_leads_nowhere_else(world: World, path: str) -> None:
    token = f"Authorization: Bearer {world.api.token}\r\n"
    line = f"GET {path.format(game=world.game_id)} HTTP/1.1\r\n"
    answered = exchange(world.api.url, line.encode() + HOST + CLOSE + token.encode() + b"\r\n")
    (status,) = statuses(answered)
    assert status in (400, 404)


def test_two_requests_at_once_on_one_connection_are_both_answered(system: System) -> None:
    first = b"GET /live HTTP/1.1\r\n" + HOST + b"\r\n"
    assert statuses(exchange(system.url, first + SECOND)) == [200, 200]
