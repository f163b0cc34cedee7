"""Owns how the guide is read from its files: a section a file, a folder a language, one language whole.

A file is `<nn>-<id>.md`: the title after `# `, then paragraphs of one line each, lists of `- `, `**bold**`,
and images that stand alone and show one of the figures. There is no other Markdown in it.
"""

from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


@cache
def sections(language: str) -> list[dict[str, Any]]:
    """`{id, title, markdown}` in reading order; `language` is one of the problem documents' `LANGUAGES`."""
    return [_section(path) for path in sorted((FOLDER / language).glob("*.md"))]


@cache
def figures() -> dict[str, str]:
    """The drawings by name, each a whole SVG document."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("figures/*.svg"))}


def _section(path: Path) -> dict[str, Any]:
    title, _, text = path.read_text(encoding="utf-8").partition("\n")
    _, _, name = path.stem.partition("-")
    return {"id": name, "title": title.removeprefix("# "), "markdown": text.strip()}
