"""Ranges of whole days out of months and days: every day once, and no other."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from services.sessions.domain.cells import EVER, Period
from services.sessions.domain.periods import Span, spans

DAY = timedelta(days=1)
days = st.dates(date(2023, 12, 1), date(2025, 3, 31))


def covered(span: Span) -> list[date]:
    """Every day that the sums of a span are over."""
    found = []
    day = span.first
    last = span.last
    if span.period is Period.MONTH:
        last = (span.last.replace(day=28) + 4 * DAY).replace(day=1) - DAY
    while day <= last:
        found.append(day)
        day += DAY
    return found


@given(days, days)
def test_a_range_is_made_of_each_of_its_days_once(one: date, other: date) -> None:
    first, last = sorted((one, other))
    found = [day for span in spans(first, last) for day in covered(span)]
    assert sorted(found) == [first + n * DAY for n in range((last - first).days + 1)]


@given(days, days)
def test_days_are_only_asked_for_where_no_whole_month_is(one: date, other: date) -> None:
    first, last = sorted((one, other))
    by_day = [span for span in spans(first, last) if span.period is Period.DAY]
    assert sum(len(covered(span)) for span in by_day) <= 60
    assert all(span.first.day == 1 for span in spans(first, last) if span.period is Period.MONTH)


def test_all_time_is_one_sum_unless_months_are_told_apart() -> None:
    assert spans(None, None) == [Span(Period.ALL, EVER, EVER)]
    assert [span.period for span in spans(None, None, by_month=True)] == [Period.MONTH]


def test_a_range_without_an_end_takes_all_months_from_there_on() -> None:
    later, days_before = spans(date(2024, 2, 28), None)
    assert later == Span(Period.MONTH, date(2024, 3, 1), date(9999, 12, 1))
    assert days_before == Span(Period.DAY, date(2024, 2, 28), date(2024, 2, 29))
    earlier, days_after = spans(None, date(2024, 2, 28))
    assert earlier == Span(Period.MONTH, date.min, date(2024, 1, 1))
    assert days_after == Span(Period.DAY, date(2024, 2, 1), date(2024, 2, 28))


def test_the_first_and_the_last_day_there_are_can_be_asked_for() -> None:
    assert spans(date.min, date.max) == [Span(Period.MONTH, date.min, date(9999, 12, 1))]
    assert spans(date(9999, 12, 2), date.max) == [Span(Period.DAY, date(9999, 12, 2), date.max)]
    assert spans(date.max, None) == [Span(Period.DAY, date.max, date.max)]
