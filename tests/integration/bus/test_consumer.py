"""A consumer lets each event take effect once, whatever breaks, and buries what it cannot handle."""

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection

from infra.host.postgres import PostgresServer
from infra.host.valkey import ValkeyServer
from shared.bus.consumer import Consumer, TemporaryFault
from shared.bus.dead_letters import DeadLetters
from shared.bus.events import Event
from shared.bus.metrics import CONSUMED
from tests.integration.bus.conftest import StartProgram
from tests.integration.bus.world import GROUP, STREAM, World, all_published, running, take_effect
from tests.support.waiting import until

Handler = Callable[[Connection, Event], None]


def consumer(world: World, handlers: Mapping[str, Handler] | None = None, **settings: Any) -> Consumer:
    group = settings.pop("group", GROUP)
    return Consumer(
        world.engine, world.url, STREAM, group, handlers or {"test.happened": take_effect}, **settings
    )


def publish(world: World, *numbers: int, kind: str = "test.happened") -> None:
    """Have a relay put events on the stream, and end."""
    world.say(*numbers, kind=kind)
    with running(world.relay().run):
        all_published(world)


def test_events_take_effect_once_and_in_order(world: World) -> None:
    with running(world.relay().run, consumer(world).run):
        for n in range(200):
            world.say(n)
        until(lambda: len(world.effects()) == 200 and world.pending() == 0)
    assert world.effects() == list(range(200))


def test_a_consumer_killed_between_reading_and_committing_handles_again(
    world: World, start: StartProgram
) -> None:
    publish(world, 1, 2, 3)
    with world.closed_gate():
        first = start("consume")
        world.wait_for_waiting()
        first.kill()
        world.end_waiting()
    assert world.pending() == 3
    assert world.effects() == []
    start("consume")
    until(lambda: world.pending() == 0 and world.effects() == [1, 2, 3])


def test_a_consumer_killed_between_committing_and_confirming_does_not_repeat_the_effect(
    world: World, start: StartProgram
) -> None:
    publish(world, 1)
    with world.closed_gate() as open_gate:
        first = start("consume")
        world.wait_for_waiting()
        world.redis.execute_command("CLIENT", "PAUSE", 60_000, "WRITE")
        open_gate()
        until(lambda: world.effects() == [1])
        first.kill()
        world.redis.execute_command("CLIENT", "UNPAUSE")
    assert world.pending() == 1, "the confirmation got through before the kill"
    start("consume")
    until(lambda: world.pending() == 0)
    assert world.effects() == [1]


def test_an_event_that_always_fails_is_buried_and_the_others_go_on(world: World) -> None:
    def fail_on_two(connection: Connection, event: Event) -> None:
        take_effect(connection, event)
        if event.data["n"] == 2:
            raise LookupError("no such thing as two")

    publish(world, 1, 2, 3)
    with running(consumer(world, {"test.happened": fail_on_two}, max_deliveries=3).run):
        until(lambda: world.effects() == [1, 3] and world.pending() == 0)
    (letter,) = DeadLetters(world.redis, STREAM, GROUP).all()
    assert letter.error == "LookupError: no such thing as two"
    assert letter.deliveries == 3
    assert letter.event is not None
    assert letter.event.data == {"n": 2}


def test_an_event_that_kills_the_process_is_buried_alone(world: World, start: StartProgram) -> None:
    world.say(1)
    world.say(2, kind="test.deadly")
    publish(world, 3)
    deaths = 0
    while died(start("consume").process, world):
        deaths += 1
    assert deaths == 3
    assert world.dead() == 1
    until(lambda: world.pending() == 0)


def died(process: subprocess.Popen[bytes], world: World) -> bool:
    """Whether the process ends before everything has taken effect."""
    until(lambda: process.poll() is not None or world.effects() == [1, 3])
    return process.poll() is not None


def test_a_database_that_is_away_delays_events_and_buries_none(
    world: World, postgres_server: PostgresServer
) -> None:
    publish(world, 1, 2)
    waited = _outcomes("later")
    world.engine.dispose()
    postgres_server.kill()
    with running(consumer(world, max_deliveries=2).run):
        until(lambda: world.pending() == 2)
        # By then the first of them has been tried more often than would bury it.
        until(lambda: _outcomes("later") > waited + 3)
        postgres_server.restart()
        until(lambda: world.effects() == [1, 2] and world.pending() == 0)
    assert world.dead() == 0


def _outcomes(outcome: str) -> float:
    return float(CONSUMED.labels(STREAM, GROUP, outcome)._value.get())


def test_a_temporary_fault_of_a_handler_is_not_counted(world: World) -> None:
    attempts = 0

    def broker_away(connection: Connection, event: Event) -> None:
        nonlocal attempts
        attempts += 1
        if attempts < 5:
            raise TemporaryFault("no broker")
        take_effect(connection, event)

    publish(world, 1)
    with running(consumer(world, {"test.happened": broker_away}, max_deliveries=2).run):
        until(lambda: world.effects() == [1])
    assert attempts == 5
    assert world.dead() == 0


