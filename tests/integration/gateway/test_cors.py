"""Scripts of any origin can use the API, without cookies."""

import pytest

from gateway.routes import ROUTES
from tests.integration.gateway.conftest import Behind, Visitor
from tests.integration.gateway.standin import hang_up

PREFLIGHT = {
    "Origin": "https://somewhere.example",
    "Access-Control-Request-Method": "PATCH",
    "Access-Control-Request-Headers": "authorization, content-type, if-none-match, x-device, x-request-id",
}
OWN = ["/v1/openapi.json", "/problems", "/problems/not_found", "/live", "/ready"]


@pytest.mark.parametrize("path", sorted({route.path for route in ROUTES}) + OWN)
def test_every_address_answers_a_preflight(behind: Behind, visitor: Visitor, path: str) -> None:
    reply = visitor.options(path.replace("{", "").replace("}", "").replace("_id", ""), headers=PREFLIGHT)
    assert (reply.status_code, reply.data) == (204, b"")
    methods = reply.headers["Access-Control-Allow-Methods"].split(", ")
    assert {route.method for route in ROUTES if route.path == path} <= set(methods)
    allowed = {name.lower() for name in reply.headers["Access-Control-Allow-Headers"].split(", ")}
    assert set(PREFLIGHT["Access-Control-Request-Headers"].split(", ")) <= allowed
    assert not behind.sessions.received + behind.accounts.received + behind.rules.received


def test_an_address_that_is_none_has_no_preflight(visitor: Visitor) -> None:
    assert visitor.options("/v1/nothing", headers=PREFLIGHT).status_code == 404


def test_every_answer_may_be_read_by_scripts_and_none_with_cookies(behind: Behind, visitor: Visitor) -> None:
    replies = [
        visitor.get("/v1/games/1"),
        visitor.get("/nothing"),
        visitor.put("/v1/me"),
        visitor.get("/docs"),
    ]
    behind.sessions.behaviour = hang_up
    replies.append(visitor.get("/v1/games/1"))
    for reply in replies:
        assert reply.headers.getlist("Access-Control-Allow-Origin") == ["*"]
        assert "Access-Control-Allow-Credentials" not in reply.headers
        exposed = reply.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"X-Request-Id", "ETag", "Retry-After", "Location", "Content-Language"} <= set(exposed)
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
