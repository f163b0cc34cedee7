"""What leaves and reaches accounts over the bus, on a real Valkey."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import orjson
import pytest
import redis
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from sqlalchemy import Connection, func, select, text
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.exc import OperationalError

from infra.host.valkey import ValkeyServer
from services.accounts import bootstrap
from services.accounts.adapters.tables import outbox, relay
from services.accounts.application import plans, upkeep
from shared.bus.outbox import FORGET_BATCH, forget_confirmed
from shared.bus.requests import Requests
from shared.contracts.schemas import documents
from tests.integration.accounts.world import PASSWORD, Person, World
from tests.support.waiting import until


@contextmanager
def running(part: Callable[[threading.Event], None]) -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(target=part, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(10)
    assert not thread.is_alive()


def test_what_happened_is_published_in_order(world: World, anna: Person, empty_valkey: ValkeyServer) -> None:
    config = replace(world.config, redis_url=empty_valkey.url("accounts"))
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    player = anna.call("POST", "/v1/players", {"name": "Ben"}, headers={"traceparent": trace}).json
    plans.set_plan(world.parts, anna.email, "plus")
    anna.call("DELETE", "/v1/auth/tokens?everywhere=true")
    anna.take(anna.sign_in().json)
    anna.call("DELETE", "/v1/me", {"password": PASSWORD})
    reader = redis.Redis.from_url(empty_valkey.url("operator"))

    def published() -> list[dict[str, Any]]:
        entries: Any = reader.xrange("accounts.events")
        events = [orjson.loads(fields[b"event"]) for _, fields in entries]
        found = [event for event in events if event["subject"] == anna.id]
        return found if len(found) == 5 else []

    with running(lambda stop: bootstrap.relay(config, stop)):
        events = until(published, what="five events")
    assert [event["type"] for event in events] == [
        "accounts.account.created",
        "accounts.player.changed",
        "accounts.plan.changed",
        "accounts.tokens.revoked",
        "accounts.account.deleted",
    ]
    assert {event["source"] for event in events} == {"/accounts"}
    assert events[1]["data"] == {"account_id": anna.id, "player_id": player["id"]}
    assert [event.get("traceparent") for event in events[:2]] == [None, trace]
    for event in events:
        is_as_described(event["type"], event["data"])
    reader.close()


def is_as_described(name: str, document: dict[str, Any]) -> None:
    Draft202012Validator(documents()[name]).validate(document)


def test_players_are_told_to_those_who_ask(world: World, anna: Person, empty_valkey: ValkeyServer) -> None:
    config = replace(world.config, redis_url=empty_valkey.url("accounts"))
    player = anna.player("Ben", colour="#aabbcc")
    question = {"op": "players", "account_id": anna.id, "player_ids": [player["id"], str(uuid4())]}
    with running(lambda stop: bootstrap.respond(config, stop)):
        asking = Requests(empty_valkey.url("sessions"), bootstrap.REQUESTS, "sessions")
        answer = asking.ask(question, 10)
        asking.close()
    is_as_described("accounts.ask", question)
    is_as_described("accounts.say", answer)
    assert answer == {
        "players": [
            {
                "asked": player["id"],
                "id": player["id"],
                "name": "Ben",
                "colour": "#aabbcc",
                "archived": False,
            }
        ]
    }


def test_upkeep_forgets_attempts_that_are_over(world: World) -> None:
    def remembered() -> int:
        with world.engine.connect() as connection:
            return connection.exec_driver_sql("SELECT count(*) FROM attempts").scalar_one()  # type: ignore[no-any-return]

    world.call("POST", "/v1/auth/tokens", {"email": "ghost@example.org", "password": PASSWORD})
    assert remembered() == 1
    world.clock.turn(hours=1)
    with running(lambda stop: upkeep.run(world.engine, bootstrap.EVENTS, world.clock, stop, 0.05)):
        until(lambda: remembered() == 0)


def test_upkeep_forgets_old_events_in_batches_without_undoing_what_it_has_done(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever transaction fails, those before it stay."""

    def left() -> int:
        statement = select(func.count()).select_from(outbox).where(outbox.c.subject == subject)
        with world.engine.connect() as connection:
            return connection.execute(statement).scalar_one()

    subject, number = str(uuid4()), 2 * FORGET_BATCH + 1
    with world.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO outbox (event_id, type, subject, data, occurred_at, published_at, stream_id)"
                " SELECT gen_random_uuid(), 'old', :subject, '{}', :then, :then, '1-' || n"
                " FROM generate_series(1, :number) n"
            ),
            {"subject": subject, "number": number, "then": world.clock() - timedelta(days=31)},
        )
        connection.execute(
            upsert(relay)
            .values(stream=bootstrap.EVENTS, confirmed_below="2-0")
            .on_conflict_do_update(index_elements=["stream"], set_={"confirmed_below": "2-0"})
        )
    seen: list[int] = []

    def forget_twice(connection: Connection, stream: str, before: datetime) -> int:
        seen.append(left())
        if len(seen) == 3:
            raise OperationalError("DELETE", {}, Exception("broken off"))
        return forget_confirmed(connection, stream, before)

    with monkeypatch.context() as patched:
        patched.setattr(upkeep, "forget_confirmed", forget_twice)
        with running(lambda stop: upkeep.run(world.engine, bootstrap.EVENTS, world.clock, stop, 60)):
            until(lambda: len(seen) == 3)
    assert seen == [number, number - FORGET_BATCH, number - 2 * FORGET_BATCH]
    assert left() == 1
    with running(lambda stop: upkeep.run(world.engine, bootstrap.EVENTS, world.clock, stop, 60)):
        until(lambda: left() == 0)
