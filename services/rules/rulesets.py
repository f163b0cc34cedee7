"""Owns the list of rulesets: what every ruleset answers, and which one a name means."""

from collections.abc import Mapping
from typing import Any, Protocol

from services.rules.the_game import ruleset as the_game


class Ruleset(Protocol):
    """The door of a ruleset's folder: JSON in and out, `Malformed` raised for input of the wrong shape."""

    NAME: str
    VERSION: str
    NOT_COVERED: tuple[str, ...]

    def describe(self) -> dict[str, Any]: ...

    def guide(self, language: str) -> list[dict[str, Any]]: ...

    def figures(self) -> Mapping[str, str]: ...

    def evaluate(self, options: object, actions: object, tables: bool) -> dict[str, Any]: ...

    def answer(
        self, options: object, state: object, log: object, actions: object, tables: bool, go_on: bool = False
    ) -> dict[str, Any]: ...

    def recall(self, options: object, log: object, since: object) -> dict[str, Any]: ...

    def reconcile(
        self, options: object, log: object, base_version: object, branch: object, newer: object = None
    ) -> dict[str, Any]: ...


RULESETS: Mapping[str, Ruleset] = {the_game.NAME: the_game}


def unknown(name: object) -> str:
    """The code with which a name is refused: a variant that needs rules of its own, or nothing we know."""
    is_variant = any(name in ruleset.NOT_COVERED for ruleset in RULESETS.values())
    return "variant_not_covered" if is_variant else "ruleset_unknown"
