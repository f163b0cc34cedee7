"""What devices recorded on their own, brought in: into the log, parked, or kept as a branch in conflict."""

from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.sessions.adapters.rules import Rules
from services.sessions.application.play import Answer
from services.sessions.application.purge import sweep
from services.sessions.application.sync import Synced
from services.sessions.domain.branch import MERGED, NEEDS_DECISION, PENDING
from shared.bus.requests import NoAnswer
from shared.web.problems import Problem
from tests.integration.sessions.devices import (
    Device,
    assert_recomputable,
    branches,
    opened,
    parked,
    syncing,
    told,
)
from tests.integration.sessions.forks import job
from tests.integration.sessions.killing import Killer, killed_everywhere
from tests.integration.sessions.world import LONG_AGO, World, now
from tests.support.api import Json, action, play
from tests.support.unreliable import at_once


def forked(world: World, *elsewhere: Json) -> Device:
    """A device that has not seen what was entered elsewhere."""
    table = world.new_game()
    table.send(*(elsewhere or (play("up1", 30), play("up1", 40))))
    return Device(table)


def test_a_story_from_the_head_on_is_in_the_log_as_if_it_had_been_sent_at_once(world: World) -> None:
    table = world.new_game()
    table.send(play("up1", 7))
    device = Device(table, base=1)
    at = "2026-05-04T20:15:00Z"
    synced = device.sync(play("up1", 9), play("up1", 12, at=at), action("draw"), action("end_turn"))
    assert told(synced) == ["accepted"] * 4
    assert [outcome["seq"] for outcome in synced.outcomes] == [2, 3, 4, 5]
    assert synced.conflict_id is None
    assert synced.game == table.game
    entries = table.log()[1:]
    assert [entry["action"]["id"] for entry in entries] == [it["id"] for it in device.story]
    assert {entry["by"]["device"] for entry in entries} == {"cellar phone"}
    assert entries[1]["at"] == datetime(2026, 5, 4, 20, 15, tzinfo=UTC)
    advanced = world.events(table.id)[-1]
    assert [entry["seq"] for entry in advanced.data["entries"]] == [2, 3, 4, 5]
    assert len(advanced.data["after"]) == 4
    assert_recomputable(table)


def test_a_refused_action_is_parked_and_holds_up_nothing_that_does_not_depend_on_it(world: World) -> None:
    table = world.new_game()
    device = Device(table)
    lays = [("up1", 50), ("up1", 45), ("down1", 45), ("left", 3), ("up1", 51)]
    synced = device.sync(*(play(pile, card) for pile, card in lays))
    assert told(synced) == ["accepted", "illegal_play", "accepted", "pile_unknown", "accepted"]
    assert synced.parked == 2
    assert [it["card"] for it in table.actions] == [50, 45, 51]
    assert parked(table) == {device.story[1]["id"]: "illegal_play", device.story[3]["id"]: "pile_unknown"}
    assert_recomputable(table)


def test_a_story_of_nothing_but_refusals_is_parked_and_the_game_stays(world: World) -> None:
    table = world.new_game()
    device = Device(table)
    before = table.game
    assert told(device.sync(action("draw"), action("confirm"))) == [
        "minimum_not_played",
        "no_result_to_confirm",
    ]
    assert table.game == before
    assert len(parked(table)) == 2


def test_a_device_that_heard_no_answer_gets_it_when_it_sends_the_same_again(world: World) -> None:
    table = world.new_game()
    device = Device(table)
    first = device.sync(play("up1", 50), play("up1", 45), play("up1", 51))
    events, before = len(world.events(table.id)), table.game
    again = device.sync()
    assert told(again) == ["duplicate", "illegal_play", "duplicate"]
    assert [it.get("seq") for it in again.outcomes] == [it.get("seq") for it in first.outcomes]
    assert (table.game, len(world.events(table.id)), len(parked(table))) == (before, events, 1)


def test_its_own_entries_are_none_that_a_device_has_missed(world: World) -> None:
    """It heard no answer, went on recording, and sends all of it from the version it knows."""
    table = world.new_game()
    device = Device(table)
    device.sync(play("up1", 50), play("up1", 45), play("up1", 51))
    synced = device.sync(action("draw"), action("end_turn"))
    assert told(synced) == ["duplicate", "illegal_play", "duplicate", "accepted", "accepted"]
    assert synced.conflict_id is None
    assert table.game.head.version == 4
    assert branches(table) == []


