"""Conflicts over HTTP: both sides, what is asked of the table, in one's language, by lists."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest

from services.sessions.application import conflicts
from tests.integration.sessions.forks import ALIKE, APART, DEVICE, fork
from tests.integration.sessions.killing import Killer
from tests.integration.sessions.opened import Open
from tests.integration.sessions.served import Owner, Served, is_refused
from tests.integration.sessions.world import World
from tests.support.api import action


@pytest.fixture
def served(world: World) -> Served:
    return Served(world)


@pytest.fixture
def owner(served: Served) -> Owner:
    return served.owner()


def test_a_conflict_shows_both_sides_and_what_is_asked(owner: Owner) -> None:
    opened = Open(owner)
    document = opened.read()
    assert document["status"] == "needs_decision"
    assert (document["base_version"], document["cloud_version"]) == (1, 2)
    cloud, device = document["cloud"], document["device"]
    assert [entry["action"]["pile"] for entry in cloud["entries"]] == ["up1"]
    assert [entry["action"]["pile"] for entry in device["entries"]] == ["up2"]
    assert [entry["outcome"]["verdict"] for entry in device["entries"]] == ["accepted"]
    assert (cloud["device"], device["device"]) == (None, DEVICE)
    assert cloud["by"] == {"account_id": str(owner.account_id)}
    assert cloud["table"]["piles"]["up1"]["top"] == 12
    assert device["table"]["piles"]["up2"]["top"] == 12
    assert datetime.fromisoformat(cloud["at"]) <= datetime.fromisoformat(device["at"])
    assert document["newer"] == "device"
    assert document["first_difference"]["turn"] == 1
    assert document["proposal"] is None
    for question in document["questions"]:
        assert question["text"]
        assert question["cloud"] != question["device"]


def test_a_conflict_nobody_has_looked_at_yet_is_pending(owner: Owner) -> None:
    document = Open(owner, run=False).read()
    assert document["status"] == "pending"
    assert document["questions"] == []
    assert document["text"] == {"summary": None, "keep_cloud": None, "keep_device": None}


def test_each_language_gets_its_own_words(owner: Owner) -> None:
    opened = Open(owner)
    told = {}
    for language in ("en", "es-ES", "it", "pt-PT", "fr", "de", "sl", "ja"):
        answer = owner.call("GET", opened.path, Accept_Language=language)
        told[language] = answer.json["text"] | {it["id"]: it["text"] for it in answer.json["questions"]}
        assert answer.headers["Content-Language"] == (language[:2] if language != "ja" else "en")
        assert answer.headers["Vary"] == "Accept-Language"
    assert told.pop("ja") == told["en"]
    for key in told["en"]:
        assert len({texts[key] for texts in told.values()}) == 7
    assert "12" in told["de"]["summary"]


def test_what_was_proved_is_told_as_long_as_it_stands(owner: Owner) -> None:
    opened = Open(owner, ALIKE)
    proof = {"plays_common": 2, "plays_cloud_only": 0, "plays_device_only": 0, "turns": 1}
    assert opened.read()["proof"] == proof
    (listed,) = owner.call("GET", "/v1/conflicts").json["items"]
    assert listed["proof"] == proof
    opened.send(action("undo"))
    assert opened.read()["proof"] is None
    assert opened.decide("merged").status_code == 200
    assert opened.read()["proof"] is None, "people decided"


def test_a_list_shows_what_a_conflict_shows_but_the_stories(owner: Owner) -> None:
    for sides, run in ((ALIKE, True), ([[("down1", 80)], [("down2", 80)]], True), (APART, False)):
        opened = Open(owner, sides, run=run)
        whole, listed = opened.read(), owner.call("GET", "/v1/conflicts").json["items"][0]
        for side in ("cloud", "device"):
            del whole[side]["entries"]
        if whole["proposal"] is not None:
            del whole["proposal"]["actions"]
        assert listed == whole


def test_a_page_takes_as_many_statements_however_many_conflicts_it_has(owner: Owner) -> None:
    world = owner.served.world

    def asked() -> int:
        counter = Killer(10_000)
        with counter.watching(world.statements):
            assert owner.call("GET", "/v1/conflicts").status_code == 200
        return 10_000 - counter.left

    def statements() -> int:
        """Without the one about the token, which is asked four times a second at most."""
        return min(asked() for _ in range(5))

    Open(owner, ALIKE)
    few = statements()
    for sides in (ALIKE, APART, ALIKE):
        for _ in range(2):
            other = world.new_game(owner.account_id)
            fork(world, sides, table=other).run()
    assert len(owner.call("GET", "/v1/conflicts").json["items"]) == 7
    assert statements() == few


def test_where_few_stand_as_asked_for_pages_may_be_short_and_none_is_left_out(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conflicts, "LOOKED_AT_ONCE", 2)
    monkeypatch.setattr(conflicts, "LOOKED_AT_MOST", 4)
    world = owner.served.world
    made = [fork(world, APART, table=world.new_game(owner.account_id)) for _ in range(11)]
    for forked in made:
        forked.run()
    for forked in (made[0], made[4], made[5]):
        decision = {"choice": "cloud"}
        answer = owner.call("POST", f"/v1/conflicts/{forked.conflict_id}/decision", decision)
        assert answer.status_code == 200
    found, cursor, pages = [], "", 0
    while cursor is not None:
        path = f"/v1/conflicts?status=settled&limit=2{cursor and f'&cursor={cursor}'}"
        page = owner.call("GET", path).json
        found += [it["id"] for it in page["items"]]
        cursor, pages = page["next_cursor"], pages + 1
    assert found == [str(made[n].conflict_id) for n in (5, 4, 0)]
    assert pages > 2


def test_a_guest_of_the_game_reads_its_conflict_and_decides_nothing(owner: Owner) -> None:
    opened = Open(owner)
    guest = owner.guest()
    assert guest.call("GET", opened.path).json["id"] == str(opened.fork.conflict_id)
    assert is_refused(guest.call("GET", "/v1/conflicts"), 403, "role_insufficient")
    for verb, body in (("decision", {"choice": "cloud"}), ("reopen", {"side": "cloud"})):
        assert is_refused(guest.call("POST", f"{opened.path}/{verb}", body), 403, "role_insufficient")


def test_conflicts_are_listed_newest_first_by_status_and_game(owner: Owner) -> None:
    first, second = Open(owner, ALIKE), Open(owner, [[("down1", 80)], [("down2", 80)]])
    third = Open(owner, [[("down1", 70)], [("down2", 70)]], run=False)
    ids = [str(it.fork.conflict_id) for it in (third, second, first)]

    def listed(**query: Any) -> list[str]:
        found, cursor = [], ""
        while cursor is not None:
            asked = "&".join(f"{key}={value}" for key, value in query.items())
            page = owner.call("GET", f"/v1/conflicts?{asked}{cursor and f'&cursor={cursor}'}").json
            found += [it["id"] for it in page["items"]]
            assert all("entries" not in it["cloud"] for it in page["items"])
            cursor = page["next_cursor"]
        return found

    assert listed() == ids
    assert listed(limit=1) == ids
    assert listed(status="pending") == ids[:1]
    assert listed(status="needs_decision", limit=1) == ids[1:2]
    assert listed(status="merged") == ids[2:]
    assert listed(game_id=owner.game_id) == ids
    assert listed(game_id=uuid4()) == []
    assert is_refused(owner.call("GET", "/v1/conflicts?status=open"), 422, "validation_failed")


def test_the_list_follows_undo_and_redo(owner: Owner) -> None:
    opened = Open(owner)
    opened.decide("device")

    def statuses() -> Iterable[tuple[str, int]]:
        for status in ("settled", "needs_decision"):
            yield status, len(owner.call("GET", f"/v1/conflicts?status={status}").json["items"])

    assert dict(statuses()) == {"settled": 1, "needs_decision": 0}
    opened.send(action("undo"))
    assert dict(statuses()) == {"settled": 0, "needs_decision": 1}
