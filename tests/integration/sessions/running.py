"""Owns the running of a service's background parts in threads of the test's own process."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Part = Callable[[threading.Event], None]
END_S = 30.0


@contextmanager
def running(*parts: Part) -> Iterator[None]:
    """`parts` side by side; ended, and looked after for errors, at the end."""
    stop = threading.Event()
    errors: list[BaseException] = []

    def run(part: Part) -> None:
        try:
            part(stop)
        except BaseException as error:
            errors.append(error)
            raise

    threads = [threading.Thread(target=run, args=(part,), daemon=True) for part in parts]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(END_S)
    assert not any(thread.is_alive() for thread in threads), "a part did not end"
    assert not errors
