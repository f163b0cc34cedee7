"""Which sums cover a range of whole UTC days: months where whole ones are in it, days for the rest."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from services.sessions.domain.cells import EVER, Period

MONTHS = 12


@dataclass(frozen=True, slots=True)
class Span:
    """Sums of one kind, by the first day of each: those from `first` to `last`, both included."""

    period: Period
    first: date
    last: date


def spans(first: date | None, last: date | None, *, by_month: bool = False) -> list[Span]:
    """The sums that have all days from `first` to `last` (included; None: no end) once.

    Those of all time only where there is no need to tell months apart.
    """
    if first is None and last is None and not by_month:
        return [Span(Period.ALL, EVER, EVER)]
    first, last = first or date.min, last or date.max
    whole = range(_month(first) + (first.day > 1), _month(last) + (last.day == _days(last)))
    if not whole:
        return [Span(Period.DAY, first, last)]
    since, until = _begin(whole[0]), _begin(whole[-1])
    found = [Span(Period.MONTH, since, until)]
    if first < since:
        found.append(Span(Period.DAY, first, since - timedelta(days=1)))
    last_whole = until.replace(day=_days(until))
    if last_whole < last:
        found.append(Span(Period.DAY, last_whole + timedelta(days=1), last))
    return found


def _month(day: date) -> int:
    """Months since the first there is."""
    return (day.year - 1) * MONTHS + day.month - 1


def _begin(month: int) -> date:
    return date(month // MONTHS + 1, month % MONTHS + 1, 1)


def _days(day: date) -> int:
    """How many days the month of `day` has."""
    return monthrange(day.year, day.month)[1]
