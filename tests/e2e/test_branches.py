"""Two devices in the cellar, one evening: what they bring in is one story, or one question to the table."""

from collections.abc import Sequence
from uuid import uuid4

import pytest

from tests.support.api import Api, Json, action, new_game, play, send, whole_log
from tests.support.copies import LogCopy
from tests.support.guests import invite, join, owner_with_plus
from tests.support.offline import (
    Phone,
    compared,
    decide,
    decided,
    lasting,
    lays,
    path_of,
    phone,
    read,
    story_of,
    told,
    tops,
)
from tests.support.people import Person
from tests.support.system import System
from tests.support.waiting import until

# Ten cards over five turns; in each the two devices tapped the two piles in an order of their own.
TURNS = [
    [("up1", 5), ("down1", 96)],
    [("up2", 8), ("down2", 91)],
    [("down1", 90), ("up1", 11)],
    [("down2", 84), ("up2", 17)],
    [("up1", 20), ("down1", 81)],
]
UNTOUCHED = [1, 1, 100, 100]


@pytest.fixture(scope="module")
def owner(system: System) -> Person:
    return owner_with_plus(system)


@pytest.fixture
def game(owner: Person) -> Json:
    return new_game(owner.api)


def evening(turns: Sequence[Sequence[tuple[str, int]]]) -> list[Json]:
    """Whole turns, under ids of their own."""
    return [it for turn in turns for it in (*lays(turn), action("draw"), action("end_turn"))]


def by_the_rules(api: Api, game: Json, actions: Sequence[Json]) -> Json:
    """The table that these actions lead to, all of them legal."""
    body = {"options": game["options"], "actions": list(actions)}
    answer = api.post(f"/v1/rulesets/{game['ruleset']}/evaluate", body)
    assert {outcome["verdict"] for outcome in answer.json["outcomes"]} <= {"accepted"}, answer.body
    table: Json = answer.json["table"]
    return table


def conflicts_of(api: Api, game: Json) -> list[Json]:
    items: list[Json] = read(api, f"/v1/conflicts?game_id={game['id']}")["items"]
    return items


def test_the_same_ten_cards_in_another_order_are_one_evening_without_a_question(
    owner: Person, game: Json
) -> None:
    one, other = phone(owner, game, "one"), phone(owner, game, "other")
    alike = evening(TURNS), evening([turn[::-1] for turn in TURNS])
    assert told(one.sync(*alike[0])) == ["accepted"] * 20
    before = one.shown
    brought = other.sync(*alike[1])
    assert told(brought) == ["duplicate"] * 20, "the log has all of it, card by card"
    assert (brought.status, brought.json["parked"]) == (200, 0)
    assert one.shown == other.shown == before
    assert conflicts_of(owner.api, game) == []
    for actions in alike:
        assert by_the_rules(owner.api, game, actions) == before["table"]


def test_ten_cards_of_which_each_device_saw_some_are_merged_without_a_question(
    owner: Person, game: Json
) -> None:
    """Both have the closed turns; of the open one each saw another pile."""
    one, other = phone(owner, game, "one"), phone(owner, game, "other")
    closed = TURNS[:4]
    assert told(one.sync(*evening(closed), play("up1", 20))) == ["accepted"] * 17
    path = path_of(other.sync(*evening([turn[::-1] for turn in closed]), play("down1", 81)))
    conflict = compared(owner.api, path)
    assert (conflict["status"], conflict["questions"]) == ("merged", [])
    log = whole_log(owner.api, game["id"])
    assert [entry["action"]["type"] for entry in log].count("resolve") == 1
    assert log[-1]["action"]["proof"]["plays_common"] == 8
    assert log[-1]["action"]["proof"]["plays_cloud_only"] == 1
    assert log[-1]["action"]["proof"]["plays_device_only"] == 1
    told_by_the_log = story_of(log)
    assert sorted(it["card"] for it in told_by_the_log if it["type"] == "play") == sorted(
        card for turn in TURNS for _, card in turn
    )
    shown = one.shown
    assert other.shown == shown
    assert by_the_rules(owner.api, game, told_by_the_log) == shown["table"]
    assert tops(shown) == [20, 17, 81, 84]


