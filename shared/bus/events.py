"""Owns the envelope of an event: CloudEvents 1.0 in JSON, the field `event` of a stream entry."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from orjson import Fragment

SPEC_VERSION = "1.0"
# Event types end in .v2, .v3 … when a change could not be an addition; the first form has no ending.
Upcasts = Mapping[str, Callable[["Event"], "Event"]]


class MalformedEvent(Exception):
    """Not an event in this envelope; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event as consumers get it: `time` (aware) is when it occurred, `subject` is whom it is about."""

    id: UUID
    type: str
    source: str
    subject: str
    time: datetime
    data: dict[str, Any]
    traceparent: str | None = None
    specversion: str = SPEC_VERSION

    @property
    def dataschema(self) -> str:
        """Where the schema of `data` is found, relative to `shared/contracts`."""
        return schema_of(self.type)

    def to_json(self) -> bytes:
        """The envelope as JSON."""
        return envelope(
            str(self.id), self.type, self.source, self.subject, self.time, self.data, self.traceparent
        )

    @classmethod
    def from_json(cls, text: bytes) -> "Event":
        """The event in `text`; raises MalformedEvent. Attributes unknown here are passed over."""
        try:
            document = orjson.loads(text)
        except orjson.JSONDecodeError as error:
            raise MalformedEvent(f"not JSON: {error}") from None
        if not isinstance(document, dict):
            raise MalformedEvent("not an object")
        try:
            event = cls(
                id=UUID(document["id"]),
                type=_text(document, "type"),
                source=_text(document, "source"),
                subject=_text(document, "subject"),
                time=datetime.fromisoformat(document["time"]),
                data=document["data"],
                traceparent=document.get("traceparent"),
                specversion=document["specversion"],
            )
        except KeyError as error:
            raise MalformedEvent(f"without {error.args[0]}") from None
        except (ValueError, TypeError, AttributeError) as error:
            raise MalformedEvent(str(error)) from None
        if event.specversion != SPEC_VERSION:
            raise MalformedEvent(f"specversion {event.specversion!r}")
        if event.time.tzinfo is None:
            raise MalformedEvent("time without its offset")
        if not isinstance(event.data, dict):
            raise MalformedEvent("data is not an object")
        return event


def envelope(
    event_id: str,
    kind: str,
    source: str,
    subject: str,
    time: datetime,
    data: dict[str, Any] | Fragment,
    traceparent: str | None,
) -> bytes:
    """The JSON of an event; `data` may be JSON text already, as a Fragment."""
    document: dict[str, Any] = {
        "specversion": SPEC_VERSION,
        "id": event_id,
        "type": kind,
        "source": source,
        "subject": subject,
        "time": time,
        "datacontenttype": "application/json",
        "dataschema": schema_of(kind),
        "data": data,
    }
    if traceparent is not None:
        document["traceparent"] = traceparent
    return orjson.dumps(document, option=orjson.OPT_UTC_Z)


def schema_of(kind: str) -> str:
    """Where the schema of an event type's data is found, relative to `shared/contracts`."""
    return f"/schemas/{kind}.json"


def upcast(event: Event, upcasts: Upcasts) -> Event:
    """`event` in its newest form: each function takes one old type to a newer one, and they are chained."""
    while event.type in upcasts:
        event = upcasts[event.type](event)
    return event


def _text(document: dict[str, Any], name: str) -> str:
    value = document[name]
    if not isinstance(value, str) or not value:
        raise MalformedEvent(f"{name} is not a text")
    return value
