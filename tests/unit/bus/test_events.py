"""The envelope of events, and their older forms."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.bus.events import Event, MalformedEvent, upcast

EVENT = Event(
    UUID("01890f3c-8a00-7000-8000-00000000e001"),
    "sessions.game.binned",
    "/sessions",
    "a game",
    datetime(2026, 5, 4, 18, 30, tzinfo=UTC),
    {"game_id": "a game"},
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
TEXT = st.text(min_size=1)


@given(
    st.builds(
        Event,
        st.uuids(),
        TEXT,
        TEXT,
        TEXT,
        st.datetimes(timezones=st.just(UTC), min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)),  # noqa: DTZ001
        st.dictionaries(st.text(), JSON, max_size=4),
        st.none() | TEXT,
    )
)
def test_an_event_survives_its_envelope(event: Event) -> None:
    assert Event.from_json(event.to_json()) == event


def test_the_envelope_names_the_schema_of_its_data() -> None:
    assert orjson.loads(EVENT.to_json())["dataschema"] == "/schemas/sessions.game.binned.json"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"id": "no uuid"}, "UUID"),
        ({"id": 7}, "replace"),
        ({"type": ""}, "type"),
        ({"type": ["x"]}, "type"),
        ({"source": None}, "source"),
        ({"subject": 5}, "subject"),
        ({"time": "yesterday"}, "isoformat"),
        ({"time": "2026-05-04T18:30:00"}, "offset"),
        ({"time": 1}, "fromisoformat"),
        ({"data": []}, "data"),
        ({"specversion": "2.0"}, "specversion"),
    ],
)
def test_what_is_not_an_event_is_refused_with_a_reason(change: dict[str, Any], complaint: str) -> None:
    document = orjson.loads(EVENT.to_json()) | change
    with pytest.raises(MalformedEvent, match=complaint):
        Event.from_json(orjson.dumps(document))


@pytest.mark.parametrize("name", ["id", "type", "source", "subject", "time", "data", "specversion"])
def test_what_lacks_an_attribute_is_refused(name: str) -> None:
    document = orjson.loads(EVENT.to_json())
    del document[name]
    with pytest.raises(MalformedEvent, match=name):
        Event.from_json(orjson.dumps(document))


@given(st.binary())
def test_bytes_that_are_no_event_raise_nothing_else(text: bytes) -> None:
    with pytest.raises(MalformedEvent):
        Event.from_json(text)


def test_attributes_that_are_not_known_are_passed_over() -> None:
    document = orjson.loads(EVENT.to_json()) | {"newattribute": "x"}
    assert Event.from_json(orjson.dumps(document)) == EVENT


def test_old_forms_are_brought_up_step_by_step() -> None:
    upcasts = {
        "t": lambda event: replace(event, type="t.v2", data={**event.data, "two": 2}),
        "t.v2": lambda event: replace(event, type="t.v3", data={**event.data, "three": 3}),
    }
    newest = upcast(replace(EVENT, type="t", data={}), upcasts)
    assert (newest.type, newest.data) == ("t.v3", {"two": 2, "three": 3})
    assert upcast(EVENT, upcasts) is EVENT
