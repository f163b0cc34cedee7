"""Owns the envelope of events as a schema: CloudEvents 1.0; `shared.bus.events` reads and writes it."""

from typing import Any

from marshmallow import INCLUDE, Schema, fields, validate

from shared.contracts.events import EventType

NAME = "event"
ABOUT = "The envelope of every event: CloudEvents 1.0 in JSON."


class Envelope(Schema):
    """What stands in the field `event` of a stream entry."""

    class Meta:
        unknown = INCLUDE

    specversion = fields.String(required=True, validate=validate.Equal("1.0"))
    id = fields.UUID(required=True, metadata={"description": "the same however often it is delivered"})
    type = fields.String(required=True)
    source = fields.String(required=True, validate=validate.OneOf(["/sessions", "/accounts"]))
    subject = fields.UUID(required=True, metadata={"description": "the game or account that it is about"})
    time = fields.AwareDateTime(required=True, metadata={"description": "when it occurred"})
    datacontenttype = fields.String(validate=validate.Equal("application/json"))
    dataschema = fields.String(metadata={"description": "the schema of data, below shared/contracts"})
    data = fields.Dict(required=True)
    traceparent = fields.String(metadata={"description": "W3C trace context of what caused it"})


def example(event: EventType, data: dict[str, Any]) -> dict[str, Any]:
    """`data` in an envelope."""
    service = event.type.partition(".")[0]
    return {
        "specversion": "1.0",
        "id": "01890f3c-8a00-7000-8000-00000000e001",
        "type": event.type,
        "source": f"/{service}",
        "subject": data.get("game_id") or data.get("account_id") or data["id"],
        "time": "2026-05-04T18:30:00.125Z",
        "datacontenttype": "application/json",
        "dataschema": f"/schemas/{event.type}.json",
        "data": data,
    }
