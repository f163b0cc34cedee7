"""Live processes on a real Redis, with a stand-in for sessions behind them."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import psutil
import redis
import urllib3

from infra.host.valkey import ValkeyServer
from shared.bus.events import Event
from shared.settings import CHECKOUT
from tests.integration.gateway.live.listening import Listening
from tests.integration.gateway.live.sessions import Json, Sessions
from tests.support.waiting import until

STREAM = "sessions.events"


class Process:
    """A live process; `ready` waits until what happens reaches it."""

    def __init__(self, environment: dict[str, str]) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        given = {"DATA_DIR": "/dev/null", "PORT": str(self.port), "LOG_LEVEL": "warning"}
        command = [sys.executable, "-m", "gateway", "live"]
        self.process = subprocess.Popen(command, env=os.environ | given | environment, cwd=CHECKOUT)

    def ready(self) -> "Process":
        until(lambda: self.get("/ready") == 200, what="the live process is ready")
        return self

    def get(self, path: str) -> int:
        """The status of a page; 0 while nobody listens."""
        try:
            answer = urllib3.request("GET", f"http://127.0.0.1:{self.port}{path}", retries=False, timeout=5)
        except urllib3.exceptions.HTTPError:
            return 0
        return answer.status

    def checks(self) -> dict[str, bool]:
        """What `/ready` says about each thing it depends on."""
        answer = urllib3.request("GET", f"http://127.0.0.1:{self.port}/ready", timeout=5)
        found: dict[str, bool] = answer.json()["checks"]
        return found

    def measured(self, name: str) -> float:
        """The value of a metric, by its name with its labels."""
        text = urllib3.request("GET", f"http://127.0.0.1:{self.port}/metrics", timeout=5).data.decode()
        found = [line.split()[-1] for line in text.splitlines() if line.startswith(f"{name} ")]
        return float(found[0]) if found else 0.0

    def rss_bytes(self) -> int:
        return int(psutil.Process(self.process.pid).memory_info().rss)

    def terminate(self) -> float:
        """SIGTERM; how many seconds the process took to end in order."""
        began_s = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(20) == 0
        return time.monotonic() - began_s

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(20)


@dataclass
class World:
    """`sessions` has the games, `redis` is the administrator's client."""

    sessions: Sessions
    server: ValkeyServer
    redis: Any
    processes: list[Process] = field(default_factory=list)
    listeners: list[Listening] = field(default_factory=list)

    def start(self, **settings: str) -> Process:
        """One more live process, ready."""
        environment = {
            "GATEWAY_SESSIONS_URL": self.sessions.standin.url,
            "GATEWAY_REDIS_URL": self.server.url("gateway"),
        }
        self.processes.append(Process(environment | settings))
        return self.processes[-1].ready()

    def listen(self, process: Process, game_id: str, token: str, **asked: str) -> Listening:
        """An open stream that knows who else is there."""
        made = self.open(process, game_id, token, **asked)
        made.wait("presence")
        return made

    def open(self, process: Process, game_id: str, token: str, **asked: str) -> Listening:
        """A stream that is open, whatever comes of it."""
        made = Listening(process.port, game_id, token, **asked)
        self.listeners.append(made)
        assert made.answer.status == 200, made.answer.read()
        return made

    def play(self, game_id: str, entries: int = 1, *, note: str = "") -> None:
        """Entries are added, and their event is published."""
        self.publish_entries(game_id, self.sessions.add(game_id, entries, note))

    def publish_entries(self, game_id: str, items: Sequence[Json], *, told: bool = True) -> None:
        """The event that `items` were added; `told` says whether it says what each led to."""
        seen = [{name: item[name] for name in ("table", "result")} for item in items]
        bare = [{key: item[key] for key in item if key not in ("table", "result")} for item in items]
        data = {"game_id": game_id, "version": items[-1]["seq"], "entries": bare, **seen[-1]}
        if len(items) > 1 and told:
            data["after"] = seen
        self.publish("sessions.game.advanced", game_id, data)

    def publish(self, kind: str, subject: str, data: Json) -> None:
        """Put an event on the stream."""
        event = Event(uuid4(), kind, "/sessions", subject, datetime.now(UTC), data)
        self.redis.xadd(STREAM, {"event": event.to_json()})

    def lose_stream(self) -> None:
        """Redis forgets everything."""
        self.redis.flushall()

    def stop(self) -> None:
        for listener in self.listeners:
            with contextlib.suppress(OSError):
                listener.close()
        for process in self.processes:
            process.kill()
        self.sessions.standin.stop()


def connect(server: ValkeyServer) -> Any:
    return redis.Redis.from_url(server.url("administrator"), protocol=2)
