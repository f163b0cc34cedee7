"""Counting finished games on the real database: exact whatever happens to the job, and in whatever order."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from infra.host.postgres import PostgresServer
from infra.postgres.roles import SESSIONS
from services.sessions import bootstrap
from services.sessions.adapters.rules import Rules
from services.sessions.application.counting import BATCH, Counting
from services.sessions.application.play import Play, Sender, Sent
from services.sessions.application.purge import sweep
from services.sessions.application.recording import Recorder
from services.sessions.domain.log import By
from shared.bus.requests import NoAnswer
from shared.contracts.actions import normal
from tests.integration.accounts.world import World as Accounts
from tests.integration.sessions.conftest import migrated
from tests.integration.sessions.forks import Fork, lays, sent
from tests.integration.sessions.killing import Killer, killed_everywhere
from tests.integration.sessions.ledgers import assert_exact, due, finish, job, ledger
from tests.integration.sessions.running import running
from tests.integration.sessions.served import Served
from tests.integration.sessions.world import LONG_AGO, Table, World, eventually, now
from tests.support.api import Json, action, play
from tests.support.embedded import Urls
from tests.support.unreliable import at_once

pytestmark = pytest.mark.usefixtures("exact")


@pytest.fixture(scope="module")
def urls(postgres_server: PostgresServer) -> Urls:
    """A database of this module's own: all of it is looked at."""
    return migrated(postgres_server, SESSIONS, bootstrap.MIGRATIONS)


def undo(taken: Json) -> Json:
    return action("undo", target=taken["id"])


def test_a_finished_game_is_counted_and_what_was_due_of_it_is_settled(world: World) -> None:
    table = world.new_game(players=3)
    table.send(play("up1", 7))
    finish(table)
    assert ledger(world, table) == []
    assert job(world).sweep() == 1
    (row,) = ledger(world, table)
    assert (row["players"], row["remaining"], row["version"]) == (3, 97, table.game.head.version)
    assert (row["plays_per_turn"], row["turns"], row["counts_for_all"]) == ([1], 1, True)


def test_a_game_that_goes_on_is_not_due(world: World) -> None:
    table = world.new_game()
    table.send(play("up1", 7), action("undo"), play("up1", 8))
    table.send(action("block"))
    assert due(world) == 0


def test_running_it_again_changes_nothing(world: World) -> None:
    table = world.new_game()
    finish(table)
    assert job(world).run([table.id]).changed == 1
    before = ledger(world, table)
    assert job(world).run([table.id]).changed == 0
    assert job(world).sweep() == 0
    assert ledger(world, table) == before


def test_finish_reopen_play_on_and_finish_again_is_one_game(world: World) -> None:
    table = world.new_game()
    confirm = finish(table)
    job(world).sweep()
    assert table.send(undo(confirm)).refusal is None
    job(world).sweep()
    assert ledger(world, table) == []
    table.send(action("undo"), play("up1", 7), action("block"), action("confirm"))
    job(world).sweep()
    (row,) = ledger(world, table)
    assert row["remaining"] == 97


def test_what_came_after_the_confirmation_took_none_of_the_game_s_time(world: World) -> None:
    table = world.new_game()
    confirm = finish(table)
    job(world).sweep()
    (row,) = ledger(world, table)
    late = Play(Recorder(world.statements, world.web, world.rules, now=lambda: now() + timedelta(minutes=20)))
    table.send(undo(confirm), play=late)
    table.send(action("redo", target=confirm["id"]), play=late)
    job(world).sweep()
    (again,) = ledger(world, table)
    for name in ("confirmed_at", "duration_s", "pauses_s"):
        assert again[name] == row[name], name


def test_many_changes_before_the_job_looks_are_one(world: World) -> None:
    table = world.new_game()
    confirm = finish(table)
    for _ in range(3):
        table.send(undo(confirm))
        table.send(action("redo", target=confirm["id"]))
    assert due(world) == 7
    assert job(world).sweep() == 1
    assert len(ledger(world, table)) == 1


def test_a_game_in_the_bin_does_not_count_until_it_is_taken_out(world: World) -> None:
    table = world.new_game()
    finish(table)
    job(world).sweep()
    world.games().bin(table.account_id, table.id)
    job(world).sweep()
    assert ledger(world, table) == []
    world.games().restore(table.account_id, table.id)
    job(world).sweep()
    assert len(ledger(world, table)) == 1


def test_a_purged_game_is_taken_out_even_if_nobody_noticed_it_in_the_bin(world: World) -> None:
    table = world.new_game()
    finish(table)
    job(world).sweep()
    world.games(lambda: now() - LONG_AGO).bin(table.account_id, table.id)
    sweep(world.purge, now())
    job(world).sweep()
    assert ledger(world, table) == []


