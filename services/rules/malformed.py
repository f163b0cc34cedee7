"""Owns the refusal of input that is not even a question about the game."""

from collections.abc import Mapping
from typing import Any


class Malformed(ValueError):
    """Input of the wrong shape; `errors` names the field and says what it must be."""

    def __init__(self, errors: Mapping[str, Any]) -> None:
        super().__init__("malformed input")
        self.errors = dict(errors)
