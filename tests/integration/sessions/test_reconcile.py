"""Reconciling branches on the real database: settled once whatever happens, or asked of the table."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from services.sessions.adapters import conflict_store
from services.sessions.application import reconcile
from services.sessions.application.conflicts import Conflicts
from services.sessions.application.examining import examine
from services.sessions.application.play import Play, Sender
from services.sessions.application.reconcile import ATTEMPTS, Reconcile
from services.sessions.application.recording import Recorder
from services.sessions.domain.branch import MERGED, NEEDS_DECISION, PENDING, Conflict, Examined
from services.sessions.domain.log import By
from shared.web.problems import Problem
from tests.integration.sessions.forks import ALIKE, APART, DEVICE, Fork, fork, grown, job, lays, sent
from tests.integration.sessions.killing import Killed, Killer, killed_everywhere
from tests.integration.sessions.world import World, eventually, now
from tests.support.api import action, play
from tests.support.unreliable import at_once


def settled_by_proof(fork: Fork) -> bool:
    """Whether one entry, and one piece of news, says what was proved."""
    (resolution,) = fork.resolutions
    news = [event.data for event in fork.table.world.events(fork.table.id) if "conflict" in event.type]
    assert news == [{"game_id": str(fork.table.id), "conflict_id": str(fork.conflict_id)}]
    assert fork.stored.status == MERGED
    return "proof" in resolution


def test_what_is_proved_becomes_one_entry_that_says_so(world: World) -> None:
    forked = fork(world, ALIKE)
    assert forked.run() == MERGED
    assert settled_by_proof(forked)
    entry = forked.table.log()[-1]
    assert entry["action"]["proof"] == {
        "plays_common": 2,
        "plays_cloud_only": 0,
        "plays_device_only": 0,
        "turns": 1,
    }
    assert entry["action"]["choice"] == "merged"
    assert entry["by"] == {"account_id": forked.table.account_id, "device": DEVICE}
    assert forked.table.game.head.table["played"] == [7, 12, 90]


def test_what_cannot_be_proved_is_asked_and_the_log_stays_as_it_is(world: World) -> None:
    forked = fork(world, APART)
    before = forked.table.log()
    assert forked.run() == NEEDS_DECISION
    assert forked.table.log() == before
    stored = forked.stored
    assert stored.found is not None
    assert [it["id"] for it in stored.found["questions"]]
    assert stored.cloud_version == len(before)
    assert forked.table.send(play("down1", 80)).refusal is None, "play on the cloud's branch goes on"


def test_running_it_again_changes_nothing(world: World) -> None:
    for sides in (ALIKE, APART):
        forked = fork(world, sides)
        first = (forked.run(), forked.table.log())
        assert (forked.run(), forked.table.log()) == first


def test_what_a_second_worker_finds_at_the_same_time_is_not_new(world: World) -> None:
    """Who reads the conflict between the two would take it for another one."""
    forked = fork(world, APART)
    pending = forked.stored
    assert forked.run() == NEEDS_DECISION
    first = forked.stored
    found = Examined(first.found or {}, first.outline, first.cloud_version)
    with world.web.begin() as connection:
        later = now() + timedelta(seconds=5)
        assert conflict_store.record_found(connection, pending, NEEDS_DECISION, found, later)
    assert forked.stored == first
    assert first.updated_at > pending.updated_at


def test_two_workers_on_one_conflict_settle_it_once(world: World) -> None:
    for _ in range(5):
        forked = fork(world, ALIKE)
        workers = [job(world) for _ in range(4)]
        runs = [partial(worker.run, forked.conflict_id) for worker in workers]
        assert set(at_once(*runs)) == {MERGED}
        assert settled_by_proof(forked)


def test_a_worker_that_dies_at_any_step_leaves_what_the_next_one_finishes(world: World) -> None:
    forks: list[Fork] = []

    def work(killer: Killer) -> None:
        forks.append(fork(world, ALIKE))
        engine, reader = world.engine("sessions"), world.engine("sessions", autocommit=True)
        worker = Reconcile(engine, reader, world.rules, Play(Recorder(reader, engine, world.rules)))
        with killer.watching(engine, reader):
            worker.run(forks[-1].conflict_id)

    kills = list(killed_everywhere(work))
    assert len(kills) > 12, "there are steps enough to die at"
    assert any(one.resolutions and one.stored.status == PENDING for one in forks), (
        "also between log and status"
    )
    for forked in forks:
        forked.run()
        assert settled_by_proof(forked)


def test_a_worker_that_dies_before_it_asks_leaves_the_questions_to_the_next(world: World) -> None:
    forks: list[Fork] = []

    def work(killer: Killer) -> None:
        forks.append(fork(world, APART))
        engine, reader = world.engine("sessions"), world.engine("sessions", autocommit=True)
        worker = Reconcile(engine, reader, world.rules, Play(Recorder(reader, engine, world.rules)))
        with killer.watching(engine, reader):
            worker.run(forks[-1].conflict_id)

    assert len(list(killed_everywhere(work))) > 5
    for forked in forks:
        assert forked.run() == NEEDS_DECISION
        assert forked.resolutions == []


def test_when_the_log_goes_on_meanwhile_it_is_looked_at_again(world: World) -> None:
    forked = fork(world, ALIKE)
    moved = iter([play("down2", 95)])

    class Late(Play):
        """Somebody plays just before the first entry would be written."""

        def record(self, *args, **kwargs):  # type: ignore[no-untyped-def]
            for one in moved:
                forked.table.send(one)
            return super().record(*args, **kwargs)

    late = Late(Recorder(world.statements, world.web, world.rules))
    assert job(world, late).run(forked.conflict_id) == MERGED
    assert settled_by_proof(forked)
    assert forked.table.game.head.table["played"] == [7, 12, 90, 95]


def test_it_stays_pending_while_others_keep_moving_the_log_on(world: World) -> None:
    forked = fork(world, ALIKE)

    class Crowded(Play):
        def record(self, *args, **kwargs):  # type: ignore[no-untyped-def]
            forked.table.send(play("down2", 95), action("undo"))
            return super().record(*args, **kwargs)

    busy = Crowded(Recorder(world.statements, world.web, world.rules))
    assert job(world, busy).run(forked.conflict_id) == PENDING
    assert len(forked.table.log()) == 3 + 2 * ATTEMPTS
    assert forked.run() == MERGED


def test_a_proof_that_was_taken_back_is_not_written_again(world: World) -> None:
    forked = fork(world, ALIKE)
    forked.run()
    forked.table.send(action("undo"))
    with world.owner.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE conflicts SET status = 'pending' WHERE id = %s", (forked.conflict_id,)
        )
    assert forked.run() == NEEDS_DECISION
    assert len(forked.resolutions) == 1


def test_a_branch_that_grew_after_it_was_settled_is_looked_at_again(world: World) -> None:
    forked = fork(world, ALIKE)
    forked.run()
    grown(forked, [play("down2", 95)])
    assert forked.stored.status == PENDING
    assert forked.run() == MERGED
    assert len(forked.resolutions) == 2
    assert forked.table.game.head.table["played"] == [7, 12, 90, 95]


def test_a_guest_s_branch_that_would_take_a_result_back_is_asked_of_the_owner(world: World) -> None:
    table = world.new_game()
    base = table.send(play("up1", 7)).game.head.version
    table.send(action("block"), action("confirm"))
    forked = Fork(table, sent(table, lays([("up1", 9)]), base, guest_id=uuid4()))
    assert forked.run() == NEEDS_DECISION
    assert table.game.head.result is not None


def test_the_sweep_takes_what_has_been_pending_for_a_while_and_nothing_else(world: World) -> None:
    job(world).sweep()
    old = fork(world, ALIKE, ago=timedelta(seconds=6))
    young, binned = fork(world, ALIKE), fork(world, ALIKE, ago=timedelta(seconds=6))
    world.games().bin(binned.table.account_id, binned.table.id)
    assert job(world).sweep() >= 1
    assert [it.stored.status for it in (old, young, binned)] == [MERGED, PENDING, PENDING]
    world.games().restore(binned.table.account_id, binned.table.id)
    assert job(world).sweep() >= 1


def test_conflicts_that_fail_every_time_keep_no_other_from_being_looked_at(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More of them than one sweep takes, all older than the one that can be settled."""
    job(world).sweep()
    monkeypatch.setattr(reconcile, "BATCH", 3)
    poisoned = [fork(world, ALIKE, ago=timedelta(minutes=9 - n)) for n in range(4)]
    good = fork(world, ALIKE, ago=timedelta(minutes=1))

    class Poisoned(Reconcile):
        def run(self, conflict_id: UUID) -> str | None:
            if conflict_id in [it.conflict_id for it in poisoned]:
                raise Problem("validation_failed")
            return super().run(conflict_id)

    worker = Poisoned(world.web, world.statements, world.rules, world.play())
    assert worker.sweep() == 0
    assert worker.sweep() == 1
    assert [it.stored.status for it in (*poisoned, good)] == [PENDING] * 4 + [MERGED]
    assert worker.sweep() == 0, "they wait their turn again"


