"""The relay publishes what is in the outbox, in order and once."""

import random
import threading
from datetime import UTC, datetime, timedelta

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import text

from infra.host.postgres import PostgresServer
from infra.host.valkey import ValkeyServer
from shared.bus.outbox import Fact, append, forget_confirmed, republish
from tests.integration.bus.conftest import StartProgram
from tests.integration.bus.world import GROUP, STREAM, World, all_published, outbox, running
from tests.support.waiting import until

LABELS = {"stream": STREAM, "group": GROUP}
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_events_come_out_of_the_outbox_in_order_as_cloud_events(world: World) -> None:
    told = Fact("test.happened", "a game", {"n": 7, "nested": {"é": [1, None]}}, TRACE)
    with world.engine.begin() as connection:
        append(connection, outbox, [told])
    world.say(1, 2, 3)
    with running(world.relay().run):
        all_published(world)
    first = world.events()[0]
    assert (first.id, first.type, first.source, first.subject) == (
        told.event_id,
        told.type,
        "/sessions",
        "a game",
    )
    assert (first.time, first.data, first.traceparent) == (told.occurred_at, told.data, TRACE)
    assert world.numbers() == [7, 1, 2, 3]
    on_stream = [stream_id.decode() for stream_id, _ in world.redis.xrange(STREAM)]
    assert [row.stream_id for row in world.rows("SELECT stream_id FROM outbox ORDER BY id")] == on_stream


def test_writers_that_commit_out_of_order_lose_nothing(world: World) -> None:
    chance = random.Random(98)
    delays = [[chance.uniform(0, 0.02) for _ in range(25)] for _ in range(12)]

    def write(writer: int) -> None:
        for n, delay_s in enumerate(delays[writer]):
            with world.engine.begin() as connection:
                append(connection, outbox, [Fact("test.happened", f"game {writer}", {"n": n})])
                connection.execute(text("SELECT pg_sleep(:delay)"), {"delay": delay_s})

    with running(world.relay().run):
        writers = [threading.Thread(target=write, args=(writer,)) for writer in range(12)]
        for thread in writers:
            thread.start()
        for thread in writers:
            thread.join()
        all_published(world)
    events = world.events()
    assert len(events) == 12 * 25
    for writer in range(12):
        assert [e.data["n"] for e in events if e.subject == f"game {writer}"] == list(range(25))


def test_two_relays_publish_in_order_and_the_second_takes_over(world: World, start: StartProgram) -> None:
    first = start("relay")
    world.say(0)
    all_published(world)
    with running(world.relay().run):
        for n in range(1, 100):
            world.say(n)
            if n == 50:
                first.kill()
        all_published(world)
    assert world.numbers() == list(range(100))


def test_a_relay_killed_between_adding_and_marking_publishes_once(world: World, start: StartProgram) -> None:
    world.say(1, 2, 3)
    with world.engine.connect() as connection:
        # The relay may read these rows and not mark them, as long as this transaction lasts.
        connection.execute(text("SELECT id FROM outbox FOR UPDATE"))
        relay = start("relay")
        until(lambda: len(world.entries()) == 3)
        world.wait_for_waiting()
        relay.kill()
        world.end_waiting()
        connection.rollback()
    assert world.unpublished() == 3
    world.say(4)
    with running(world.relay().run):
        all_published(world)
    assert world.numbers() == [1, 2, 3, 4]


def test_an_add_whose_answer_is_lost_is_not_repeated(world: World) -> None:
    with running(world.relay().run):
        until(lambda: world.redis.xinfo_groups(STREAM) if world.redis.exists(STREAM) else None)
        world.redis.execute_command("CLIENT", "PAUSE", 60_000, "WRITE")
        world.say(1)
        until(lambda: _blocked_transactions(world))
        for client in _blocked_transactions(world):
            world.redis.client_kill_filter(_id=client["id"])
        world.redis.execute_command("CLIENT", "UNPAUSE")
        world.say(2)
        all_published(world)
    assert world.numbers() == [1, 2]


def _blocked_transactions(world: World) -> list[dict[str, str]]:
    return [it for it in world.redis.client_list() if it["user"] == "sessions" and "b" in it["flags"]]


def test_the_relay_is_ready_again_after_postgresql_restarts(
    world: World, postgres_server: PostgresServer
) -> None:
    with running(world.relay().run):
        world.say(1)
        all_published(world)
        world.engine.dispose()
        postgres_server.restart()
        world.say(2)
        until(lambda: world.numbers() == [1, 2])


