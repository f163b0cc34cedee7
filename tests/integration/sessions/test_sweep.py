"""The sweep: what it takes, what it leaves, and that it may run any number of times."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import uuid4

import pytest

from services.sessions.adapters.tables import outbox
from services.sessions.application.purge import BATCH, sweep
from shared.bus.outbox import Fact, append
from shared.web.problems import Problem
from tests.integration.sessions.running import running
from tests.integration.sessions.world import LONG_AGO, Table, World, eventually, now
from tests.support.api import action, play
from tests.support.unreliable import at_once

TABLES = ("games", "seats", "entries", "outbox")


def binned(world: World, ago: timedelta, games: int = 1) -> list[Table]:
    """Games with a log that were put into the bin that long ago."""
    made = []
    for _ in range(games):
        table = world.new_game()
        table.send(play("up1", 7), action("undo"))
        world.games(lambda: now() - ago).bin(table.account_id, table.id)
        made.append(table)
    return made


def is_whole(table: Table) -> bool:
    return [table.world.count(name, table.id) for name in TABLES] == [1, 2, 2, 3]


def is_gone(table: Table) -> bool:
    """Only the news of it is left."""
    told = [(row.type, row.data) for row in table.world.events(table.id)]
    rows = [table.world.count(name, table.id) for name in TABLES[:3]]
    return rows == [0, 0, 0] and told == [("sessions.game.purged", {"game_id": str(table.id)})]


def test_a_game_is_gone_after_thirty_days_in_the_bin_and_not_before(world: World) -> None:
    (old,) = binned(world, LONG_AGO)
    (young,) = binned(world, timedelta(days=29))
    in_play = world.new_game()
    in_play.send(play("up1", 7))
    sweep(world.purge, now())
    assert is_gone(old)
    assert is_whole(young)
    assert len(in_play.log()) == 1


def test_a_game_taken_out_of_the_bin_again_stays(world: World) -> None:
    (table,) = binned(world, LONG_AGO)
    world.games().restore(table.account_id, table.id)
    sweep(world.purge, now())
    assert len(table.log()) == 2


def test_the_games_of_a_deleted_account_go_and_nobody_else_s(world: World) -> None:
    mine, other = [world.new_game(account_id) for account_id in [uuid4()] * 2], world.new_game()
    for table in (*mine, other):
        table.send(play("up1", 7))
    with running(world.consumer().run):
        event = world.hear("accounts.account.deleted", mine[0].account_id)
        eventually(lambda: world.is_handled(event))
    assert world.events(mine[0].account_id)[-1].type == "sessions.games.orphaned"
    sweep(world.purge, now())
    assert all(map(is_gone, mine))
    assert len(other.log()) == 1


def test_more_than_one_batch_goes_in_one_sweep(world: World) -> None:
    tables = binned(world, LONG_AGO, BATCH + 5)
    assert sweep(world.purge, now()) >= len(tables)
    assert all(map(is_gone, tables))


def test_a_second_sweep_finds_nothing_to_do(world: World) -> None:
    (table,) = binned(world, LONG_AGO)
    assert sweep(world.purge, now()) >= 1
    assert sweep(world.purge, now()) == 0
    assert is_gone(table)


def test_two_sweeps_at_once_share_the_work(world: World) -> None:
    sweep(world.purge, now())
    tables = binned(world, LONG_AGO, 20)
    counts = at_once(*[lambda: sweep(world.purge, now())] * 4)
    assert sum(counts) == len(tables)
    assert all(map(is_gone, tables))


def test_a_game_that_is_being_restored_is_left_alone_for_this_time(world: World) -> None:
    sweep(world.purge, now())
    restored, other = binned(world, LONG_AGO, 2)
    with world.held("SELECT id FROM games WHERE id = :id FOR UPDATE", id=restored.id):
        assert sweep(world.purge, now()) == 1
    assert is_gone(other)
    assert is_whole(restored)


def test_a_play_that_meets_the_purge_of_its_game_finds_no_game_and_leaves_nothing(world: World) -> None:
    table = world.new_game()
    table.send(play("up1", 7))
    world.rows(
        "INSERT INTO people (account_id, deleted_at) VALUES (:id, now()) RETURNING account_id",
        id=table.account_id,
    )

    def late() -> str:
        with pytest.raises(Problem) as caught:
            table.send(play("up1", 9))
        return caught.value.code

    entries = "SELECT seq FROM entries WHERE game_id = :id FOR UPDATE"
    with world.held(entries, id=table.id) as lock, ThreadPoolExecutor(2) as pool:
        swept = pool.submit(sweep, world.purge, now())
        eventually(lambda: world.waiting("test-sessions_purge"), "the sweep has locked the game")
        played = pool.submit(late)
        eventually(lambda: world.waiting("test-sessions"), "the play has been judged")
        lock.rollback()
        assert swept.result(30) >= 1
        assert played.result(30) == "not_found"
    assert is_gone(table)


def test_events_that_nobody_needs_any_more_are_forgotten_and_others_kept(world: World) -> None:
    about = str(uuid4())
    facts = [Fact("sessions.game.binned", about, {"game_id": about}) for _ in range(3)]
    with world.web.begin() as connection:
        append(connection, outbox, facts)
    old, unconfirmed, unpublished = [fact.event_id for fact in facts]
    published = (
        "UPDATE outbox SET published_at = now() - interval '40 days', stream_id = :at"
        " WHERE event_id = :id RETURNING id"
    )
    world.rows(published, id=old, at="5-1")
    world.rows(published, id=unconfirmed, at="5-2")
    world.rows(
        "INSERT INTO relay VALUES ('sessions.events', '5-2', '5-2')"
        " ON CONFLICT (stream) DO UPDATE SET confirmed_below = '5-2' RETURNING stream"
    )
    sweep(world.purge, now())
    left = [
        row.event_id
        for row in world.rows("SELECT event_id FROM outbox WHERE subject = :id ORDER BY id", id=about)
    ]
    assert left == [unconfirmed, unpublished]
