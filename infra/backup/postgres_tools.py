"""pg_dump, pg_restore and psql on one database, by its owner; passwords never stand on a command line."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psycopg

from infra.host.postgres import binaries

# The archive brings every table; nothing of a newer schema may be left beside them.
EMPTY = "DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC"
OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


class ToolFailed(Exception):
    """One of PostgreSQL's programs ended with an error; the message holds its last words."""


def begin_dump(url: str, target: Path) -> subprocess.Popen[str]:
    """Start to write the database at `url` to `target` in pg_dump's custom format."""
    return subprocess.Popen(
        [
            str(binaries() / "pg_dump"),
            "--format=custom",
            f"--file={target}",
            f"--dbname={_without_password(url)}",
        ],
        env=_environment(url),
        stderr=subprocess.PIPE,
        text=True,
    )


def finish_dump(dump: subprocess.Popen[str]) -> None:
    """Wait for `dump`; raises ToolFailed."""
    _, errors = dump.communicate()
    if dump.returncode:
        raise ToolFailed(f"pg_dump: {errors.strip()[-2000:]}")


def restore(url: str, dump: Path) -> None:
    """Replace everything in the database at `url` by `dump`, in one transaction. Raises ToolFailed."""
    script = dump.with_suffix(".sql")
    _run("pg_restore", ["--no-owner", f"--file={script}", str(dump)], os.environ)
    options = ["--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1"]
    steps = [f"--command={EMPTY}", f"--file={script}"]
    _run("psql", [*options, *steps, f"--dbname={_without_password(url)}"], _environment(url))
    script.unlink()


def is_readable(dump: Path) -> bool:
    """Whether pg_restore can read the table of contents."""
    command = [str(binaries() / "pg_restore"), "--list", str(dump)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def connected_others(url: str) -> int:
    """How many other connections the database has, as far as its owner can see."""
    with psycopg.connect(url) as connection:
        row = connection.execute(OTHERS).fetchone()
    return int(row[0]) if row else 0


def revision(url: str) -> str | None:
    """The migration that the database stands at, None before the first."""
    with psycopg.connect(url) as connection:
        known = connection.execute("SELECT to_regclass('alembic_version')").fetchone()
        if known is None or known[0] is None:
            return None
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(row[0]) if row else None


def _run(tool: str, arguments: Sequence[str], environment: "os._Environ[str] | dict[str, str]") -> None:
    command = [str(binaries() / tool), *arguments]
    done = subprocess.run(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise ToolFailed(f"{tool}: {done.stderr.strip()[-2000:]}")


def _environment(url: str) -> dict[str, str]:
    return {**os.environ, "PGPASSWORD": unquote(urlsplit(url).password or "")}


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{parts.username}@{host}").geturl()
