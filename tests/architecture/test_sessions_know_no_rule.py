"""Sessions keeps what happened and knows nothing of the game: no card, pile or turn is spoken of there.

What rules answers (state, table, result, instructions) passes through as it is. Only the shape of public
documents is written down, in schemas that decide nothing.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.settings import CHECKOUT
from tests.architecture.sources import modules, tree

WORDS = """
pile piles up1 up2 down1 down2 card cards rank ranks top tops step rising falling direction
playable uncertain legal illegal possibilities minimum deck draw drawn draws hand hands turn turns
block blocks blocked cleared remaining win won loss lost perfect excellent counted
"""
VOCABULARY = frozenset(WORDS.split())
NUMBERS_OF_THE_GAME = frozenset({98, 99})
SCHEMAS = Path("services/sessions/entrypoints/schemas.py")
# What sessions says by name and decides nothing by: numbers and words that rules told, carried on.
CARRIED = {
    # The game document shows how many cards each seat holds: a number copied out of the table.
    "domain/game.py": "hand hands",
    # The figures of a finished game, as rules sums it up, in the columns they are kept in...
    "domain/figures.py": "turn turns remaining deck hand hands pile blocked",
    "adapters/figure_tables.py": "turn turns remaining deck hand hands pile blocked",
    "migrations/versions/0004_results.py": "turn turns remaining deck hand hands pile blocked",
    # ...those of them that are added up, or that games are picked by...
    "domain/cells.py": "hand remaining turns",
    "adapters/cell_store.py": "hand remaining turns",
    "domain/result_list.py": "hand",
    "entrypoints/routes/results.py": "hand",
    "entrypoints/result_schemas.py": "hand",
    # (what HMAC and Parquet call a block is another thing)
    "adapters/result_export.py": "hand block",
    "entrypoints/parquet.py": "block",
    # ...and the names that the public contract gives to statistics.
    "entrypoints/stats_schemas.py": "hand turns remaining cards win excellent",
    "domain/statistics.py": "turns remaining win excellent 99",
}
ALLOWED = {
    (Path("services/sessions") / path, word) for path, said in CARRIED.items() for word in said.split()
}
# The contract fixes from where on statistics call a game excellent, and how many numbers there are.
BOUNDS = Path("services/sessions/domain/statistics.py")
DECIDE_NOTHING = {path for path, _ in ALLOWED} - {BOUNDS} | {SCHEMAS}


def words(module: ast.Module) -> Iterator[str]:
    """Every word in names and texts of `module`, docstrings left out; numbers of the game as they are."""
    explained = {id(text) for text in _docstrings(module)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in explained:
            yield from _split(node.value)
        elif isinstance(node, ast.Constant) and node.value in NUMBERS_OF_THE_GAME:
            yield str(node.value)
        for name in ("id", "attr", "arg", "name"):
            found = getattr(node, name, None)
            if isinstance(found, str):
                yield from _split(found)


def spoken(path: Path) -> set[tuple[Path, str]]:
    numbers = {str(number) for number in NUMBERS_OF_THE_GAME}
    return {(path.relative_to(CHECKOUT), word) for word in words(tree(path)) if word in VOCABULARY | numbers}


def test_sessions_does_not_speak_of_the_game() -> None:
    found = set[tuple[Path, str]]().union(*map(spoken, modules("services/sessions")))
    assert {(path, word) for path, word in found if path != SCHEMAS} == ALLOWED


@pytest.mark.parametrize("path", sorted(DECIDE_NOTHING), ids=str)
def test_what_is_carried_decides_nothing(path: Path) -> None:
    deciding = (ast.If, ast.IfExp, ast.Compare, ast.Match, ast.For, ast.While)
    of_the_game = [
        node
        for node in ast.walk(tree(CHECKOUT / path))
        if isinstance(node, deciding) and VOCABULARY & set(words(ast.Module([ast.Expr(node)], [])))
    ]
    assert not [ast.unparse(node) for node in of_the_game]


def test_the_words_are_those_that_rules_uses() -> None:
    """So that this test would notice the game if it moved into sessions."""
    heard = {word for path in modules("services/rules/the_game") for _, word in spoken(path)}
    assert len(heard & VOCABULARY) > 30


def _split(name: str) -> Iterator[str]:
    for part in re.findall(r"[A-Z]?[a-z]+\d?|[A-Z]+\d?|\d+", name):
        yield part.lower()


def _docstrings(module: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(module):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value
