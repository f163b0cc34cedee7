"""The public OpenAPI document is the services' documents as they are, seen through the map."""

import re

from gateway import openapi
from gateway.documentation import OPENAPI
from gateway.matching import shape
from gateway.own_operations import OWN_PATHS
from gateway.routes import ROUTES
from shared.web.problems import MEDIA_TYPE

DOCUMENT = openapi.merge(openapi.documents(), ROUTES)
OPERATIONS = [
    (method.upper(), path, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
]


def test_the_committed_document_is_the_merged_one() -> None:
    assert OPENAPI.read_text("utf-8") == openapi.text()


def test_it_describes_the_map_and_the_gateways_own_and_nothing_else() -> None:
    described = {(method, shape(path)) for method, path, _ in OPERATIONS if path not in OWN_PATHS}
    assert described == {(route.method, shape(route.path)) for route in ROUTES}


def test_every_operation_has_a_name_of_its_own_a_tag_and_says_who_may_ask() -> None:
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(names)) == len(names)
    tags = {tag["name"] for tag in DOCUMENT["tags"]}
    for _, _, operation in OPERATIONS:
        assert set(operation["tags"]) <= tags
        assert operation["security"] in ([], [{"bearer": []}])
        assert operation.get("summary"), operation["operationId"]


def test_every_parameter_of_a_path_is_described() -> None:
    for _, path, operation in OPERATIONS:
        described = {it["name"] for it in operation.get("parameters", []) if it["in"] == "path"}
        assert described == set(re.findall(r"\{(\w+)\}", path))


def test_every_refusal_is_a_problem_document() -> None:
    responses = DOCUMENT["components"]["responses"]
    for _, path, operation in OPERATIONS:
        for status, answer in operation["responses"].items():
            described = responses[answer["$ref"].rpartition("/")[2]] if "$ref" in answer else answer
            if int(status) >= 400 and path != "/ready":
                assert list(described["content"]) == [MEDIA_TYPE]


def test_every_reference_leads_somewhere() -> None:
    for section, name in re.findall(r'"#/components/(\w+)/(\w+)"', openapi.text()):
        assert name in DOCUMENT["components"][section]
