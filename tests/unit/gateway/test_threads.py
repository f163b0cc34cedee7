"""Threads answer the event loop, and say when too many wait for them."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from gateway.threads import Threads

SOON_S = 5


@pytest.fixture
def released() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_what_a_call_returns_or_raises_is_the_callers() -> None:
    async def both() -> tuple[str, str]:
        threads = Threads(1)
        name = await threads.run(lambda: threading.current_thread().name)
        with pytest.raises(ZeroDivisionError):
            await threads.run(lambda: 1 // 0)
        return name, await threads.run(lambda: "still there")

    assert asyncio.run(both()) == ("edge-0", "still there")


def test_as_many_calls_run_at_once_as_there_are_threads() -> None:
    barrier = threading.Barrier(4, timeout=SOON_S)

    async def four() -> None:
        threads = Threads(4)
        await asyncio.gather(*(threads.run(barrier.wait) for _ in range(4)))

    asyncio.run(four())


def test_they_say_when_too_many_calls_wait(released: threading.Event) -> None:
    async def many() -> list[bool]:
        threads = Threads(1, waiting_limit=2)
        running = threading.Event()

        def wait() -> bool:
            running.set()
            return released.wait(SOON_S)

        first = asyncio.ensure_future(threads.run(wait))
        assert await asyncio.to_thread(running.wait, SOON_S)
        crowded = [threads.are_crowded]
        for _ in range(2):
            threads.start(lambda: None)
            crowded.append(threads.are_crowded)
        released.set()
        assert await first
        assert await threads.run(lambda: True)
        return [*crowded, threads.are_crowded]

    assert asyncio.run(many()) == [False, False, True, False]


def test_what_a_caller_who_gave_up_would_have_got_is_put_away(released: threading.Event) -> None:
    put_away = threading.Event()

    async def give_up() -> None:
        threads = Threads(2)
        call = asyncio.ensure_future(threads.run(lambda: released.wait(SOON_S), lambda _: put_away.set()))
        await asyncio.wait([call], timeout=0)
        call.cancel()
        released.set()
        assert await asyncio.to_thread(put_away.wait, SOON_S)

    asyncio.run(give_up())
