"""The script for analysts: what it asks of an export, and that it draws the same of the same."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from infra.analytics.figures import Distribution, distributions, months
from infra.analytics.plots import main
from tests.unit.analytics.builders import document, export

MAY, JUNE = "2026-05-31T23:59:59.999999Z", "2026-06-01T00:00:00Z"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    two = {"players": 2, "difficulty": "normal"}
    return export(
        tmp_path,
        [
            document(**two, remaining=0, confirmed_at=MAY),
            document(**two, remaining=4, confirmed_at=MAY),
            document(**two, remaining=4, confirmed_at=JUNE),
            document(players=5, difficulty="expert", remaining=98, confirmed_at=JUNE),
        ],
        group_rows=3,
    )


def test_games_are_counted_by_the_cards_left(games: Path) -> None:
    counts = [0] * 99
    counts[0], counts[4] = 1, 2
    assert distributions(games) == [
        Distribution(2, "normal", counts),
        Distribution(5, "expert", [0] * 98 + [1]),
    ]


def test_a_month_is_one_of_utc_and_has_an_interval_from_two_games_on(games: Path) -> None:
    (may,) = months(games)
    assert (may.month.isoformat()[:7], may.games, may.mean) == ("2026-05", 2, 2.0)
    assert may.half_interval == pytest.approx(1.96 * 8**0.5 / 2**0.5)


@pytest.mark.parametrize("count", [0, 1, 4])
def test_two_plots_are_drawn_the_same_every_time(games: Path, tmp_path: Path, count: int) -> None:
    source = games if count == 4 else export(tmp_path, [document()] * count)
    drawn = []
    for name in ("first", "second"):
        done = CliRunner().invoke(main, [str(source), "--folder", str(tmp_path / name)])
        assert done.exit_code == 0, done.output
        drawn.append({file.name: file.read_text() for file in (tmp_path / name).iterdir()})
    assert drawn[0] == drawn[1]
    assert set(drawn[0]) == {"remaining.svg", "months.svg"}
    assert ("5 players" in drawn[0]["remaining.svg"]) == (count == 4)
