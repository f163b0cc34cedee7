"""The operations of an OpenAPI document, and one well-formed request for each public one."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from tests.support.api import PASSWORD, Api, Json, Reply, patiently, play
from tests.support.world import World

CHECKOUT = Path(__file__).resolve().parents[2]
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path, as a document describes it."""

    name: str
    method: str
    path: str
    definition: Json

    @property
    def is_public(self) -> bool:
        return not self.definition.get("security")

    @property
    def statuses(self) -> set[int]:
        return {int(status) for status in self.definition["responses"]}

    @property
    def body(self) -> Json | None:
        """The schema of its JSON body; None when it takes none."""
        content = self.definition.get("requestBody", {}).get("content", {})
        schema: Json | None = content["application/json"]["schema"] if content else None
        return schema

    @property
    def parameters(self) -> list[str]:
        """The names of the parameters in its path."""
        return re.findall(r"\{(\w+)\}", self.path)


def document(folder: str = "gateway") -> Json:
    """The OpenAPI document committed in `folder`."""
    found: Json = json.loads((CHECKOUT / folder / "openapi.json").read_text(encoding="utf-8"))
    return found


def operations(described: Json) -> list[Operation]:
    """All operations of a document, path by path."""
    return [
        Operation(operation.get("operationId", f"{method} {path}"), method.upper(), path, operation)
        for path, item in described["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    ]


def named(operation: Operation) -> str:
    """The id of a test's case."""
    return operation.name


# What a parameter in a path stands for in a world.
PARAMETERS: Mapping[str, Callable[[World], str]] = {
    "game_id": lambda world: world.game_id,
    "player_id": lambda world: world.player_id,
    "invitation_id": lambda world: world.invitation_id,
    "conflict_id": lambda world: world.conflict_id,
    "action_id": lambda world: world.parked_id,
    "ruleset": lambda _: "the-game",
    "figure": lambda _: "legal-play",
    "code": lambda _: "not_found",
}

# What the table of a world may show.
SHOWN: Json = {
    "piles": {"up1": 5, "up2": 1, "down1": None, "down2": 100},
    "deck": 84,
    "hands": [6, 7],
    "active_seat": 0,
}

# A body that the operation takes, for every operation that takes one.
BODIES: Mapping[str, Callable[[World], Json]] = {
    "sign_up": lambda _: {
        "email": f"{uuid4().hex}@example.org",
        "password": PASSWORD,
        "display_name": "Ana",
        "locale": "es",
    },
    "sign_in": lambda world: {"email": world.email, "password": PASSWORD},
    "refresh_tokens": lambda world: {"refresh_token": world.refresh_token},
    "reset_password": lambda _: {"code": "not-a-code", "password": PASSWORD},
    "change_me": lambda _: {"display_name": "Ana María", "locale": "es"},
    "delete_me": lambda _: {"password": "not the password"},
    "change_password": lambda _: {"current_password": "not the password", "new_password": PASSWORD},
    "redeem_plus_code": lambda _: {"code": "AAAA-AAAA-AAAA-AAAA"},
    "create_player": lambda _: {"id": str(uuid4()), "name": "Berta", "colour": "#1a2b3c"},
    "change_player": lambda _: {"name": "Berta", "colour": None, "archived": False},
    "merge_player": lambda world: {"into": world.other_player_id},
    "evaluate": lambda _: {
        "options": {"players": 2, "difficulty": "normal", "reduced_hand": False, "first_seat": 0},
        "actions": [
            {"id": "a", "type": "play", "pile": "up1", "card": 7, "confirmed": True},
            {"type": "undo", "target": "a", "at": "2026-05-01T18:30:00Z"},
        ],
    },
    "create_game": lambda world: {
        "id": str(uuid4()),
        "ruleset": "the-game",
        "options": {"difficulty": "expert", "reduced_hand": True, "first_seat": 1},
        "players": [{"player_id": world.player_id}, {"name": "Carla"}],
    },
    "apply_actions": lambda world: {
        "actions": [
            play("up1", 7, confirmed=True, at="2026-05-01T18:30:00+02:00"),
            {"id": str(uuid4()), "type": "undo", "target": world.action_id},
        ],
        "expected_version": 1,
    },
    "sync_game": lambda world: {
        "device": "Carla's phone",
        "base_version": 1,
        "actions": [
            play("up1", 7, confirmed=True, at="2026-05-01T18:30:00+02:00"),
            {"id": str(uuid4()), "type": "undo", "target": world.action_id},
        ],
    },
    "adopt_table": lambda _: {"id": str(uuid4()), "table": SHOWN, "expected_version": 1},
    "rewind_game": lambda _: {"id": str(uuid4()), "to_version": 0, "expected_version": 1},
    "decide_conflict": lambda _: {"choice": "table", "table": SHOWN, "expected_version": 1},
    "reopen_conflict": lambda _: {"id": str(uuid4()), "side": "device"},
    "create_invitation": lambda _: {"role": "viewer", "expires_in": 3_600},
    "accept_invitation": lambda _: {"code": "A" * 43},
}


def path_of(operation: Operation, world: World) -> str:
    """The operation's path with the ids of `world`."""
    return operation.path.format_map({name: PARAMETERS[name](world) for name in operation.parameters})


def body_of(operation: Operation, world: World) -> Json | None:
    """A well-formed body about things of `world`; None when the operation takes none."""
    return BODIES[operation.name](world) if operation.body else None


def ask(operation: Operation, world: World, api: Api | None = None, **headers: str) -> Reply:
    """The operation on the things of `world`, sent through its own `api` or another; slowly if need be."""
    path, body = path_of(operation, world), body_of(operation, world)
    return patiently(lambda: (api or world.api).call(operation.method, path, body, **headers))
