"""Whatever dies while two stories are brought together: one resolution exactly, and no card is lost."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import LiteralString

import pytest

from services.sessions.entrypoints import tasks
from shared.jobs.celery_app import make_celery
from tests.e2e.breaking import breakable, follower, inside
from tests.support.api import Reply
from tests.support.faults import RECOVERY_S
from tests.support.following import STREAM, Follower
from tests.support.guests import owner_with_plus
from tests.support.inside import Inside
from tests.support.offline import compared, decide, decided, path_of
from tests.support.people import Person
from tests.support.splits import (
    APART,
    CONFLICT,
    GAME,
    JOINED,
    RECONCILING,
    WORKER,
    Hold,
    Split,
    asked,
    judged,
    kill_child,
    kill_worker,
    split,
    taken,
    written,
)
from tests.support.system import CHECKOUT, EmbeddedSystem
from tests.support.waiting import until

__all__ = ["breakable", "follower", "inside"]


@pytest.fixture(scope="module")
def owner(breakable: EmbeddedSystem) -> Person:
    return owner_with_plus(breakable)


# Where the worker is killed and how; whether the server forgets the statement that it waited with; how many
# resolutions there are then.
STEPS: list[tuple[str, Hold, Callable[[Inside], None], bool, int]] = [
    ("the task is taken", taken, kill_child, True, 0),
    ("rules is asked", asked, kill_worker, True, 0),
    ("rules has answered", judged, kill_child, True, 0),
    ("it is written, which nobody heard", judged, kill_worker, False, 1),
    ("it is written and not noted", written, kill_worker, True, 1),
    ("it is noted and not acknowledged", written, kill_child, False, 1),
]


def test_a_worker_that_is_killed_at_any_step_leaves_what_the_next_one_finishes(
    inside: Inside, follower: Follower, owner: Person
) -> None:
    killed: dict[str, Split] = {}
    for step, hold, kill, is_forgotten, resolutions in STEPS:
        restarts = inside.system.restarts(WORKER)
        inside.system.pause(WORKER)
        one = killed[step] = split(inside, owner, JOINED)
        with hold(one):
            kill(inside)
            if is_forgotten:
                inside.end_waiting(RECONCILING)
                assert one.resolutions == resolutions, step
        until(lambda one=one, n=resolutions: one.resolutions >= n, 15, step)  # type: ignore[misc]
        if kill is kill_worker:
            inside.wait_restarted(WORKER, restarts)
    for one in killed.values():
        one.is_settled_once("merged", [12, 1, 95, 100], follower)


def test_questions_are_opened_once_though_the_worker_is_killed_before_it_has_noted_them(
    inside: Inside, follower: Follower, owner: Person
) -> None:
    inside.system.pause(WORKER)
    one = split(inside, owner, APART)
    with written(one):
        kill_child(inside)
        inside.end_waiting(RECONCILING)
    conflict = compared(owner.api, one.path, RECOVERY_S)
    assert (conflict["status"], len(conflict["questions"]), one.resolutions) == ("needs_decision", 1, 0)
    decided(owner.api, one.path, "device")
    one.is_settled_once("settled", [1, 12, 100, 100], follower)


@contextmanager
def another_worker(system: EmbeddedSystem) -> Iterator[None]:
    """A second worker beside the system's own."""
    with (system.data / "log" / "sessions-work-2.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "services.sessions", "work"],
            cwd=CHECKOUT,
            env=os.environ | {"DATA_DIR": str(system.data)},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def ask_again(inside: Inside, one: Split) -> None:
    """Another task for the same conflict."""
    app = make_celery("sessions", inside.system.variable("SESSIONS_BROKER_URL"), [tasks.RECONCILING], {})
    with app.connection_for_write() as connection:
        app.send_task(tasks.RECONCILE, args=[[one.path.rpartition("/")[2]]], connection=connection)


def test_two_workers_and_somebody_who_decides_settle_one_conflict_once(
    inside: Inside, follower: Follower, owner: Person
) -> None:
    """All three have the answer of rules, and wait to write what it says at the same version."""
    with another_worker(inside.system), ThreadPoolExecutor(1) as pool:
        inside.system.pause(WORKER)
        one = split(inside, owner, JOINED)
        with judged(one):
            ask_again(inside, one)
            until(lambda: len(inside.waiting(RECONCILING)) == 2, RECOVERY_S, "both workers are there")
            deciding = pool.submit(decide, owner.api, one.path, "cloud")
            until(lambda: inside.waiting("sessions-web"), RECOVERY_S, "and somebody who decides")
        refused = deciding.result(30)
        assert (refused.status, refused.code) == (409, "conflict_settled")
        one.is_settled_once("merged", [12, 1, 95, 100], follower)


def test_redis_flushed_at_any_step_costs_nothing_but_time(
    inside: Inside, follower: Follower, owner: Person
) -> None:
    flushed = []
    for part in ("sessions-relay", "sessions-consume", WORKER):
        inside.system.pause(part)
        one = split(inside, owner, JOINED)
        if part != "sessions-relay":
            until(lambda one=one: "sessions.conflict.opened" in inside.told(STREAM, one.id))  # type: ignore[misc]
        inside.flush()
        inside.system.resume(part)
        flushed.append(one)
    inside.system.pause(WORKER)
    one = split(inside, owner, JOINED)
    with judged(one):
        inside.flush()
    for it in [*flushed, one]:
        it.is_settled_once("merged", [12, 1, 95, 100], follower)


def test_a_branch_is_kept_once_though_what_stores_it_or_tells_of_it_is_killed(
    inside: Inside, follower: Follower, owner: Person
) -> None:
    for part in ("sessions-web", "gateway-web"):
        one = split(inside, owner, APART, sent=False)
        restarts = inside.system.restarts(part)
        with ThreadPoolExecutor(1) as pool:
            with inside.held(GAME, one.id):
                lost = pool.submit(one.cellar.sync)
                until(lambda: inside.waiting("sessions-web"), 30, "judged, not stored")
                inside.system.kill(part)
                if part == "sessions-web":
                    inside.end_waiting(part)
            lost.exception(30)
        inside.wait_restarted(part, restarts)
        again = [path_of(patient(one.cellar.sync)) for _ in range(2)]
        assert again == [one.path] * 2
        opened = "SELECT event_id FROM outbox WHERE subject = %s AND type = 'sessions.conflict.opened'"
        assert len(inside.rows(opened, one.id)) == 1
        compared(owner.api, one.path)
        decided(owner.api, one.path, "device")
        one.is_settled_once("settled", [1, 12, 100, 100], follower)


@pytest.mark.parametrize("statement", [GAME, CONFLICT], ids=["not written", "not noted"])
def test_a_decision_counts_once_though_what_makes_it_is_killed(
    inside: Inside, follower: Follower, owner: Person, statement: LiteralString
) -> None:
    one = split(inside, owner, APART)
    compared(owner.api, one.path)
    restarts = inside.system.restarts("sessions-web")
    with ThreadPoolExecutor(1) as pool:
        with inside.held(statement, one.id):
            lost = pool.submit(decide, owner.api, one.path, "device")
            until(lambda: inside.waiting("sessions-web"), 30, "it is being decided")
            inside.system.kill("sessions-web")
            inside.end_waiting("sessions-web")
        lost.exception(30)
    assert one.resolutions <= 1
    inside.wait_restarted("sessions-web", restarts)
    answers = [patient(partial(decide, owner.api, one.path, "device")) for _ in range(2)]
    assert [answer.status for answer in answers] == [200, 200]
    assert answers[0].json == answers[1].json
    assert decide(owner.api, one.path, "cloud").code == "conflict_settled"
    one.is_settled_once("settled", [1, 12, 100, 100], follower)


def patient(ask: Callable[[], Reply]) -> Reply:
    """The answer once there is one: the same request again is safe while something is away."""
    return until(lambda: reply if (reply := ask()).status != 503 else None, RECOVERY_S, "an answer") or ask()
