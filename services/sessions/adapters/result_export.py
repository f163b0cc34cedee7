"""Reads finished games for lists and exports; PostgreSQL writes them, as JSON or as cells of a CSV.

So an export of a million games costs the web process hardly more than passing bytes on.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any, Literal

from psycopg import Connection as DriverConnection
from psycopg import sql
from sqlalchemy import Connection, Engine, select, text

from services.sessions.adapters.figure_tables import result_key
from services.sessions.domain.result_list import Which
from shared.contracts.result_columns import Column, Kind

Form = Literal["csv", "ndjson"]
BATCH_BYTES = 65_536
BETWEEN = "|"
_BLOCK_BYTES = 64  # of SHA-256

_MOMENT = "replace(CAST(r.confirmed_at AT TIME ZONE 'UTC' AS text), ' ', 'T') || 'Z'"
# What kind of thing it is goes in too: clients choose the ids of games, and could choose that of an account.
_HASHED = "%(inner)s || CAST('{}:' AS bytea) || uuid_send({})"
_HASH = f"encode(substr(sha256(%(outer)s || sha256({_HASHED})), 1, 16), 'hex')"
_GAME_HASH, _ACCOUNT_HASH = _HASH.format("game", "r.game_id"), _HASH.format("account", "r.account_id")
_CURSOR = (
    "translate(encode(int8send(CAST(extract(epoch FROM r.confirmed_at) * 1000000 AS bigint))"
    " || uuid_send({id}), 'base64'), '+/', '-_')"
)
# One line, and nothing that a spreadsheet would run: an apostrophe stands before what looks like a formula,
# also where a cell would begin if another separator than ours was taken.
_FORMULA = r"(^|[;,|\t\r\n])([ \u00a0\u0022]*)(?=[-=+@\t\r\uff1d\uff0b\uff0d\uff20])"
_BREAKING = r"[\u0001-\u001f\u007f-\u009f\u2028\u2029]"
_HARMLESS = rf"regexp_replace(regexp_replace(s.name, '{_FORMULA}', '\1\2''', 'g'), '{_BREAKING}', ' ', 'g')"
_SEATS = "FROM seats s WHERE s.game_id = r.game_id"
_NAMES = f"ARRAY(SELECT s.name {_SEATS} ORDER BY s.seat)"
_NAMES_CELL = f"(SELECT string_agg({_HARMLESS}, '{BETWEEN}' ORDER BY s.seat) {_SEATS})"
_DOCUMENT = "row_to_json((SELECT found FROM (SELECT {}) found))"
_NARROWING = {
    "since": "r.confirmed_at >= CAST(%(since)s AS date)",
    "until": "r.confirmed_at < CAST(%(until)s AS date) + 1",
    "players": "r.players = %(players)s",
    "difficulty": "r.difficulty = %(difficulty)s",
    "reduced_hand": "r.reduced_hand = %(reduced_hand)s",
    "player_id": "%(player_id)s = ANY(r.player_ids)",
}


def page(connection: Connection, which: Which, columns: Sequence[Column], limit: int) -> list[Any]:
    """At most `limit` results as JSON documents, newest first."""
    statement = f"{_select(which, columns, 'ndjson')} LIMIT %(limit)s"
    values = _values(connection, which) | {"limit": limit}
    return list(connection.exec_driver_sql(statement, values).scalars())


def copied(
    engine: Engine, which: Which, columns: Sequence[Column], form: Form, timeout_s: float
) -> Generator[bytes, None, None]:
    """All results as of one moment, newest first, in pieces of whole lines, some 64 KiB each.

    The query is cancelled when the generator is closed, and after `timeout_s`. Raises what driver and
    SQLAlchemy raise.
    """
    with engine.connect() as connection:
        values = _values(connection, which)
        connection.execute(text(f"SET LOCAL statement_timeout = {int(timeout_s * 1000)}"))
        driver: DriverConnection[Any] | None = connection.connection.driver_connection
        assert driver is not None
        how = " (FORMAT csv)" if form == "csv" else ""
        statement = sql.SQL(f"COPY ({_select(which, columns, form)}) TO STDOUT{how}")
        with driver.cursor() as cursor, cursor.copy(statement, values) as rows:
            yield from _pieces(rows, _as_they_are if form == "csv" else _unescaped)


def _pieces(rows: Iterable[Any], lines: Callable[[bytes], bytes]) -> Generator[bytes, None, None]:
    waiting: list[Any] = []
    size = 0
    for row in rows:
        waiting.append(row)
        size += len(row)
        if size >= BATCH_BYTES:
            yield lines(b"".join(waiting))
            waiting, size = [], 0
    if waiting:
        yield lines(b"".join(waiting))


def _as_they_are(lines: bytes) -> bytes:
    return lines


def _unescaped(lines: bytes) -> bytes:
    """JSON out of COPY's text format, which doubles backslashes; nothing else in JSON is escaped there."""
    return lines.replace(rb"\\", b"\\")


def _select(which: Which, columns: Sequence[Column], form: Form) -> str:
    order = "r.game_id" if which.owner_id else f"CAST({_GAME_HASH} AS uuid)"
    special = {"game_hash": _GAME_HASH, "account_hash": _ACCOUNT_HASH, "cursor": _CURSOR.format(id=order)}
    cell = _cell if form == "csv" else _value
    cells = ", ".join(f"{special.get(column.name) or cell(column)} AS {column.name}" for column in columns)
    wanted = cells if form == "csv" else _DOCUMENT.format(cells)
    conditions = ["r.account_id = %(owner_id)s" if which.owner_id else "r.counts_for_all"]
    conditions += [narrow for name, narrow in _NARROWING.items() if getattr(which, name) is not None]
    if which.after is not None:
        # The first one is for the index: the order by hash is not in it.
        conditions.append("r.confirmed_at <= %(after)s")
        conditions.append(f"(r.confirmed_at, {order}) < (%(after)s, %(after_id)s)")
    return (
        f"SELECT {wanted} FROM results r WHERE {' AND '.join(conditions)}"  # noqa: S608  (made of constants)
        f" ORDER BY r.confirmed_at DESC, {order} DESC"
    )


def _value(column: Column) -> str:
    """The expression of a column, as JSON takes it."""
    if column.name == "players_names":
        return _NAMES
    if column.part_of:
        return f"CAST(r.{column.part_of} ->> '{column.key}' AS smallint)"
    return _MOMENT if column.kind is Kind.TIME else f"r.{column.name}"


def _cell(column: Column) -> str:
    """The expression of a column, as a cell of a CSV."""
    if column.name == "players_names":
        return _NAMES_CELL
    if column.kind in (Kind.SMALLS, Kind.TEXTS):
        return f"array_to_string(r.{column.name}, '{BETWEEN}')"
    return f"CAST(r.{column.name} AS text)" if column.kind is Kind.FLAG else _value(column)


def _values(connection: Connection, which: Which) -> dict[str, Any]:
    after = which.after
    values = {name: getattr(which, name) for name in ("owner_id", *_NARROWING)}
    values |= {"after": after.moment if after else None, "after_id": after.id if after else None}
    if which.owner_id is None:
        key: bytes = connection.execute(select(result_key.c.key)).scalar_one()
        values |= {"inner": _padded(key, 0x36), "outer": _padded(key, 0x5C)}
    return values


def _padded(key: bytes, by: int) -> bytes:
    """The block that HMAC-SHA-256 (RFC 2104) puts before what it hashes."""
    return bytes(byte ^ by for byte in key.ljust(_BLOCK_BYTES, b"\0"))
