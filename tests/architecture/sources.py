"""The project's own files, as the architecture tests look at them."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from shared.settings import CHECKOUT

PACKAGES = ("services", "gateway", "shared", "infra")


def modules(*folders: str) -> list[Path]:
    """Every Python file below `folders` of the checkout."""
    return sorted(
        path
        for folder in folders
        for path in (CHECKOUT / folder).rglob("*.py")
        if "__pycache__" not in path.parts
    )


@cache
def tree(path: Path) -> ast.Module:
    """The syntax of the module at `path`."""
    return ast.parse(path.read_text("utf-8"))


@cache
def texts() -> dict[Path, str]:
    """Everything that is or would be committed and is text, by path relative to the checkout."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        capture_output=True,
        check=True,
    )
    names = [Path(name) for name in listed.stdout.decode().split("\0") if name]
    return {name: text for name in names if (text := _text(CHECKOUT / name)) is not None}


def documents() -> dict[Path, str]:
    """The Markdown documents that are or would be committed."""
    return {name: text for name, text in texts().items() if name.suffix == ".md"}


def read(name: str) -> str:
    """The file `name` of the checkout."""
    return (CHECKOUT / name).read_text("utf-8")


def calls(module: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Each call in `module` with the dotted name of what it calls, as far as it is one."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
        return None
