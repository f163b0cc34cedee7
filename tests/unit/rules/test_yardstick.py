"""The yardstick as it is kept: complete, true to its games, and reproduced by the simulator."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from services.rules.__main__ import main
from services.rules.the_game.options import Options
from services.rules.the_game.ruleset import NAME, VERSION
from services.rules.the_game.simulation.computing import FIRST_GAMES, Row, first_games, rows
from services.rules.the_game.simulation.figures import figures, histogram
from services.rules.the_game.simulation.simulator import simulate
from services.rules.the_game.simulation.strategies import STRATEGIES
from services.rules.the_game.yardstick import FILE, read, selected
from tests.support.figures import PUBLISHED, PUBLISHED_STRATEGY, share_error
from tests.support.figures import Row as PublishedRow

GAMES = 200
ERRORS = 4
YARDSTICK = read()
ITEMS: Mapping[tuple[str, Options], dict[str, Any]] = {
    (item["strategy"], Options(item["players"], item["difficulty"], item["reduced_hand"])): item
    for item in YARDSTICK["items"]
}
ROWS = [pytest.param(row, id=row.seed(0, 0).replace(" ", "-")[2:-2]) for row in rows()]


def kept(row: Row) -> dict[str, Any]:
    return ITEMS[row.strategy, row.options]


def test_it_has_every_strategy_at_every_kind_of_table() -> None:
    assert [(row.strategy, row.options) for row in rows()] == list(ITEMS)
    assert len(ITEMS) == len(YARDSTICK["items"]) == len(STRATEGIES) * 5 * 2 * 2


def test_it_tells_what_it_was_made_with() -> None:
    assert (YARDSTICK["ruleset"], YARDSTICK["rules_version"]) == (NAME, VERSION)
    assert YARDSTICK["strategies"] == [{"id": it.id, "about": it.about} for it in STRATEGIES.values()]
    games, seed = YARDSTICK["games"], YARDSTICK["seed"]
    assert games == 20_000
    assert YARDSTICK["command"] == f"python -m services.rules yardstick --games {games} --seed {seed}"


def test_its_figures_and_errors_are_those_of_its_histograms() -> None:
    for item in YARDSTICK["items"]:
        found = figures(item["histogram"])
        assert found["games"] == YARDSTICK["games"]
        assert {name: item[name] for name in found} == found


@pytest.mark.parametrize("row", ROWS)
def test_the_same_seed_plays_the_same_games_again(row: Row) -> None:
    assert first_games(row, YARDSTICK["seed"], FIRST_GAMES) == kept(row)["first"]


@pytest.mark.parametrize("row", ROWS)
def test_other_games_come_to_the_same_within_chance(row: Row) -> None:
    item = kept(row)
    seen = figures(
        histogram(simulate(row.options, STRATEGIES[row.strategy], GAMES, f"others {row.seed(1, 0)}"))
    )
    # The error of few games is known from the many.
    error = item["mean_remaining_se"] * (item["games"] / GAMES) ** 0.5
    assert abs(seen["mean_remaining"] - item["mean_remaining"]) <= ERRORS * error
    for share in ("win_rate", "excellent_rate"):
        error = item[f"{share}_se"] * (item["games"] / GAMES) ** 0.5
        # Where a share is nearly none, one game more than expected is within chance.
        assert abs(seen[share] - item[share]) <= ERRORS * error + 1 / GAMES


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name.replace(" ", "-")) for row in PUBLISHED])
def test_the_published_strategy_comes_to_what_was_published(row: PublishedRow) -> None:
    item = ITEMS[PUBLISHED_STRATEGY, row.options]
    assert abs(item["mean_remaining"] - row.mean) <= ERRORS * item["mean_remaining_se"] + 0.005
    for share, published in (("win_rate", row.won), ("excellent_rate", row.below_ten)):
        if published is not None:
            assert abs(100 * item[share] - published) <= ERRORS * share_error(published, item["games"])


def test_the_command_writes_the_file_whatever_it_is_spread_over(tmp_path: Path) -> None:
    written = []
    for processes in ("1", "2"):
        file = tmp_path / f"{processes}.json"
        answer = CliRunner().invoke(
            main, ["yardstick", "--games", "3", "--processes", processes, "--file", str(file)]
        )
        assert answer.exit_code == 0, answer.output
        written.append(file.read_text("utf-8"))
    assert written[0] == written[1]
    found = read(tmp_path / "1.json")
    assert found.keys() == YARDSTICK.keys()
    assert [item["first"] for item in found["items"]] == [item["first"][:3] for item in YARDSTICK["items"]]


def test_the_file_has_one_row_a_line() -> None:
    lines = FILE.read_text("utf-8").splitlines()
    assert sum(line.startswith('  {"strategy"') for line in lines) == len(ITEMS)


def test_rows_are_selected_by_any_of_their_keys() -> None:
    wanted = {"players": 3, "difficulty": "expert", "reduced_hand": False}
    found = selected(YARDSTICK, wanted)
    assert [item["strategy"] for item in found["items"]] == list(STRATEGIES)
    assert all(item[name] == value for item in found["items"] for name, value in wanted.items())
    assert not any("first" in item for item in found["items"])
    assert len(selected(YARDSTICK, {})["items"]) == len(ITEMS)


def test_figures_are_exact() -> None:
    """Ten games: two wins, one of nine cards, the rest of ten; sum 79, sum of squares 781."""
    found = figures(histogram([0, 0, 9] + [10] * 7))
    assert found["games"] == 10
    assert (found["win_rate"], found["excellent_rate"]) == (0.2, 0.3)
    assert found["win_rate_se"] == round((0.2 * 0.8 / 10) ** 0.5, 6)
    assert found["mean_remaining"] == 7.9
    assert found["mean_remaining_se"] == round(((781 - 10 * 7.9**2) / 9 / 10) ** 0.5, 6)
    assert (found["histogram"][0], found["histogram"][9], found["histogram"][10]) == (2, 1, 7)
    assert len(found["histogram"]) == 99
