"""People are spoken to in one way per language, in the terms of the guide, and not as programmers."""

import re
from collections.abc import Iterator

import pytest

from services.rules.the_game.guide.reading import sections
from services.rules.the_game.wording import phrases
from shared.contracts.problems import CODES, LANGUAGES, details
from tests.architecture.test_web_client import forms, texts

# Words that only the other way of speaking to somebody has: tu in French and Portuguese, ti in Slovene, usted
# in Spanish, Lei in Italian, Sie in German (where a capital within a sentence tells it).
OTHERWISE = {
    "es": r"\b(?:usted|ustedes|su cuenta|inicie|introduzca|toque|escriba)\b",
    "it": r"\b(?:La preghiamo|il suo account|acceda|inserisca|tocchi|scelga)\b",
    "pt": r"\b(?:teu|teus|tua|tuas|tens|contigo|toca|tenta|inicia sessão|escreve|lê|cria uma)\b",
    "fr": r"\b(?:tu|toi|ton|tes|réessaie|touche|saisis)\b",
    "de": r"(?<=[a-zäöüß,] )(?:Sie|Ihnen|Ihre?[nmrs]?)\b",
    "sl": r"\b(?:tvoj\w*|tebi|tebe|tabo|imaš|igraš|prijaviš|vtipkaj|tapni|skeniraj)\b",
}
# What only somebody who writes a program can be told.
FOR_PROGRAMS = {
    "malformed_body",
    "method_not_allowed",
    "body_too_large",
    "unsupported_media_type",
    "bad_refresh_token",
    "operator_required",
    "ruleset_unknown",
}
CODE_LIKE = re.compile(r"`|/v1/|Retry-After|\b(?:up|down)[12]\b|\w_\w|\btoken\b", re.IGNORECASE)


def leaves(tree: object) -> Iterator[str]:
    if isinstance(tree, dict):
        for branch in tree.values():
            yield from leaves(branch)
    else:
        yield str(tree)


def everything(language: str) -> Iterator[str]:
    """All that is said in a language, but for what the guide lets players say to each other."""
    for text in texts(language).values():
        yield from forms(text).values()
    yield from details(language).values()
    yield from leaves(phrases(language))
    for section in sections(language):
        yield re.sub("«[^»]*»|„[^“]*“|»[^«]*«", "", section["markdown"])


@pytest.mark.parametrize("language", sorted(OTHERWISE))
def test_nobody_is_spoken_to_in_two_ways(language: str) -> None:
    flags = re.NOFLAG if language == "de" else re.IGNORECASE
    otherwise = [text for text in everything(language) if re.search(OTHERWISE[language], text, flags)]
    assert not otherwise


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_player_is_told_nothing_that_only_programs_know(language: str) -> None:
    told = {code: text for code, text in details(language).items() if CODE_LIKE.search(text)}
    assert set(told) <= FOR_PROGRAMS
    assert set(CODES) > FOR_PROGRAMS


def stems(text: str) -> list[str]:
    return [word[:3] for word in re.findall(r"\w+", text.lower())]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_thing_has_one_name(language: str) -> None:
    said, told = texts(language), phrases(language)
    guide = stems(" ".join(section["markdown"] for section in sections(language)))
    deck = stems(str(said["deck.name"]))
    assert set(deck) <= set(stems(told["question"]["deck"]))
    assert set(deck) <= set(guide)
    for pile, name in told["piles"].items():
        assert set(stems(str(said[f"pile.{pile}"]))) <= set(stems(name))
        assert set(stems(name)) <= {*guide, "1", "2"}
    block = stems(str(said["action.block"]))[-1]
    assert block in stems(str(said["block.yes"]))
    assert block in guide
    assert block in stems(told["entered"]["block"])
    assert block in stems(details(language)["minimum_not_played"])
