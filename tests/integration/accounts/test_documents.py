"""The OpenAPI document: committed as it is, and true of the answers."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from services.accounts.application import plans
from services.accounts.entrypoints.commands.processes import OPENAPI
from shared.web import openapi
from tests.integration.accounts.world import PASSWORD, Answer, Person, World


def test_the_committed_document_is_the_one_the_service_makes(world: World) -> None:
    written = openapi.write(world.app)
    assert OPENAPI.read_text(encoding="utf-8") == written, "run `python -m services.accounts openapi`"


@pytest.fixture
def check(world: World) -> Any:
    """Calls like `Person.call`, and holds the answer against the document."""
    document = openapi.document(world.app)

    def call(person: Person, method: str, path: str, body: Any = None, route: str = "") -> Answer:
        answer = person.call(method, path, body)
        operation = document["paths"][route or path.partition("?")[0]][method.lower()]
        described = operation["responses"][str(answer.status_code)]
        if "content" not in described:
            assert answer.data == b""
            return answer
        ((media_type, content),) = described["content"].items()
        assert answer.content_type == media_type
        schema = closed(content["schema"]) | {"components": closed(document["components"])}
        Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(answer.json)
        return answer

    return call


def closed(schema: Any) -> Any:
    """The same, but no object may hold what is not described (problems may, they say so)."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: closed(part) for name, part in schema.items()}
    if "properties" in made and "RFC 9457" not in str(made.get("description", "")):
        made["additionalProperties"] = False
    return made


def test_every_answer_is_as_described(world: World, anna: Person, check: Any) -> None:
    someone = {"email": "described@example.org", "password": PASSWORD}
    check(anna, "POST", "/v1/accounts", someone | {"locale": "de", "display_name": "D"})
    check(anna, "POST", "/v1/accounts", someone)
    check(anna, "POST", "/v1/accounts", {})
    check(anna, "POST", "/v1/auth/tokens", someone)
    check(anna, "POST", "/v1/auth/tokens", someone | {"password": "wrong wrong wrong"})
    check(anna, "POST", "/v1/auth/tokens/refresh", {"refresh_token": "x"})
    anna.take(check(anna, "POST", "/v1/auth/tokens/refresh", {"refresh_token": anna.refresh}).json)
    check(anna, "POST", "/v1/auth/password-reset", {"code": "x", "password": PASSWORD})
    check(anna, "GET", "/.well-known/jwks.json")
    check(anna, "GET", "/v1/me")
    check(anna, "PATCH", "/v1/me", {"locale": None})
    check(anna, "PATCH", "/v1/me", {"plan": "plus"})
    (code,) = plans.make_codes(world.parts, 1)
    for tried in (code, code, "unknown"):
        check(anna, "POST", "/v1/me/plus", {"code": tried})
    one, other = (check(anna, "POST", "/v1/players", {"name": name}).json["id"] for name in "ab")
    check(anna, "POST", "/v1/players", {"name": "c", "id": one})
    route = "/v1/players/{player_id}"
    for player_id in (one, anna.id):
        path = f"/v1/players/{player_id}"
        check(anna, "GET", path, None, route)
        check(anna, "PATCH", path, {"colour": "#aabbcc"}, route)
        check(anna, "POST", f"{path}/merge", {"into": other}, f"{route}/merge")
        check(anna, "POST", f"{path}/merge", {"into": player_id}, f"{route}/merge")
        check(anna, "GET", "/v1/players?merged=all&limit=1")
        for _ in range(2):
            check(anna, "POST", f"{path}/unmerge", None, f"{route}/unmerge")
        check(anna, "DELETE", path, None, route)
    check(anna, "GET", "/v1/players?cursor=x")
    check(anna, "GET", "/v1/me/export")
    change = {"current_password": PASSWORD, "new_password": PASSWORD}
    check(anna, "POST", "/v1/me/password", change | {"current_password": "wrong wrong wrong"})
    anna.take(check(anna, "POST", "/v1/me/password", change).json)
    check(anna, "DELETE", "/v1/auth/tokens")
    check(anna, "GET", "/v1/me")
    anna.take(anna.sign_in().json)
    check(anna, "DELETE", "/v1/me", {"password": "wrong wrong wrong"})
    check(anna, "DELETE", "/v1/me", {"password": PASSWORD})
