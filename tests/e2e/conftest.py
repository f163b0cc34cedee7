"""The target of the end-to-end suite: the embedded system, or containers with TARGET=containers."""

import os
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest

from gateway.client.ninety_eight import NinetyEight
from tests.support.system import EmbeddedSystem, System, remove, scratch_folder

PASSWORD = "correct horse battery"
Person = Callable[[], NinetyEight]


@pytest.fixture(scope="session")
def embedded() -> Iterator[EmbeddedSystem]:
    """The embedded system, one for the whole run."""
    folder = scratch_folder()
    system = EmbeddedSystem(folder)
    system.start()
    yield system
    system.stop()
    remove(folder)


@pytest.fixture(scope="session")
def system(request: pytest.FixtureRequest) -> System:
    """The target that TARGET names."""
    if os.environ.get("TARGET", "embedded") == "containers":
        found: System = request.getfixturevalue("containers")
    else:
        found = request.getfixturevalue("embedded")
    return found


@pytest.fixture
def person(system: System) -> Iterator[Person]:
    """`person()` signs a new person up and returns their client."""
    clients: list[NinetyEight] = []

    def sign_up() -> NinetyEight:
        client = NinetyEight(system.url)
        clients.append(client)
        client.accounts.sign_up(f"{uuid4().hex}@example.org", PASSWORD)
        return client

    yield sign_up
    for client in clients:
        client.close()
