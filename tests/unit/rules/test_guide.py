"""The guide: every figure in it is the ruleset's, and every language is whole, itself and well set."""

import re
from itertools import chain, groupby, pairwise

import pytest

from services.rules.the_game.cards import COUNT, HIGHEST, LOWEST
from services.rules.the_game.guide.reading import FOLDER, figures, sections
from services.rules.the_game.options import CHOICES, Options
from services.rules.the_game.piles import CEILING, FLOOR, NAMES, RISING, STEP_BACK
from services.rules.the_game.results import EXCELLENT_BELOW
from services.rules.the_game.ruleset import NOT_COVERED
from services.rules.the_game.wording import phrases
from shared.contracts.problems import LANGUAGES
from tests.unit.rules.guide_figures import drawn
from tests.unit.rules.guide_words import IMAGE, WORD, collapsed, guide, numbers, spoken

TOLD = 12  # words that tell a language
SECTIONS = [
    "presentation",
    "set-up",
    "quick-rules",
    "detailed-rules",
    "result",
    "end",
    "talk",
    "question-set-up",
    "question-step-of-ten",
    "question-empty-deck",
    "question-result",
    "question-hands",
    "note",
]
BOLD = r"\*\*[^*]+\*\*"
LINE = re.compile(rf"(?:[^*_#`<>\[\]|\\]|{BOLD})+")
QUOTED = {"en": "“”", "es": "«»", "it": "«»", "pt": "«»", "fr": "«»", "de": "„“", "sl": "»«"}

PLAYERS = [int(count) for count in CHOICES["players"]]
MOST = max(PLAYERS)
HANDS = [
    (hand, list(group)) for hand, group in groupby(PLAYERS, lambda players: Options(players).starting_hand)
]
FULL, REDUCED = Options(MOST).starting_hand, Options(MOST, reduced_hand=True).starting_hand
MINIMUM, OF_EXPERTS = (Options(MOST, str(difficulty)).minimum(1) for difficulty in CHOICES["difficulty"])
(WITHOUT_DECK,) = {Options(MOST, str(difficulty)).minimum(0) for difficulty in CHOICES["difficulty"]}
STARTS = [RISING.count(True), FLOOR, RISING.count(False), CEILING]


def cards(figure: str) -> list[int]:
    """The cards of a drawing as a sentence names them: the new one, then the one it goes on."""
    return list(chain.from_iterable((pile.card, pile.top) for pile in drawn(figure)))


