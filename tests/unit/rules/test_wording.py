"""What the players are told about a conflict: every language whole, every sentence filled in."""

import re
import string
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.the_game.actions import Action, Whole
from services.rules.the_game.discarding import Discarded, discarded
from services.rules.the_game.entries import WHOLE
from services.rules.the_game.findings import Difference
from services.rules.the_game.piles import NAMES
from services.rules.the_game.questions import Question
from services.rules.the_game.reconciliation import reconciled
from services.rules.the_game.wording import phrases, plural, texts
from shared.contracts.actions import FIELDS
from shared.contracts.problems import LANGUAGES
from tests.unit.rules.builders import DRAW, END, TWO, Json, as_json, lay
from tests.unit.rules.evenings import Evening, forks

# Sentences that count have a form for each way in which their language counts.
COUNTED = ("keep_cloud", "keep_device", "unknown")
FORMS = {language: {"one", "other"} for language in LANGUAGES} | {"sl": {"one", "two", "few", "other"}}
COUNTS = (0, 1, 2, 3, 4, 5, 11, 21, 98, 101, 102)
NOTHING = Discarded(0, {}, 0)
ENTERED = [
    Action("play", pile="up1", card=45),
    Action("play", pile="down2", id="a"),
    Action("draw"),
    Action("end_turn"),
    Action("block"),
    Action("confirm"),
    Action("adopt", whole=Whole(table={})),
    None,
]
QUESTIONS = [
    *(Question("top", pile, cloud, device) for pile, cloud, device in product(NAMES, (1, 45), (100, None))),
    Question("deck", None, 40, 0),
    Question("hands", None, [6, 7, 0], [6, 6, 1]),
]
ALL_KINDS = [*FIELDS, *WHOLE]


