"""The compose file for real: up, played on, scaled to two of everything while people play."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.compose import ComposeSystem
from tests.support.containers import engine_is_there
from tests.support.faults import works
from tests.support.playing import playing

TWICE = ("gateway", "rules_web", "rules_respond", "sessions_web", "accounts_web", "accounts_respond")


@pytest.fixture(scope="module")
def composed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ComposeSystem]:
    if not engine_is_there() and not os.environ.get("REQUIRE_CONTAINERS"):
        pytest.skip("no Docker engine")
    folder: Path = tmp_path_factory.mktemp("compose")
    system = ComposeSystem(folder)
    try:
        system.up()
        yield system
    finally:
        system.down()


def test_every_service_scales_to_two_while_people_play_and_nobody_is_refused(composed: ComposeSystem) -> None:
    with playing(composed.url) as evening:
        composed.up(**dict.fromkeys(TWICE, 2))
        evening.wait_for_plays(20)
    assert all(composed.replicas(name.replace("_", "-")) == 2 for name in TWICE)
    assert [player.patient.repeated for player in evening.players] == [0] * len(evening.players)
    assert evening.audit()
    assert len(set(composed.gateways())) == 2
    for url in composed.gateways():
        composed.url = url
        works(composed)
