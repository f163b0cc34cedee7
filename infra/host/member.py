"""What the supervisor asks of all that it keeps running: servers and the project's own processes."""

from pathlib import Path
from typing import Protocol

from infra.host.parts import Layer


class Member(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def layer(self) -> Layer: ...
    @property
    def port(self) -> int: ...
    @property
    def metrics_port(self) -> int | None:
        """Where it serves `/metrics`."""

    @property
    def log(self) -> Path: ...
    @property
    def pid(self) -> int | None:
        """Of its first process while that lives."""

    @property
    def is_running(self) -> bool: ...
    @property
    def ending(self) -> str:
        """How it ended last, for a person."""

    def launch(self) -> None:
        """Start without waiting; what a dead one left is cleared first."""

    def is_ready(self) -> bool:
        """Whether it does its work now."""

    def is_live(self) -> bool:
        """Whether it answers at all."""

    def ask_to_end(self) -> None:
        """The first, polite signal."""

    def clear(self) -> None:
        """Kill what is left of it."""
