"""What sessions tells others: every event fits its schema and its envelope, and carries nobody's name."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import orjson
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

import shared.contracts
from services.sessions.application.purge import sweep
from services.sessions.bootstrap import SESSIONS_EVENTS
from shared.bus.relay import Relay
from tests.integration.sessions.running import running
from tests.integration.sessions.world import LONG_AGO, World, eventually, now
from tests.support.api import action, play

SCHEMAS = Path(shared.contracts.__file__).parent / "schemas"


@pytest.fixture
def told(world: World) -> list[dict[str, Any]]:
    """Everything that the life of a game tells, as it stands on the stream."""
    account_id = uuid4()
    table = world.new_game(account_id)
    confirm = action("confirm")
    table.send(play("up1", 7), play("down1", confirmed=True), action("draw"), action("end_turn"), device="A")
    table.send(action("block"), confirm)
    table.send(action("undo", target=confirm["id"]))
    world.games().bin(account_id, table.id)
    world.games().restore(account_id, table.id)
    world.games(lambda: now() - LONG_AGO).bin(account_id, table.id)
    relay = Relay(world.web, world.valkey.url("sessions"), SESSIONS_EVENTS, "/sessions", upkeep_every_s=0.1)
    with running(world.consumer().run, relay.run):
        event = world.hear("accounts.account.deleted", account_id)
        eventually(lambda: world.is_handled(event))
        eventually(lambda: last_told(world, account_id, table.id) == "sessions.games.orphaned")
        sweep(world.purge, now())
        eventually(lambda: last_told(world, account_id, table.id) == "sessions.game.purged")
    return on_stream(world, account_id, table.id)


def on_stream(world: World, *subjects: UUID) -> list[dict[str, Any]]:
    """The events about `subjects`, in order."""
    entries = [orjson.loads(fields[b"event"]) for _, fields in world.redis.xrange(SESSIONS_EVENTS)]
    return [event for event in entries if event["subject"] in map(str, subjects)]


def last_told(world: World, *subjects: UUID) -> str:
    told = on_stream(world, *subjects)
    return str(told[-1]["type"]) if told else ""


def validate(name: str, document: dict[str, Any]) -> None:
    schema = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(document)


def test_the_life_of_a_game_is_told_in_order_and_each_event_fits_its_schema(
    told: list[dict[str, Any]],
) -> None:
    assert [event["type"].removeprefix("sessions.") for event in told] == [
        "game.created",
        "game.advanced",
        "game.advanced",
        "game.finished",
        "game.advanced",
        "game.reopened",
        "game.binned",
        "game.restored",
        "game.binned",
        "access.ended",
        "games.orphaned",
        "game.purged",
    ]
    for event in told:
        validate("event.json", event)
        validate(f"{event['type']}.json", event["data"])
        assert event["source"] == "/sessions"


def test_no_event_carries_a_name(told: list[dict[str, Any]]) -> None:
    assert "Player" not in json.dumps(told)
