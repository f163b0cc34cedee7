"""The shape of an action, as clients send it."""

from datetime import timedelta
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.contracts.actions import FIELDS, faults, normal, parse_time

ID = str(uuid4())
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ([], "_schema"),
        ({"type": "draw"}, "id"),
        ({"id": "7", "type": "draw"}, "id"),
        ({"id": "{" + ID + "}", "type": "draw"}, "id"),
        ({"id": ID}, "type"),
        ({"id": ID, "type": "shuffle"}, "type"),
        ({"id": ID, "type": ["draw"]}, "type"),
        ({"id": ID, "type": "draw", "card": 7}, "card"),
        ({"id": ID, "type": "play", "confirmed": "yes"}, "confirmed"),
        ({"id": ID, "type": "play", "confirmed": None}, "confirmed"),
        ({"id": ID, "type": "undo", "target": 7}, "target"),
        ({"id": ID, "type": "draw", "at": "yesterday"}, "at"),
        ({"id": ID, "type": "draw", "at": "2026-01-01T10:00:00"}, "at"),
    ],
)
def test_a_malformed_action_is_told_by_its_field(body: object, field: str) -> None:
    assert field in faults(body)


@given(ANY, ANY)
def test_pile_and_card_take_any_value(pile: object, card: object) -> None:
    assert faults({"id": ID, "type": "play", "pile": pile, "card": card}) == {}


@given(ANY)
def test_no_value_at_all_makes_the_check_fall_over(body: object) -> None:
    faults(body)
    faults({"id": body, "type": body, "target": body, "at": body, "confirmed": body})


@pytest.mark.parametrize("kind", FIELDS)
def test_every_type_is_well_formed_bare(kind: str) -> None:
    assert faults({"id": ID, "type": kind}) == {}


def test_the_normal_form_forgets_the_clock_the_null_card_and_the_case_of_ids() -> None:
    one = {"id": ID.upper(), "type": "play", "pile": "up1", "card": None, "at": "2026-01-01T10:00:00Z"}
    assert normal(one) == {"id": ID, "type": "play", "pile": "up1"}


@pytest.mark.parametrize("field", ["pile", "card", "target"])
def test_the_normal_form_keeps_nothing_that_is_long_or_that_a_database_cannot_bear(field: str) -> None:
    for odd in ("\0" * 3, "x" * 100_000, "\U0010ffff" * 100, ["x"] * 1_000, {"x": "y" * 1_000}):
        kept = normal({"id": ID, "type": "play", field: odd})[field]
        assert len(kept) <= 64
        assert "\0" not in kept
    assert normal({"id": ID, "type": "play", field: "x" * 64})[field] == "x" * 64


def test_a_time_is_taken_to_utc_and_must_lie_in_the_calendar_there() -> None:
    """PostgreSQL takes no offset of sixteen hours and would turn these into years it cannot give back."""
    far = parse_time("2024-01-01T00:00:00+16:00")
    assert far is not None
    assert far.isoformat() == "2023-12-31T08:00:00+00:00"
    assert parse_time("0001-01-01T00:00:00+14:00") is None
    assert parse_time("9999-12-31T23:59:59-14:00") is None


@given(st.text(max_size=30) | st.from_regex(r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d\Z"))
def test_whatever_is_taken_for_a_time_has_a_year_of_four_digits_in_utc(value: str) -> None:
    found = parse_time(value)
    assert found is None or (found.utcoffset() == timedelta(0) and 1 <= found.year <= 9999)


def test_a_time_needs_its_offset_and_a_real_day() -> None:
    assert parse_time("2026-02-30T10:00:00Z") is None
    assert parse_time("2026-02-28T10:00:00+01:00") is not None