def test_the_relay_is_ready_again_after_redis_is_killed(world: World, valkey_server: ValkeyServer) -> None:
    with running(world.relay().run):
        world.say(1)
        all_published(world)
        valkey_server.kill()
        world.say(2)
        valkey_server.restart()
        # The last second before a kill may be gone from the append-only file; then it is published again.
        until(lambda: world.numbers() == [1, 2])


def test_after_a_flush_only_what_a_group_has_not_confirmed_is_published_again(world: World) -> None:
    with running(world.relay(groups=(GROUP, "slow")).run):
        world.say(*range(10))
        all_published(world)
        confirm(world, GROUP, 10)
        confirm(world, "slow", 6)
        until(lambda: _confirmed_below(world) == _stream_id(world, 7))
        world.redis.flushall()
        until(lambda: world.numbers() == [6, 7, 8, 9])
        world.say(10)
        until(lambda: world.numbers() == [6, 7, 8, 9, 10])


def test_a_group_created_by_its_consumer_right_after_a_flush_does_not_hide_the_loss(world: World) -> None:
    with running(world.relay(upkeep_every_s=60).run):
        until(lambda: world.redis.exists(STREAM))
        world.say(*range(5))
        all_published(world)
        with world.redis.pipeline(transaction=True) as together:
            together.flushall()
            together.xgroup_create(STREAM, GROUP, id="0", mkstream=True)
            together.execute()
        world.say(5)
        until(lambda: world.numbers() == [0, 1, 2, 3, 4, 5])


def test_a_lost_tail_alone_is_published_again(world: World) -> None:
    world.say(*range(10))
    with running(world.relay().run):
        all_published(world)
    entries = world.redis.xrange(STREAM)
    # A failover or a crash leaves the stream as it was a moment ago.
    world.redis.delete(STREAM)
    for entry_id, fields in entries[:7]:
        world.redis.xadd(STREAM, fields, id=entry_id)
    world.redis.xgroup_create(STREAM, GROUP, id="0")
    with running(world.relay().run):
        until(lambda: world.numbers() == list(range(10)))
        world.say(10)
        until(lambda: world.numbers() == list(range(11)))
    assert world.redis.xrange(STREAM)[:7] == entries[:7]


def test_nothing_is_trimmed_that_a_group_has_not_had(world: World) -> None:
    with running(world.relay(groups=(GROUP, "slow"), keep_s=0).run):
        world.say(*range(10))
        all_published(world)
        confirm(world, GROUP, 10)
        assert len(confirm(world, "slow", 4)) == 4
        until(lambda: world.numbers() == [4, 5, 6, 7, 8, 9])
        # Delivered and not confirmed is not had either.
        world.redis.xreadgroup("slow", "other", {STREAM: ">"}, count=6)
        world.say(10)
        until(lambda: _confirmed_below(world) is not None and world.numbers()[-1] == 10)
        assert world.numbers() == [4, 5, 6, 7, 8, 9, 10]
        world.redis.xack(STREAM, "slow", *[entry_id for entry_id, _ in world.redis.xrange(STREAM)])
        until(lambda: world.numbers() == [10])


def test_what_is_young_stays_for_readers_without_a_group(world: World) -> None:
    with running(world.relay(keep_s=60).run):
        world.say(1, 2)
        all_published(world)
        last = confirm(world, GROUP, 2)[-1]
        until(lambda: _confirmed_below(world) > last)
    assert world.numbers() == [1, 2]


def test_a_full_stream_takes_no_more_until_a_group_has_caught_up(world: World) -> None:
    with running(world.relay(groups=(GROUP, "slow"), max_entries=10, batch=4).run):
        world.say(*range(15))
        until(lambda: world.numbers() == list(range(8)))
        confirm(world, GROUP, 8)
        confirm(world, "slow", 3)
        until(lambda: world.numbers() == list(range(3, 12)))
        assert world.unpublished() == 3
        confirm(world, "slow", 8)
        confirm(world, GROUP, 8)
        all_published(world)
    assert world.numbers()[-3:] == [12, 13, 14]


