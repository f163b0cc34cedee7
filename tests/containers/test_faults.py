"""One kill for each service and each server in containers. The full matrix runs on the embedded system."""

import pytest

from tests.support.containers import ContainerSystem
from tests.support.faults import kill_while_playing, works
from tests.support.playing import playing


@pytest.mark.parametrize(
    "part", ["rules-respond", "sessions-web", "accounts-web", "gateway-web", "postgres", "valkey"]
)
def test_a_container_that_is_killed_while_people_play_comes_back_and_nothing_is_lost(
    containers: ContainerSystem, part: str
) -> None:
    assert kill_while_playing(containers, part)


def test_a_frozen_redis_costs_nothing_but_time(containers: ContainerSystem) -> None:
    with playing(containers.url) as evening:
        containers.pause("valkey")
        containers.resume("valkey")
        evening.wait_for_plays(5)
    assert evening.audit()
    works(containers)


def test_nothing_was_left_undelivered(containers: ContainerSystem) -> None:
    assert containers.run("shared.bus", "dead-letters", "list") == ""
