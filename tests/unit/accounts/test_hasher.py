"""The password hasher."""

import queue
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.accounts.adapters.hasher import WAITING, Hasher, Overloaded


def quick(slots: int = 2, wait_s: float = 5.0, passes: int = 1, waiting: int = WAITING) -> Hasher:
    return Hasher(memory_kib=8, passes=passes, lanes=1, slots=slots, wait_s=wait_s, waiting=waiting)


def test_no_more_than_its_slots_hash_at_once() -> None:
    hasher, inside, most = quick(slots=2), 0, 0
    lock, full, leave = threading.Lock(), threading.Event(), threading.Event()

    def hash_one() -> None:
        nonlocal inside, most
        with hasher.slot():
            with lock:
                inside += 1
                most = max(most, inside)
                if inside == 2:
                    full.set()
            assert leave.wait(10)
            with lock:
                inside -= 1

    with ThreadPoolExecutor(8) as pool:
        tasks = [pool.submit(hash_one) for _ in range(8)]
        assert full.wait(10)
        leave.set()
        for task in tasks:
            task.result(10)
    assert most == 2


def test_who_waits_too_long_is_refused_and_a_slot_comes_back() -> None:
    hasher = quick(slots=1, wait_s=0.01)
    with hasher.slot(), pytest.raises(Overloaded), hasher.slot():
        pass
    with pytest.raises(ZeroDivisionError), hasher.slot():
        raise ZeroDivisionError
    with hasher.slot():
        pass


def test_who_finds_too_many_waiting_is_refused_at_once() -> None:
    hasher = quick(slots=1, wait_s=30, waiting=2)
    refused = queue.SimpleQueue[bool]()

    def wait_for_a_slot() -> bool:
        try:
            with hasher.slot():
                return True
        except Overloaded:
            refused.put(True)
            return False

    with ThreadPoolExecutor(6) as pool:
        with hasher.slot():
            tasks = [pool.submit(wait_for_a_slot) for _ in range(6)]
            for _ in range(4):
                assert refused.get(timeout=10)
        assert sorted(task.result(10) for task in tasks) == [False] * 4 + [True] * 2
    with hasher.slot():
        pass


def test_a_password_matches_its_own_hash_alone() -> None:
    hasher = quick()
    stored = hasher.hash("correct horse")
    assert stored.startswith("$argon2id$")
    assert hasher.matches(stored, "correct horse")
    assert not hasher.matches(stored, "wrong horse")
    assert hasher.hash("correct horse") != stored


def test_nobody_has_a_password() -> None:
    for password in ("", "nobody's password", "x" * 256):
        assert not quick().matches(None, password)


def test_a_hash_is_outdated_when_the_parameters_change() -> None:
    stored = quick(passes=1).hash("correct horse")
    assert not quick(passes=1).is_outdated(stored)
    assert quick(passes=2).is_outdated(stored)
    assert quick(passes=2).matches(stored, "correct horse")
