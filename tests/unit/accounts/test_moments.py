"""Cuts and issues: before and after are never the same moment."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given, settings
from hypothesis import strategies as st

from services.accounts.domain.moments import cut, issue, seconds, to_millisecond

moments = st.datetimes(datetime(2020, 1, 1), datetime(2099, 1, 1), timezones=st.just(UTC)).map(  # noqa: DTZ001
    to_millisecond
)


@settings(deadline=None)
@given(moments, st.lists(moments, max_size=4))
def test_a_cut_is_after_everything_issued_and_what_follows_is_not_before_it(
    now: datetime, issued: list[datetime]
) -> None:
    before = cut(now, *issued)
    assert all(seconds(moment) < seconds(before) for moment in [now, *issued])
    assert issue(now, before) >= before
    assert seconds(issue(now, before)) >= seconds(before)


@settings(deadline=None)
@given(moments)
def test_seconds_read_back_are_the_same_moment(moment: datetime) -> None:
    assert datetime.fromtimestamp(seconds(moment), UTC) == moment
    assert seconds(moment) == moment.timestamp()


def test_a_moment_is_cut_to_its_millisecond_in_utc() -> None:
    elsewhere = datetime(2026, 1, 1, 2, 0, 0, 123_999, tzinfo=timezone(timedelta(hours=2)))
    assert to_millisecond(elsewhere).isoformat() == "2026-01-01T00:00:00.123000+00:00"