def test_a_lost_group_is_recreated_and_caught_up(world: World) -> None:
    with running(world.relay().run, consumer(world).run):
        world.say(1, 2)
        until(lambda: world.effects() == [1, 2] and world.pending() == 0)
        world.redis.xgroup_destroy(STREAM, GROUP)
        world.say(3)
        until(lambda: world.effects() == [1, 2, 3] and world.pending() == 0)


def test_a_group_that_is_missing_at_the_start_is_created_to_read_everything(world: World) -> None:
    publish(world, 1, 2)
    with running(consumer(world).run):
        until(lambda: world.effects() == [1, 2] and world.pending() == 0)
    publish(world, 3)
    world.redis.xgroup_destroy(STREAM, GROUP)
    with running(consumer(world).run):
        until(lambda: world.effects() == [1, 2, 3] and world.pending() == 0)


def test_flushed_again_and_again_everything_takes_effect_once_and_in_order(world: World) -> None:
    with running(world.relay().run, consumer(world).run):
        for n in range(300):
            world.say(n)
            if n % 60 == 30:
                world.redis.flushall()
        until(lambda: len(world.effects()) >= 300, what="everything has taken effect")
    assert world.effects() == list(range(300))


def test_redis_killed_amid_events_everything_takes_effect_once(
    world: World, valkey_server: ValkeyServer
) -> None:
    with running(world.relay().run, consumer(world).run):
        world.say(*range(50))
        until(lambda: world.effects())
        valkey_server.kill()
        world.say(*range(50, 100))
        valkey_server.restart()
        until(lambda: len(world.effects()) >= 100)
    assert world.effects() == list(range(100))


def test_redis_paused_amid_events_everything_takes_effect_once(world: World) -> None:
    with running(world.relay().run, consumer(world).run):
        world.say(1)
        until(lambda: world.effects() == [1])
        world.redis.execute_command("CLIENT", "PAUSE", 6_500, "ALL")
        world.say(2)
        until(lambda: world.effects() == [1, 2])


@pytest.mark.parametrize("fields", [{"event": b"{nonsense"}, {"event": b"[]"}, {"other": b"x"}])
def test_what_is_not_an_event_is_buried_at_once_as_it_is(world: World, fields: dict[str, bytes]) -> None:
    world.redis.xadd(STREAM, fields)
    publish(world, 1)
    with running(consumer(world).run):
        until(lambda: world.effects() == [1] and world.pending() == 0)
    (letter,) = DeadLetters(world.redis, STREAM, GROUP).all()
    assert letter.error.startswith("malformed")
    assert letter.deliveries == 1
    assert letter.fields == {name.encode(): value for name, value in fields.items()}


def test_a_type_without_a_handler_is_confirmed_and_passed_over(world: World) -> None:
    publish(world, 1, kind="test.unheard_of")
    with running(consumer(world).run):
        until(lambda: world.redis.xinfo_groups(STREAM)[0]["lag"] == 0 and world.pending() == 0)
    assert world.effects() == []
    assert world.rows("SELECT * FROM inbox") == []
    assert world.dead() == 0


def test_an_old_form_of_an_event_is_upcast(world: World) -> None:
    def newer(event: Event) -> Event:
        return replace(event, type="test.happened.v2", data={"n": event.data["n"] + 100})

    handlers = {"test.happened.v2": take_effect}
    publish(world, 1)
    with running(consumer(world, handlers, upcasts={"test.happened": newer}).run):
        until(lambda: world.effects() == [101])


def test_what_another_consumer_left_is_taken_over(world: World) -> None:
    publish(world, 1, 2, 3)
    world.redis.xreadgroup(GROUP, "gone for good", {STREAM: ">"}, count=2)
    with running(consumer(world, claim_idle_s=0.1, claim_every_s=0.05).run):
        until(lambda: sorted(world.effects()) == [1, 2, 3] and world.pending() == 0)


def test_an_entry_that_the_stream_has_lost_is_confirmed(world: World) -> None:
    publish(world, 1, 2)
    ((_, entries),) = world.redis.xreadgroup(GROUP, f"{GROUP}-0", {STREAM: ">"}, count=1).items()
    world.redis.xdel(STREAM, entries[0][0])
    with running(consumer(world).run):
        until(lambda: world.effects() == [2] and world.pending() == 0)


def test_two_groups_both_have_every_event(world: World) -> None:
    def silently(_: Connection, __: Event) -> None:
        pass

    other = consumer(world, {"test.happened": silently}, group="other")
    with running(world.relay(groups=(GROUP, "other")).run, consumer(world).run, other.run):
        world.say(*range(20))
        until(lambda: len(world.rows("SELECT * FROM inbox WHERE consumer = 'other'")) == 20)
        until(lambda: world.effects() == list(range(20)))


def test_a_stopped_consumer_finishes_the_event_at_hand(world: World) -> None:
    publish(world, 1, 2)
    with world.closed_gate() as open_gate, running(consumer(world).run) as stop:
        world.wait_for_waiting()
        stop.set()
        open_gate()
    assert world.effects() == [1]
    assert world.pending() == 1
