"""Accounts on a real database, with a clock that tests turn, and people who use it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol, cast
from uuid import uuid4

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Engine, delete, select
from werkzeug.datastructures import Headers

from services.accounts import bootstrap, settings
from services.accounts.adapters.tables import attempts, outbox
from services.accounts.application.parts import Parts

PASSWORD = "correct horse battery"


class Answer(Protocol):
    """An HTTP answer as the tests look at it."""

    status_code: int
    headers: Headers
    data: bytes

    @property
    def json(self) -> Any: ...

    @property
    def text(self) -> str: ...

    @property
    def content_type(self) -> str | None: ...


class Clock:
    """Stands still until it is turned."""

    def __init__(self) -> None:
        self.now = bootstrap.now()

    def __call__(self) -> datetime:
        return self.now

    def turn(self, **by: float) -> None:
        self.now += timedelta(**by)


def quick(database_url: str, keys: Path, **changes: Any) -> settings.Settings:
    """The default settings with hashing that takes no time."""
    values: dict[str, Any] = {
        "database_url": database_url,
        "keys_dir": keys,
        "argon2_memory_kib": 8,
        "argon2_passes": 1,
    }
    return replace(settings.read(), **values | changes)


@dataclass(frozen=True, slots=True)
class World:
    """One service; `call` speaks HTTP with it, in this process."""

    config: settings.Settings
    parts: Parts
    app: Flask
    clock: Clock

    @property
    def engine(self) -> Engine:
        return self.parts.engine

    def call(
        self, method: str, path: str, body: Any = None, token: str | None = None, **options: Any
    ) -> Answer:
        headers = dict(options.pop("headers", {}))
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        client: FlaskClient = self.app.test_client()
        answer = client.open(path, method=method, json=body, headers=headers, **options)
        return cast("Answer", answer)

    def sign_up(self, email: str | None = None, **fields: Any) -> "Person":
        email = email or f"{uuid4().hex}@example.org"
        answer = self.call("POST", "/v1/accounts", {"email": email, "password": PASSWORD, **fields})
        assert answer.status_code == 201, answer.text
        return Person(self, email, answer.json["account"]["id"], answer.json)

    def events(self, account_id: str) -> list[tuple[str, dict[str, Any]]]:
        """What the others were told of the account, in order."""
        statement = select(outbox.c.type, outbox.c.data).where(outbox.c.subject == account_id)
        with self.engine.connect() as connection:
            return [(row.type, row.data) for row in connection.execute(statement.order_by(outbox.c.id))]

    def forgive(self) -> None:
        """Forget what was tried so far."""
        with self.engine.begin() as connection:
            connection.execute(delete(attempts))


class Person:
    """Somebody who signed up; `access` and `refresh` are their newest tokens."""

    def __init__(self, world: World, email: str, account_id: str, tokens: dict[str, Any]) -> None:
        self.world = world
        self.email = email
        self.id = account_id
        self.take(tokens)

    def at(self, world: World) -> "Person":
        """The same person at another world."""
        return Person(
            world, self.email, self.id, {"access_token": self.access, "refresh_token": self.refresh}
        )

    def take(self, tokens: dict[str, Any]) -> None:
        self.access: str = tokens["access_token"]
        self.refresh: str = tokens["refresh_token"]

    def call(self, method: str, path: str, body: Any = None, **options: Any) -> Answer:
        return self.world.call(method, path, body, self.access, **options)

    def sign_in(self, password: str = PASSWORD, **options: Any) -> Answer:
        body = {"email": self.email, "password": password}
        return self.world.call("POST", "/v1/auth/tokens", body, **options)

    def player(self, name: str = "Anna", **fields: Any) -> dict[str, Any]:
        answer = self.call("POST", "/v1/players", {"name": name, **fields})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json
        return made


def refresh(world: World, token: str) -> Answer:
    return world.call("POST", "/v1/auth/tokens/refresh", {"refresh_token": token})


def is_refused(answer: Answer, status: int, code: str) -> bool:
    """Whether `answer` is this problem, in the one body that all problems have."""
    found = answer.json
    assert answer.content_type == "application/problem+json", answer.text
    assert {"type", "title", "status", "detail", "code", "request_id"} <= set(found)
    assert (answer.status_code, found["code"]) == (status, code), answer.text
    assert found["status"] == status
    return True


def at_once(*calls: Callable[[], Answer]) -> list[Answer]:
    """The answers to `calls`, made at the same moment."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]