def test_a_conflict_that_kills_its_worker_waits_its_turn_again(world: World) -> None:
    job(world).sweep()
    deadly, good = (fork(world, ALIKE, ago=timedelta(minutes=9 - n)) for n in range(2))

    class Deadly(Reconcile):
        def run(self, conflict_id: UUID) -> str | None:
            if conflict_id == deadly.conflict_id:
                raise Killed
            return super().run(conflict_id)

    worker = Deadly(world.web, world.statements, world.rules, world.play())
    with pytest.raises(Killed):
        worker.sweep()
    assert worker.sweep() == 1
    assert [it.stored.status for it in (deadly, good)] == [PENDING, MERGED]


def test_two_sweeps_at_once_share_the_work(world: World) -> None:
    job(world).sweep()
    forks = [fork(world, ALIKE, ago=timedelta(seconds=6)) for _ in range(8)]
    at = now()
    # By one clock: to a sweep that begins late, what another has in hand would be overdue again.
    assert sum(at_once(*[job(world, clock=lambda: at).sweep for _ in range(4)])) == len(forks)
    assert all(settled_by_proof(forked) for forked in forks)


def test_what_was_found_of_a_branch_that_grows_just_then_is_not_kept(world: World) -> None:
    """The growth is committed while the one who found less waits for its row."""
    for _ in range(3):
        forked = fork(world, APART)
        shorter = forked.stored
        examined = examine(world.statements, world.rules, forked.table.game, shorter)
        with ThreadPoolExecutor(1) as pool:
            with world.held("SELECT id FROM conflicts WHERE id = :id FOR UPDATE", id=shorter.id) as growth:
                noted = pool.submit(_note, world, shorter, examined)
                eventually(lambda: world.waiting("test-sessions"))
                growth.execute(
                    text("UPDATE conflicts SET length = length + 1, found = NULL WHERE id = :id"),
                    {"id": shorter.id},
                )
                growth.commit()
            assert noted.result(30) is False
        assert forked.stored.status == PENDING


