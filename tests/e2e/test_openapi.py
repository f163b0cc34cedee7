"""The public OpenAPI document is valid, and true of every answer, whatever is sent."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from jsonschema import Draft202012Validator
from schemathesis.checks import CHECKS, load_all_checks

from shared.contracts.actions import is_uuid
from tests.support.api import PASSWORD, Api
from tests.support.operations import PARAMETERS, document
from tests.support.system import System
from tests.support.world import World, new_world, plus_code

SEED = 98
EXAMPLES = 50
load_all_checks()
HOLDS = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
        "negative_data_rejection",
    ]
)
CONFIG = {
    "seed": SEED,
    "generation": {"deterministic": True, "max-examples": EXAMPLES, "no-shrink": True},
}
schema = schemathesis.openapi.from_dict(document(), config=schemathesis.Config.from_dict(CONFIG)).exclude(
    operation_id="watch_game"  # what is good of it does not end
)


def schemas(part: Any) -> Iterator[Any]:
    """Every JSON Schema in a part of a document, those within others excepted."""
    if isinstance(part, list):
        for one in part:
            yield from schemas(one)
    elif isinstance(part, dict):
        for name, one in part.items():
            if name == "schema":
                yield one
            elif name == "schemas":
                yield from one.values()
            else:
                yield from schemas(one)


@pytest.mark.parametrize("folder", ["gateway", "services/accounts", "services/rules", "services/sessions"])
def test_the_document_is_openapi_3_1_with_json_schemas_that_take_their_own_defaults(folder: str) -> None:
    described = document(folder)
    assert described["openapi"].startswith("3.1.")
    schemathesis.openapi.from_dict(described).validate()
    found = list(schemas(described))
    assert found
    for one in found:
        Draft202012Validator.check_schema(one)
        if "default" in one:
            assert Draft202012Validator(one).is_valid(one["default"]), one


@pytest.fixture(scope="module")
def world(system: System) -> World:
    return new_world(system.url, plus_code(system))


@pytest.fixture(scope="module")
def leaver(system: System) -> World:
    """Somebody who may be signed out."""
    return new_world(system.url)


@schema.parametrize()
def test_every_answer_is_as_the_document_says(
    case: schemathesis.Case[Any], system: System, world: World, leaver: World
) -> None:
    """About things that are there, by who may; half of what is sent is wrong on purpose."""
    for name in ("game_id", "player_id", "invitation_id", "conflict_id", "action_id"):
        if is_uuid(case.path_parameters.get(name)):
            case.path_parameters[name] = PARAMETERS[name](world)
    token = world.api.token
    if case.operation.definition.raw["operationId"] == "sign_out":
        signed_in = Api(system.url).post("/v1/auth/tokens", {"email": leaver.email, "password": PASSWORD})
        token = signed_in.json["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    case.call_and_validate(base_url=system.url, headers=headers, checks=HOLDS, timeout=30)
