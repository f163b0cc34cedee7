"""Moments to the millisecond, so that "issued before" and "issued after" are never the same moment.

Access tokens carry `iat` with milliseconds. What ends tokens (a cut) lies after every token issued so far,
and what is issued next lies at the cut or later: a verifier only compares `iat < cut`.
"""

from datetime import UTC, datetime, timedelta

MILLISECOND = timedelta(milliseconds=1)


def to_millisecond(moment: datetime) -> datetime:
    """`moment` without what is below a millisecond, in UTC."""
    moment = moment.astimezone(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def cut(now: datetime, *issued: datetime) -> datetime:
    """The moment to end tokens at: the first after `now` and after all `issued` (clocks may differ)."""
    return max((now, *issued)) + MILLISECOND


def issue(now: datetime, *cuts: datetime) -> datetime:
    """The `iat` of a token made `now`: never before a cut that it comes after."""
    return max((now, *cuts))


def seconds(moment: datetime) -> float:
    """`moment` as a NumericDate (RFC 7519), exact to the millisecond."""
    return int(moment.timestamp() * 1000 + 0.5) / 1000
