"""Starting, ending and starting again, as `make run` does it."""

import re
import time
from collections.abc import Iterator

import pytest

from infra.host.memory import tree_pss_bytes
from tests.support.api import Api, new_game, play, send, sign_up
from tests.support.system import EmbeddedSystem, is_ready, remove, scratch_folder

SECOND_START_S = 20.0
PSS_BYTES = 1.5 * 2**30


@pytest.fixture
def fresh() -> Iterator[EmbeddedSystem]:
    """A system on an empty data directory of its own, not started yet."""
    folder = scratch_folder()
    system = EmbeddedSystem(folder / "data")
    yield system
    system.end()
    remove(folder)


def test_a_second_start_is_ready_soon_finds_its_data_and_takes_little_memory(fresh: EmbeddedSystem) -> None:
    fresh.start()
    api = sign_up(fresh.url)
    game = new_game(api)
    send(api, game, [play("up1", 7)])
    assert fresh.stop() == 0
    assert not is_ready(fresh.url)
    began = time.monotonic()
    fresh.start()
    assert time.monotonic() - began < SECOND_START_S
    assert Api(fresh.url, api.token).get(f"/v1/games/{game['id']}").json["version"] == 1
    assert tree_pss_bytes(fresh.host_pid) < PSS_BYTES


def test_a_host_that_was_killed_leaves_nothing_behind_and_starts_again(fresh: EmbeddedSystem) -> None:
    fresh.start()
    api = sign_up(fresh.url)
    game = new_game(api)
    fresh.kill_host()
    fresh.start()
    assert Api(fresh.url, api.token).get(f"/v1/games/{game['id']}").status == 200
    assert fresh.stop() == 0


def test_a_second_host_on_the_same_port_says_so_and_leaves_the_first_alone(fresh: EmbeddedSystem) -> None:
    fresh.start()
    other = EmbeddedSystem(fresh.data.with_name("other"), port=fresh.port)
    other.start(wait=False)
    assert other.wait_ended() == 1
    assert re.search(rf"port {fresh.port} is in use", other.log())
    assert is_ready(fresh.url)
