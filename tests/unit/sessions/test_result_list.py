"""The cursors of the list of finished games: one for each place, and nothing else is one."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.sessions.domain.place import Place

moments = st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
places = st.builds(Place, moments, st.uuids())


@given(places)
def test_a_cursor_leads_back_to_its_place(place: Place) -> None:
    assert Place.of(place.cursor()) == place


@given(places, places)
def test_different_places_have_different_cursors(one: Place, other: Place) -> None:
    assert (one == other) == (one.cursor() == other.cursor())


@given(places)
def test_no_spreadsheet_takes_a_cursor_for_a_formula_or_a_number(place: Place) -> None:
    cursor = place.cursor()
    assert len(cursor) == 32
    assert cursor[0] == "A"
    assert set(cursor) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@given(st.text(max_size=64).filter(lambda text: len(text) != 32))
def test_a_text_of_another_length_is_no_cursor(text: str) -> None:
    with pytest.raises(ValueError, match="not a cursor"):
        Place.of(text)


@pytest.mark.parametrize("text", ["_" * 32, "A" * 31 + "=", "A" * 31 + "ä", " " + "A" * 31, "A" * 30 + "+/"])
def test_what_looks_like_a_cursor_and_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a cursor"):
        Place.of(text)
