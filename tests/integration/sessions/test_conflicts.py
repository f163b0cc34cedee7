"""Conflicts over HTTP: both sides, what is asked of the table, in one's language, by lists."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest

from tests.integration.sessions.forks import ALIKE, DEVICE
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
