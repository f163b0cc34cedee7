"""Parts of the bus as processes of their own, for tests that kill them."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from shared.bus.consumer import Consumer
from shared.bus.events import Event
from shared.bus.process import run_until_stopped
from shared.bus.relay import Relay
from shared.bus.requests import Requests
from shared.bus.responder import Responder
from shared.storage.engine import open_engine
from tests.integration.bus.world import GROUP, STREAM, take_effect
from tests.support.waiting import until

REQUESTS = "rules.requests"


def relay() -> None:
    """Publishes."""
    part = Relay(
        open_engine(os.environ["DATABASE_URL"]),
        os.environ["REDIS_URL"],
        STREAM,
        "/sessions",
        poll_s=0.01,
        upkeep_every_s=0.1,
        standby_every_s=0.1,
    )
    run_until_stopped(part.run)


def consume() -> None:
    """Lets events take effect; `test.deadly` ends the process."""

    def die(_: Connection, __: Event) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    handlers = {"test.happened": take_effect, "test.deadly": die}
    engine = open_engine(os.environ["DATABASE_URL"])
    part = Consumer(engine, os.environ["REDIS_URL"], STREAM, GROUP, handlers, max_deliveries=3)
    run_until_stopped(part.run)


def respond(gate: str) -> None:
    """Answers nothing while there is a file `gate`."""

    def handle(body: Any) -> dict[str, Any]:
        until(lambda: not Path(gate).exists(), 60)
        return {"asked": body}

    run_until_stopped(Responder(os.environ["REDIS_URL"], REQUESTS, "rules", handle).run)


def fork() -> None:
    """Asks, forks, and has both processes ask again; the exit code tells whether all were answered."""
    requests = Requests(os.environ["REDIS_URL"], REQUESTS, "sessions")
    requests.ask({"n": 0}, 5)
    child = os.fork()
    answers: list[dict[str, Any]] = []
    asking = [
        threading.Thread(target=lambda n=n: answers.append(requests.ask({"n": n}, 5))) for n in range(1, 9)
    ]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    answered = sorted(answer["asked"]["n"] for answer in answers) == list(range(1, 9))
    if child:
        answered = os.waitpid(child, 0)[1] == 0 and answered
    os._exit(0 if answered else 1)


if __name__ == "__main__":
    programs: dict[str, Callable[..., None]] = {
        "relay": relay,
        "consume": consume,
        "respond": respond,
        "fork": fork,
    }
    programs[sys.argv[1]](*sys.argv[2:])
