"""Where a result comes and goes along a log, and what a batch says of it."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from services.sessions.domain.game import Head, Judgement
from services.sessions.domain.results import Change, Result, Seen, changes, confirmed

RESULT: dict[str, Any] = {"outcome": "loss"}
RESULTS: st.SearchStrategy[Result] = st.sampled_from([None, RESULT])


def judgement(*results: Result, tables: bool = False, refused: bool = False) -> Judgement:
    """As rules answers for actions with these results after them."""
    outcomes: list[dict[str, Any]] = [
        {"verdict": "accepted"}
        | ({"result": result} if result else {})
        | ({"table": {"n": number}} if tables else {})
        for number, result in enumerate(results)
    ]
    if refused:
        outcomes.append({"verdict": "rejected", "code": "no", "result": RESULT, "table": {"n": -1}})
    head = Head(len(results), "1", None, {}, results[-1] if results else RESULT, None, None)
    return Judgement(outcomes, head)


@given(RESULTS, st.lists(RESULTS))
def test_the_changes_lead_from_the_first_result_to_the_last(before: Result, after: list[Result]) -> None:
    found = list(changes(before, after))
    kinds = [change.kind for change in found]
    assert kinds == (["finished", "reopened"] if before is None else ["reopened", "finished"]) * (
        len(kinds) // 2
    ) + (["finished" if before is None else "reopened"] if len(kinds) % 2 else [])
    standing, at = before, {change.number: change.kind for change in found}
    for number, result in enumerate(after, 1):
        if number in at:
            standing = RESULT if at[number] == "finished" else None
        assert standing == result


@given(RESULTS, st.lists(RESULTS, max_size=6), st.lists(RESULTS, max_size=6))
def test_a_batch_changes_what_its_parts_change(
    before: Result, one: list[Result], other: list[Result]
) -> None:
    middle = [before, *one][-1]
    parts = [*changes(before, one), *(Change(c.number + len(one), c.kind) for c in changes(middle, other))]
    assert list(changes(before, one + other)) == parts


@given(RESULTS, st.lists(RESULTS), st.booleans())
def test_whoever_may_not_reopen_is_stopped_at_the_first_entry_that_would(
    before: Result, after: list[Result], refused: bool
) -> None:
    index = judgement(*after, refused=refused).reopening(before)
    taken = [n for n, (was, now) in enumerate(zip([before, *after], after, strict=False)) if was and not now]
    assert index == (taken[0] if taken else None)


def test_a_batch_of_nothing_but_a_refusal_changes_nothing() -> None:
    refused = judgement(refused=True)
    assert refused.results == []
    assert refused.seen == []
    assert refused.reopening(RESULT) is None
    assert refused.accepted == []


def test_only_what_was_accepted_is_to_be_seen() -> None:
    seen = judgement(None, RESULT, tables=True, refused=True).seen
    assert seen == [Seen({"n": 0}, None), Seen({"n": 1}, RESULT)]
    assert judgement(None, RESULT).seen == []


def test_a_result_has_the_time_of_the_entry_that_made_it() -> None:
    moment = datetime(2026, 5, 4, tzinfo=UTC)
    assert confirmed(RESULT, moment) == {"outcome": "loss", "confirmed_at": moment}
    assert Seen({}, None).document(moment) == {"table": {}, "result": None}
    assert "confirmed_at" not in RESULT
