"""The system in containers, as tests see it: every part of the host's list, from the image of this checkout.

Needs a Docker engine with the images `python:3.13-slim`, `postgres:17` and `redis:8`.
"""

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from testcontainers.core.config import testcontainers_config
from testcontainers.core.container import DockerContainer
from testcontainers.core.network import Network

from infra.host.parts import GATEWAY, MIGRATIONS, PARTS, Part
from infra.host.ports import free_port
from infra.host.wiring import database_variables, environment_of, internal_variables, redis_variables
from infra.postgres.roles import ROLES
from infra.redis.acl import USERS, render
from tests.support.system import QUICK, READY_S, is_ready
from tests.support.waiting import until

CHECKOUT = Path(__file__).resolve().parents[2]
IMAGE = "ninety-eight:test"
LABEL = "ninety-eight-test"
KEYS = Path("/var/lib/ninety-eight/keys")
PORT, METRICS_PORT = 8100, 9100
REDIS = [
    *("redis-server", "--aclfile", "/acl/users.acl", "--databases", "2", "--appendonly", "yes", "--save", ""),
    *("--maxmemory", "256mb", "--maxmemory-policy", "noeviction"),
]


def docker(*arguments: str, timeout_s: float = 600) -> str:
    """Run the docker command and return what it prints; AssertionError with its error otherwise."""
    done = subprocess.run(
        ["docker", *arguments], capture_output=True, text=True, check=False, timeout=timeout_s, cwd=CHECKOUT
    )
    assert done.returncode == 0, f"docker {' '.join(arguments[:2])}: {done.stderr[-2000:]}"
    return done.stdout.strip()


def engine_is_there() -> bool:
    """Whether a Docker engine answers."""
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "info"], capture_output=True, check=False, timeout=30).returncode == 0


def remove_leftovers() -> None:
    """Remove containers and networks of test runs that were killed; the label's value is a run's process."""
    shape = ("--filter", f"label={LABEL}", "--format", f'{{{{.ID}}}} {{{{.Label "{LABEL}"}}}}')
    for listing, removal in (("ps", "-a"), ("rm", "-f", "-v")), (("network", "ls"), ("network", "rm")):
        for line in docker(*listing, *shape).splitlines():
            found, pid = line.split()
            if not Path(f"/proc/{pid}").exists():
                docker(*removal, found)


