"""The database engine of a process, with the time limits and pool every service uses."""

from typing import Any

import orjson
from sqlalchemy import Engine, create_engine

CONNECT_TIMEOUT_S = 5
STATEMENT_TIMEOUT_MS = 10_000


def dumps(value: Any) -> str:
    """`value` as JSON text."""
    return orjson.dumps(value, option=orjson.OPT_UTC_Z).decode()


def open_engine(
    url: str, *, pool_size: int = 8, name: str = "ninety-eight", autocommit: bool = False
) -> Engine:
    """An engine for `url` (`postgresql://…`); connects lazily, so it may be made before a fork.

    With `autocommit` each statement is a transaction of its own. A dead connection is noticed when it is
    used, and with it all of the pool; a statement may take 10 s.
    """
    return create_engine(
        url,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=5,
        pool_pre_ping=False,
        pool_recycle=1800,
        isolation_level="AUTOCOMMIT" if autocommit else "READ COMMITTED",
        hide_parameters=True,  # names and hashes among them would reach logs and dead letters
        json_serializer=dumps,
        json_deserializer=orjson.loads,
        connect_args={
            "connect_timeout": CONNECT_TIMEOUT_S,
            "application_name": name,
            "options": f"-c statement_timeout={STATEMENT_TIMEOUT_MS} -c timezone=UTC",
            "keepalives_idle": 10,
            "keepalives_interval": 3,
            "keepalives_count": 3,
        },
    )
