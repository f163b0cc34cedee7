"""Every error code is used, explained in every language, and explained alike."""

import ast
import json
import re

import pytest

from shared.contracts.problems import CODES, LANGUAGES, details
from tests.architecture.sources import modules, read, texts, tree

TRANSLATIONS = [language for language in LANGUAGES if language != "en"]
# What a text refers to, and what must therefore be in every translation: fields, addresses, headers, numbers.
REFERENCES = re.compile(r"`[^`]+`|/v1/[\w/]+|application/json|Retry-After|Allow|\d+")


def catalogue(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(read(f"shared/contracts/problems/{language}.json"))
    return found


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_catalogue_has_every_code_and_nothing_else(language: str) -> None:
    assert list(catalogue(language)) == list(CODES)


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_refers_to_the_same_things(language: str) -> None:
    differing = {
        code: text
        for code, text in catalogue(language).items()
        if sorted(REFERENCES.findall(text)) != sorted(REFERENCES.findall(CODES[code].detail))
    }
    assert not differing


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_two_codes_are_explained_by_the_same_words(language: str) -> None:
    found = catalogue(language)
    assert len(set(found.values())) == len(found)
    assert not set(found.values()) & set(details("en").values())


def test_no_catalogue_is_left_over() -> None:
    stored = {name.stem for name in texts() if name.match("shared/contracts/problems/*.json")}
    assert stored == set(TRANSLATIONS)


def test_every_code_is_used_somewhere() -> None:
    used = {
        node.value
        for path in modules("services", "gateway", "shared")
        if path.name != "problems.py" or "contracts" not in path.parts
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(CODES) - used == set()
