"""Counting everything anew: an equal result, whatever was wrong, while play goes on."""

import os
import subprocess
import sys
import threading
from random import Random

import pytest

from infra.host.postgres import PostgresServer
from infra.postgres.roles import SESSIONS
from services.sessions import bootstrap
from services.sessions.application.rebuilding import Progress, Rebuild
from tests.integration.sessions.conftest import migrated
from tests.integration.sessions.ledgers import assert_cells_fit, assert_exact, due, finish, job, ledger
from tests.integration.sessions.running import running
from tests.integration.sessions.world import Table, World
from tests.support.api import action, play
from tests.support.embedded import Urls
from tests.support.system import CHECKOUT


@pytest.fixture(scope="module")
def urls(postgres_server: PostgresServer) -> Urls:
    """A database of this module's own: all of it is looked at."""
    return migrated(postgres_server, SESSIONS, bootstrap.MIGRATIONS)


@pytest.fixture
def tables(world: World) -> list[Table]:
    """Games of three accounts, counted."""
    found = [world.new_game(players=number % 3 + 1) for number in range(3)]
    found += [world.new_game(table.account_id) for table in found]
    for table in found:
        table.send(play("up1", 7))
        finish(table)
    job(world).sweep()
    return found


def rebuild(world: World) -> Progress:
    return Rebuild(world.web, job(world)).run(lambda _: None)


def damage(world: World, statement: str) -> None:
    with world.owner.begin() as connection:
        assert connection.exec_driver_sql(statement).rowcount


def test_what_is_right_stays_as_it_is(world: World, tables: list[Table]) -> None:
    before = ledger(world)
    told: list[Progress] = []
    done = Rebuild(world.web, job(world)).run(told.append)
    assert (done.changed, done.untold) == (0, 0)
    assert done.games == len(world.rows("SELECT FROM games"))
    assert [it.accounts for it in told] == list(range(1, done.of_accounts + 1))
    assert ledger(world) == before
    assert_exact(world)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM results",
        "DELETE FROM result_cells",
        "UPDATE result_cells SET games = games + 1, counts = counts * 2",
        "UPDATE results SET turns = turns + 1, player_ids = ARRAY[gen_random_uuid()]",
        "INSERT INTO result_cells SELECT gen_random_uuid(), player_id, period, starts, players, difficulty,"
        " reduced_hand, 1, 1, 1, 1, 1 FROM result_cells LIMIT 3",
        "UPDATE results SET game_id = gen_random_uuid()",
    ],
)
def test_whatever_was_wrong_is_right_then(world: World, tables: list[Table], statement: str) -> None:
    before = ledger(world)
    damage(world, statement)
    rebuild(world)
    assert_exact(world)
    key = lambda row: row["game_id"]  # noqa: E731
    assert sorted(ledger(world), key=key) == sorted(before, key=key)


def test_what_is_due_stays_due(world: World, tables: list[Table]) -> None:
    tables[0].send(action("undo"))
    rebuild(world)
    assert due(world) == 1
    job(world).sweep()
    assert_exact(world)


def test_while_games_end_and_are_taken_up_again_it_ends_with_an_equal_result(
    world: World, tables: list[Table]
) -> None:
    rounds = threading.Semaphore(0)

    def play_on(stop: threading.Event) -> None:
        chance = Random(98)
        while not stop.is_set():
            table = chance.choice(tables)
            table.send(action(chance.choice(["undo", "redo", "block", "confirm"])))
            rounds.release()

    def count(stop: threading.Event) -> None:
        while not stop.is_set():
            job(world).sweep()

    with running(play_on, count):
        for _ in range(4):
            assert rounds.acquire(timeout=30)
            rebuild(world)
    job(world).sweep()
    assert_exact(world)


def test_readers_see_whole_figures_meanwhile(world: World, tables: list[Table]) -> None:
    """The cells of an account are replaced in one transaction."""
    with running(lambda stop: [rebuild(world) for _ in range(3)] and None):
        for _ in range(20):
            assert_cells_fit(world, ledger(world))


def test_the_command_tells_how_far_it_is(world: World, tables: list[Table]) -> None:
    rows = len(ledger(world))
    damage(world, "DELETE FROM results")
    environment = {
        "SESSIONS_DATABASE_URL": world.urls["sessions"],
        "SESSIONS_REDIS_URL": world.valkey.url("sessions"),
        "DATA_DIR": os.devnull,
    }
    done = subprocess.run(
        [sys.executable, "-m", "services.sessions", "results", "rebuild"],
        cwd=CHECKOUT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    games, accounts = (
        world.rows(f"SELECT count({what}) FROM games")[0][0] for what in ("*", "DISTINCT account_id")
    )
    last = done.stdout.splitlines()[-1]
    assert last == f"accounts {accounts}/{accounts}, games {games}, changed {rows}"
    assert_exact(world)
