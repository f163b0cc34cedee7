"""Sessions over HTTP in this process, on the real database, with tokens and a clock of the test's own."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Protocol, cast
from uuid import UUID, uuid4

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers

from services.sessions.bootstrap import Web, app_of
from shared.web.tokens import ALGORITHM, TYPE, Verifier
from tests.integration.sessions.world import World, now
from tests.support.api import Json
from tests.support.forging import packed, signed

PUBLIC_URL = "https://table.example"
GAME = {"ruleset": "the-game", "players": [{"name": "Ana"}, {"name": "Ben"}]}


class Answer(Protocol):
    """An HTTP answer as the tests look at it."""

    status_code: int
    headers: Headers
    data: bytes

    @property
    def json(self) -> Any: ...


class Clock:
    """Stands still until it is turned."""

    def __init__(self) -> None:
        self.now = now()

    def __call__(self) -> datetime:
        return self.now

    def turn(self, **by: float) -> None:
        self.now += timedelta(**by)


class Served:
    """The web app with whoever comes to it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.clock = Clock()
        self._key = Ed25519PrivateKey.generate()
        verifier = Verifier(self._key_set, "ninety-eight", "ninety-eight")
        self.app: Flask = app_of(
            Web(world.web, world.statements, world.rules, world.players, verifier, PUBLIC_URL, self.clock)
        )

    def call(
        self, method: str, path: str, body: Any = None, token: str | None = None, **headers: str
    ) -> Answer:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        client: FlaskClient = self.app.test_client()
        return cast("Answer", client.open(path, method=method, json=body, headers=sent))

    def owner(self, plan: str = "plus") -> "Owner":
        """Somebody with an account and one game."""
        account_id = uuid4()
        token, family = self.token(account_id, plan)
        answer = self.call("POST", "/v1/games", GAME, token)
        assert answer.status_code == 201, answer.data
        return Owner(self, account_id, token, family, answer.json["id"])

    def token(
        self, account_id: UUID, plan: str = "free", age_s: float = 0, role: str | None = None
    ) -> tuple[str, UUID]:
        """An access token as accounts makes them, issued that long ago, and its family."""
        family, issued_at = uuid4(), time.time() - age_s
        claims = {
            "iss": "ninety-eight",
            "aud": "ninety-eight",
            "sub": str(account_id),
            "iat": issued_at,
            "exp": int(issued_at) + 900,
            "plan": plan,
            "family": str(family),
        } | ({"role": role} if role else {})
        return signed(self._key, {"alg": ALGORITHM, "typ": TYPE, "kid": "one"}, claims), family

    def _key_set(self) -> dict[str, Any]:
        raw = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return {"keys": [{"kty": "OKP", "crv": "Ed25519", "x": packed(raw), "kid": "one", "use": "sig"}]}


@dataclass(frozen=True, slots=True)
class Owner:
    """An account with a game, and how it invites to it."""

    served: Served
    account_id: UUID
    token: str
    family: UUID
    game_id: str

    @property
    def game(self) -> str:
        return f"/v1/games/{self.game_id}"

    @property
    def invitations(self) -> str:
        return f"{self.game}/invitations"

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        return self.served.call(method, path, body, self.token, **headers)

    def invite(self, role: str = "recorder", **body: Any) -> Json:
        answer = self.call("POST", self.invitations, {"role": role, **body})
        assert answer.status_code == 201, answer.data
        return cast("Json", answer.json)

    def listed(self, query: str = "") -> list[Any]:
        """The invitations that the list tells of."""
        answer = self.call("GET", self.invitations + query)
        assert answer.status_code == 200
        return list(answer.json["items"])

    def revoke(self, invitation_id: str) -> Answer:
        return self.call("DELETE", f"{self.invitations}/{invitation_id}")

    def guest(self, role: str = "recorder", **body: Any) -> "Guest":
        """Who came by a new invitation."""
        return accepted(self.served, self.invite(role, **body)["code"])


@dataclass(frozen=True, slots=True)
class Guest:
    """Who came by an invitation, as they were told."""

    served: Served
    told: Json
    call: Callable[..., Answer] = field(repr=False)

    @property
    def token(self) -> str:
        return str(self.told["access_token"])

    @property
    def game(self) -> str:
        return f"/v1/games/{self.told['game_id']}"


def accept(served: Served, code: str) -> Answer:
    return served.call("POST", "/v1/invitations/accept", {"code": code})


def accepted(served: Served, code: str) -> Guest:
    answer = accept(served, code)
    assert answer.status_code == 200, answer.data
    return Guest(served, answer.json, partial(served.call, token=answer.json["access_token"]))


def is_refused(answer: Answer, status: int, code: str) -> bool:
    """Whether `answer` is this problem."""
    assert (answer.status_code, answer.json.get("code")) == (status, code), answer.data
    return True
