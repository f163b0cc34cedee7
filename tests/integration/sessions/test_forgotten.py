"""What is left of a deleted account in games that others keep: nothing that says who it was."""

from uuid import UUID

import pytest

from tests.integration.sessions.served import Served
from tests.integration.sessions.sharers import Sharer, deleted, sharer
from tests.support.api import play

TABLES = {"games": "id", "seats": "game_id"}


def lays(call: object, game: str, pile: str, card: int, device: str) -> None:
    answer = call("POST", f"{game}/actions", {"actions": [play(pile, card)]}, X_Device=device)  # type: ignore[operator]
    assert answer.status_code == 200, answer.data


def devices(it: Sharer) -> list[str | None]:
    """What the log tells of devices, in order."""
    items = it.call("GET", f"{it.game}/log").json["items"]
    return [entry["by"].get("device") for entry in items]


def test_no_column_of_a_kept_game_has_the_names_of_its_table(served: Served) -> None:
    owner = served.owner()
    sharer(owner)
    before = rows(served, owner.game_id)
    assert "Ana" in before
    deleted(served.world, owner.account_id)
    after = rows(served, owner.game_id)
    assert "Ana" not in after
    assert "Ben" not in after


@pytest.mark.parametrize("gone", ["owner", "sharer", "another"])
def test_a_deleted_account_s_devices_are_called_nothing_and_guests_are_as_the_owner(
    served: Served, gone: str
) -> None:
    owner = served.owner()
    it, another = sharer(owner), sharer(owner)
    guest = owner.guest()
    lays(owner.call, owner.game, "up1", 7, "Ana's phone")
    lays(it.call, owner.game, "up1", 8, "Eva's phone")
    lays(guest.call, owner.game, "up1", 9, "Ben's phone")
    lays(another.call, owner.game, "up1", 10, "Zoe's phone")
    told = ["Ana's phone", "Eva's phone", "Ben's phone", "Zoe's phone"]
    assert devices(it) == told
    who = {"owner": owner.account_id, "sharer": it.account_id, "another": another.account_id}
    deleted(served.world, who[gone])
    reader = another if gone == "sharer" else it
    kept = {"owner": [None, told[1], None, told[3]], "sharer": [told[0], None, *told[2:]]}
    assert devices(reader) == kept.get(gone, [*told[:3], None])


def test_what_was_refused_and_what_two_devices_disagree_about_is_told_without_them_too(
    served: Served,
) -> None:
    owner = served.owner()
    it = sharer(owner)
    lays(owner.call, owner.game, "up1", 12, "Ana's phone")
    branch = {"device": "Ana's tablet", "base_version": 0, "actions": [play("up2", 12), play("up2", 3)]}
    synced = owner.call("POST", f"{owner.game}/sync", branch)
    assert synced.status_code == 202, synced.data
    paths = (f"{it.game}/parked", f"/v1/conflicts/{synced.json['conflict']['id']}")
    for path in paths:
        assert b"Ana's" in it.call("GET", path).data
    deleted(served.world, owner.account_id)
    for path in paths:
        answer = it.call("GET", path)
        assert answer.status_code == 200, answer.data
        assert b"Ana's" not in answer.data


def rows(served: Served, game_id: str) -> str:
    """Everything that is stored of the game and its seats."""
    found = [
        served.world.rows(
            f"SELECT CAST(to_json(t) AS text) AS row FROM {table} t WHERE {column} = :id",
            id=UUID(game_id),
        )
        for table, column in TABLES.items()
    ]
    return "".join(row.row for part in found for row in part)
