"""Words of the tests that run the command line in this process."""

from collections.abc import Callable
from typing import Any

from click.testing import Result

from tests.unit.client import documents as a
from tests.unit.client.peer import Behaviour, answers

Ninety8 = Callable[..., Result]
ACCOUNT = {"id": "acc", "email": "ana@example.org", "display_name": "Ana", "plan": "free"}


def accepted(*outcomes: dict[str, Any], **game: Any) -> Behaviour:
    """The answer to a batch that was accepted; `game` changes the game in it."""
    made = a.game(**game)
    return answers(200, {"version": made["version"], "outcomes": list(outcomes), "game": made})