def _note(world: World, conflict: Conflict, examined: Examined) -> bool:
    with world.web.begin() as connection:
        return conflict_store.record_found(connection, conflict, NEEDS_DECISION, examined, now())


def test_what_was_found_long_ago_replaces_nothing_newer(world: World) -> None:
    forked = fork(world, APART)
    conflict, game = forked.stored, forked.table.game
    early = examine(world.statements, world.rules, game, conflict)
    forked.table.send(play("down2", 95))
    assert forked.run() == NEEDS_DECISION
    assert not _note(world, conflict, early)
    assert forked.stored.cloud_version == 3


def test_a_conflict_whose_game_is_gone_is_gone(world: World) -> None:
    assert job(world).run(uuid4()) is None


def test_another_conflict_s_resolution_takes_no_earlier_one_back(world: World) -> None:
    table = world.new_game()
    base = table.send(*lays([("up1", 7)])).game.head.version
    table.send(*lays([("up1", 12)]))
    first = Fork(table, sent(table, lays([("down1", 90)]), base))
    second = Fork(table, sent(table, lays([("down2", 91)]), base))
    assert [first.run(), second.run()] == [MERGED, MERGED]
    assert table.game.head.table["played"] == [7, 12, 90, 91]
    reading = Conflicts(world.statements)
    for one in (first, second):
        assert reading.get(table.account_id, one.conflict_id).status == MERGED
    table.send(action("undo"))
    statuses = [reading.get(table.account_id, one.conflict_id).status for one in (first, second)]
    assert statuses == [MERGED, NEEDS_DECISION]


def test_plays_of_others_at_the_same_time_are_all_kept(world: World) -> None:
    forked = fork(world, ALIKE)
    sender = Sender(forked.table.account_id, By(forked.table.account_id))
    assert sender.is_owner
    with ThreadPoolExecutor(2) as pool:
        run = pool.submit(forked.run)
        played = pool.submit(forked.table.send, play("down2", 95))
        assert run.result(30) == MERGED
        assert played.result(30).refusal is None
    assert forked.table.game.head.table["played"] == [7, 12, 90, 95]