def test_a_story_that_goes_on_after_entries_it_has_not_seen_is_kept_and_asked_about(world: World) -> None:
    device = forked(world)
    table = device.table
    before = table.game
    synced = device.sync(play("up2", 30), play("up2", 20), play("up2", 25), action("draw"))
    assert told(synced) == ["accepted", "accepted", "accepted", "accepted"]
    assert synced.conflict_id is not None
    assert table.game == before, "the conflict does not stop play on the log"
    (branch,) = branches(table)
    assert [it["id"] for it in branch.actions] == [it["id"] for it in device.story]
    assert (branch.base_version, branch.by.device) == (0, "cellar phone")
    (row,) = world.rows("SELECT status, cloud_version, found FROM conflicts WHERE game_id = :id", id=table.id)
    assert tuple(row) == (PENDING, 2, None)
    assert opened(table) == [str(synced.conflict_id)]


def test_what_was_refused_of_a_branch_is_parked_with_it(world: World) -> None:
    device = forked(world)
    synced = device.sync(play("up2", 50), play("up2", 45), play("up2", 51))
    assert told(synced) == ["accepted", "illegal_play", "accepted"]
    assert parked(device.table) == {device.story[1]["id"]: "illegal_play"}
    (branch,) = branches(device.table)
    assert [it["card"] for it in branch.standing] == [50, 51]


def test_the_same_branch_ten_times_at_once_opens_one_conflict_with_one_answer(world: World) -> None:
    device = forked(world)
    device.story = [play("up2", 50), play("up2", 45), play("up2", 51)]
    processes = [syncing(world) for _ in range(5)]
    ways = [partial(device.sync, process=process) for process in processes for _ in range(2)]
    answers = at_once(*ways)
    assert len({str(answer.conflict_id) for answer in answers}) == 1
    assert all(answer.outcomes == answers[0].outcomes for answer in answers)
    assert len(branches(device.table)) == len(opened(device.table)) == 1
    assert len(parked(device.table)) == 1


def test_the_same_story_ten_times_at_once_is_in_the_log_once(world: World) -> None:
    device = Device(world.new_game())
    device.story = [play("up1", 50), play("up1", 45), play("up1", 51)]
    processes = [syncing(world) for _ in range(5)]
    answers = at_once(*[partial(device.sync, process=it) for it in processes for _ in range(2)])
    assert [it["card"] for it in device.table.actions] == [50, 51]
    assert sum(told(answer).count("accepted") for answer in answers) == 2
    assert all(answer.conflict_id is None for answer in answers)
    assert branches(device.table) == []


def test_a_longer_branch_extends_the_one_that_is_not_decided_yet(world: World) -> None:
    device = forked(world)
    table = device.table
    first = device.sync(play("up2", 50))
    left_as(world, first, NEEDS_DECISION)
    longer = device.sync(play("up2", 45), play("up2", 52))
    assert longer.conflict_id == first.conflict_id
    assert told(longer) == ["accepted", "illegal_play", "accepted"]
    (branch,) = branches(table)
    assert [it["id"] for it in branch.actions] == [it["id"] for it in device.story]
    assert status(world, longer) == PENDING
    assert opened(table) == [str(first.conflict_id)] * 2
    late = device.send(device.story[:2])
    assert (late.conflict_id, told(late)) == (first.conflict_id, ["accepted", "illegal_play"])
    assert len(opened(table)) == 2, "an older request that arrives late opens nothing"


def test_a_branch_that_goes_another_way_opens_a_conflict_of_its_own(world: World) -> None:
    device = forked(world)
    first = device.sync(play("up2", 50))
    other = device.send([play("up2", 60)])
    assert first.conflict_id != other.conflict_id
    assert len(branches(device.table)) == 2


def test_a_branch_that_the_log_has_already_opens_no_conflict(world: World) -> None:
    """Both devices recorded the same evening, each under ids of its own."""
    device = forked(world, play("up1", 30), play("up1", 40))
    synced = device.sync(play("up1", 30), play("up1", 29), play("up1", 40))
    assert told(synced) == ["duplicate", "illegal_play", "duplicate"]
    assert synced.conflict_id is None
    assert device.table.game.head.version == 2
    assert parked(device.table) == {device.story[1]["id"]: "illegal_play"}
    assert told(device.sync()) == told(synced)


