"""Sessions as the live process sees it: who may see which game, and the games' logs, over real HTTP."""

import socket
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

from tests.integration.gateway import standin
from tests.integration.gateway.standin import Received, Standin

PAGE = 200
Json = dict[str, Any]


@dataclass
class Sessions:
    """`refusal` answers everything while it is set; `reads` counts how often a log was read."""

    tokens: dict[str, Json] = field(default_factory=dict)
    logs: dict[str, list[Json]] = field(default_factory=dict)
    refusal: standin.Behaviour | None = None
    reads: int = 0

    def __post_init__(self) -> None:
        self.standin = Standin(self._behave)

    def game(self) -> str:
        """A new game with an empty log."""
        game_id = str(uuid4())
        self.logs[game_id] = []
        return game_id

    def token(self, game_id: str, role: str = "owner", expires_in_s: float = 900, **changes: Any) -> str:
        """A token for one game: an account's as its owner, else a guest's."""
        now, who = datetime.now(UTC), str(uuid4())
        token, is_guest = f"token-{uuid4().hex}", role != "owner"
        self.tokens[token] = {
            "game_id": game_id,
            "role": role,
            "issued_at": now.isoformat(),
            "expires_at": (now + timedelta(seconds=expires_in_s)).isoformat(),
            "owner_id": str(uuid4()) if is_guest else who,
            "account_id": None if is_guest else who,
            "sign_in": None if is_guest else str(uuid4()),
            "guest_id": who if is_guest else None,
            "invitation_id": str(uuid4()) if is_guest else None,
        } | changes
        return token

    def add(self, game_id: str, entries: int, note: str = "") -> list[Json]:
        """Entries are added to the log; returned as the log gives them, with what each led to."""
        log = self.logs[game_id]
        made = [_item(seq, note) for seq in range(len(log) + 1, len(log) + 1 + entries)]
        log.extend(made)
        return made

    def asked(self, what: str) -> list[Received]:
        """The requests for `access` or `log`."""
        return [it for it in self.standin.received if urlsplit(it.target).path.endswith(what)]

    def _behave(self, request: Received, connection: socket.socket) -> bool:
        return (self.refusal or self._answer(request))(request, connection)

    def _answer(self, request: Received) -> standin.Behaviour:
        url = urlsplit(request.target)
        _, _, _, game_id, what = url.path.split("/")
        access = self.tokens.get(request.headers.get("authorization", "").removeprefix("Bearer "))
        if access is None:
            return standin.problem(401, "unauthenticated", WWW_Authenticate="Bearer")
        if access["game_id"] != game_id or game_id not in self.logs:
            return standin.problem(404, "not_found")
        log = self.logs[game_id]
        if what == "access":
            return standin.answer(200, access | {"version": len(log)})
        self.reads += 1
        query = parse_qs(url.query)
        assert query["tables"] == ["true"]
        after, limit = int(query["after"][0]), min(int(query["limit"][0]), PAGE)
        items = log[after : after + limit]
        more = len(log) > after + limit
        return standin.answer(200, {"items": items, "next_cursor": str(after + limit) if more else None})


def _item(seq: int, note: str) -> Json:
    return {
        "seq": seq,
        "action": {"id": str(uuid4()), "type": "play", "note": note},
        "recorded_at": datetime.now(UTC).isoformat(),
        "table": {"turn": seq},
        "result": None,
    }