# What every section says in numbers, block by block, wherever there are any.
SAID = {
    "presentation": [[PLAYERS[0], MOST], [COUNT, LOWEST, HIGHEST, len(NAMES), *STARTS[::2]]],
    "set-up": [
        [len(NAMES), *STARTS, FLOOR, CEILING],
        [len(NAMES), *STARTS],
        [COUNT],
        *[[*dict.fromkeys((group[0], group[-1])), hand] for hand, group in HANDS],
        [FULL - REDUCED],
    ],
    "quick-rules": [[MINIMUM], [STEP_BACK]],
    "detailed-rules": [
        cards("legal-play"),
        [STEP_BACK],
        cards("step-of-ten"),
        cards("illegal-play"),
        [MINIMUM],
        [OF_EXPERTS],
        [WITHOUT_DECK],
    ],
    "result": [[COUNT], [0], [1, EXCELLENT_BELOW - 1], [EXCELLENT_BELOW], [EXCELLENT_BELOW]],
    "end": [[COUNT]],
    "question-set-up": [[*STARTS, *chain.from_iterable((hand, *group) for hand, group in HANDS)]],
    "question-step-of-ten": [
        [STEP_BACK, STEP_BACK - 1, STEP_BACK + 1],
        [number for pile in drawn("step-of-ten") for number in (pile.top, pile.card)],
    ],
    "question-empty-deck": [[WITHOUT_DECK], [COUNT]],
    "question-result": [[0, 1, EXCELLENT_BELOW - 1], [COUNT]],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_figure_is_the_ruleset_s(language: str) -> None:
    for section, texts in guide(language).items():
        found = [said for text in texts if (said := numbers(language, text))]
        assert found == [collapsed(said) for said in SAID.get(section, [])], section


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_sections_built_alike(language: str) -> None:
    assert [section["id"] for section in sections(language)] == SECTIONS
    for ours, english in zip(sections(language), sections("en"), strict=True):
        assert shape(ours["markdown"]) == shape(english["markdown"]), ours["id"]
        if language != "en":
            assert ours["title"] != english["title"]


def test_there_is_a_folder_for_every_language_and_nothing_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.is_dir() and any(path.glob("*.md"))} == set(
        LANGUAGES
    )
    for language in LANGUAGES:
        names = [path.name for path in sorted((FOLDER / language).iterdir())]
        assert names == [f"{place:02}-{section}.md" for place, section in enumerate(SECTIONS, 1)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_is_mixed_with_another(language: str) -> None:
    for section, texts in guide(language).items():
        assert spoken(" ".join(texts)) == language, section
        for text in texts:
            assert len(WORD.findall(text)) < TOLD or spoken(text) == language, text


@pytest.mark.parametrize(("language", "other"), list(pairwise([*LANGUAGES, LANGUAGES[0]])))
def test_a_section_in_the_wrong_folder_would_be_noticed(language: str, other: str) -> None:
    assert all(spoken(" ".join(texts)) != language for texts in guide(other).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_no_markdown_but_paragraphs_bold_lists_and_images(language: str) -> None:
    for section in sections(language):
        assert LINE.fullmatch(section["title"])
        assert "*" not in section["title"]
        for block in section["markdown"].split("\n\n"):
            if block.startswith("!"):
                assert IMAGE.fullmatch(block), block
            elif block.startswith("- "):
                items = block.split("\n")
                assert all(item.startswith("- ") and LINE.fullmatch(item[2:]) for item in items), block
            else:
                assert "\n" not in block, block
                assert LINE.fullmatch(block), block


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_drawing_is_shown_once_and_described(language: str) -> None:
    text = "\n".join(section["markdown"] for section in sections(language))
    shown = IMAGE.findall(text)
    assert sorted(name for _, name in shown) == sorted(figures())
    assert len({described for described, _ in shown}) == len(shown)
    assert all(described.endswith(".") for described, _ in shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_typography_is_that_of_the_language(language: str) -> None:
    opening, closing = list(QUOTED[language])
    for section in sections(language):
        text = f"{section['title']}\n{section['markdown']}"
        assert not re.search(r"  |\t| $|['\"]|\.\.|…| - ", text, re.MULTILINE), section["id"]
        assert not set("“”„«»‘") & set(text) - {opening, closing}, section["id"]
        assert re.findall(f"[{opening}{closing}]", text) == [opening, closing] * text.count(opening)
        if language == "es":
            assert re.findall("[¿?¡!]", IMAGE.sub("", text)) == ["¿", "?"] * text.count("?")
        if language == "fr":
            assert not re.search("[^\u00a0][:;?»]|«[^\u00a0]", text), section["id"]
        else:
            assert not re.search(r"[\u00a0\u202f]| [:;?!]", text), section["id"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_piles_are_called_as_everywhere_else(language: str) -> None:
    text = " ".join(chain.from_iterable(guide(language).values())).lower()
    for name in phrases(language)["piles"].values():
        stems = [word[: min(6, len(word) - 1)] for word in name.lower().split() if word.isalpha()]
        assert re.search(r"\w* ".join(map(re.escape, stems)), text), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_variants_that_are_not_covered_are_named(language: str) -> None:
    text = " ".join(guide(language)["note"]).lower().replace("&", "and").replace(" ", "-")
    assert all(variant in text for variant in NOT_COVERED)


def shape(markdown: str) -> list[str]:
    """What each line is: an item, the image of a drawing, a paragraph with a heading of its own, or plain."""
    return [
        image[2] if (image := IMAGE.fullmatch(line)) else re.sub(rf"^(- |{BOLD}|).*", _kind, line)
        for line in markdown.splitlines()
    ]


def _kind(match: re.Match[str]) -> str:
    return match[1][:2]
