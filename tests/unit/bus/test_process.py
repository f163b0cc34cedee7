"""A background process runs until it is told to stop, and shows itself meanwhile."""

import os
import signal
import threading

import pytest
import urllib3

from infra.host.ports import free_port
from shared.bus.process import run_until_stopped


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_every_part_in_its_own_time(number: signal.Signals) -> None:
    both = threading.Barrier(2)
    ended: list[str] = []

    def part(stop: threading.Event) -> None:
        if both.wait(10) == 0:
            os.kill(os.getpid(), number)
        assert stop.wait(10)
        ended.append(threading.current_thread().name)

    before = signal.getsignal(number)
    run_until_stopped(part, part)
    assert sorted(ended) == ["part 0", "part 1"]
    assert signal.getsignal(number) is before


def test_it_shows_that_it_lives_and_its_metrics() -> None:
    port = free_port()
    seen: dict[str, tuple[int, bytes]] = {}

    def part(_: threading.Event) -> None:
        for path in ("/live", "/metrics", "/other"):
            answer = urllib3.request("GET", f"http://127.0.0.1:{port}{path}")
            seen[path] = (answer.status, answer.data)

    run_until_stopped(part, metrics_port=port)
    assert seen["/live"] == (200, b'{"status":"live"}')
    assert seen["/metrics"][0] == 200
    assert b"python_info" in seen["/metrics"][1]
    assert seen["/other"][0] == 404


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_part_that_fails_stops_the_others_and_the_process() -> None:
    def fail(_: threading.Event) -> None:
        raise LookupError("broken")

    def wait(stop: threading.Event) -> None:
        assert stop.wait(10)

    with pytest.raises(LookupError, match="broken"):
        run_until_stopped(wait, fail)
