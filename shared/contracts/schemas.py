"""Owns the committed JSON Schemas: which there are, and what each says."""

from pathlib import Path
from typing import Any

from shared.contracts import envelope
from shared.contracts.events import EVENTS
from shared.contracts.json_schema import json_schema
from shared.contracts.messages import messages

FOLDER = Path(__file__).parent / "schemas"


def documents() -> dict[str, dict[str, Any]]:
    """Every JSON Schema by its name: the envelope, the data of each event type, each request and reply."""
    examples = tuple(envelope.example(event, data) for event in EVENTS for data in event.examples)
    found = {envelope.NAME: json_schema(envelope.Envelope, envelope.NAME, envelope.ABOUT, examples[:2])}
    for event in EVENTS:
        found[event.type] = json_schema(event.data, event.type, event.about, event.examples)
    for message in messages():
        found[message.name] = json_schema(message.body, message.name, message.about, message.examples)
    return found