def test_a_game_that_is_gone_before_it_was_looked_at_leaves_nothing_due(world: World) -> None:
    table = world.new_game()
    finish(table)
    world.games(lambda: now() - LONG_AGO).bin(table.account_id, table.id)
    sweep(world.purge, now())
    job(world).sweep()
    assert (ledger(world, table), due(world)) == ([], 0)


def test_figures_of_a_deleted_account_go_before_its_games_do_and_no_others(world: World) -> None:
    account_id = uuid4()
    mine, other = [world.new_game(account_id) for _ in range(3)], world.new_game()
    for table in (*mine[:2], other):
        finish(table)
    job(world).sweep()
    with running(world.consumer().run):
        event = world.hear("accounts.account.deleted", account_id)
        eventually(lambda: world.is_handled(event))
    finish(mine[2])
    job(world).sweep()
    assert ledger(world, *mine) == []
    assert len(ledger(world, other)) == 1
    assert world.rows("SELECT FROM result_cells WHERE account_id = :id", id=account_id) == []
    sweep(world.purge, now())
    job(world).sweep()


def test_a_merge_and_its_undoing_move_a_game_to_another_player(world: World, accounts: Accounts) -> None:
    ana = accounts.sign_up()
    one, other = (UUID(ana.player(name)["id"]) for name in ("Ana", "Anna"))
    ben = UUID(ana.player("Ben")["id"])
    first, second = world.game_of(UUID(ana.id), [one, ben]), world.game_of(UUID(ana.id), [other, ben])
    for table in (first, second):
        finish(table)
    job(world).sweep()

    def whose(table: Table) -> Any:
        job(world).sweep()
        return ledger(world, table)[0]["player_ids"]

    with running(world.consumer().run):
        assert ana.call("POST", f"/v1/players/{other}/merge", {"into": str(one)}).status_code == 200
        eventually(lambda: whose(second) == sorted([one, ben]))
        assert whose(first) == sorted([one, ben])
        assert ana.call("POST", f"/v1/players/{other}/unmerge").status_code == 200
        eventually(lambda: whose(second) == sorted([other, ben]))


def test_a_game_is_timed_by_the_clocks_of_its_devices_as_far_as_they_can_be_right(world: World) -> None:
    table = world.new_game()
    began = now() - timedelta(hours=3)
    minutes = (0, 10, 55, 60)  # a pause of 45 minutes
    ats: list[datetime | None] = [began + timedelta(minutes=minute) for minute in minutes]
    wrong = [now() + timedelta(days=1), datetime(1970, 1, 1, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC)]
    laid = [play("up1", 7), play("up1", 9), play("up1", 11), play("up1", 13)]
    later = [play("up1", 15), action("draw"), action("end_turn")]
    sender = Sender(table.account_id, By(table.account_id))
    for made, at in zip([*laid, *later], [*ats, *wrong], strict=True):
        assert world.play().record(sender, table.id, [Sent(normal(made), at)], None).refusal is None
    finish(table)
    job(world).sweep()
    (row,) = ledger(world, table)
    assert row["duration_s"] == 15 * 60
    assert abs(row["pauses_s"] - (45 + 120) * 60) < 30


def test_two_workers_and_more_on_the_same_games_count_each_once(world: World) -> None:
    for _ in range(3):
        tables = [world.new_game() for _ in range(5)]
        for table in tables:
            finish(table)
        ids = [table.id for table in tables]
        at_once(*[partial(job(world).run, ids) for _ in range(3)], job(world).sweep, job(world).sweep)
        assert len(ledger(world, *tables)) == 5
        assert_exact(world)


def test_a_worker_that_dies_at_any_step_leaves_what_the_next_one_finishes(world: World) -> None:
    table = world.new_game()
    confirm = action("confirm")
    table.send(action("block"))
    engine, reader = world.engine("sessions"), world.engine("sessions", autocommit=True)
    worker = Counting(engine, reader, world.rules)

    def work(killer: Killer) -> None:
        """The game is in the ledger and has to go, or is not and has to come."""
        if table.game.head.result is None:
            table.send(confirm if confirm["id"] not in _ids(table) else action("redo", target=confirm["id"]))
        else:
            table.send(undo(confirm))
        with killer.watching(engine, reader):
            worker.sweep()

    kills = 0
    for was_killed in killed_everywhere(work):
        kills += was_killed
        assert (due(world) > 0) >= was_killed or _is_settled(world, table)
        job(world).sweep()
        assert_exact(world)
    assert kills > 12, "there are steps enough to die at"


