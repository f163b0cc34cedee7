"""Finished games taken away: what each format holds, how it goes on, and what it takes meanwhile."""

import csv
import io
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from pyarrow import parquet

from services.sessions.application.exports import Export, Exports, TooLong
from services.sessions.domain.place import Place
from services.sessions.domain.result_list import Which
from services.sessions.entrypoints.parquet import schema
from shared.contracts.result_columns import CURSOR, Audience, columns
from shared.storage.engine import open_engine
from shared.web.problems import Problem
from tests.integration.sessions.served import Served, is_refused
from tests.integration.sessions.taking import (
    CSV,
    NDJSON,
    PARQUET,
    counted,
    documents_of,
    many,
    rows_of,
    some,
    taker,
)
from tests.integration.sessions.world import World, eventually
from tests.support.duck import ask
from tests.support.results import CONFIRMED_AT, Finished, summary

HOSTILE = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "  =1",
    "\N{FULLWIDTH EQUALS SIGN}1",
    'Ana "the ace", 3;=HYPERLINK("https://example.org")',
    "Zoë, \N{SHRUG}",
    "a\\nb\\",
    "",
    "x" * 60,
    "O'Neil-Smith | Ana",
    "\u2028=1\x07",
    'a;"=1+1;b',
)
BEGINS_A_FORMULA = tuple("=+-@\t\r\N{FULLWIDTH EQUALS SIGN}")
FORMATS = pytest.mark.parametrize("media_type", [CSV, NDJSON, PARQUET])


def test_every_format_holds_the_games_of_the_pages_in_their_order(served: Served, tmp_path: Path) -> None:
    who = taker(served)
    counted(served, some(who.account_id, 30, largest_jump=None, blocked_by=None))
    listed = who.items("?limit=200")
    assert documents_of(who.take(NDJSON)) == listed
    without = [{name: it[name] for name in it if name != "cursor"} for it in listed]
    file = tmp_path / "all.parquet"
    file.write_bytes(who.take(PARQUET))
    found = parquet.read_table(file).to_pylist()
    assert [row | {"confirmed_at": row["confirmed_at"].isoformat()[:26] + "Z"} for row in found] == without
    cells = [{name: _cell(value) for name, value in document.items()} for document in listed]
    assert rows_of(who.take(CSV)) == cells


def test_a_spreadsheet_s_csv_has_a_mark_one_line_a_row_and_runs_nothing(served: Served) -> None:
    who = taker(served)
    games = [
        Finished(who.account_id, summary(), CONFIRMED_AT + timedelta(hours=number), seats=((name, None),))
        for number, name in enumerate(HOSTILE)
    ]
    counted(served, [*games, Finished(who.account_id, summary(), seats=(("Ana", None), ("=2", None)))])
    data = who.take(CSV)
    assert data.startswith(b"\xef\xbb\xbfgame_id,")
    assert len(data.splitlines()) == data.count(b"\n") == len(games) + 2
    rows = rows_of(data)
    assert not [cell for row in rows for cell in row.values() if cell.startswith(BEGINS_A_FORMULA)]
    names = {row["players_names"] for row in rows}
    assert {
        "'=1+1",
        "'-1",
        "'\N{FULLWIDTH EQUALS SIGN}1",
        "Ana|'=2",
        "O'Neil-Smith | Ana",
        "a\\nb\\",
    } <= names
    # Where the semicolon separates, the second half would be a cell.
    assert 'Ana "the ace", 3;\'=HYPERLINK("https://example.org")' in names
    for separator in ";\t":
        text = io.StringIO(data.decode("utf-8-sig"), newline="")
        cells = {cell.strip() for line in csv.reader(text, delimiter=separator) for cell in line}
        assert not [cell for cell in cells if cell.startswith(BEGINS_A_FORMULA)]
    assert {tuple(it["players_names"]) for it in documents_of(who.take(NDJSON))} == {
        *((name,) for name in HOSTILE),
        ("Ana", "=2"),
    }


def test_duckdb_reads_the_csv_as_python_does(served: Served, tmp_path: Path) -> None:
    who = taker(served)
    counted(
        served,
        [Finished(who.account_id, summary(), seats=((name, None), ("Ben", None))) for name in HOSTILE],
    )
    file = tmp_path / "all.csv"
    file.write_bytes(who.take(CSV))
    read = ask(f"SELECT * FROM read_csv('{file}', all_varchar = true)")
    assert read.columns == [column.name for column in (*columns(Audience.OWNER), CURSOR)]
    python = [tuple(cell or None for cell in row.values()) for row in rows_of(file.read_bytes())]
    assert read.fetchall() == python
    typed = dict(zip(read.columns, ask(f"FROM '{file}'").types, strict=True))
    assert str(typed["remaining"]) == "BIGINT"
    assert str(typed["reduced_hand"]) == "BOOLEAN"
    assert str(typed["confirmed_at"]).startswith("TIMESTAMP")