def test_a_first_sync_of_two_devices_that_both_have_a_game_wipes_neither(world: World) -> None:
    table = world.new_game()
    one, other = Device(table, "one"), Device(table, "other")
    assert one.sync(play("up1", 30), play("up1", 40)).conflict_id is None
    synced = other.sync(play("down1", 70), play("down1", 60))
    assert synced.conflict_id is not None
    assert [it["card"] for it in table.actions] == [30, 40]
    assert [[it["card"] for it in branch.actions] for branch in branches(table)] == [[70, 60]]


def test_what_a_job_has_merged_is_answered_as_before_and_goes_on_without_a_question(world: World) -> None:
    """The device heard nothing of it, records more and sends all of it from the version it knows."""
    device = forked(world, play("up1", 30), play("down1", 70))
    first = device.sync(play("down1", 70), play("up1", 30), action("draw"))
    assert first.conflict_id is not None
    assert job(world).run(first.conflict_id) == MERGED
    again = device.sync()
    assert (again.conflict_id, again.outcomes) == (first.conflict_id, first.outcomes)
    longer = device.sync(action("end_turn"))
    assert longer.conflict_id is not None
    assert longer.conflict_id != first.conflict_id
    assert job(world).run(longer.conflict_id) == MERGED
    game = device.table.game
    assert game.head.table["played"] == [30, 70]
    assert game.head.table["active_seat"] == 1
    assert_recomputable(device.table)


def test_a_version_that_the_game_has_never_had_is_refused(world: World) -> None:
    device = Device(world.new_game(), base=1)
    with pytest.raises(Problem) as caught:
        device.sync(play("up1", 50))
    assert caught.value.code == "version_conflict"
    assert caught.value.extra == {"version": 0, "missed": []}


@pytest.mark.parametrize("first", ["logged", "parked", "twice"])
def test_an_id_that_means_something_else_is_refused_and_nothing_is_taken_in(world: World, first: str) -> None:
    device = Device(world.new_game())
    known = play("up1", 50) if first != "parked" else play("left", 50)
    if first != "twice":
        device.sync(known)
    else:
        device.story = [known]
    version = device.table.game.head.version
    with pytest.raises(Problem) as caught:
        device.sync(play("up2", 70), {**known, "card": 51})
    assert caught.value.code == "action_id_reused"
    assert caught.value.extra == {"index": 2, "action_id": known["id"]}
    assert device.table.game.head.version == version


def test_the_same_action_twice_in_one_story_is_answered_twice_and_taken_once(world: World) -> None:
    laid = play("up1", 50)
    direct = Device(world.new_game())
    assert told(direct.sync(laid, laid)) == ["accepted", "duplicate"]
    behind = forked(world)
    assert told(behind.sync(laid, laid)) == ["accepted", "duplicate"]
    assert [len(branch.actions) for branch in branches(behind.table)] == [1]


def test_an_empty_story_says_how_the_game_stands(world: World) -> None:
    device = forked(world)
    synced = device.sync()
    assert (synced.outcomes, synced.conflict_id, synced.game.head.version) == ([], None, 2)


def test_with_rules_away_nothing_is_stored_and_the_same_works_later(world: World) -> None:
    class Silent:
        def ask(self, body: object, timeout_s: float) -> dict[str, Any]:
            raise NoAnswer("rules")

    for device in (Device(world.new_game()), forked(world)):
        version = device.table.game.head.version
        with pytest.raises(Problem, match="service_unavailable"):
            device.sync(play("up2", 50), process=syncing(world, Rules(Silent())))
        assert (device.table.game.head.version, branches(device.table)) == (version, [])
        assert told(device.sync()) == ["accepted"]


def test_a_game_in_the_bin_takes_nothing_in_and_takes_all_with_it(world: World) -> None:
    device = forked(world)
    device.sync(play("up2", 50), play("up2", 45))
    table = device.table
    world.games(lambda: now() - LONG_AGO).bin(table.account_id, table.id)
    with pytest.raises(Problem, match="game_in_bin"):
        device.sync(play("up2", 52))
    sweep(world.purge, now())
    assert [world.count(name, table.id) for name in ("games", "branches", "conflicts", "parked")] == [0] * 4