def test_a_stream_of_heavy_events_is_full_by_their_weight(world: World) -> None:
    """Two hundred actions in one batch are one event of many kilobytes, and requests need memory too."""
    heavy = [Fact("test.happened", "game", {"n": n, "weight": "x" * 50_000}) for n in range(40)]

    def write(facts: list[Fact]) -> None:
        with world.engine.begin() as connection:
            append(connection, outbox, facts)

    def caught_up() -> bool:
        confirm(world, GROUP, 40)
        confirm(world, "slow", 40)
        return world.unpublished() == 0

    with running(world.relay(groups=(GROUP, "slow"), max_bytes=1_000_000, batch=2).run):
        write(heavy[:10])
        all_published(world)
        write(heavy[10:])
        until(lambda: world.redis.xlen(STREAM) >= 16)
        write([Fact("test.happened", "game", {"n": 40})])
        until(lambda: world.redis.xlen(STREAM) + world.unpublished() == 41)
        assert world.redis.memory_usage(STREAM) < 1_300_000
        assert world.unpublished() > 15
        until(caught_up)


def test_a_missing_group_is_created_to_read_from_the_start(world: World) -> None:
    with running(world.relay().run):
        world.say(1, 2)
        all_published(world)
        world.redis.xgroup_destroy(STREAM, GROUP)
        until(lambda: world.redis.xinfo_groups(STREAM))
        assert len(confirm(world, GROUP, 10)) == 2


def test_events_since_a_time_can_be_published_again(world: World) -> None:
    then = datetime.now(UTC)
    old = Fact("test.happened", "game", {"n": 0}, occurred_at=then - timedelta(hours=1))
    with world.engine.begin() as connection:
        append(connection, outbox, [old])
    with running(world.relay().run):
        world.say(1, 2)
        all_published(world)
        with world.engine.begin() as connection:
            assert republish(connection, then) == 2
        until(lambda: world.numbers() == [0, 1, 2, 1, 2])


def test_only_confirmed_events_can_be_forgotten(world: World) -> None:
    with running(world.relay().run):
        world.say(*range(5))
        all_published(world)
        last = confirm(world, GROUP, 3)[-1]
        until(lambda: _confirmed_below(world) > last)
    world.say(5)
    with world.engine.begin() as connection:
        assert forget_confirmed(connection, STREAM, datetime.now(UTC) + timedelta(minutes=1)) == 3
    assert [row.n for row in world.rows("SELECT data->>'n' AS n FROM outbox ORDER BY id")] == ["3", "4", "5"]


def test_the_relay_measures_what_an_operator_has_to_know(world: World) -> None:
    def shows(name: str, value: float, **labels: str) -> bool:
        return REGISTRY.get_sample_value(name, {"stream": STREAM, **labels}) == value

    with running(world.relay().run):
        world.say(1, 2, 3)
        all_published(world)
        world.redis.xreadgroup(GROUP, "reader", {STREAM: ">"}, count=1)
        world.redis.xadd(f"dead.{STREAM}.{GROUP}", {"event": "{}"})
        until(lambda: shows("ninety8_bus_pending", 1, group=GROUP))
        until(lambda: shows("ninety8_bus_lag", 2, group=GROUP))
        until(lambda: shows("ninety8_bus_dead_letters", 1, group=GROUP))
        until(lambda: (REGISTRY.get_sample_value("ninety8_bus_pending_age_seconds", LABELS) or 0) > 0.1)
        assert shows("ninety8_bus_outbox_unpublished", 0)
        assert shows("ninety8_bus_relay_leading", 1)
    assert shows("ninety8_bus_relay_leading", 0)


def test_a_relay_needs_a_declared_group(world: World) -> None:
    with pytest.raises(ValueError, match="no group"):
        world.relay(groups=())


def confirm(world: World, group: str, count: int) -> list[str]:
    """Read up to `count` entries as `group` and confirm them; their ids."""
    found = world.redis.xreadgroup(group, "reader", {STREAM: ">"}, count=count)
    ids = [entry_id for entry_id, _ in found.get(STREAM.encode(), [])]
    if ids:
        world.redis.xack(STREAM, group, *ids)
    return [entry_id.decode() for entry_id in ids]


def _confirmed_below(world: World) -> str:
    rows = world.rows("SELECT confirmed_below FROM relay")
    return str(rows[0][0]) if rows else ""


def _stream_id(world: World, place: int) -> str:
    return str(world.rows("SELECT stream_id FROM outbox ORDER BY id")[place - 1][0])
