"""How often what is behind the gateway is looked at, however often somebody asks."""

import threading
from concurrent.futures import ThreadPoolExecutor

from gateway.operation import FRESH_S, STALE_S, Readiness, State
from tests.unit.gateway.clock import Clock


class Part:
    """Counts how often it is looked at; while `free` is not set a look does not end."""

    def __init__(self) -> None:
        self.looks = 0
        self.ready = True
        self.looked_at = threading.Event()
        self.free = threading.Event()
        self.free.set()

    def __call__(self) -> State:
        self.looks += 1
        self.looked_at.set()
        assert self.free.wait(10)
        return State(self.ready)


def test_what_was_found_is_answered_for_a_moment() -> None:
    part, clock = Part(), Clock()
    readiness = Readiness({"part": part}, clock)
    assert readiness.states() == {"part": State(True)}
    part.ready = False
    clock.advance(FRESH_S - 0.01)
    assert (readiness.states(), part.looks) == ({"part": State(True)}, 1)
    clock.advance(0.01)
    assert (readiness.states(), part.looks) == ({"part": State(False)}, 2)


def test_those_who_ask_at_once_share_one_look() -> None:
    part = Part()
    readiness = Readiness({"part": part}, Clock())
    part.free.clear()
    with ThreadPoolExecutor(20) as pool:
        asked = [pool.submit(readiness.states) for _ in range(20)]
        assert part.looked_at.wait(10)
        part.free.set()
        assert [future.result(10) for future in asked] == [{"part": State(True)}] * 20
    assert part.looks == 1


def test_while_a_look_lasts_others_get_what_was_found_before_unless_that_is_old() -> None:
    part, clock = Part(), Clock()
    readiness = Readiness({"part": part}, clock)
    readiness.states()
    clock.advance(FRESH_S)
    part.ready = False
    part.looked_at.clear()
    part.free.clear()
    with ThreadPoolExecutor(2) as pool:
        looking = pool.submit(readiness.states)
        assert part.looked_at.wait(10)
        assert readiness.states() == {"part": State(True)}
        clock.advance(STALE_S)
        waiting = pool.submit(readiness.states)
        part.free.set()
        assert looking.result(10) == waiting.result(10) == {"part": State(False)}
