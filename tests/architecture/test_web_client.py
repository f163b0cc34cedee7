"""What the files of the web client keep to: small, typed, explained, complete in every language."""

import json
import re
import tomllib
from pathlib import Path
from statistics import median

import pytest

from gateway.slimming import slimmed
from shared.contracts.problems import LANGUAGES
from shared.settings import CHECKOUT

WEB = CHECKOUT / "gateway/web"
SCRIPTS = sorted((WEB / "js").rglob("*.js"))
LONGEST_LINES = 250
MEDIAN_LINES = 60
# The forms in which whole numbers appear in each language; what a form is missing for reads as `other`.
PLURALS = {language: {"one", "other"} for language in LANGUAGES} | {"sl": {"one", "two", "few", "other"}}


def texts(language: str) -> dict[str, str | dict[str, str]]:
    """Everything that the client says in one language, by group and name with a dot between them."""
    groups = json.loads((WEB / f"lang/{language}.json").read_text("utf-8"))
    return {f"{group}.{name}": text for group, named in groups.items() for name, text in named.items()}


def forms(text: str | dict[str, str]) -> dict[str, str]:
    return {"": text} if isinstance(text, str) else text


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def test_scripts_are_small() -> None:
    lines = {path: path.read_text("utf-8").count("\n") for path in SCRIPTS}
    assert max(lines.values()) <= LONGEST_LINES
    assert median(lines.values()) < MEDIAN_LINES


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda it: it.relative_to(WEB).as_posix())
def test_a_script_says_what_it_is_and_its_functions_what_they_take(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith("// ")
    assert "`\n" not in re.sub(r"`[^`\n]*`", "", text), "a template literal over several lines"
    for before, parameters in re.findall(
        r"(.*\n)export (?:async )?(?:function \w+|const \w+ = (?:async )?)\(([^)]*)\)", text
    ):
        is_typed = "@param" in parameters or "@type" in parameters or not parameters.strip()
        assert is_typed or "*/" in before, parameters


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda it: it.relative_to(WEB).as_posix())
def test_slimming_leaves_every_string_as_it_is(path: Path) -> None:
    sent = slimmed(path.name, path.read_bytes()).decode()
    for line in re.sub(r"/\*\* @type .*?\*/", "", path.read_text("utf-8")).split("\n"):
        if not re.match(r"\s*(//|/?\*)", line):
            strings = re.findall(r'"(?:[^"\\]|\\.)*"', line)
            assert [it for it in strings if it not in sent] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_said_in_every_language(language: str) -> None:
    english, spoken = texts("en"), texts(language)
    assert list(spoken) == list(english)
    for key, text in spoken.items():
        assert isinstance(text, str) == isinstance(english[key], str), key
        if isinstance(text, dict):
            assert set(text) == PLURALS[language], key
        wanted = set().union(*map(places, forms(english[key]).values()))
        for form in forms(text).values():
            assert form.strip(), key
            assert places(form) == wanted, key


def test_every_text_that_is_asked_for_is_there_and_none_is_left_over() -> None:
    english = texts("en")
    code = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    asked = set(re.findall(r'\bt\(\s*"([\w.]+)"', code))
    assert asked - set(english) == set()
    quoted = set(re.findall(r'"([a-z_]+\.[a-z_0-9.]+)"', code))
    groups = tuple(re.findall(r"`([a-z_.]+\.)[a-z_]*\$\{", code))
    choices = tuple(f"{name}." for name in re.findall(r'pairs\("(\w+)"', code))
    assert {key for key in english if key not in quoted and not key.startswith((*groups, *choices))} == set()


def test_the_languages_offered_are_those_of_the_api() -> None:
    offered = re.search(r"LANGUAGES = .*?\(\[(.*?)\]\)", (WEB / "js/ui/i18n.js").read_text("utf-8"))
    assert offered is not None
    assert tuple(re.findall(r'"(\w+)"', offered.group(1))) == LANGUAGES


def test_every_kind_of_file_is_installed_with_the_package() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
    packed = set(project["tool"]["setuptools"]["package-data"]["*"])
    assert {f"*{path.suffix}" for path in WEB.rglob("*") if path.is_file()} <= packed