def test_a_recorder_s_device_takes_no_confirmed_result_back_and_the_rest_goes_on(world: World) -> None:
    table = world.new_game()
    table.send(action("block"), action("confirm"))
    device = Device(table, guest_id=uuid4(), base=2)
    synced = device.sync(action("undo"), action("draw"), action("undo"), play("up1", 7))
    assert told(synced) == ["role_insufficient", "game_over", "role_insufficient", "game_over"]
    assert table.game.head.result is not None
    assert len(parked(table)) == 4


def test_a_recorder_s_many_tries_to_take_a_result_back_are_refused_without_end(world: World) -> None:
    table = world.new_game()
    device = Device(table, guest_id=uuid4())
    more = [action("undo") for _ in range(30)]
    synced = device.sync(play("up1", 7), action("undo"), action("block"), action("confirm"), *more)
    assert told(synced) == ["accepted"] * 4 + ["role_insufficient"] * 30
    assert table.game.head.result is not None
    assert_recomputable(table)


@pytest.mark.parametrize("is_behind", [False, True])
def test_a_device_that_dies_anywhere_sends_again_and_nothing_is_there_twice(
    world: World, is_behind: bool
) -> None:
    """So does the process that answers it: it ends between any two of its steps."""
    made: list[Device] = []

    def work(killer: Killer) -> None:
        device = forked(world) if is_behind else Device(world.new_game())
        device.story = [play("up2", 50), play("up2", 45), play("up2", 51)]
        made.append(device)
        with killer.watching(world.web, world.statements):
            device.sync()

    deaths = sum(killed_everywhere(work))
    assert deaths > 3
    for device in made:
        synced = device.sync()
        assert synced.parked == 1
        assert len(parked(device.table)) == 1
        assert len(branches(device.table)) == len(opened(device.table)) == int(is_behind)
        assert (synced.conflict_id is not None) == is_behind
        assert_recomputable(device.table)


LAYS = st.tuples(st.sampled_from(["up1", "up2", "down1", "down2"]), st.integers(2, 99))
STORIES = st.lists(st.lists(LAYS, min_size=1, max_size=5), min_size=2, max_size=4)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stories=STORIES, direct=st.lists(LAYS, min_size=1, max_size=4))
def test_whatever_devices_send_at_once_no_accepted_action_is_lost(
    world: World, stories: list[list[tuple[str, int]]], direct: list[tuple[str, int]]
) -> None:
    """Some sync from the start, others play on, each in a process of its own, each syncs twice."""
    table = world.new_game(players=1)
    devices = [
        Device(table, f"device {n}", story=[play(pile, card) for pile, card in story])
        for n, story in enumerate(stories)
    ]
    syncs = [partial(device.sync, process=syncing(world)) for device in devices for _ in range(2)]
    plays = [partial(table.send, play(pile, card), play=world.play()) for pile, card in direct]
    answers = at_once(*syncs, *plays)
    logged = [it["id"] for it in table.actions]
    assert len(set(logged)) == len(logged)
    in_branches = {it["id"] for branch in branches(table) for it in branch.standing}
    refused = parked(table)
    assert not refused.keys() & set(logged)
    for answer in answers:
        assert isinstance(answer, Synced | Answer)
        for outcome in answer.outcomes:
            is_there = outcome["action_id"] in {*logged, *in_branches}
            is_contained = outcome["verdict"] == "duplicate" and "seq" not in outcome
            if outcome["verdict"] != "rejected":
                assert is_there or is_contained
            elif isinstance(answer, Synced):
                assert refused[outcome["action_id"]] == outcome["code"]
    for device in devices:
        assert sum(branch.by.device == device.name for branch in branches(table)) <= 1
    assert_recomputable(table)


def status(world: World, synced: Synced) -> str:
    (row,) = world.rows("SELECT status FROM conflicts WHERE id = :id", id=synced.conflict_id)
    return str(row.status)


def left_as(world: World, synced: Synced, new: str) -> None:
    """As the job leaves it."""
    change = "UPDATE conflicts SET status = :new WHERE id = :id RETURNING id"
    assert world.rows(change, new=new, id=synced.conflict_id)
