"""Which databases a backup is of: those the environment names, a running host's, or embedded ones."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from infra.host.data_folder import DataFolder
from infra.host.postgres import PostgresServer
from shared.settings import environment

OWNERS = {"sessions": "SESSIONS_OWNER_DATABASE_URL", "accounts": "ACCOUNTS_OWNER_DATABASE_URL"}


@contextmanager
def to_read(folder: DataFolder) -> Iterator[Mapping[str, str]]:
    """The owner's address of each database, with servers running; a host may run at the same time."""
    known = environment()
    if all(known.get(variable) for variable in OWNERS.values()):
        yield {name: known[variable] for name, variable in OWNERS.items()}
        return
    with alone(folder) as urls:
        yield urls


@contextmanager
def to_write(folder: DataFolder) -> Iterator[Mapping[str, str]]:
    """The same for a restore, while no host runs on `folder`."""
    if all(os.environ.get(variable) for variable in OWNERS.values()):
        yield {name: os.environ[variable] for name, variable in OWNERS.items()}
        return
    with alone(folder) as urls:
        yield urls


@contextmanager
def alone(folder: DataFolder) -> Iterator[Mapping[str, str]]:
    """The embedded PostgreSQL, started for this moment. Raises DataFolderLocked while a host runs."""
    folder.create()
    lock = folder.lock()
    server = PostgresServer(folder.root / "postgres")
    try:
        server.start()
        yield {name: server.url(f"{name}_owner") for name in OWNERS}
    finally:
        server.stop()
        os.close(lock)
