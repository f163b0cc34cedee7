"""A gateway in front of stand-ins for the services."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from werkzeug.test import Client, TestResponse

from gateway import bootstrap
from gateway.settings import Settings
from tests.integration.gateway.process import Gateway
from tests.integration.gateway.standin import Standin
from tests.support.embedded import server_data, valkey_server

__all__ = ["server_data", "valkey_server"]
NO_REDIS = "redis://127.0.0.1:1"


@dataclass
class Behind:
    """What stands behind the gateway."""

    rules: Standin
    sessions: Standin
    accounts: Standin
    live: Standin

    @classmethod
    def start(cls) -> "Behind":
        return cls(Standin(), Standin(), Standin(), Standin())

    def stop(self) -> None:
        for standin in (self.rules, self.sessions, self.accounts, self.live):
            standin.stop()

    def settings(self, **changes: Any) -> Settings:
        settings = Settings(
            rules_url=self.rules.url,
            sessions_url=self.sessions.url,
            accounts_url=self.accounts.url,
            live_url=self.live.url,
            redis_url=NO_REDIS,
            host="127.0.0.1",
            port=0,
            metrics_port=None,
            workers=1,
            threads=16,
            trusted_proxies=0,
            requests_per_s=300,
            requests_burst=1000,
            evaluations_per_s=50,
            evaluations_burst=200,
            guesses=10,
        )
        return replace(settings, **changes)


class Visitor(Client):
    """Sends requests to a gateway in this process."""

    def open(self, *arguments: Any, **options: Any) -> TestResponse:
        options.setdefault("environ_base", {"REMOTE_ADDR": "127.0.0.1"})
        return super().open(*arguments, **options)

    def act(self, **options: Any) -> TestResponse:
        """Send one action to a game: a POST that may be repeated."""
        return self.post("/v1/games/1/actions", json={"actions": [{"id": "1"}]}, **options)


@pytest.fixture(scope="module")
def parts() -> Iterator[Behind]:
    """Stand-ins that all tests of a module share."""
    found = Behind.start()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def gateway(parts: Behind) -> Iterator[Gateway]:
    """A gateway in a process of its own in front of them."""
    running = Gateway(parts.settings(redis_url=NO_REDIS))
    yield running
    running.stop()


@pytest.fixture
def behind() -> Iterator[Behind]:
    found = Behind.start()
    yield found
    found.stop()


@pytest.fixture
def visitor(behind: Behind) -> Visitor:
    return visit(behind.settings())


def visit(settings: Settings) -> Visitor:
    """A visitor of a gateway of its own."""
    return Visitor(bootstrap.build(settings))
