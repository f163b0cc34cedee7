"""The event stream format of the WHATWG: bytes as they come in, messages as they are complete."""

import codecs
import re
from dataclasses import dataclass

LONGEST_CHARACTERS = 8 * 1024 * 1024
_LINE_END = re.compile(r"\r\n|\n|\r")


class TooLong(ValueError):
    """A message that does not end within `LONGEST_CHARACTERS`."""


@dataclass(frozen=True, slots=True)
class Message:
    """One complete event; `id` is the last one the stream has named, which reading resumes after."""

    event: str
    data: str
    id: str


class EventStream:
    """Reads one stream; however its bytes are cut into pieces, the messages are the same.

    `retry_ms` is how long the server wants readers to wait before they come back, once it has said so.
    """

    def __init__(self) -> None:
        self.retry_ms: int | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._rest = ""
        self._after_cr = False
        self._id = ""
        self._event = ""
        self._data: list[str] = []
        self._pending_characters = 0

    def feed(self, piece: bytes) -> list[Message]:
        """The messages that `piece` completes; raises `TooLong`."""
        text = self._decoder.decode(piece)
        if self._after_cr and text:
            # A CR has ended its line at once; the LF that may belong to it ends nothing more.
            self._after_cr = False
            text = text.removeprefix("\n")
        if not text:
            return []
        self._after_cr = text.endswith("\r")
        *lines, self._rest = _LINE_END.split(self._rest + text)
        messages = [message for line in lines if (message := self._line(line)) is not None]
        if self._pending_characters + len(self._rest) > LONGEST_CHARACTERS:
            raise TooLong(f"over {LONGEST_CHARACTERS} characters in one message")
        return messages

    def _line(self, line: str) -> Message | None:
        if not line:
            return self._dispatched()
        name, _, value = line.partition(":")
        self._field(name, value.removeprefix(" "))
        return None

    def _field(self, name: str, value: str) -> None:
        """Take a field in; a comment is one without a name, and names not known mean nothing."""
        match name:
            case "event":
                self._event = value
            case "data":
                self._data.append(value)
                self._pending_characters += len(value) + 1
            case "id" if "\0" not in value:
                self._id = value
            case "retry" if value.isascii() and value.isdecimal():
                self.retry_ms = int(value)

    def _dispatched(self) -> Message | None:
        event, data = self._event, self._data
        self._event, self._data, self._pending_characters = "", [], 0
        if not data:
            return None
        return Message(event or "message", "\n".join(data), self._id)
