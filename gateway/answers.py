"""What goes back to a client: status, headers and a body that is either here or still arriving."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import structlog
from urllib3 import BaseHTTPResponse
from urllib3.exceptions import HTTPError

from gateway.headers import Headers

PIECE_BYTES = 65_536
log = structlog.get_logger(__name__)


class Stream:
    """A body passed on in the pieces in which it arrives; closing it early ends it at its source too.

    A source that breaks off raises, so that the server breaks off the client's connection in turn: a
    shortened answer must not look like a whole one. `ended` is called once, when it is closed.
    """

    def __init__(self, response: BaseHTTPResponse, ended: Callable[[], None]) -> None:
        self._response = response
        self._ended: Callable[[], None] | None = ended
        self._pieces = response.stream(PIECE_BYTES, decode_content=False)
        self._whole = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._pieces)
        except StopIteration:
            self._whole = True
            raise
        except HTTPError as error:
            log.warning("answer_broken_off", error=type(error).__name__)
            raise

    def close(self) -> None:
        if not self._whole:
            self._response.close()
        self._response.release_conn()
        ended, self._ended = self._ended, None
        if ended:
            ended()


class Pieces(Protocol):
    """A body waited for on the event loop, where a `Stream` needs a thread; it raises when it breaks off."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None: ...


@dataclass(slots=True)
class Answer:
    """One answer on its way out."""

    status: int
    headers: Headers
    body: list[bytes] | Stream | Pieces = field(default_factory=list)

    def media_type(self) -> str:
        """The media type without its parameters, lower case; empty when there is none."""
        found = next((value for name, value in self.headers if name.lower() == "content-type"), "")
        return found.partition(";")[0].strip().lower()

    def abandon(self) -> None:
        """Nobody wants its body any more."""
        if isinstance(self.body, Stream):
            self.body.close()
