"""The embedded servers: durability, who may do what, faults, and what a dead host left."""

import os
import shutil
import signal
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from infra.host.postgres import PostgresServer
from infra.host.server import ServerFailed
from infra.host.valkey import ValkeyServer
from infra.postgres.roles import ROLES
from infra.redis.acl import USERS
from tests.support.embedded import ScratchDatabase
from tests.support.waiting import until

AS_ROOT = os.geteuid() == 0


def connect(server: ValkeyServer, user: str) -> redis.Redis:
    return redis.Redis.from_url(server.url(user), socket_timeout=2)


def test_the_servers_do_not_run_as_root(postgres_server: PostgresServer, valkey_server: ValkeyServer) -> None:
    for server in (postgres_server, valkey_server):
        assert server.pid is not None
        assert 0 not in psutil.Process(server.pid).uids()
        assert stat.S_IMODE(server.folder.stat().st_mode) == 0o700


def test_every_role_needs_its_password(postgres_server: PostgresServer) -> None:
    for role in ROLES:
        with psycopg.connect(postgres_server.url(role)) as connection:
            assert connection.execute("SELECT current_user").fetchone() == (role,)
        wrong = postgres_server.url(role).replace(postgres_server.passwords[role], "guess")
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(wrong)


@pytest.mark.parametrize("role", ["sessions", "sessions_purge", "accounts"])
def test_a_runtime_role_makes_no_tables_and_reaches_no_other_service(
    postgres_server: PostgresServer, role: str
) -> None:
    other = "accounts" if role.startswith("sessions") else "sessions"
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(postgres_server.url(role, other))
    with (
        psycopg.connect(postgres_server.url(role)) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("CREATE TABLE mine (id int)")


def test_scratch_databases_are_apart_and_have_the_services_roles(scratch_database: ScratchDatabase) -> None:
    first, second = scratch_database("sessions"), scratch_database("sessions")
    assert set(first) == {"sessions_owner", "sessions", "sessions_purge"}
    with psycopg.connect(first["sessions_owner"]) as connection:
        connection.execute("CREATE TABLE mine (id int)")
    with psycopg.connect(second["sessions_owner"]) as connection:
        assert connection.execute("SELECT to_regclass('mine')").fetchone() == (None,)


def test_valkey_refuses_whoever_has_no_password(valkey_server: ValkeyServer) -> None:
    with redis.Redis(port=valkey_server.port) as client, pytest.raises(redis.AuthenticationError):
        client.ping()


@pytest.mark.parametrize("user", sorted(set(USERS) - {"administrator"}))
def test_a_service_neither_administers_nor_reads_all(valkey_server: ValkeyServer, user: str) -> None:
    with connect(valkey_server, user) as client:
        assert client.ping()
        for command in ("FLUSHALL", "KEYS *", "CONFIG GET *", "ACL LIST", "SHUTDOWN"):
            with pytest.raises(redis.exceptions.NoPermissionError):
                client.execute_command(*command.split())
        with pytest.raises(redis.exceptions.NoPermissionError):
            client.get("somebody.elses")


def test_streams_are_open_to_those_that_share_them(valkey_server: ValkeyServer) -> None:
    with connect(valkey_server, "sessions") as sessions, connect(valkey_server, "rules") as rules:
        sessions.xadd("rules.requests", {"body": "{}"})
        rules.xgroup_create("rules.requests", "rules", "0")
        assert rules.xreadgroup("rules", "one", {"rules.requests": ">"})
        rules.xadd("replies.sessions.1", {"body": "{}"})
        assert sessions.xread({"replies.sessions.1": "0"})
        with pytest.raises(redis.exceptions.NoPermissionError):
            rules.xadd("sessions.events", {"event": "{}"})
    with connect(valkey_server, "administrator") as client:
        client.flushall()


@pytest.fixture
def server_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="ninety-eight-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


def test_what_postgres_has_committed_survives_a_kill(server_folder: Path) -> None:
    server = PostgresServer(server_folder / "postgres")
    server.start()
    with psycopg.connect(server.url("sessions_owner")) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 98 AS cards")
    server.kill()
    assert not server.is_running
    server.restart()
    with psycopg.connect(server.url("sessions_owner")) as connection:
        assert connection.execute("SELECT cards FROM kept").fetchone() == (98,)
    server.stop()


def test_a_paused_valkey_answers_nobody_and_goes_on_with_everything(server_folder: Path) -> None:
    server = ValkeyServer(server_folder / "valkey")
    server.start()
    with connect(server, "administrator") as client:
        client.set("kept", "98")
    server.pause()
    assert not server.is_ready()
    server.resume()
    until(server.is_ready)
    server.restart()
    with connect(server, "administrator") as client:
        assert client.get("kept") == b"98"
    server.stop()


def test_a_stale_process_file_does_not_keep_postgres_from_starting(server_folder: Path) -> None:
    server = PostgresServer(server_folder / "postgres")
    server.start()
    server.stop()
    # The number of a process that lives, as after a restart of the machine.
    (server.cluster / "postmaster.pid").write_text(f"{os.getpid()}\n{server.cluster}\n")
    server.start()
    server.stop()


def test_a_server_left_by_a_dead_host_is_ended_before_the_next_starts(server_folder: Path) -> None:
    left = ValkeyServer(server_folder / "valkey")
    left.start()
    again = ValkeyServer(server_folder / "valkey")
    again.start()
    until(lambda: not left.is_running)
    assert again.is_ready()
    again.stop()


def test_an_interrupted_first_start_is_begun_anew(server_folder: Path) -> None:
    half = server_folder / "postgres" / "18.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    server = PostgresServer(server_folder / "postgres")
    server.start()
    server.stop()


def test_data_of_another_major_version_is_refused_by_name(server_folder: Path) -> None:
    (server_folder / "postgres" / "17").mkdir(parents=True)
    with pytest.raises(ServerFailed, match="holds a cluster of PostgreSQL 17"):
        PostgresServer(server_folder / "postgres").start()


@pytest.mark.skipif(not AS_ROOT, reason="only root starts servers under another user")
def test_servers_of_root_work_in_a_folder_that_their_user_cannot_reach(server_folder: Path) -> None:
    server_folder.chmod(0o700)
    for server in (PostgresServer(server_folder / "postgres"), ValkeyServer(server_folder / "valkey")):
        server.start()
        server.stop()


def test_a_server_that_cannot_start_says_why(server_folder: Path) -> None:
    first = ValkeyServer(server_folder / "one" / "valkey")
    first.start()
    with pytest.raises(ServerFailed, match="Address already in use"):
        ValkeyServer(server_folder / "two" / "valkey", first.port).start()
    first.stop()


def test_servers_end_when_the_process_that_started_them_is_killed(server_folder: Path) -> None:
    child = os.fork()
    if child == 0:
        ValkeyServer(server_folder / "valkey").start()
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    until(lambda: not psutil_find(server_folder))


def psutil_find(folder: Path) -> list[int]:
    """Processes working below `folder`."""
    return [
        it.pid
        for it in psutil.process_iter(["cwd", "status"])
        if it.info["status"] != psutil.STATUS_ZOMBIE and (it.info["cwd"] or "").startswith(str(folder))
    ]
