"""Owns the AsyncAPI 3 document: the bus as a whole, made from the streams, events and messages."""

from typing import Any

from shared.contracts import envelope
from shared.contracts.events import EVENTS, EventType, events_of
from shared.contracts.messages import CONVERSATIONS, Conversation, Message, messages
from shared.contracts.streams import GROUPS, STREAMS, Group, Stream, event_streams

Json = dict[str, Any]
REPLIES = "replies"
DEAD = "dead"

_TEXT = {"type": "string"}
_ASKING: Json = {
    "type": "object",
    "properties": {
        "cid": {**_TEXT, "description": "names the request among those of the asking process"},
        "reply_to": {**_TEXT, "description": "the stream on which the reply is awaited"},
        "deadline": {
            "type": "integer",
            "description": "milliseconds by Redis' clock; an expired request is dropped unread",
        },
    },
    "required": ["cid", "reply_to", "deadline"],
}
_ANSWERING: Json = {"type": "object", "properties": {"cid": _TEXT}, "required": ["cid"]}
_TELLING: Json = {
    "type": "object",
    "properties": {
        "only": {**_TEXT, "description": "a replayed dead letter: the group it is for; others pass it over"}
    },
}
_BURYING: Json = {
    "type": "object",
    "properties": {
        "dead.error": {**_TEXT, "description": "why it could not be handled"},
        "dead.entry": {**_TEXT, "description": "its id in the stream that it comes from"},
        "dead.deliveries": {"type": "integer"},
    },
    "required": ["dead.error", "dead.entry", "dead.deliveries"],
}


def document() -> Json:
    """The AsyncAPI document; payloads are the JSON Schemas in `schemas/`."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Ninety-Eight: the bus",
            "version": "1",
            "description": (
                "Redis Streams between the services. Delivery is at least once, in order per game. "
                "The payload stands in the field `event` or `body` of a stream entry, headers are the "
                "fields beside it. "
                "Shapes only grow; a change that is no addition is a new event type."
            ),
        },
        "defaultContentType": "application/json",
        "servers": {"redis": {"host": "redis:6379", "protocol": "redis"}},
        "channels": {it.key: _channel(it) for it in STREAMS} | {REPLIES: _replies(), DEAD: _dead()},
        "operations": _operations(),
        "components": {
            "messages": {it.type: _event(it) for it in EVENTS} | {it.name: _message(it) for it in messages()}
        },
    }


def _channel(stream: Stream) -> Json:
    if stream.kind == "events":
        names = [event.type for event in events_of(stream.key)]
    else:
        names = [talk.request.name for talk in CONVERSATIONS if talk.stream == stream.key]
    return {"address": stream.key, "description": stream.about, "messages": _refer(names)}


def _replies() -> Json:
    answers = [reply.name for talk in CONVERSATIONS for reply in talk.replies]
    return {
        "address": "replies.{service}.{process}",
        "description": "Where one process awaits its replies; it expires a minute after the last one.",
        "parameters": {
            "service": {"description": "the asking service"},
            "process": {"description": "a random name of the asking process"},
        },
        "messages": _refer(answers),
    }


def _dead() -> Json:
    return {
        "address": "dead.{stream}.{group}",
        "description": "What a group could not handle, with its error, for a person to replay or drop.",
        "parameters": {
            "stream": {"enum": [it.key for it in event_streams()]},
            "group": {"enum": [name for it in event_streams() for name in it.groups]},
        },
        "messages": {"letter": {"headers": _BURYING, "payload": {"$ref": f"schemas/{envelope.NAME}.json"}}},
    }


def _operations() -> Json:
    found: Json = {}
    for stream in event_streams():
        channel = {"$ref": f"#/channels/{stream.key}"}
        found[f"{stream.owner}.publish"] = {"action": "send", "channel": channel, "summary": stream.about}
        for group in GROUPS:
            if group.name in stream.groups:
                found[f"{group.name}.consume"] = {
                    "action": "receive",
                    "channel": channel,
                    "summary": group.about,
                }
    for talk in CONVERSATIONS:
        for group in GROUPS:
            if group.name in _stream(talk).groups:
                # A group answers several kinds of requests; the first one has the plain name.
                plain = f"{group.name}.respond"
                name = plain if plain not in found else f"{talk.request.name}.respond"
                found[name] = _responding(talk, group)
    return found


def _responding(talk: Conversation, group: Group) -> Json:
    replies = f"#/channels/{REPLIES}"
    return {
        "action": "receive",
        "channel": {"$ref": f"#/channels/{talk.stream}"},
        "summary": group.about,
        "reply": {
            "address": {"location": "$message.header#/reply_to"},
            "channel": {"$ref": replies},
            "messages": [{"$ref": f"{replies}/messages/{reply.name}"} for reply in talk.replies],
        },
    }


def _stream(talk: Conversation) -> Stream:
    return next(it for it in STREAMS if it.key == talk.stream)


def _event(event: EventType) -> Json:
    data: Json = {"type": {"const": event.type}, "data": {"$ref": f"schemas/{event.type}.json"}}
    return {
        "summary": event.about,
        "headers": _TELLING,
        "payload": {"allOf": [{"$ref": f"schemas/{envelope.NAME}.json"}, {"properties": data}]},
        "examples": [{"payload": envelope.example(event, data)} for data in event.examples],
    }


def _message(message: Message) -> Json:
    is_request = any(message is talk.request for talk in CONVERSATIONS)
    return {
        "summary": message.about,
        "headers": _ASKING if is_request else _ANSWERING,
        "payload": {"$ref": f"schemas/{message.name}.json"},
        "examples": [{"payload": example} for example in message.examples],
    }


def _refer(names: list[str]) -> Json:
    return {name: {"$ref": f"#/components/messages/{name}"} for name in names}
