"""What a game's live stream says: an entry, who watches, that it ends."""

import json
from dataclasses import dataclass
from typing import cast

from gateway.client.contract import Entry, EntryWithTable, Result, Table
from gateway.client.event_stream import Message
from gateway.client.sharing import Presence


@dataclass(frozen=True, slots=True)
class EntrySeen:
    """An entry of the log, with the table and the result that it led to."""

    entry: Entry
    table: Table
    result: Result | None


@dataclass(frozen=True, slots=True)
class PresenceSeen:
    """All devices that watch the game now."""

    devices: list[Presence]


LiveEvent = EntrySeen | PresenceSeen


@dataclass(frozen=True, slots=True)
class Ended:
    """The server's word that it closes the stream."""

    code: str
    retry_after_s: float | None


def told(message: Message) -> EntrySeen | PresenceSeen | Ended | None:
    """What a message of the stream says; None for what this client does not know.

    Raises ValueError, KeyError or TypeError where it makes no sense.
    """
    match message.event:
        case "entry":
            document = json.loads(message.data)
            entry = cast("Entry", document["entry"] | {"seq": int(document["entry"]["seq"])})
            return EntrySeen(entry, document["table"], document["result"])
        case "presence":
            return PresenceSeen(list(json.loads(message.data)["devices"]))
        case "end":
            document = json.loads(message.data)
            code, asked_s = str(document["code"]), document.get("retry_after")
            return Ended(code, None if asked_s is None else float(asked_s))
    return None


def from_log(item: EntryWithTable) -> EntrySeen:
    """The same as the live stream would have said it."""
    entry = {name: value for name, value in item.items() if name not in ("table", "result")}
    return EntrySeen(cast("Entry", entry), item["table"], item["result"])
