"""The live process' settings are complete and sensible, or it says what is wrong before it serves."""

import pytest
from environs import EnvError

from gateway.live import settings

ADDRESSES = {"GATEWAY_SESSIONS_URL": "http://sessions:1", "GATEWAY_REDIS_URL": "redis://redis:1"}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("DATA_DIR", "/dev/null")
    for name in ("HOST", "PORT", "LIVE_STREAMS", "LIVE_STREAMS_PER_BEARER"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ADDRESSES.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


def test_two_addresses_are_enough() -> None:
    assert settings.read() == settings.Settings(
        "http://sessions:1", "redis://redis:1", "127.0.0.1", 8104, 5000, 500
    )


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_that_is_missing_is_named(environment: pytest.MonkeyPatch, name: str) -> None:
    environment.delenv(name)
    with pytest.raises(EnvError, match=name):
        settings.read()


@pytest.mark.parametrize(
    ("name", "value"),
    [("LIVE_STREAMS", "0"), ("LIVE_STREAMS_PER_BEARER", "many"), ("PORT", "65536")],
)
def test_a_value_that_makes_no_sense_is_named(environment: pytest.MonkeyPatch, name: str, value: str) -> None:
    environment.setenv(name, value)
    with pytest.raises(EnvError, match=name):
        settings.read()
