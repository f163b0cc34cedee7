"""DuckDB, as an analyst asks it."""

import duckdb


def ask(query: str) -> duckdb.DuckDBPyRelation:
    """What `query` finds; it has to be one that finds something."""
    found = duckdb.sql(query)
    assert found is not None, query
    return found
