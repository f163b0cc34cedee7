"""Every recorded game replays to the tables it had, under the rules version that it is pinned to."""

from collections.abc import Callable

import pytest

from services.rules.rulesets import RULESETS
from tests.replay.recording import Recording, digest, read_all

GAMES = read_all()


def _is_finished(rating: str) -> Callable[[Recording], bool]:
    return lambda game: game.result is not None and game.result["rating"] == rating


def _was_confirmed(game: Recording) -> bool:
    return any(action["type"] == "confirm" for action in game.actions)


ENDINGS: dict[str, Callable[[Recording], bool]] = {
    "won": _is_finished("perfect"),
    "won with expert": lambda game: _is_finished("perfect")(game) and game.options["difficulty"] == "expert",
    "blocked and excellent": _is_finished("excellent"),
    "blocked and counted": _is_finished("counted"),
    "blocked, not confirmed": lambda game: game.table["status"] == "blocked",
    "cleared, not confirmed": lambda game: game.table["status"] == "cleared",
    "abandoned in play": lambda game: game.table["status"] == "playing" and not _was_confirmed(game),
    "not begun": lambda game: not game.actions,
    "reopened": lambda game: game.result is None and _was_confirmed(game),
    "ended again": lambda game: game.result is not None and game.actions[-1]["type"] == "redo",
    "ended under partial control": lambda game: (
        game.result is not None and game.table["control"] == "partial"
    ),
}


@pytest.mark.parametrize("game", [pytest.param(game, id=game.name) for game in GAMES])
def test_a_recorded_game_replays_to_the_same_tables(game: Recording) -> None:
    ruleset = RULESETS[game.ruleset]
    assert game.rules_version == ruleset.VERSION
    evaluation = ruleset.evaluate(game.options, game.actions, tables=True)
    assert [outcome["verdict"] for outcome in evaluation["outcomes"]] == ["accepted"] * len(game.actions)
    assert [digest(outcome["table"]) for outcome in evaluation["outcomes"]] == game.digests
    assert (evaluation["table"], evaluation["result"]) == (game.table, game.result)


@pytest.mark.parametrize("game", [pytest.param(game, id=game.name) for game in GAMES])
def test_reading_its_log_leads_to_the_same_table(game: Recording) -> None:
    answer = RULESETS[game.ruleset].answer(game.options, None, game.actions, [], tables=False)
    assert (answer["table"], answer["result"]) == (game.table, game.result)


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_way_a_game_can_end_is_recorded(ending: str) -> None:
    assert any(ENDINGS[ending](game) for game in GAMES)
