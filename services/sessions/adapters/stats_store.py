"""Answers questions about many games from the cells."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import Connection, text

from services.sessions.domain.cells import ANYONE, FIGURES_SUMMED, OPTIONS, Period, unpacked
from services.sessions.domain.periods import Span
from services.sessions.domain.questions import MONTH, PLAYER, Group, Question

ALL = "all"  # what is grouped by when nothing is
_GROUPINGS = {**{name: name for name in OPTIONS}, PLAYER: "player_id", ALL: "1"}
_SUMMED = (*FIGURES_SUMMED, "duration_s")
# A range in the order of the key for each span, and player; then one array per group, all of them as one
# text: the driver and SQLAlchemy would look at each column of each row anew.
_CELLS = """
    SELECT {keys}, counts, {summed} FROM result_cells
    WHERE account_id = :account_id AND player_id = ANY(:player_ids) AND period = :period_{n}
        AND starts BETWEEN :first_{n} AND :last_{n} {options}
"""
_GROUPED = """
    SELECT CAST(coalesce(json_agg(json_build_array({names}, counts, {summed})), '[]') AS text) FROM (
        SELECT {names}, CAST(sum(counts) AS text) AS counts, {sums} FROM ({cells}) cell
        GROUP BY {names} LIMIT :limit
    ) found
"""
# From one player to the next, past all the cells of each.
_PLAYERS = text("""
    WITH RECURSIVE found (player_id) AS (
        SELECT CAST(:anyone AS uuid)
        UNION ALL
        SELECT (
            SELECT c.player_id FROM result_cells c
            WHERE c.account_id = :account_id AND c.player_id > found.player_id
            ORDER BY c.player_id LIMIT 1
        ) FROM found WHERE found.player_id IS NOT NULL
    )
    SELECT player_id FROM found WHERE player_id <> :anyone
""")
_MARK = text("SELECT mark FROM result_marks WHERE account_id = :account_id")
_NAMES = text("""
    SELECT asked.id, (SELECT s.name FROM seats s WHERE s.player_id = asked.id LIMIT 1) AS name
    FROM unnest(CAST(:player_ids AS uuid[])) AS asked (id)
""")


def groups(connection: Connection, account_id: UUID, question: Question, limit: int) -> list[Group]:
    """The groups of games, at most `limit`, in no order; without groupings one if there is any game."""
    keys = question.by or (ALL,)
    options = " ".join(f"AND {name} = :{name}" for name, _ in question.options)
    summed, names = ", ".join(_SUMMED), ", ".join(f"{name}_" for name in keys)
    spans = question.spans
    cells = [
        _CELLS.format(
            keys=", ".join(f"{_key(name, span)} AS {name}_" for name in keys),
            summed=summed,
            n=n,
            options=options,
        )
        for n, span in enumerate(spans)
    ]
    sums = ", ".join(f"CAST(sum({name}) AS bigint) AS {name}" for name in _SUMMED)
    statement = _GROUPED.format(names=names, sums=sums, summed=summed, cells=" UNION ALL ".join(cells))
    values: dict[str, Any] = {
        "account_id": account_id,
        "player_ids": _whose(connection, account_id, question),
        "limit": limit,
        **dict(question.options),
    }
    for n, span in enumerate(spans):
        values |= {f"period_{n}": span.period.value, f"first_{n}": span.first, f"last_{n}": span.last}
    found: list[list[Any]] = orjson.loads(connection.execute(text(statement), values).scalar_one())
    return [_group(question.by, row) for row in found]


def mark(connection: Connection, account_id: UUID) -> int:
    """A number that is another one whenever figures of the account, or of all, may be others."""
    found = connection.execute(_MARK, {"account_id": account_id}).scalar_one_or_none()
    return 0 if found is None else int(found)


def names(connection: Connection, player_ids: Iterable[str]) -> dict[str, str | None]:
    """What these saved players are called today; None for one who sits at no table any more."""
    rows = connection.execute(_NAMES, {"player_ids": list(player_ids)})
    return {str(row.id): row.name for row in rows}


def _key(name: str, span: Span) -> str:
    """What a grouping is in the cells of a span: a month is named by its first day."""
    if name != MONTH:
        return _GROUPINGS[name]
    return "starts" if span.period is Period.MONTH else "CAST(date_trunc('month', starts) AS date)"


def _whose(connection: Connection, account_id: UUID, question: Question) -> list[UUID]:
    """Whose cells have each game of the question, once per group."""
    if question.player_id is not None:
        return [] if question.player_id == ANYONE else [question.player_id]
    if PLAYER not in question.by:
        return [ANYONE]
    found = connection.execute(_PLAYERS, {"account_id": account_id, "anyone": ANYONE})
    return list(found.scalars())


def _group(by: tuple[str, ...], row: list[Any]) -> Group:
    keys, counts, sums = row[: -len(_SUMMED) - 1], row[-len(_SUMMED) - 1], row[-len(_SUMMED) :]
    return Group(dict(zip(by, keys, strict=False)), unpacked(counts), dict(zip(_SUMMED, sums, strict=True)))
