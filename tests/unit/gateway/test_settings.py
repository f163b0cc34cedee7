"""Settings are complete and sensible, or the gateway says what is wrong before it serves."""

import pytest
from environs import EnvError

from gateway import settings

ADDRESSES = {
    "GATEWAY_RULES_URL": "http://rules:1",
    "GATEWAY_SESSIONS_URL": "http://sessions:1",
    "GATEWAY_ACCOUNTS_URL": "http://accounts:1",
    "GATEWAY_REDIS_URL": "redis://redis:1",
}


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("DATA_DIR", "/dev/null")
    for name, value in ADDRESSES.items():
        monkeypatch.setenv(name, value)
    return monkeypatch


@pytest.mark.usefixtures("environment")
def test_the_limits_are_those_of_the_contract_unless_set() -> None:
    found = settings.read()
    assert (found.requests_per_s, found.requests_burst) == (300, 1000)
    assert (found.evaluations_per_s, found.evaluations_burst) == (50, 200)
    assert found.guesses == 10
    assert found.live_url == "http://127.0.0.1:8104"
    assert (found.trusted_proxies, found.metrics_port) == (0, None)


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_that_is_missing_is_named(environment: pytest.MonkeyPatch, name: str) -> None:
    environment.delenv(name)
    with pytest.raises(EnvError, match=name):
        settings.read()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GATEWAY_REQUESTS_PER_S", "0"),
        ("GATEWAY_REQUESTS_BURST", "0"),
        ("GATEWAY_EVALUATIONS_PER_S", "-1"),
        ("GATEWAY_EVALUATIONS_BURST", "many"),
        ("GATEWAY_TRUSTED_PROXIES", "-1"),
        ("GATEWAY_GUESSES", "0"),
        ("WEB_THREADS", "0"),
        ("WEB_WORKERS", "0"),
    ],
)
def test_a_limit_that_makes_no_sense_is_named(environment: pytest.MonkeyPatch, name: str, value: str) -> None:
    environment.setenv(name, value)
    with pytest.raises(EnvError, match=name):
        settings.read()
