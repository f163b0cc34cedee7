"""The drawings of the guide: they show what the rules say, without a word, and ask for nothing."""

import re

import pytest

from services.rules.the_game.guide.reading import figures
from services.rules.the_game.piles import CEILING, FLOOR, RISING, STEP_BACK, followers
from tests.unit.rules.guide_figures import SVG, drawn, piles, texts, tree

NAMES = ["four-piles", "illegal-play", "legal-play", "step-of-ten"]
PLAYS = [name for name in NAMES if name != "four-piles"]
TAGS = {f"{SVG}{tag}" for tag in ("svg", "g", "rect", "path", "circle", "text")}
LARGEST_BYTES = 4_096


def test_there_are_these_drawings() -> None:
    assert sorted(figures()) == NAMES


@pytest.mark.parametrize("name", PLAYS)
def test_what_a_drawing_shows_as_right_or_wrong_is_what_the_rules_say(name: str) -> None:
    assert [pile.direction for pile in drawn(name)] == ["up", "down"]
    for pile in drawn(name):
        goes = bool(followers(pile.direction == "up", pile.top) >> pile.card & 1)
        assert goes is pile.fits is (name != "illegal-play")
        back = (pile.top - pile.card) * (1 if pile.direction == "up" else -1)
        assert {"legal-play": back < 0, "illegal-play": back > 0, "step-of-ten": back == STEP_BACK}[name]


@pytest.mark.parametrize("name", PLAYS)
def test_a_drawing_writes_its_cards_and_the_step(name: str) -> None:
    signs = {"up": "−", "down": "+"}
    for pile in drawn(name):
        step = [f"{signs[pile.direction]}{STEP_BACK}"] if name == "step-of-ten" else []
        assert list(pile.texts) == [str(pile.top), str(pile.card), *step]


def test_right_and_wrong_are_marked_differently() -> None:
    marks = {(pile.mark, pile.fits) for name in PLAYS for pile in drawn(name)}
    assert len(marks) == len({mark for mark, _ in marks}) == 2


def test_the_four_piles_start_where_piles_start() -> None:
    shown = [(group.attrib["data-pile"], group.attrib["data-top"]) for group in piles("four-piles")]
    assert shown == [("up", str(FLOOR)) if rising else ("down", str(CEILING)) for rising in RISING]
    assert [texts(group) for group in piles("four-piles")] == [(top,) for _, top in shown]


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_is_small_and_plain_and_refers_to_nothing(name: str) -> None:
    source = figures()[name]
    assert len(source.encode()) < LARGEST_BYTES
    assert {element.tag for element in tree(name).iter()} <= TAGS
    assert source.count("://") == 1, "the namespace"
    for element in tree(name).iter():
        for attribute, value in element.attrib.items():
            assert not attribute.startswith("on")
            assert not re.fullmatch(r".*href|style|id|class", attribute)
            assert "url(" not in value
    assert all(re.fullmatch(r"[−+]?\d+", text) for text in texts(tree(name))), "no language"


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_brings_its_own_ground_so_it_can_be_read_on_light_and_dark(name: str) -> None:
    root = tree(name)
    _, _, width, height = root.attrib["viewBox"].split()
    ground = root[0]
    assert (root.attrib["width"], root.attrib["height"]) == (width, height)
    assert (ground.tag, ground.attrib["width"], ground.attrib["height"]) == (f"{SVG}rect", width, height)
    assert "opacity" not in ground.attrib
