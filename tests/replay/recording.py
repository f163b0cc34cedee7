"""Owns the form of a recorded game: a log, and what the rules said of it when it was recorded."""

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "games"


@dataclass(frozen=True, slots=True)
class Recording:
    """A stored game: `digests` mark the table after each entry of the log, `table` is the last one."""

    name: str
    why: str
    ruleset: str
    rules_version: str
    options: dict[str, Any]
    actions: list[dict[str, Any]]
    digests: list[str]
    table: dict[str, Any]
    result: dict[str, Any] | None


def digest(table: dict[str, Any]) -> str:
    """A short mark of a whole table, the same whatever the order of its fields."""
    return sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()[:16]


def read_all() -> list[Recording]:
    """All recorded games by name."""
    return [
        Recording(**json.loads(path.read_text(encoding="utf-8"))) for path in sorted(FOLDER.glob("*.json"))
    ]


def write(recording: Recording) -> bool:
    """Store a game unless one of its name is there; a recorded game is never written over."""
    path = FOLDER / f"{recording.name}.json"
    if path.exists():
        return False
    FOLDER.mkdir(exist_ok=True)
    path.write_text(_text(recording), encoding="utf-8")
    return True


def _text(recording: Recording) -> str:
    """JSON with one action a line."""
    fields = asdict(recording)
    lines = []
    for name, value in fields.items():
        if name in ("actions", "digests"):
            items = ",\n".join(f"    {json.dumps(item)}" for item in value)
            lines.append(f'  "{name}": [\n{items}\n  ]' if value else f'  "{name}": []')
        else:
            lines.append(f'  "{name}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"
