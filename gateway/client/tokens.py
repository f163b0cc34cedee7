"""The tokens of one signed-in person, and where they are kept between calls."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol, Self


@dataclass(frozen=True, slots=True)
class Tokens:
    """What signing in gives; neither value is ever shown in a message.

    A guest's token cannot be refreshed: there is none to do it with.
    """

    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False, default=None)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Self:
        """The tokens in an answer to sign-up, sign-in or refresh."""
        return cls(str(document["access_token"]), str(document["refresh_token"]))


class TokenStore(Protocol):
    """Keeps the tokens; called back whenever they change.

    `exclusively()` is a lock against every other user of the same store, other processes included:
    refresh tokens rotate, so reading, refreshing and saving is one step. It need not be reentrant.
    """

    def read(self) -> Tokens | None: ...
    def save(self, tokens: Tokens) -> None: ...
    def forget(self) -> None: ...
    @contextmanager
    def exclusively(self) -> Iterator[None]: ...


class MemoryTokens:
    """Tokens for the life of this process, shared by its threads."""

    def __init__(self, tokens: Tokens | None = None) -> None:
        self._tokens = tokens
        self._lock = threading.Lock()

    def read(self) -> Tokens | None:
        return self._tokens

    def save(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def forget(self) -> None:
        self._tokens = None

    @contextmanager
    def exclusively(self) -> Iterator[None]:
        with self._lock:
            yield