def test_parquet_has_the_documented_types_for_pyarrow_and_for_duckdb(served: Served, tmp_path: Path) -> None:
    who = taker(served)
    counted(served, some(who.account_id, 3))
    file = tmp_path / "all.parquet"
    file.write_bytes(who.take(PARQUET))
    found = parquet.read_schema(file)
    assert found.equals(schema(columns(Audience.OWNER)))
    assert found.field("remaining").metadata[b"about"].startswith(b"cards not laid")
    read = ask(f"DESCRIBE FROM '{file}'").fetchall()
    types = {name: kind for name, kind, *_ in read}
    assert types["confirmed_at"] == "TIMESTAMP WITH TIME ZONE"
    assert (types["remaining"], types["duration_s"], types["reduced_hand"]) == (
        "SMALLINT",
        "INTEGER",
        "BOOLEAN",
    )
    assert (types["plays_per_turn"], types["players_names"]) == ("SMALLINT[]", "VARCHAR[]")
    assert ask(f"SELECT count(*), sum(remaining) FROM '{file}'").fetchall() == [(3, 3)]


def test_parquet_comes_in_row_groups(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.sessions.entrypoints.parquet.ParquetWriter.__init__.__defaults__", (300,))
    who = taker(served)
    with many(served, who.account_id, 2_000):
        read = parquet.ParquetFile(io.BytesIO(who.take(PARQUET)))
    assert read.metadata.num_rows == 2_000
    assert read.num_row_groups > 3


@FORMATS
def test_nothing_to_take_is_an_empty_file_of_its_format(served: Served, media_type: str) -> None:
    data = taker(served).take(media_type)
    if media_type == PARQUET:
        assert parquet.read_table(io.BytesIO(data)).num_rows == 0
    else:
        assert len(data.splitlines()) == (media_type == CSV)


@pytest.mark.parametrize("media_type", [CSV, NDJSON])
def test_a_file_that_broke_off_is_gone_on_with_after_any_of_its_rows(served: Served, media_type: str) -> None:
    who = taker(served)
    games = some(who.account_id, 12) + [Finished(who.account_id, summary()) for _ in range(5)]
    counted(served, games)
    whole = who.take(media_type)
    lines = whole.splitlines(keepends=True)
    cursors = [it["cursor"] for it in who.items()]
    assert cursors == [
        Place(*place).cursor() for place in sorted(((g.confirmed_at, g.id) for g in games), reverse=True)
    ]
    head = len(lines) - len(cursors)
    for number, cursor in enumerate(cursors, start=head + 1):
        assert b"".join(lines[:number]) + who.take(media_type, f"?cursor={cursor}") == whole


def test_filters_narrow_what_is_taken(served: Served) -> None:
    who, player = taker(served), uuid4()
    seated = Finished(who.account_id, summary(players=3), seats=(("Ana", player),))
    counted(served, [*some(who.account_id, 3), seated])
    for query in ("players=3", f"player_id={player}", "players=3&from=2026-05-01&to=2026-05-01"):
        assert [row["game_id"] for row in rows_of(who.take(CSV, f"?{query}"))] == [str(seated.id)]
    assert rows_of(who.take(CSV, "?difficulty=expert")) == []


@FORMATS
def test_operators_take_all_without_a_name_or_an_id(served: Served, media_type: str) -> None:
    operator, who, player = taker(served, "operator"), taker(served), uuid4()
    day = CONFIRMED_AT + timedelta(days={CSV: 600, NDJSON: 601, PARQUET: 602}[media_type])
    games = [
        *some(who.account_id, 20, day),
        Finished(who.account_id, summary(), day, seats=(("Zoë", player),)),
    ]
    counted(served, games)
    query = f"?from={day.date()}&to={day.date()}"
    data = operator.take(media_type, query, "/v1/ops/results")
    if media_type == PARQUET:
        read = parquet.read_table(io.BytesIO(data))
        assert read.column_names == [column.name for column in columns(Audience.OPERATOR)]
        rows = read.to_pylist()
    else:
        rows = rows_of(data) if media_type == CSV else documents_of(data)
        after = rows[10]["cursor"]
        rest = operator.take(media_type, f"{query}&cursor={after}", "/v1/ops/results")
        assert data.endswith(rest)
        assert len(rest.splitlines()) == 10
    assert len({row["game_hash"] for row in rows}) == len(games)
    ids = (who.account_id, player, *(game.id for game in games))
    hidden = [*map(str, ids), *(one.hex for one in ids), "Zoë"]
    told = [str(value) for row in rows for value in row.values()]
    assert not [one for one in hidden if any(one in value for value in told)]


def test_what_a_format_cannot_do_is_refused(served: Served) -> None:
    who = taker(served)
    cursor = Place(CONFIRMED_AT, uuid4()).cursor()
    is_refused(who.ask(f"?cursor={cursor}", Accept=PARQUET), 422, "validation_failed")
    is_refused(who.ask("?limit=5", Accept=CSV), 422, "validation_failed")


def test_what_nobody_offers_is_answered_as_json(served: Served) -> None:
    who = taker(served)
    for accept in ("text/html", "*/*", "application/json, text/csv;q=0.5"):
        answer = who.ask(Accept=accept)
        assert answer.json == {"items": [], "next_cursor": None}
        assert answer.headers["Vary"] == "Accept"


@FORMATS
def test_only_the_head_of_an_export_takes_no_place(served: Served, media_type: str) -> None:
    who = taker(served)
    for _ in range(10):
        answer = served.call("HEAD", "/v1/results", None, who.token, Accept=media_type)
        assert (answer.status_code, answer.data) == (200, b"")
        assert answer.headers["Content-Type"].startswith(media_type)


def test_an_export_is_of_one_moment_whatever_happens_meanwhile(served: Served, world: World) -> None:
    who = taker(served)
    with many(served, who.account_id, 2_000):
        export = opened(world, who.account_id)
        first = next(export)
        with world.owner.begin() as connection:
            connection.exec_driver_sql(f"DELETE FROM results WHERE account_id = '{who.account_id}'")
        assert len(documents_of(first + b"".join(export))) == 2_000
    assert export.is_whole
    assert who.items() == []


def test_so_many_exports_run_at_once_and_no_more(served: Served, world: World) -> None:
    one, other, third = (taker(served) for _ in range(3))
    exports = Exports(world.web, world.statements, at_once=3, at_once_each=2)

    def begun(who: Any) -> Any:
        return exports.open(who.account_id, Which(who.account_id), "csv", with_cursor=True)

    running = [begun(one), begun(one)]
    with pytest.raises(Problem, match="exports_busy"):
        begun(one)
    running.append(begun(other))
    with pytest.raises(Problem, match="exports_busy") as refused:
        begun(third)
    assert refused.value.extra["retry_after"] > 0
    running[0].close()
    running[0].close()  # once is enough
    running += [begun(third)]
    with pytest.raises(Problem, match="exports_busy"):
        begun(other)
    for export in running:
        export.close()


def test_who_is_to_come_back_with_an_export_is_told_when(served: Served) -> None:
    who = taker(served)
    with many(served, who.account_id, 1_000):
        begun = [who.ask(Accept=NDJSON) for _ in range(2)]
        refused = who.ask(Accept=NDJSON)
        assert is_refused(refused, 503, "exports_busy")
        assert int(refused.headers["Retry-After"]) == refused.json["retry_after"] > 0
        assert [len(documents_of(answer.data)) for answer in begun] == [1_000] * 2
        assert who.ask(Accept=NDJSON).status_code == 200


def test_whoever_goes_takes_their_query_with_them(served: Served, world: World) -> None:
    who = taker(served)
    engine = world.engine("sessions")
    with many(served, who.account_id, 20_000):
        export = Exports(engine, world.statements).open(
            who.account_id, Which(who.account_id), "ndjson", with_cursor=True
        )
        next(export)
        assert copying(world) == 1
        export.close()
        eventually(lambda: copying(world) == 0, "the query has ended")
    assert not export.is_whole
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW statement_timeout").scalar_one() == "10s"


def test_an_export_that_takes_too_long_breaks_off(served: Served, world: World) -> None:
    who = taker(served)
    moments = iter([0.0, 1.0, 11.0])
    exports = Exports(world.web, world.statements, longest_s=10, clock=lambda: next(moments))
    with many(served, who.account_id, 500):
        export = exports.open(who.account_id, Which(who.account_id), "ndjson", with_cursor=True)
        assert documents_of(next(export))
        with pytest.raises(TooLong):
            next(export)
        export.close()


def test_without_a_database_nothing_begins_and_no_place_is_lost(world: World) -> None:
    away = open_engine("postgresql://nobody@127.0.0.1:1/none", pool_size=1)
    exports = Exports(away, away)
    for _ in range(5):
        with pytest.raises(Exception, match=r"refused|failed"):
            exports.open(uuid4(), Which(uuid4()), "csv", with_cursor=True)


def opened(world: World, account_id: UUID) -> Export:
    exports = Exports(world.web, world.statements)
    return exports.open(account_id, Which(account_id), "ndjson", with_cursor=True)


def copying(world: World) -> int:
    """How many exports the database is at."""
    with world.administrator.connect() as connection:
        return int(
            connection.exec_driver_sql(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND state = 'active' AND query LIKE 'COPY %%'"
            ).scalar_one()
        )


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return "|".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
