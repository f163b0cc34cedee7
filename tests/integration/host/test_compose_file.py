"""The compose file and the host run the same parts with the same rights."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from infra.host.parts import GATEWAY, MIGRATIONS, PARTS, Part
from infra.host.wiring import DATABASE_ROLES, REDIS_USERS
from infra.postgres.roles import ROLES
from infra.redis.acl import USERS
from infra.setup.secrets_file import completed, name_of

CHECKOUT = Path(__file__).resolve().parents[3]
COMPOSE: dict[str, Any] = yaml.safe_load((CHECKOUT / "docker-compose.yml").read_text())
EXAMPLE = (CHECKOUT / ".env.example").read_text()
WIRED = {*DATABASE_ROLES, *REDIS_USERS, *(name for part in PARTS for name in part.variables)}
# The image says where keys lie; in containers only the web process has them mounted.
BY_IMAGE = {"ACCOUNTS_KEYS_DIR"}
SERVERS = {"redis", "postgres", "redis-users", "databases", "operator", "backup"}


def service_name(part: Part) -> str:
    service = part.module.rpartition(".")[2]
    names = {GATEWAY: "gateway"} | {it.name: f"{it.verb}-{service}" for it in MIGRATIONS if it is part}
    return names.get(part.name, part.name)


@pytest.mark.parametrize("part", [*PARTS, *MIGRATIONS], ids=lambda part: part.name)
def test_every_part_has_a_service_with_its_command_and_variables(part: Part) -> None:
    service = COMPOSE["services"][service_name(part)]
    assert service["command"] == [part.module, part.verb]
    given = set(service["environment"])
    assert given & WIRED == set(part.variables) - BY_IMAGE
    assert part in MIGRATIONS or "healthcheck" in service


def test_there_is_no_service_without_a_part() -> None:
    names = {service_name(part) for part in (*PARTS, *MIGRATIONS)}
    assert set(COMPOSE["services"]) == names | SERVERS


@pytest.mark.parametrize("name", sorted(set(COMPOSE["services"]) - {"redis", "postgres"}))
def test_our_containers_can_do_little(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_only_the_gateway_is_published_and_only_here() -> None:
    published = {name: it["ports"] for name, it in COMPOSE["services"].items() if "ports" in it}
    assert set(published) == {"gateway"}
    assert all(port.startswith("127.0.0.1:") for port in published["gateway"])


def test_env_gives_every_secret_a_value_of_its_own_and_keeps_what_is_there() -> None:
    first = completed(EXAMPLE, "")
    values = dict(line.split("=", 1) for line in first.splitlines() if name_of(line))
    secrets = [values[name] for name in values if name.endswith("_PASSWORD")]
    assert {f"{role.upper()}_DATABASE_PASSWORD" for role in ROLES} <= set(values)
    assert {f"{user.upper()}_REDIS_PASSWORD" for user in USERS} <= set(values)
    assert len(set(secrets)) == len(secrets)
    assert min(map(len, secrets)) >= 32
    assert completed(EXAMPLE, first) == first
    shorter = "".join(line for line in first.splitlines(True) if not line.startswith("RULES_REDIS_PASSWORD"))
    again = dict(line.split("=", 1) for line in completed(EXAMPLE, shorter).splitlines() if name_of(line))
    assert again | {"RULES_REDIS_PASSWORD": ""} == values | {"RULES_REDIS_PASSWORD": ""}
