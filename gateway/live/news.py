"""Owns what an event of sessions means for those who listen."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import structlog

from gateway.live import frames, metrics
from gateway.live.frames import Frame
from gateway.live.hall import Hall
from gateway.live.listener import Listener
from gateway.live.rights import OWNER, Ended
from shared.bus.events import Event

log = structlog.get_logger(__name__)


def tell(hall: Hall, event: Event) -> None:
    """Pass `event` on to whom it concerns; one of a shape not known here makes them read the log."""
    try:
        if event.type == "sessions.access.ended":
            hall.end_rights(Ended.from_data(event.data))
        elif listeners := hall.listeners(event.subject):
            _tell(listeners, event)
    except (KeyError, TypeError, ValueError) as error:
        log.warning("event_not_understood", event_id=str(event.id), type=event.type, error=str(error))
        for listener in hall.listeners(event.subject):
            listener.doubt()


def frames_of(data: Mapping[str, Any]) -> Iterator[Frame]:
    """The entries of `sessions.game.advanced` as far as it says what each led to, which long batches do not.

    Raises KeyError or TypeError for another shape.
    """
    entries = data["entries"]
    after = [data] if len(entries) == 1 else data.get("after", ())
    if len(after) == len(entries):
        for entry, seen in zip(entries, after, strict=True):
            yield frames.entry(entry, seen["table"], seen["result"])


def _tell(listeners: Iterable[Listener], event: Event) -> None:
    match event.type:
        case "sessions.game.advanced":
            advance(listeners, event.data)
            metrics.LAG_SECONDS.observe(max(0.0, (datetime.now(UTC) - event.time).total_seconds()))
        case "sessions.game.purged":
            _end(listeners)
        case "sessions.game.binned":
            _end(it for it in listeners if it.holder.role != OWNER)


def advance(listeners: Iterable[Listener], data: Mapping[str, Any]) -> None:
    """The log of the listeners' game has grown by what `data` says."""
    known = list(frames_of(data))
    version = int(data["version"])
    for listener in listeners:
        for frame in known:
            listener.offer(frame)
        listener.hear(version)


def _end(listeners: Iterable[Listener]) -> None:
    for listener in listeners:
        listener.end("not_found")
