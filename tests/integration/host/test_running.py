"""What an operator sees of the host: start, faults of parts, the end."""

import os
import signal
import stat

import psutil
import pytest

from infra.host.data_folder import DataFolder
from infra.host.parts import GATEWAY, PARTS
from infra.host.status import table
from tests.integration.host.conftest import StartHost
from tests.integration.host.running import RunningHost, is_gone
from tests.support.waiting import until


def test_becomes_ready_with_every_part_and_says_where_to_go(host: RunningHost) -> None:
    assert host.said.count(f": http://127.0.0.1:{host.port}") == 1
    parts = host.parts()
    assert set(parts) == {"postgres", "valkey", *(part.name for part in PARTS)}
    assert all(part["is_ready"] and part["pid"] and part["restarts"] == 0 for part in parts.values())
    assert parts[GATEWAY]["port"] == host.port


def test_a_part_is_given_only_its_own_addresses_and_secrets(host: RunningHost) -> None:
    wired = {name for part in PARTS for name in part.variables} | {"SESSIONS_OWNER_DATABASE_URL"}
    for part in PARTS:
        environment = host.get(part.name, "/environment")
        assert wired & set(environment) == set(part.variables)
        assert environment["LOG_LEVEL"] == "debug"


def test_a_killed_part_comes_back_and_its_orphans_are_gone(host: RunningHost) -> None:
    first = psutil.Process(host.pid("rules-web"))
    workers = first.children()
    assert workers
    first.kill()
    until(lambda: host.parts()["rules-web"]["restarts"] == 1 and host.parts()["rules-web"]["is_ready"])
    until(lambda: all(map(is_gone, workers)), 3)
    assert "rules-web was ended by SIGKILL" in host.said


@pytest.mark.parametrize("server", ["postgres", "valkey"])
def test_a_killed_server_comes_back_on_its_port(host: RunningHost, server: str) -> None:
    before = host.parts()[server]
    os.kill(before["pid"], signal.SIGKILL)
    until(lambda: host.parts()[server]["restarts"] == 1 and host.parts()[server]["is_ready"])
    assert host.parts()[server]["port"] == before["port"]


def test_a_part_that_keeps_ending_is_named_with_its_last_words(start_host: StartHost) -> None:
    host = start_host(FAILING="sessions-relay")
    until(lambda: "sessions-relay keeps ending" in host.said, 30)
    assert "the reason it fails" in host.said
    assert not host.is_ready
    assert host.end() == 0


def test_a_failed_migration_ends_the_start_with_its_last_words(start_host: StartHost) -> None:
    host = start_host(FAILING_STEP="1")
    assert host.process.wait(30) == 1
    assert "could not bring the databases up to date" in host.said
    assert "the reason it fails" in host.said


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_ends_everything_in_time_and_keeps_the_data(start_host: StartHost, signum: signal.Signals) -> None:
    host = start_host().wait_until_ready()
    family = host.all_processes()
    assert host.end(signum, timeout_s=10) == 0
    until(lambda: all(map(is_gone, family)), 3)
    assert (host.data / "postgres").is_dir()
    assert not (host.data / "run" / "environment.json").exists()
    assert "database system is shut down" in (host.data / "log" / "postgres.log").read_text()


def test_a_second_interrupt_does_not_wait_for_a_part_that_does_not_listen(start_host: StartHost) -> None:
    host = start_host(DEAF=GATEWAY).wait_until_ready()
    family = host.all_processes()
    host.process.send_signal(signal.SIGINT)
    until(lambda: "ending" in host.said)
    assert host.end(timeout_s=5) == 0, "less than what the part would be waited for"
    until(lambda: all(map(is_gone, family)), 3)


def test_a_part_that_does_not_listen_is_killed_in_the_end(start_host: StartHost) -> None:
    host = start_host(DEAF="accounts-web").wait_until_ready()
    assert host.end(timeout_s=30) == 0
    assert "accounts-web did not end in time" in host.said


def test_a_killed_host_leaves_nothing_and_the_next_one_starts(start_host: StartHost) -> None:
    host = start_host().wait_until_ready()
    family = host.all_processes()
    host.process.kill()
    host.process.wait()
    again = start_host(port=host.port).wait_until_ready()
    until(lambda: all(map(is_gone, family)), 3)
    assert again.end() == 0


def test_a_second_host_on_the_same_data_is_refused_by_name(host: RunningHost) -> None:
    second = RunningHost(host.data)
    assert second.process.wait(15) == 1
    assert f"another host (process {host.process.pid}) uses" in second.said


def test_a_port_in_use_is_named(host: RunningHost) -> None:
    second = RunningHost(host.data.with_name("other"), host.port)
    assert second.process.wait(15) == 1
    assert f"port {host.port} is in use" in second.said


def test_secrets_are_readable_by_their_owner_only(host: RunningHost) -> None:
    for path in (host.data / "secrets.json", host.data / "run" / "environment.json"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    passwords = (host.data / "secrets.json").read_text()
    logs = "".join(log.read_text(errors="replace") for log in (host.data / "log").glob("*.log"))
    assert not [word for word in passwords.split('"')[3::4] if word in logs or word in host.said]


def test_the_status_table_has_every_part_with_its_memory(host: RunningHost) -> None:
    lines = (table(DataFolder(host.data)) or "").splitlines()
    assert len(lines) == len(PARTS) + 4
    assert all(int(line.split()[-1]) > 0 for line in lines[1:])
    assert table(DataFolder(host.data.with_name("nobody"))) is None
