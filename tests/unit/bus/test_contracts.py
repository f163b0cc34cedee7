"""What is committed of the contracts is what the code says, and shapes only grow."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from shared.bus.events import Event, schema_of
from shared.contracts import asyncapi, envelope, schemas
from shared.contracts.__main__ import ASYNCAPI, contracts, render
from shared.contracts.additions import losses
from shared.contracts.events import EVENTS, EventType, events_of
from shared.contracts.messages import CONVERSATIONS, Message, messages
from shared.contracts.streams import GROUPS, STREAMS, event_streams, groups_of, stream

DOCUMENTS = schemas.documents()


def valid(name: str, value: Any) -> None:
    jsonschema.Draft202012Validator(
        DOCUMENTS[name], format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    ).validate(value)


def test_the_committed_schemas_are_those_of_the_code() -> None:
    committed = {path.stem: path.read_text(encoding="utf-8") for path in schemas.FOLDER.glob("*.json")}
    assert committed == {name: render(schema) for name, schema in DOCUMENTS.items()}, (
        "run python -m shared.contracts write"
    )


def test_the_committed_asyncapi_document_is_that_of_the_code() -> None:
    assert ASYNCAPI.read_text(encoding="utf-8") == render(asyncapi.document()), (
        "run python -m shared.contracts write"
    )


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_every_schema_is_a_json_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(DOCUMENTS[name])


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)
def test_examples_of_events_fit_their_schema_and_the_envelope(event: EventType) -> None:
    assert event.examples
    for data in event.examples:
        valid(event.type, data)
        assert event.data().validate(data) == {}
        whole = envelope.example(event, data)
        valid(envelope.NAME, whole)
        read = Event.from_json(json.dumps(whole).encode())
        assert (read.type, read.data) == (event.type, data)
        valid(envelope.NAME, json.loads(read.to_json()))
        assert whole["dataschema"] == schema_of(event.type) == DOCUMENTS[event.type]["$id"]


@pytest.mark.parametrize("message", messages(), ids=lambda message: message.name)
def test_examples_of_messages_fit_their_schema(message: Message) -> None:
    assert message.examples
    for body in message.examples:
        valid(message.name, body)
        assert message.body().validate(body) == {}


def test_a_shape_that_lacks_something_does_not_fit() -> None:
    for name in DOCUMENTS:
        with pytest.raises(jsonschema.ValidationError):
            valid(name, {})


def test_no_event_has_a_field_for_a_name_an_address_or_a_hand() -> None:
    for event in EVENTS:
        named = set(_properties(DOCUMENTS[event.type]))
        assert not named & {"name", "display_name", "email", "address", "hand", "cards"}


def _properties(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [name for part in schema for name in _properties(part)]
    if not isinstance(schema, dict):
        return []
    inner = [name for part in schema.values() for name in _properties(part)]
    own = schema.get("properties", {})
    return inner + list(own if isinstance(own, dict) else ())


def test_streams_groups_events_and_conversations_fit_together() -> None:
    assert {event.stream for event in EVENTS} == {it.key for it in event_streams()}
    assert {talk.stream for talk in CONVERSATIONS} == {it.key for it in STREAMS if it.kind == "requests"}
    assert {name for it in STREAMS for name in it.groups} == {group.name for group in GROUPS}
    assert all(groups_of(it.key) for it in STREAMS)
    for it in STREAMS:
        assert it.key.startswith(it.owner + ".")
        assert all(event.type.startswith(it.owner + ".") for event in events_of(it.key))
    with pytest.raises(KeyError):
        stream("no.such.stream")


def test_every_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    document = asyncapi.document()
    references = re.findall(r'"\$ref": "([^"]+)"', render(document))
    assert references
    for reference in references:
        if reference.startswith("#/"):
            found: Any = document
            for part in reference[2:].split("/"):
                found = found[part]
        else:
            assert (ASYNCAPI.parent / reference).is_file(), reference


def test_the_asyncapi_document_knows_every_stream_event_and_message() -> None:
    document = asyncapi.document()
    assert set(document["channels"]) == {it.key for it in STREAMS} | {"replies", "dead"}
    assert set(document["components"]["messages"]) == {it.type for it in EVENTS} | {
        it.name for it in messages()
    }
    assert {name.rpartition(".")[2] for name in document["operations"]} == {"publish", "consume", "respond"}


OLD: dict[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "list": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
    },
    "required": ["id"],
}


def changed(**properties: Any) -> dict[str, Any]:
    return {**OLD, "properties": {**OLD["properties"], **properties}}


@pytest.mark.parametrize(
    "new",
    [
        OLD,
        changed(more={"type": "string"}),
        changed(kind={"type": "string", "enum": ["a", "b", "c"]}),
        changed(id={"type": "string", "description": "clearer"}),
        changed(id={"type": ["string", "null"]}),
        changed(
            list={
                "type": "array",
                "items": {"type": "object", "properties": {"n": {"type": "integer"}, "m": {}}},
            }
        ),
    ],
)
def test_additions_are_no_losses(new: dict[str, Any]) -> None:
    assert list(losses(OLD, new)) == []


@pytest.mark.parametrize(
    "new",
    [
        {**OLD, "properties": {"id": {"type": "string"}}},
        {**OLD, "required": ["id", "kind"]},
        {**OLD, "required": []},
        {**OLD, "additionalProperties": False},
        changed(id={"type": "integer"}),
        changed(id={"type": ["integer", "null"]}),
        changed(id={"type": ["string", "integer"]}),
        changed(id={}),
        changed(id={"type": "string", "format": "uuid"}),
        changed(kind={"type": "string", "enum": ["a"]}),
        changed(kind={"type": "string"}),
        changed(list={"type": "array"}),
        changed(list={"type": "array", "items": {"type": "object", "properties": {"n": {"type": "string"}}}}),
    ],
)
def test_everything_else_is_a_loss(new: dict[str, Any]) -> None:
    assert list(losses(OLD, new))


@given(st.sets(st.sampled_from(list("abcdef"))), st.sets(st.sampled_from(list("abcdef"))))
def test_properties_may_come_and_not_go(before: set[str], after: set[str]) -> None:
    old = {"properties": {name: {"type": "string"} for name in before}}
    new = {"properties": {name: {"type": "string"} for name in after}}
    assert (list(losses(old, new)) == []) == (before <= after)


def write(folder: Path) -> Any:
    arguments = ["write", "--schemas", str(folder / "schemas"), "--asyncapi", str(folder / "asyncapi.json")]
    return CliRunner().invoke(contracts, arguments)


def test_write_refuses_to_take_something_away(tmp_path: Path) -> None:
    assert write(tmp_path).exit_code == 0
    assert write(tmp_path).exit_code == 0
    path = tmp_path / "schemas" / "sessions.game.binned.json"
    old = json.loads(path.read_text())
    old["properties"]["reason"] = {"type": "string"}
    path.write_text(json.dumps(old))
    refused = write(tmp_path)
    assert refused.exit_code == 1
    assert "sessions.game.binned: .reason is gone" in refused.output
    assert json.loads(path.read_text()) == old


def test_write_refuses_to_forget_a_type(tmp_path: Path) -> None:
    assert write(tmp_path).exit_code == 0
    (tmp_path / "schemas" / "sessions.game.lost.json").write_text("{}")
    refused = write(tmp_path)
    assert refused.exit_code == 1
    assert "sessions.game.lost is gone" in refused.output