def leaves(catalogue: Any, where: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(catalogue, dict):
        for key, value in catalogue.items():
            yield from leaves(value, f"{where}.{key}")
    else:
        yield where, catalogue


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def said(language: str, **facts: Any) -> Json:
    """What is told of facts that are harmless unless given."""
    difference = facts.get("difference", Difference(0, 3, 1, ENTERED[0], ENTERED[1]))
    lost = facts.get("lost", (NOTHING, NOTHING))
    told: Json = texts(facts.get("newer", "cloud"), difference, lost, facts.get("questions", []))[language]
    return told


def is_whole(text: str) -> bool:
    """Whether a sentence is filled in, ends, and shows nothing of how it was made."""
    assert text, "there is something to read"
    assert not re.search(r"[{}]|None|\b(up|down)[12]\b|_|  | \.|\.\.", text), text
    assert text[-1] in ".?", text
    return text[0].isupper() or text[0] in "¿"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_phrase_with_the_same_gaps(language: str) -> None:
    for where, text in leaves(phrases("en")):
        kind, _, form = where.removeprefix(".").partition(".")
        if kind in COUNTED and form != "nothing":
            continue
        ours = dict(leaves(phrases(language)))
        assert placeholders(ours[where]) == placeholders(text), where
        assert ours[where].strip() == ours[where] or kind == "between"
    assert phrases(language).keys() == phrases("en").keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", COUNTED)
def test_what_is_counted_has_a_form_for_every_number(language: str, kind: str) -> None:
    forms = phrases(language)[kind]
    assert forms.keys() - {"nothing"} == FORMS[language] == {plural(language, n) for n in range(1, 120)}
    assert all(placeholders(text) == {"count"} for form, text in forms.items() if form != "nothing")
    assert len(set(forms.values())) == len(forms)


def test_no_language_repeats_another() -> None:
    english = dict(leaves(phrases("en")))
    for language in set(LANGUAGES) - {"en"}:
        same = [
            where
            for where, text in leaves(phrases(language))
            if text == english[where.replace(".two", ".other").replace(".few", ".other")]
        ]
        assert set(same) <= {".on_pile", ".between", ".entered.play"}, language


@pytest.mark.parametrize(
    ("count", "form"),
    [
        (1, "one"),
        (2, "two"),
        (3, "few"),
        (4, "few"),
        (5, "other"),
        (11, "other"),
        (101, "one"),
        (102, "two"),
        (0, "other"),
    ],
)
def test_slovenian_counts_by_the_last_two_digits(count: int, form: str) -> None:
    assert plural("sl", count) == form


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("newer", ["cloud", "device", None])
def test_the_summary_says_what_each_side_entered_where_they_part(language: str, newer: str | None) -> None:
    for cloud, device in product(ENTERED, ENTERED):
        summary = said(language, newer=newer, difference=Difference(4, 3, 1, cloud, device))["summary"]
        assert is_whole(summary)
        assert re.search(r"\b3\b.*\b2\b", summary), "turn 3 of the second player"
        assert ("45" in summary) == (ENTERED[0] in (cloud, device))


def test_every_action_that_tells_a_story_can_be_named() -> None:
    named = set(phrases("en")["entered"]) - {"nothing", "play_unknown"}
    assert named == set(ALL_KINDS) - {"undo", "redo", "identify", "rewind", "resolve"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_says_which_side_is_newer(language: str) -> None:
    cloud, device, nobody = (said(language, newer=newer)["summary"] for newer in ("cloud", "device", None))
    assert len({cloud, device, nobody}) == 3
    assert cloud.endswith(nobody)
    assert device.endswith(nobody)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sides_that_part_nowhere_are_put_into_words_too(language: str) -> None:
    assert is_whole(said(language, difference=None)["summary"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", COUNTS)
def test_each_choice_says_how_much_it_discards_and_which_cards(language: str, count: int) -> None:
    lost = Discarded(count, {"down1": (90, 80), "up2": (33,)} if count > 3 else {}, count // 5)
    for told in (said(language, lost=(lost, NOTHING)), said(language, lost=(NOTHING, lost))):
        assert is_whole(told["keep_cloud"])
        assert is_whole(told["keep_device"])
    told = said(language, lost=(lost, NOTHING))["keep_cloud"]
    assert (str(count) in told) == (count > 0)
    assert ("90, 80" in told) == (count > 3)
    if count > 3:
        assert told.index("33") < told.index("90"), "in the order of the piles"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_is_put_into_words_of_its_own(language: str) -> None:
    for question in QUESTIONS:
        told = said(language, questions=[question])["questions"]
        assert told.keys() == {question.id}
        assert is_whole(told[question.id])
        assert "?" in told[question.id]
    assert len({said(language, questions=[it])["questions"][it.id] for it in QUESTIONS}) == len(QUESTIONS)


def test_a_conflict_reads_like_this() -> None:
    branch = [lay("up2", 12) | {"id": "x"}, lay("down1", confirmed=True) | {"id": "y"}, DRAW | {"id": "z"}]
    log = [lay("up1", 7) | {"id": "a"}, lay("up1", 12) | {"id": "b"}]
    told = reconciled(as_json(TWO), log, 1, branch, "device")["texts"]["en"]
    assert told["summary"] == (
        "The newest entry is the offline device’s. The two versions part in turn 1, the turn of player 1. "
        "In the shared game: 12 on rising pile 1. On the offline device: 12 on rising pile 2."
    )
    assert told["keep_cloud"] == (
        "Keeping the shared game discards 3 entries of the offline device. Cards among them: rising pile 2: "
        "12; 1 card without a number. "
        "What is discarded stays readable and can be opened as a game of its own."
    )
    assert told["keep_device"] == (
        "Keeping the offline device’s game discards 1 entry of the shared game. "
        "Cards among them: rising pile 1: 12. "
        "What is discarded stays readable and can be opened as a game of its own."
    )
    assert told["questions"]["top:up1"] == (
        "Which card do you see on rising pile 1? In the shared game: 12. On the offline device: 7."
    )


@given(forks(), st.sampled_from(["cloud", "device", None, 7]))
def test_whatever_is_found_can_be_told_in_every_language(evening: Evening, newer: object) -> None:
    def sent(actions: list[Action]) -> list[Json]:
        names = ("id", "pile", "card", "target")
        return [
            {"type": it.type, **{name: getattr(it, name) for name in names if getattr(it, name) is not None}}
            | ({"confirmed": True} if it.confirmed else {})
            for it in actions
        ]

    log = sent([*evening.common, *evening.cloud])
    branch = [{"id": f"d{n}"} | one for n, one in enumerate(sent(evening.device))]
    answer = reconciled(as_json(evening.options), log, len(evening.common), branch, newer)
    assert answer["texts"].keys() == set(LANGUAGES)
    asked = {question["id"] for question in answer["questions"]}
    for told in answer["texts"].values():
        assert told["questions"].keys() == asked
        for text in (told["summary"], told["keep_cloud"], told["keep_device"], *told["questions"].values()):
            assert is_whole(text)


def test_what_both_sides_tell_is_not_discarded() -> None:
    one = [
        Action("play", pile="up1", card=7, id="a"),
        Action("play", pile="up2", id="v"),
        Action("draw", id="b"),
    ]
    other = [
        Action("play", pile="up2", card=9, id="v"),
        Action("draw", id="c"),
        Action("play", pile="up1", card=7, id="d"),
    ]
    assert discarded(one, other) == NOTHING
    assert discarded(other, one) == NOTHING


def test_a_card_on_another_pile_and_a_draw_more_are_discarded() -> None:
    kept = [Action("play", pile="up1", card=7), Action("draw")]
    lost = [Action("play", pile="up2", card=7), Action("draw"), Action("end_turn"), Action("draw")]
    assert discarded(kept, lost) == Discarded(3, {"up2": (7,)}, 0)
    assert discarded(lost, kept) == Discarded(1, {"up1": (7,)}, 0)


def test_the_turn_s_end_is_a_phrase() -> None:
    assert END["type"] in phrases("en")["entered"]
