"""Parquet out of lines of JSON: every value as it was, however the lines come."""

import io
import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import ArrowInvalid, parquet

from services.sessions.entrypoints.parquet import ParquetWriter
from shared.contracts.result_columns import Column, Kind
from shared.settings import CHECKOUT
from shared.web.encoding import dumps

SMALL = st.integers(-(2**15), 2**15 - 1)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
VALUES: dict[Kind, st.SearchStrategy[Any]] = {
    Kind.ID: st.uuids().map(str),
    Kind.HASH: st.binary(min_size=16, max_size=16).map(bytes.hex),
    Kind.CURSOR: TEXT,
    Kind.TEXT: TEXT,
    Kind.TIME: MOMENTS,
    Kind.FLAG: st.booleans(),
    Kind.SMALL: SMALL,
    Kind.COUNT: st.integers(0, 2**31 - 1),
    Kind.SMALLS: st.lists(SMALL, max_size=5),
    Kind.TEXTS: st.lists(TEXT, max_size=3),
}
COLUMNS = [Column(kind.name.lower(), kind, "anything") for kind in Kind]
COLUMNS += [Column("nothing", Kind.SMALL, "perhaps nothing", is_nullable=True)]
rows = st.lists(
    st.fixed_dictionaries(
        {**{kind.name.lower(): VALUES[kind] for kind in Kind}, "nothing": st.none() | SMALL}
    ),
    max_size=12,
)


def written(documents: list[dict[str, Any]], sizes: list[int], group_rows: int) -> bytes:
    """The file of these rows, given in pieces of these sizes."""
    writer = ParquetWriter(COLUMNS, group_rows)
    pieces, left = [writer.begin()], [dumps(document) + b"\n" for document in documents]
    while left:
        size = sizes.pop() if sizes else len(left)
        pieces.append(writer.write(b"".join(left[:size])))
        left = left[size:]
    return b"".join([*pieces, writer.end()])


@settings(deadline=None, max_examples=60)
@given(rows, st.lists(st.integers(1, 5), max_size=6), st.integers(1, 5))
def test_rows_are_read_as_they_were_written(
    documents: list[dict[str, Any]], sizes: list[int], group_rows: int
) -> None:
    read = parquet.ParquetFile(io.BytesIO(written(documents, sizes, group_rows)))
    assert read.read().to_pylist() == documents
    assert [read.schema_arrow.field(column.name).nullable for column in COLUMNS] == [
        column.is_nullable for column in COLUMNS
    ]


def test_nothing_is_kept_in_memory_but_a_group() -> None:
    document = {column.name: None if column.is_nullable else 1 for column in COLUMNS[-1:]}
    writer = ParquetWriter(COLUMNS[-1:], group_rows=10)
    assert writer.begin()
    sent = [writer.write(dumps(document) + b"\n") for _ in range(30)]
    assert [bool(piece) for piece in sent] == ([False] * 9 + [True]) * 3


@pytest.mark.parametrize("line", [b'{"one": 1, "more": 2}\n', b'{"one": 40000}\n', b'{"one": "x"}\n'])
def test_what_is_no_row_of_these_columns_is_no_parquet(line: bytes) -> None:
    writer = ParquetWriter([Column("one", Kind.SMALL, "a number")])
    writer.write(line)
    with pytest.raises(ArrowInvalid):
        writer.end()


def test_a_web_process_does_not_carry_the_library_before_somebody_asks_for_parquet() -> None:
    code = "import sys, services.sessions.bootstrap; sys.exit('pyarrow' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=CHECKOUT, check=False)
    assert done.returncode == 0
