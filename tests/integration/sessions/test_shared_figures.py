"""Figures of games that several accounts have: each counts them, all accounts together count them once."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from infra.host.postgres import PostgresServer
from infra.postgres.roles import SESSIONS
from services.sessions import bootstrap
from services.sessions.application.rebuilding import Rebuild
from tests.integration.sessions.conftest import migrated
from tests.integration.sessions.ledgers import finish, job, ledger
from tests.integration.sessions.served import Owner, Served
from tests.integration.sessions.sharers import Sharer, counted, deleted, sharer
from tests.integration.sessions.world import Table
from tests.support.api import action, play
from tests.support.embedded import Urls

pytestmark = pytest.mark.usefixtures("exact")


@pytest.fixture(scope="module")
def urls(postgres_server: PostgresServer) -> Urls:
    """A database of this module's own: all of it is looked at."""
    return migrated(postgres_server, SESSIONS, bootstrap.MIGRATIONS)


def table_of(owner: Owner) -> Table:
    return Table(owner.served.world, owner.account_id, UUID(owner.game_id))


def finished(served: Served) -> Owner:
    """Somebody whose game is over."""
    owner = served.owner()
    finish(table_of(owner))
    return owner


def of_all(served: Served) -> int:
    """How many games all accounts together count, by the statistics."""
    token, _ = served.token(uuid4(), role="operator")
    (item,) = served.call("GET", "/v1/ops/stats", token=token).json["items"]
    assert len(served.call("GET", "/v1/ops/results?limit=200", token=token).json["items"]) == item["games"]
    return int(item["games"])


def of_account(who: Owner | Sharer) -> int:
    (item,) = who.call("GET", "/v1/stats").json["items"]
    return int(item["games"])


def test_a_shared_game_counts_for_each_account_and_once_for_all(served: Served) -> None:
    owner = finished(served)
    it, other = sharer(owner), sharer(owner, "viewer")
    before = of_all(served)
    for who in (owner, it, other):
        assert counted(served.world, who.account_id) == [owner.game_id]
        assert of_account(who) == 1
        assert [row["remaining"] for row in who.call("GET", "/v1/results").json["items"]] == [98]
    assert of_all(served) == before + 1


def test_one_shared_before_it_is_finished_counts_for_each_when_it_is(served: Served) -> None:
    owner = served.owner()
    it = sharer(owner)
    assert counted(served.world, it.account_id) == []
    it.call("POST", f"{it.game}/actions", {"actions": [action("block"), action("confirm")]})
    assert counted(served.world, it.account_id) == [owner.game_id]
    assert counted(served.world, owner.account_id) == [owner.game_id]


def test_reopened_or_put_into_the_bin_it_counts_for_nobody(served: Served) -> None:
    owner = served.owner()
    it = sharer(owner)
    confirm = finish(table_of(owner))
    assert counted(served.world, it.account_id) == [owner.game_id]
    table_of(owner).send(action("undo", target=confirm["id"]))
    assert counted(served.world, it.account_id) == []
    table_of(owner).send(action("redo", target=confirm["id"]))
    assert counted(served.world, it.account_id) == [owner.game_id]
    owner.call("DELETE", owner.game)
    assert counted(served.world, it.account_id) == []
    owner.call("POST", f"{owner.game}/restore")
    assert counted(served.world, it.account_id) == [owner.game_id]


@pytest.mark.parametrize("way", ["leaves", "is put out"])
def test_whoever_has_it_no_longer_counts_it_no_longer(served: Served, way: str) -> None:
    owner = finished(served)
    it = sharer(owner)
    assert counted(served.world, it.account_id) == [owner.game_id]
    answer = it.leaves() if way == "leaves" else owner.revoke(it.told["invitation_id"])
    assert answer.status_code == 204
    assert counted(served.world, it.account_id) == []
    assert of_account(it) == 0
    assert counted(served.world, owner.account_id) == [owner.game_id]


def test_players_are_counted_for_the_owner_alone(served: Served) -> None:
    owner = finished(served)
    player_id = uuid4()
    served.world.rows(
        "UPDATE seats SET saved_id = :player, player_id = :player"
        " WHERE game_id = :id AND seat = 0 RETURNING seat",
        player=player_id,
        id=owner.game_id,
    )
    it = sharer(owner)
    job(served.world).sweep()
    rows = {row["account_id"]: row["player_ids"] for row in ledger(served.world, table_of(owner))}
    assert rows == {owner.account_id: [player_id], it.account_id: []}
    assert [item["player_id"] for item in stats_by_player(owner)] == [str(player_id)]
    assert stats_by_player(it) == []


def stats_by_player(who: Owner | Sharer) -> list[Any]:
    return list(who.call("GET", "/v1/stats?by=player").json["items"])


def test_without_its_owner_it_counts_for_the_others_and_still_once_for_all(served: Served) -> None:
    owner = finished(served)
    first = sharer(owner)
    served.clock.turn(seconds=1)
    second = sharer(owner)
    job(served.world).sweep()
    before = of_all(served)
    deleted(served.world, owner.account_id)
    assert counted(served.world, owner.account_id) == []
    rows = {row["account_id"]: row["counts_for_all"] for row in ledger(served.world, table_of(owner))}
    assert rows == {first.account_id: True, second.account_id: False}
    assert of_all(served) == before
    first.leaves()
    job(served.world).sweep()
    assert of_all(served) == before
    second.leaves()
    job(served.world).sweep()
    assert of_all(served) == before - 1


def test_a_game_finished_after_its_owner_is_gone_counts(served: Served) -> None:
    owner = served.owner()
    it = sharer(owner)
    deleted(served.world, owner.account_id)
    sent = {"actions": [play("up1", 7), action("block"), action("confirm")]}
    assert it.call("POST", f"{it.game}/actions", sent).status_code == 200
    assert counted(served.world, it.account_id) == [owner.game_id]


def test_a_rebuild_finds_what_it_is_to_find(served: Served) -> None:
    owner, gone = finished(served), finished(served)
    sharer(owner)
    sharer(gone)
    deleted(served.world, gone.account_id)
    job(served.world).sweep()
    with served.world.owner.begin() as connection:
        connection.exec_driver_sql("DELETE FROM results")
        connection.exec_driver_sql("DELETE FROM result_cells")
    Rebuild(served.world.web, job(served.world)).run(lambda _: None)
    assert len(ledger(served.world, table_of(owner))) == 2
    assert len(ledger(served.world, table_of(gone))) == 1