@pytest.mark.parametrize("choice", ["cloud", "device", "table"])
def test_one_card_on_two_piles_is_one_question_and_its_answer_is_on_every_device(
    owner: Person, game: Json, choice: str
) -> None:
    kitchen, cellar = phone(owner, game, "kitchen"), phone(owner, game, "cellar")
    with LogCopy(kitchen.api, game, "kitchen") as watched:
        kitchen.sync(play("up1", 12))
        path = path_of(cellar.sync(play("up2", 12), play("down1", 95)))
        conflict = compared(cellar.api, path)
        assert conflict["status"] == "needs_decision"
        assert [(it["fact"], it["pile"]) for it in conflict["questions"]] == [("top", "up1")]
        assert kitchen.shown == cellar.shown, "and nothing is decided before it is answered"
        assert tops(kitchen.shown) == [12, 1, 100, 100]

        seen = {"piles": {"up1": 12, "up2": 1, "down1": 95, "down2": 100}, "deck": 84, "hands": [5, 7]}
        more = {"table": {**seen, "active_seat": 0}} if choice == "table" else {}
        answer = decided(cellar.api, path, choice, **more)
        expected = {"cloud": [12, 1, 100, 100], "device": [1, 12, 95, 100], "table": [12, 1, 95, 100]}
        assert tops(answer) == expected[choice]
        assert kitchen.shown == cellar.shown == answer
        watched.wait_for(answer["version"])
        assert watched.tables[-1] == answer["table"], "whoever looks on sees it happen"

    third = owner.signs_in().api
    kept = read(third, path)
    assert kept["status"] == "settled"
    assert [it["action"] for it in kept["device"]["entries"]] == cellar.story
    assert [it["action"] for it in kept["cloud"]["entries"]] == kitchen.story
    for side, tabled in (("cloud", [12, 1, 100, 100]), ("device", [1, 12, 95, 100])):
        opened = third.post(f"{path}/reopen", {"side": side})
        assert opened.status == 201, opened.body
        own = read(third, opened.headers["Location"])
        assert (tops(own), own["table"]) == (tabled, kept[side]["table"])
        assert send(third, own, [play("down2", 98)]).status == 200, "a game like any other"
    assert kitchen.shown == answer


@pytest.mark.parametrize("is_behind", [False, True], ids=["in step", "behind"])
def test_a_device_that_dies_before_the_answer_and_sends_again_is_answered_alike(
    owner: Person, game: Json, is_behind: bool
) -> None:
    device = phone(owner, game, "cellar")
    if is_behind:
        phone(owner, game, "kitchen").sync(play("up1", 12))
    device.story = [play("up2", 12), play("up2", 9), play("down1", 95)]
    device.send_and_die()
    arrived = f"/v1/games/{game['id']}/parked"
    until(lambda: read(owner.api, arrived)["items"], 15, "what it sent has arrived")
    version = device.shown["version"]
    again = [device.sync() for _ in range(3)]
    if is_behind:
        assert len({it.json["conflict"]["id"] for it in again}) == 1
        assert told(again[0]) == ["accepted", "illegal_play", "accepted"]
        assert compared(owner.api, path_of(again[0]))["status"] == "needs_decision"
        again.append(device.sync())
    else:
        assert told(again[0]) == ["duplicate", "illegal_play", "duplicate"]
    assert all(it.json["outcomes"] == again[0].json["outcomes"] for it in again)
    assert len(conflicts_of(owner.api, game)) == int(is_behind), "and none with itself"
    assert device.shown["version"] == version
    assert len(read(owner.api, arrived)["items"]) == 1


def test_a_device_that_went_on_recording_while_nobody_answered_is_in_no_conflict_with_itself(
    owner: Person, game: Json
) -> None:
    device = phone(owner, game, "cellar")
    device.story = lays([("up1", 12), ("down1", 95)])
    device.send_and_die()
    until(lambda: device.shown["version"] == 2, 15, "what it sent has arrived")
    answer = device.sync(action("draw"), action("end_turn"))
    assert told(answer) == ["duplicate", "duplicate", "accepted", "accepted"]
    assert (answer.status, answer.json["version"]) == (200, 4)
    assert conflicts_of(owner.api, game) == []


