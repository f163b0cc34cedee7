"""What every file of the project keeps to."""

import ast
import re
from pathlib import Path
from statistics import median

import pytest

from shared.settings import CHECKOUT
from tests.architecture.sources import PACKAGES, calls, modules, texts, tree

LONGEST_LINES = 300
MEDIAN_LINES = 90
VAGUE = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "base", "misc"}
# In pieces, so that this file does not contain what it looks for.
REGISTRIES = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("registry", "yarnpkg", "com"),
        ("docker", "io"),
        ("ghcr", "io"),
        ("gcr", "io"),
        ("quay", "io"),
        ("public", "ecr", "aws"),
        ("jsdelivr", "net"),
        ("unpkg", "com"),
        ("cdnjs", "cloudflare", "com"),
        ("proxy", "golang", "org"),
    )
]


@pytest.mark.parametrize("path", modules(*PACKAGES), ids=lambda path: str(path.relative_to(CHECKOUT)))
def test_a_module_says_in_its_first_words_what_it_owns_and_stays_small(path: Path) -> None:
    text = path.read_text("utf-8")
    if "migrations/versions" not in str(path):
        assert text.count("\n") < LONGEST_LINES
    assert not text or ast.get_docstring(tree(path)), "no docstring"


def test_most_modules_fit_on_a_screen() -> None:
    assert median(path.read_text("utf-8").count("\n") for path in modules(*PACKAGES)) < MEDIAN_LINES


def test_no_file_is_named_after_nothing() -> None:
    assert not [name for name in texts() if VAGUE & set(re.split(r"[^a-z]+", name.stem.lower()))]


def test_no_test_waits_for_time_to_pass() -> None:
    asleep = [
        f"{path.relative_to(CHECKOUT)}:{call.lineno}"
        for path in modules("tests")
        for name, call in calls(tree(path))
        if name in ("time.sleep", "sleep", "asyncio.sleep")
    ]
    assert not asleep


def test_no_file_names_a_package_registry() -> None:
    registries = re.compile("|".join(map(re.escape, REGISTRIES)))
    assert not [str(name) for name, text in texts().items() if registries.search(text)]


def test_no_file_names_a_folder_of_this_machine() -> None:
    assert not [str(name) for name, text in texts().items() if f"{CHECKOUT}/" in text]


@pytest.mark.parametrize("name", REGISTRIES)
def test_a_registry_would_be_noticed(name: str) -> None:
    assert re.search("|".join(map(re.escape, REGISTRIES)), f"--index-url https://{name}/simple")