def test_a_note_made_while_its_game_is_being_counted_stays(world: World) -> None:
    """The job has read the game when it is finished again: that is still due."""
    table = world.new_game()
    confirm = finish(table)
    note = "SELECT id FROM results_due WHERE game_id = :id FOR UPDATE"
    with world.held(note, id=table.id) as lock, ThreadPoolExecutor(1) as pool:
        counting = pool.submit(job(world).run, [table.id])
        eventually(lambda: world.waiting("test-sessions"), "the job is about to forget the note")
        table.send(undo(confirm))
        lock.rollback()
        assert counting.result(30).changed == 1
    assert len(ledger(world, table)) == 1
    assert due(world) == 1
    job(world).sweep()
    assert ledger(world, table) == []


def test_plays_go_on_while_the_counting_is_held(world: World) -> None:
    """No play waits for the job: it only leaves a note."""
    table = world.new_game()
    with world.owner.begin() as connection:
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtextextended('results', 0))")
        confirm = finish(table)
        table.send(undo(confirm))
        world.games().bin(table.account_id, table.id)


@pytest.mark.parametrize("kept", ["NULL", "CAST(CAST(summary AS jsonb) - 'largest_jump' AS json)"])
def test_a_game_that_finished_before_figures_were_told_is_asked_of_rules(world: World, kept: str) -> None:
    """Before there were any, or before there was one that is needed now."""
    table = world.new_game()
    table.send(play("up1", 7))
    finish(table)
    _forget_summary(world, table, kept)
    job(world).sweep()
    (row,) = ledger(world, table)
    assert row["plays_per_turn"] == [1]
    assert table.game.head.summary is not None


def test_while_rules_is_away_a_game_without_figures_stays_due_and_others_are_counted(world: World) -> None:
    class Silent:
        def ask(self, body: object, timeout_s: float) -> dict[str, Any]:
            raise NoAnswer("rules")

    untold, told = world.new_game(), world.new_game()
    for table in (untold, told):
        finish(table)
    _forget_summary(world, untold)
    away = Counting(world.web, world.statements, Rules(Silent()))
    assert away.sweep() == 2
    assert ledger(world, untold, told) == ledger(world, told)
    assert due(world) == 1
    world.games().bin(untold.account_id, untold.id)
    assert away.sweep() == 1
    assert due(world) == 0


def test_a_game_that_rules_refuses_to_sum_up_stops_no_other(world: World) -> None:
    refused, told = world.new_game(), world.new_game()
    for table in (refused, told):
        finish(table)
    _forget_summary(world, refused)
    world.rows("UPDATE games SET rules_version = '0' WHERE id = :id RETURNING id", id=refused.id)
    job(world).sweep()
    assert len(ledger(world, refused, told)) == 1
    assert due(world) == 1
    world.rows("UPDATE games SET rules_version = '1' WHERE id = :id RETURNING id", id=refused.id)


def test_more_than_a_batch_is_counted_in_one_sweep_and_a_sweep_ends_in_time(world: World) -> None:
    table = world.new_game()
    finish(table)
    copies = (
        "INSERT INTO results_due (game_id) SELECT gen_random_uuid() FROM generate_series(1, :n) RETURNING id"
    )
    world.rows(copies, n=2 * BATCH + 5)
    seconds = iter(range(100))
    hurried = Counting(world.web, world.statements, world.rules, clock=lambda: next(seconds))
    assert hurried.sweep(within_s=1.5) == BATCH
    assert job(world).sweep() == BATCH + 6
    assert len(ledger(world, table)) == 1


def test_a_side_opened_as_a_game_of_its_own_is_counted_like_any_other(world: World) -> None:
    """A game may begin with its whole log."""
    owner = Served(world).owner()
    table = Table(world, owner.account_id, UUID(owner.game_id))
    table.send(play("up1", 12))
    branch = [*lays([("up2", 12)]), action("block"), action("confirm")]
    forked = Fork(table, sent(table, branch, 0))
    forked.run()
    answer = owner.call("POST", f"/v1/conflicts/{forked.conflict_id}/reopen", {"side": "device"})
    assert answer.status_code == 201, answer.data
    opened = Table(world, owner.account_id, UUID(answer.json["id"]))
    job(world).sweep()
    assert [row["remaining"] for row in ledger(world, opened)] == [97]


def _ids(table: Table) -> set[str]:
    return {one["id"] for one in table.actions}


def _is_settled(world: World, table: Table) -> bool:
    return bool(ledger(world, table)) == (table.game.head.result is not None)


def _forget_summary(world: World, table: Table, kept: str = "NULL") -> None:
    world.rows(f"UPDATE games SET summary = {kept} WHERE id = :id RETURNING id", id=table.id)
