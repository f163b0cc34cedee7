"""The few figures of the game that the web client has by itself are those of the ruleset."""

import re

import pytest

from services.rules.the_game import ruleset
from services.rules.the_game.results import EXCELLENT_BELOW
from shared.contracts.problems import LANGUAGES
from tests.architecture.test_web_client import WEB, forms, texts

GAME = ruleset.describe()
CARDS = GAME["cards"]
STARTS = {pile["start"] for pile in GAME["piles"]}
# Texts with figures: how long passwords are and the bin keeps, and what a pile shows that nobody touched.
OTHER_FIGURES = ("sign.password_hint", "bin.text", "game.binned", "adopt.open")


def found(script: str, pattern: str) -> tuple[int, ...]:
    """The figures at the one place of a script that looks so."""
    (place,) = re.finditer(pattern, (WEB / "js" / script).read_text("utf-8"))
    return tuple(map(int, place.groups()))


@pytest.mark.parametrize(
    ("script", "pattern", "figures"),
    [
        (
            "parts/pad.js",
            r"length: (\d+) }, \(_, index\) => index \+ (\d+)",
            (CARDS["count"], CARDS["lowest"]),
        ),
        ("parts/table-form.js", r"min: 0, max: (\d+), required", (CARDS["count"],)),
        ("parts/table-form.js", r"min: ([1-9]\d*), max: (\d+), required", (min(STARTS), max(STARTS))),
        ("parts/statistics.js", r"mean_remaining / (\d+)", (CARDS["count"],)),
        ("parts/statistics.js", r"it < (\d+) \?", (EXCELLENT_BELOW,)),
        ("parts/charts.js", r"value < (\d+) \?", (EXCELLENT_BELOW,)),
        ("screens/new-game.js", r"const MOST = (\d+);", (max(GAME["options"]["players"]["values"]),)),
    ],
)
def test_a_figure_of_a_script_is_the_ruleset_s(script: str, pattern: str, figures: tuple[int, ...]) -> None:
    assert found(script, pattern) == figures


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_figure_of_a_text_is_the_ruleset_s(language: str) -> None:
    figures = {
        "difficulty.normal": {GAME["minimum"]["normal"]},
        "difficulty.expert": {GAME["minimum"]["expert"]},
        "stats.excellent": {EXCELLENT_BELOW},
    }
    said = texts(language)
    for key, values in figures.items():
        numbers = {int(number) for text in forms(said[key]).values() for number in re.findall(r"\d+", text)}
        assert numbers == values, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_other_text_has_a_figure_of_the_game(language: str) -> None:
    with_figures = {
        key
        for key, text in texts(language).items()
        if any(re.search(r"\d{2}", it) for it in forms(text).values())
    }
    assert with_figures == {*OTHER_FIGURES, "stats.excellent"}
