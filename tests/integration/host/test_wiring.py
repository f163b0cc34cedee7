"""Pure parts of the host: pauses between starts, variables of parts, log rotation."""

from pathlib import Path

import pytest

from infra.host.logs import last_lines, rotate
from infra.host.parts import PARTS
from infra.host.servers import choose
from infra.host.supervisor import LONGEST_DELAY_S, delay_s
from infra.host.wiring import (
    DATABASE_ROLES,
    REDIS_USERS,
    IncompleteSettings,
    database_variables,
    environment_of,
    internal_variables,
    redis_variables,
)


def test_pauses_grow_and_are_capped() -> None:
    pauses = [delay_s(failures) for failures in range(1, 12)]
    assert pauses == sorted(pauses)
    assert pauses[0] < 0.5
    assert pauses[-1] == LONGEST_DELAY_S


def test_every_variable_of_a_part_is_wired() -> None:
    wired = (
        database_variables(lambda role: role)
        | redis_variables(lambda user, database: f"{user}/{database}")
        | internal_variables({part.name: "there" for part in PARTS}, Path("keys"), "http://here")
    )
    for part in PARTS:
        assert set(part.variables) <= set(environment_of(part, {"PATH": "x"}, wired))


def test_secrets_of_whoever_starts_the_host_stay_with_it() -> None:
    inherited = {"ADMINISTRATOR_DATABASE_URL": "x", "RULES_REDIS_PASSWORD": "x", "HOME": "y"}
    given = environment_of(PARTS[0], inherited, {})
    assert set(given) & set(inherited) == {"HOME"}


def test_servers_of_ones_own_are_used_when_all_are_named(tmp_path: Path) -> None:
    given = {name: f"postgresql://{role}@db/x" for name, role in DATABASE_ROLES.items()}
    servers = choose(tmp_path, given)
    assert [server.name for server in servers.embedded] == ["valkey"]
    assert {name: servers.variables[name] for name in given} == given
    everything = given | dict.fromkeys(REDIS_USERS, "redis://cache/0")
    assert choose(tmp_path, everything).embedded == ()


@pytest.mark.parametrize("name", ["SESSIONS_DATABASE_URL", "GATEWAY_REDIS_URL"])
def test_servers_of_ones_own_for_some_parts_only_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(IncompleteSettings, match="_URL"):
        choose(tmp_path, {name: "somewhere"})


def test_a_log_over_its_limit_is_moved_and_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "part.log"
    with log.open("ab", buffering=0) as writer:
        for number in range(5):
            writer.write(f"{number}\n".encode() * 100)
            rotate(tmp_path, limit_bytes=100)
        writer.write(b"after\n")
    assert last_lines(log) == "    after"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "part.log",
        "part.log.1",
        "part.log.2",
        "part.log.3",
    ]
    assert (tmp_path / "part.log.1").read_text().startswith("4\n")
