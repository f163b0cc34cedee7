"""The compose file brought up for real, as a project of its own beside whatever else runs."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from infra.host.ports import free_port, is_free
from infra.setup.secrets_file import completed
from tests.support.system import QUICK, READY_S, is_ready
from tests.support.waiting import until

CHECKOUT = Path(__file__).resolve().parents[2]
UP_S = 600.0


def free_pair() -> int:
    """The first of two free ports in a row."""
    while not is_free((port := free_port()) + 1):
        pass
    return port


class ComposeSystem:
    """`docker compose` with random secrets in `folder`; one or two gateways on free ports of this machine."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.port = free_pair()
        self.url = f"http://127.0.0.1:{self.port}"
        self._project = f"ninety-eight-{self.port}"
        self._settings = folder / "compose.env"
        secrets = completed((CHECKOUT / ".env.example").read_text(), "")
        ports = {"GATEWAY_PORT": str(self.port), "GATEWAY_PORT_LAST": str(self.port + 1)}
        # The last line wins over what the example says.
        given = QUICK | ports | {"NINETY_EIGHT_TAG": "test"} | dict(environment or {})
        self._settings.write_text(secrets + "".join(f"{name}={value}\n" for name, value in given.items()))

    def up(self, **scale: int) -> None:
        """Build the image, start or scale (`sessions_web=2`), and wait until every container is healthy."""
        self.compose("build", "--quiet")
        replicas = [f"--scale={name.replace('_', '-')}={count}" for name, count in scale.items()]
        self.compose("up", "--detach", "--wait", *replicas)
        until(lambda: is_ready(self.url), READY_S, "the composed system is ready")

    def down(self) -> None:
        """Remove containers, networks and volumes."""
        self.compose("down", "--volumes", "--timeout", "15")

    def replicas(self, service: str) -> int:
        """How many containers of `service` run."""
        return len(self.compose("ps", "--quiet", service).split())

    def gateways(self) -> list[str]:
        """The address of each gateway."""
        count = self.replicas("gateway")
        return [
            f"http://{self.compose('port', f'--index={number + 1}', 'gateway', '8098').strip()}"
            for number in range(count)
        ]

    def compose(self, *arguments: str) -> str:
        """Run docker compose; AssertionError with its last words when it fails."""
        done = subprocess.run(
            ["docker", "compose", "-p", self._project, "--env-file", str(self._settings), *arguments],
            cwd=CHECKOUT,
            env=dict(os.environ),
            capture_output=True,
            text=True,
            check=False,
            timeout=UP_S,
        )
        assert done.returncode == 0, f"{arguments[0]}: {done.stderr[-3000:]}"
        return done.stdout
