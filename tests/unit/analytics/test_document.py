"""What analysts are told about the exports is what the exports are."""

import csv
import json
import re

from pyarrow import DataType, types

from infra.analytics import figures
from services.sessions.entrypoints.parquet import schema
from shared.contracts.result_columns import COLUMNS, CURSOR, Audience, columns
from tests.architecture.sources import read

DOCUMENT = read("infra/docs/analytics.md")
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| (\w+) \| (.+) \|$", re.MULTILINE)
OF = {Audience.ALL: "all", Audience.OWNER: "own", Audience.OPERATOR: "ops"}


def told(kind: DataType) -> str:
    """A type as the document names it."""
    if types.is_list(kind):
        return f"list of {told(kind.value_type)}"
    return "timestamp, µs, UTC" if types.is_timestamp(kind) else str(kind)


def test_the_columns_are_those_of_the_exports_with_their_types_and_meanings() -> None:
    table = DOCUMENT.partition("<!-- columns: begin -->")[2].partition("<!-- columns: end -->")[0]
    expected = [
        (
            column.name,
            told(field.type) + (", null" if column.is_nullable else ""),
            OF[column.audience],
            column.about,
        )
        for column, field in zip(COLUMNS, schema(COLUMNS), strict=True)
    ]
    assert ROW.findall(table) == [*expected, (CURSOR.name, "-", "all", CURSOR.about)]


def test_the_samples_are_the_same_game_in_both_formats() -> None:
    head, row, document = (
        next(line for line in DOCUMENT.splitlines() if line.startswith(begin))
        for begin in ("game_id,", "01", '{"game_id"')
    )
    names = [column.name for column in (*columns(Audience.OWNER), CURSOR)]
    assert head.split(",") == names
    sample = json.loads(document)
    assert list(sample) == names
    (cells,) = csv.reader([row])
    found = dict(zip(names, cells, strict=True))
    for name, value in sample.items():
        if name != "players_names":
            assert found[name] == cell(value), name
    assert sample["players_names"][1] == 'Zoë "the ace"; =2'
    assert found["players_names"] == 'Saved 0|Zoë "the ace"; \'=2'


def cell(value: object) -> str:
    if isinstance(value, list):
        return "|".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_both_plots_are_shown() -> None:
    shown = re.findall(r"!\[[^]]+\]\((analytics/\w+\.svg)\)", DOCUMENT)
    assert shown == ["analytics/remaining.svg", "analytics/months.svg"]
    for name in shown:
        assert read(f"infra/docs/{name}").startswith("<?xml")


def test_the_questions_of_the_script_name_columns_that_there_are() -> None:
    names = {column.name for column in columns(Audience.OWNER)} & columns_asked()
    assert names == {"players", "difficulty", "remaining", "confirmed_at"}


def columns_asked() -> set[str]:
    return set(re.findall(r"\w+", figures.REMAINING + figures.MONTHS))
