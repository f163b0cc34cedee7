"""Playing on the real database, with the real rules: what is stored, told, refused and answered again."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from uuid import uuid4

import pytest
from sqlalchemy import Connection

from services.sessions.application.games import SeatRequest
from services.sessions.application.play import Play, Sender
from services.sessions.application.recording import Recorder
from services.sessions.domain.log import By
from shared.web.problems import Problem
from tests.integration.sessions.world import Table, World, eventually, verdicts
from tests.support.api import action, play
from tests.support.unreliable import at_once


def test_an_accepted_batch_its_head_and_its_event_are_stored_together(world: World) -> None:
    table = world.new_game()
    answer = table.send(play("up1", 7), play("up1", 9), device="phone")
    assert verdicts(answer) == ["accepted", "accepted"]
    assert table.game == answer.game
    created, advanced = world.events(table.id)
    assert created.type == "sessions.game.created"
    assert advanced.type == "sessions.game.advanced"
    assert advanced.data["version"] == 2
    assert [entry["seq"] for entry in advanced.data["entries"]] == [1, 2]
    assert advanced.data["entries"][0]["by"] == {"account_id": str(table.account_id), "device": "phone"}
    assert advanced.data["table"] == answer.game.head.table


def test_a_refusal_and_a_duplicate_store_and_tell_nothing(world: World) -> None:
    table = world.new_game()
    laid = play("up1", 50)
    table.send(laid)
    before, told = table.game, len(world.events(table.id))
    assert verdicts(table.send(laid)) == ["duplicate"]
    assert verdicts(table.send(play("up1", 45))) == ["rejected"]
    assert table.game == before
    assert len(world.events(table.id)) == told


def test_a_result_is_told_when_it_comes_and_when_it_is_taken_back(world: World) -> None:
    table = world.new_game()
    ends = [action("block"), action("confirm")]
    table.send(*ends)
    assert table.game.head.result
    table.send(action("undo", target=ends[1]["id"]))
    assert table.game.head.result is None
    table.send(action("redo", target=ends[1]["id"]))
    kinds = [row.type.rpartition(".")[2] for row in world.events(table.id)]
    assert kinds == [
        "created", "advanced", "finished", "advanced", "reopened", "advanced", "finished",
    ]  # fmt: skip
    result = table.game.head.result
    assert result is not None
    assert result["confirmed_at"] == table.log()[1]["recorded_at"].isoformat().replace("+00:00", "Z")


def test_two_processes_that_judge_on_the_same_head_store_one_after_the_other(world: World) -> None:
    """Both have read version 0 before either writes: the second one is judged anew on what the first left."""
    table = world.new_game(players=1)
    processes = [world.play(), world.play()]
    with _held(world, table) as lock, ThreadPoolExecutor(2) as pool:
        sent = [
            pool.submit(partial(table.send, play("up1", card), play=process))
            for card, process in zip((30, 31), processes, strict=True)
        ]
        _two_wait(world)
        lock.rollback()
        answers = [future.result(30) for future in sent]
    # Whoever comes first, 31 may follow 30, and 30 may not follow 31.
    assert sorted(it for answer in answers for it in verdicts(answer)) in (
        ["accepted", "accepted"],
        ["accepted", "rejected"],
    )
    log = table.log()
    assert [entry["seq"] for entry in log] == list(range(1, len(log) + 1))
    assert world.rules.fold(table.game, table.actions).table == table.game.head.table


def test_the_same_action_judged_by_two_processes_at_once_is_in_the_log_once(world: World) -> None:
    table = world.new_game()
    laid = play("up1", 30)
    processes = [world.play(), world.play()]
    with _held(world, table) as lock, ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(partial(table.send, laid, play=process)) for process in processes]
        _two_wait(world)
        lock.rollback()
        answers = [future.result(30) for future in sent]
    assert sorted(it for answer in answers for it in verdicts(answer)) == ["accepted", "duplicate"]
    assert [answer.outcomes[0]["seq"] for answer in answers] == [1, 1]
    assert table.actions == [laid]


def test_of_two_processes_that_expect_the_same_version_the_later_one_learns_what_it_missed(
    world: World,
) -> None:
    table = world.new_game()
    plays = [play("up1", 30), play("down1", 60)]

    def attempt(number: int) -> object:
        try:
            return table.send(plays[number], expected=0, play=processes[number])
        except Problem as problem:
            return problem

    processes = [world.play(), world.play()]
    with _held(world, table) as lock, ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(attempt, number) for number in range(2)]
        _two_wait(world)
        lock.rollback()
        (problem,) = [found for it in sent if isinstance(found := it.result(30), Problem)]
    assert problem.code == "version_conflict"
    assert problem.extra["version"] == 1
    assert [entry["action"] for entry in problem.extra["missed"]] == table.actions


def test_a_race_that_is_lost_for_two_seconds_is_given_up_as_a_conflict(world: World) -> None:
    """The other process moves the game on each time that this one has judged."""
    table = world.new_game(players=1)
    rival = world.play()
    clock = iter([0.0, 1.0, 1.9, 2.1]).__next__

    class Judging:
        """The rules, and a rival that is always quicker."""

        def judge(self, *arguments: object, tables: bool) -> object:
            rivals = [play("up1", 50)] if not table.actions else [action("undo"), play("up1", 50)]
            table.send(*rivals, play=rival)
            return world.rules.judge(*arguments, tables=tables)  # type: ignore[arg-type]

    slow = Play(Recorder(world.statements, world.web, Judging(), clock=clock))  # type: ignore[arg-type]
    with pytest.raises(Problem) as caught:
        table.send(play("down1", 60), play=slow)
    assert caught.value.code == "version_conflict"
    assert caught.value.extra["version"] == len(table.actions)
    assert [entry["seq"] for entry in caught.value.extra["missed"]] == list(range(1, len(table.actions) + 1))
    assert all(entry["action"]["type"] != "play" or entry["action"]["card"] == 50 for entry in table.log())


def test_equal_creations_at_once_make_one_game_and_tell_of_it_once(world: World) -> None:
    account_id, game_id = uuid4(), uuid4()
    request = {"id": str(game_id), "players": [{"name": "Ana"}]}

    def create() -> object:
        return world.games().create(account_id, request, "the-game", {}, [SeatRequest(name="Ana")], game_id)

    games = at_once(*[create] * 8)
    assert all(game == games[0] for game in games)
    assert [row.type for row in world.events(game_id)] == ["sessions.game.created"]
    assert world.count("seats", game_id) == 1


def test_a_game_pinned_to_rules_that_are_not_there_is_kept_and_refuses_to_be_judged(world: World) -> None:
    table = world.new_game()
    table.send(play("up1", 30))
    world.rows("UPDATE games SET rules_version = '0' WHERE id = :id RETURNING id", id=table.id)
    for attempt in (
        lambda: table.send(play("up1", 31)),
        lambda: table.send(action("undo")),
        lambda: world.games().at(table.account_id, table.id, 0),
    ):
        with pytest.raises(Problem) as caught:
            attempt()
        assert (caught.value.code, caught.value.status) == ("rules_version_unknown", 422)
    assert len(table.log()) == 1
    assert table.game.head.version == 1


def test_a_stranger_s_game_is_not_there(world: World) -> None:
    table = world.new_game()
    stranger = uuid4()
    with pytest.raises(Problem) as caught:
        world.play().record(Sender(stranger, By(stranger)), table.id, [], None)
    assert caught.value.code == "not_found"


def _held(world: World, table: Table) -> AbstractContextManager[Connection]:
    """No process can move the game on until this is rolled back."""
    return world.held("SELECT id FROM games WHERE id = :id FOR UPDATE", id=table.id)


def _two_wait(world: World) -> None:
    eventually(lambda: len(world.waiting("test-sessions")) == 2, "both wait for the game's row")
