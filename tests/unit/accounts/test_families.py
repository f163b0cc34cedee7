"""What a refresh token means, by its generation."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from services.accounts.domain.families import Family, Verdict, judge

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GRACE = timedelta(seconds=60)
FAMILY = Family(UUID(int=1), UUID(int=2), 5, NOW, NOW + timedelta(days=60), None)


def verdict(generation: int, after: timedelta = timedelta(0), family: Family = FAMILY) -> Verdict:
    return judge(family, generation, NOW + after, GRACE)


def test_the_newest_generation_rotates_until_the_family_expires() -> None:
    assert verdict(5) is Verdict.ROTATE
    assert verdict(5, timedelta(days=60) - timedelta(milliseconds=1)) is Verdict.ROTATE
    assert verdict(5, timedelta(days=60)) is Verdict.ENDED


def test_the_generation_before_repeats_within_the_grace_and_is_reused_after_it() -> None:
    assert verdict(4, GRACE) is Verdict.REPEAT
    assert verdict(4, GRACE + timedelta(milliseconds=1)) is Verdict.REUSED


@settings(deadline=None)
@given(st.integers(0, 3), st.timedeltas(timedelta(0), timedelta(days=59)))
def test_older_generations_are_reused_whenever_they_come(generation: int, after: timedelta) -> None:
    assert verdict(generation, after) is Verdict.REUSED


@settings(deadline=None)
@given(st.integers(0, 5), st.timedeltas(timedelta(0), timedelta(days=90)))
def test_nothing_revives_an_ended_family(generation: int, after: timedelta) -> None:
    assert verdict(generation, after, replace(FAMILY, ended_at=NOW)) is Verdict.ENDED
