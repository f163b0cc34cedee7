"""Ends a piece of work between any two of its steps: statements, commits and questions to rules."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

MOMENTS = ("before_cursor_execute", "after_cursor_execute", "commit")


class Killed(BaseException):
    """The end of a worker; nothing may catch it."""


class Killer:
    """Counts the steps of work and ends it at one of them."""

    def __init__(self, at: int) -> None:
        self.left = at

    def step(self, *_: Any, **__: Any) -> None:
        if self.left == 0:
            raise Killed
        self.left -= 1

    @contextmanager
    def watching(self, *engines: Engine) -> Iterator[None]:
        """Every step on these engines counts."""
        for engine in engines:
            for moment in MOMENTS:
                event.listen(engine, moment, self.step)
        try:
            yield
        finally:
            for engine in engines:
                for moment in MOMENTS:
                    event.remove(engine, moment, self.step)


def killed_everywhere(work: Callable[[Killer], None], most: int = 200) -> Iterator[bool]:
    """Do `work` again and again, ended one step later each time; whether it was, until it is not."""
    for at in range(most):
        try:
            work(Killer(at))
        except Killed:
            yield True
        else:
            yield False
            return
    raise AssertionError("it never ends")
