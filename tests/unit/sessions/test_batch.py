"""How a batch is taken against a log."""

from datetime import UTC, datetime
from uuid import uuid4

from hypothesis import given
from hypothesis import strategies as st

from services.sessions.domain.batch import plan, same
from services.sessions.domain.log import By, Entry

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-3, 3) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
)


def action(name: str, card: object = 7) -> dict[str, object]:
    return {"id": name, "type": "play", "pile": "up1", "card": card}


def entry(one: dict[str, object], seq: int = 1) -> Entry:
    now = datetime.now(UTC)
    return Entry(seq, one, By(uuid4()), None, now, "1", [], [])


def test_an_action_seen_before_with_the_same_body_is_not_judged_again() -> None:
    known = entry(action("a"))
    found = plan([action("a"), action("b", 8)], {"a": known})
    assert found.earlier == {0: known}
    assert found.fresh == [1]


def test_the_same_id_with_another_body_stops_the_batch_there() -> None:
    found = plan([action("b", 8), action("a", 9), action("c", 10)], {"a": entry(action("a"))})
    assert found.reused == 1
    assert found.fresh == [0]


def test_the_same_id_twice_in_one_batch_is_judged_once() -> None:
    found = plan([action("a"), action("b", 8), action("a")], {})
    assert found.fresh == [0, 1]
    assert found.repeats == {2: 0}


def test_the_same_id_twice_in_one_batch_with_other_bodies_is_reused() -> None:
    assert plan([action("a"), action("a", 8)], {}).reused == 1


def test_seven_and_seven_point_nought_and_true_are_three_things() -> None:
    assert not same(action("a", 1), action("a", 1.0))
    assert not same(action("a", 1), action("a", True))


@given(JSON)
def test_every_json_value_is_the_same_as_itself(value: object) -> None:
    assert same(value, value)


@given(JSON, JSON)
def test_being_the_same_goes_both_ways(one: object, other: object) -> None:
    assert same(one, other) == same(other, one)
