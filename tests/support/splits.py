"""Games that are told in two ways, seen from inside, and the steps at which their worker can be held."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import LiteralString

from infra.host.process import tree
from tests.support.api import Json, new_game, whole_log
from tests.support.faults import RECOVERY_S
from tests.support.following import Follower
from tests.support.inside import Inside
from tests.support.offline import Lays, Phone, compared, lays, path_of, read, tops
from tests.support.people import Person
from tests.support.waiting import until

WORKER, RECONCILING = "sessions-work", "sessions-reconcile"
GAME = "SELECT id FROM games WHERE id = %s FOR UPDATE"
CONFLICT = "SELECT id FROM conflicts WHERE game_id = %s FOR UPDATE"
ENTRIES = "SELECT seq FROM entries WHERE game_id = %s AND action ->> 'type' = 'resolve'"
# Nothing to ask about, and one card on two piles.
JOINED: tuple[Lays, Lays] = ([("up1", 12)], [("down1", 95), ("down1", 97)])
APART: tuple[Lays, Lays] = ([("up1", 12)], [("up2", 12), ("up2", 9)])


@dataclass(frozen=True, slots=True)
class Split:
    """A game that the kitchen went on with while the cellar did too."""

    inside: Inside
    owner: Person
    game: Json
    cellar: Phone

    @property
    def id(self) -> str:
        return str(self.game["id"])

    @property
    def path(self) -> str:
        """Where its one conflict lies."""
        (found,) = read(self.owner.api, f"/v1/conflicts?game_id={self.id}")["items"]
        return f"/v1/conflicts/{found['id']}"

    @property
    def resolutions(self) -> int:
        """How many entries of the log settle it."""
        return len(self.inside.rows(ENTRIES, self.id))

    def is_settled_once(self, status: str, tabled: list[int], follower: Follower) -> None:
        """One conflict, one entry that settles it, told once; both stories are there to be read."""
        conflict = compared(self.owner.api, self.path, RECOVERY_S)
        stored = "SELECT status FROM conflicts WHERE game_id = %s"
        until(lambda: self.inside.rows(stored, self.id) == [(status,)], RECOVERY_S, "the status is noted")
        assert conflict["status"] == status
        assert [it["action"] for it in conflict["device"]["entries"]] == self.cellar.story
        assert conflict["cloud"]["table"]
        assert self.resolutions == 1
        settled = "SELECT event_id FROM outbox WHERE subject = %s AND type = 'sessions.conflict.settled'"
        assert len(self.inside.rows(settled, self.id)) == 1
        assert tops(self.cellar.shown) == tabled
        parked = read(self.owner.api, f"/v1/games/{self.id}/parked")["items"]
        assert len(parked) == 1
        follower.wait_for({self.id: whole_log(self.owner.api, self.id)})


def split(inside: Inside, owner: Person, sides: tuple[Lays, Lays], *, sent: bool = True) -> Split:
    """A new one; the cellar has sent its story unless told otherwise."""
    game = new_game(owner.api)
    cellar = Phone(owner.api, game["id"], "cellar", story=lays(sides[1]))
    assert Phone(owner.api, game["id"], "kitchen").sync(*lays(sides[0])).status == 200
    if sent:
        path_of(cellar.sync())
    return Split(inside, owner, game, cellar)


# Lets the paused worker go on to a step and keeps it there.
Hold = Callable[[Split], AbstractContextManager[None]]


@contextmanager
def taken(one: Split) -> Iterator[None]:
    """The worker has the task, and has not read the conflict yet."""
    with one.inside.connect() as connection, connection.transaction(force_rollback=True):
        connection.execute("LOCK TABLE conflicts IN ACCESS EXCLUSIVE MODE")
        one.inside.system.resume(WORKER)
        until(lambda: one.inside.waiting(RECONCILING), RECOVERY_S, "the task is taken")
        yield


@contextmanager
def asked(one: Split) -> Iterator[None]:
    """Rules was asked to compare both stories, and has not answered."""
    system = one.inside.system
    system.pause("rules-respond")
    try:
        with one.inside.redis() as client:
            before = client.xinfo_stream("rules.requests")["last-generated-id"]
            system.resume(WORKER)
            until(
                lambda: client.xinfo_stream("rules.requests")["last-generated-id"] != before,
                RECOVERY_S,
                "rules is asked",
            )
        yield
    finally:
        system.resume("rules-respond")


@contextmanager
def judged(one: Split) -> Iterator[None]:
    """Rules has answered, and the worker is about to write what was proved."""
    with _held(one, GAME):
        yield


@contextmanager
def written(one: Split) -> Iterator[None]:
    """What was proved is in the log, if anything was; the worker is about to note how the conflict stands."""
    with _held(one, CONFLICT):
        yield


@contextmanager
def _held(one: Split, statement: LiteralString) -> Iterator[None]:
    with one.inside.held(statement, one.id):
        one.inside.system.resume(WORKER)
        until(lambda: one.inside.waiting(RECONCILING), RECOVERY_S, "the worker is held")
        yield


def kill_worker(inside: Inside) -> None:
    """All of it, as a machine would; the host starts another."""
    inside.system.kill(WORKER)


def kill_child(inside: Inside) -> None:
    """Only the process that does the task; the worker gives it to another."""
    for pid in tree(inside.system.pid(WORKER))[1:]:
        os.kill(pid, signal.SIGKILL)