class ContainerSystem:
    """Every part in a container of its own on one network, the gateway on a free port of this machine."""

    def __init__(self, environment: dict[str, str] | None = None) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.passwords = {name: secrets.token_urlsafe(18) for name in ("postgres", *ROLES, *USERS)}
        self._environment = QUICK | (environment or {})
        self._labels = {LABEL: str(os.getpid())}
        self._network = Network(docker_network_kw={"labels": self._labels})
        self._containers: dict[str, DockerContainer] = {}
        self._acl = Path(tempfile.mkdtemp(prefix="ninety-eight-acl-"))
        self._keys = Path(tempfile.mkdtemp(prefix="ninety-eight-keys-"))
        self._wired = (
            database_variables(lambda role: self._database_url(role, role.partition("_")[0]))
            | redis_variables(
                lambda user, number: f"redis://{user}:{self.passwords[user]}@valkey:6379/{number}"
            )
            | internal_variables(self._addresses(), KEYS, self.url)
        )

    def start(self) -> None:
        """Build the image, start everything and wait until it is ready."""
        docker("build", "--quiet", "--tag", IMAGE, "--file", "infra/Dockerfile", ".")
        self._network.create()
        self._start_servers()
        passwords = {f"{role.upper()}_DATABASE_PASSWORD": self.passwords[role] for role in ROLES}
        administrator = {"ADMINISTRATOR_DATABASE_URL": self._database_url("postgres", "postgres")}
        self._once(["infra.postgres"], passwords | administrator)
        for part in MIGRATIONS:
            self._once([part.module, part.verb], environment_of(part, {}, self._wired))
        for part in PARTS:
            self._start_part(part)
        self.wait_ready()

    def stop(self) -> None:
        """Remove every container and the network."""
        for container in reversed(self._containers.values()):
            container.stop()
        self._network.remove()
        shutil.rmtree(self._acl)
        shutil.rmtree(self._keys)

    def kill(self, part: str) -> None:
        """SIGKILL `part`, then start it again as an orchestrator would."""
        docker("kill", self._id(part))
        docker("start", self._id(part))

    def restart(self, part: str) -> None:
        """Stop `part` in order and start it again."""
        docker("restart", "--time", "10", self._id(part))

    def pause(self, part: str) -> None:
        docker("pause", self._id(part))

    def resume(self, part: str) -> None:
        docker("unpause", self._id(part))

    def wait_ready(self, timeout_s: float = READY_S) -> None:
        until(lambda: is_ready(self.url), timeout_s, "the system in containers is ready")

    def run(self, *arguments: str) -> str:
        return self._once(list(arguments), self._environment | self._wired)

    def administer(self, database: str, statement: str) -> None:
        psql = ("psql", "--username", "postgres", "--dbname", database, "--set", "ON_ERROR_STOP=1")
        docker("exec", self._id("postgres"), *psql, "--command", statement)

    def keys(self) -> Path:
        docker("cp", f"{self._id('accounts-web')}:{KEYS}/.", str(self._keys))
        return self._keys

    def log(self, part: str) -> str:
        """The last lines of a part's log."""
        return docker("logs", "--tail", "40", self._id(part))

    def _start_servers(self) -> None:
        self._acl.chmod(0o755)
        users = self._acl / "users.acl"
        users.write_text(render(self.passwords))
        users.chmod(0o644)
        redis = self._container("redis:8", REDIS, {}).with_volume_mapping(str(self._acl), "/acl", "ro")
        self._start("valkey", redis)
        command = ["postgres", "-c", "max_connections=200", "-c", "jit=off"]
        postgres = self._container("postgres:17", command, {"POSTGRES_PASSWORD": self.passwords["postgres"]})
        self._start("postgres", postgres)
        until(lambda: self._answers("postgres", "pg_isready", "-q", "-h", "127.0.0.1"), 60, "PostgreSQL")
        # The answer without a password is a refusal, which shows as much.
        until(lambda: self._answers("valkey", "redis-cli", "ping"), 30, "Redis")

    def _start_part(self, part: Part) -> None:
        environment = environment_of(part, self._environment, self._wired)
        environment |= {"PORT": str(PORT), part.port_variable: str(self._port_of(part))}
        container = self._container(IMAGE, [part.module, part.verb], environment)
        if part.name == GATEWAY:
            container.with_bind_ports(PORT, self.port)
        self._start(part.name, container)

    def _container(self, image: str, command: list[str], environment: dict[str, str]) -> DockerContainer:
        container = DockerContainer(image, labels=self._labels).with_envs(**environment)
        return container.with_command(command).with_network(self._network)

    def _start(self, name: str, container: DockerContainer) -> None:
        self._containers[name] = container.with_network_aliases(name)
        container.start()

    def _once(self, arguments: list[str], environment: dict[str, str]) -> str:
        """Run `python -m ARGUMENTS` in a container to its end and return what it prints."""
        variables = [word for pair in environment.items() for word in ("--env", "=".join(pair))]
        return docker("run", "--rm", "--network", self._network.name, *variables, IMAGE, *arguments)

    def _answers(self, name: str, *command: str) -> bool:
        done = subprocess.run(["docker", "exec", self._id(name), *command], capture_output=True, check=False)
        return done.returncode == 0

    def _id(self, name: str) -> str:
        return self._containers[name].get_container_id()

    def _port_of(self, part: Part) -> int:
        return PORT if part.port_variable == "PORT" else METRICS_PORT

    def _addresses(self) -> dict[str, str]:
        return {part.name: f"http://{part.name}:{self._port_of(part)}" for part in PARTS}

    def _database_url(self, role: str, database: str) -> str:
        return f"postgresql://{role}:{self.passwords[role]}@postgres:5432/{database}"


@pytest.fixture(scope="session")
def containers() -> Iterator[ContainerSystem]:
    """The system in containers, one for the run; skipped without an engine, unless REQUIRE_CONTAINERS."""
    if not engine_is_there() and not os.environ.get("REQUIRE_CONTAINERS"):
        pytest.skip("no Docker engine")
    testcontainers_config.ryuk_disabled = True  # what was started is removed here, and by the next run
    remove_leftovers()
    system = ContainerSystem()
    try:
        system.start()
        yield system
    finally:
        system.stop()