def test_a_first_sync_of_two_devices_that_both_have_something_wipes_neither(owner: Person) -> None:
    """Both made the game, and another one each, before either had ever been heard of."""
    shared = {"id": str(uuid4()), "ruleset": "the-game", "players": [{"name": "Ana"}, {"name": "Ben"}]}
    phones = []
    for name, cards in (("one", [("up1", 12), ("down1", 95)]), ("other", [("up2", 12), ("down2", 91)])):
        api = owner.signs_in().api
        own = new_game(api)
        made = api.post("/v1/games", shared)
        assert made.status == 201, made.body
        assert Phone(api, own["id"], name).sync(play("up1", 50)).status == 200
        phones.append(Phone(api, made.json["id"], name, story=lays(cards)))
    first, second = (device.sync() for device in phones)
    assert told(first) == told(second) == ["accepted", "accepted"]
    conflict = compared(owner.api, path_of(second))
    assert conflict["status"] == "needs_decision"
    assert tops(phones[0].shown) == [12, 1, 95, 100]
    for side, device in zip(("cloud", "device"), phones, strict=True):
        assert [it["action"] for it in conflict[side]["entries"]] == device.story
        assert conflict[side]["device"] == device.name
    both = decided(owner.api, path_of(second), "device")
    assert tops(both) == [1, 12, 100, 91]
    names = {seat["name"] for game in read(owner.api, "/v1/games")["items"] for seat in game["players"]}
    assert {"Ana", "Ben"} < names, "and the games of their own are there as well"


@pytest.mark.parametrize("is_behind", [False, True], ids=["in step", "behind"])
def test_one_refused_action_holds_up_only_what_depends_on_it(
    owner: Person, game: Json, is_behind: bool
) -> None:
    device = phone(owner, game, "cellar")
    if is_behind:
        phone(owner, game, "kitchen").sync(play("down2", 97))
    refused, dependent = play("left", 30), play("up2", 8)
    answer = device.sync(
        play("up1", 50), refused, play("up1", 45), play("up2", 9), dependent, play("down1", 95)
    )
    verdicts = ["accepted", "pile_unknown", "illegal_play", "accepted", "illegal_play", "accepted"]
    assert told(answer) == verdicts
    if is_behind:
        assert compared(owner.api, path_of(answer))["status"] == "merged"
    shown = device.shown
    assert tops(shown) == [50, 9, 95, 97 if is_behind else 100]

    path = f"/v1/games/{game['id']}/parked"
    parked = {it["action_id"]: it for it in read(owner.api, path)["items"]}
    assert {it["code"] for it in parked.values()} == {"pile_unknown", "illegal_play"}
    assert (parked[refused["id"]]["action"], len(parked)) == (refused, 3)
    assert parked[dependent["id"]]["by"]["device"] == "cellar"
    assert device.api.call("DELETE", f"{path}/{refused['id']}").status == 204
    assert refused["id"] not in {it["action_id"] for it in read(owner.api, path)["items"]}
    assert device.shown == shown


def test_a_guest_s_branch_is_asked_of_the_owner_and_of_nobody_else(owner: Person, game: Json) -> None:
    guest = join(owner.url, invite(owner.api, game["id"]))
    phone(owner, game, "kitchen").sync(play("up1", 12))
    device = Phone(guest.api, game["id"], "Ben's phone", story=[play("up2", 12)])
    path = path_of(device.sync())
    conflict = compared(guest.api, path)
    by = {"account_id": None, "guest_id": guest.guest_id, "device": "Ben's phone"}
    assert conflict["device"]["by"] == by
    refused = decide(guest.api, path, "device")
    assert (refused.status, refused.code) == (403, "role_insufficient")
    answer = decided(owner.api, path, "device")
    assert tops(answer) == [1, 12, 100, 100]
    assert lasting(device.shown) == lasting(answer), "and sees what came of it"
