"""Owns a system to break: one for each file of fault tests, whole before and after every test."""

import os
from collections.abc import Iterator

import pytest

from tests.support.api import Api, sign_up
from tests.support.following import Follower
from tests.support.inside import Inside
from tests.support.system import EmbeddedSystem, remove, scratch_folder

# Sweeps hardly wait.
SWEEPS = {"SESSIONS_SWEEP_EVERY_S": "2", "SESSIONS_BIN_KEPT_S": "1"}


@pytest.fixture(scope="module")
def breakable() -> Iterator[EmbeddedSystem]:
    """An embedded system of the file's own."""
    if os.environ.get("TARGET", "embedded") != "embedded":
        pytest.skip("breaks an embedded system from inside; tests/containers kills containers")
    folder = scratch_folder()
    system = EmbeddedSystem(folder, SWEEPS)
    system.start()
    yield system
    system.stop()
    remove(folder)


@pytest.fixture(scope="module")
def follower(breakable: EmbeddedSystem) -> Iterator[Follower]:
    with Follower(breakable.variable("OPERATOR_REDIS_URL")) as reader:
        yield reader


@pytest.fixture
def inside(breakable: EmbeddedSystem) -> Iterator[Inside]:
    """The system, whole at the start and at the end, without a letter that nobody could deliver."""
    found = Inside(breakable)
    found.wait_whole()
    yield found
    found.wait_whole()
    assert found.dead_letters() == []


@pytest.fixture
def api(breakable: EmbeddedSystem, inside: Inside) -> Api:
    return sign_up(breakable.url)
