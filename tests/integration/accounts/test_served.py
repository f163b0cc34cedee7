"""Two web processes of accounts, as they are started in operation, on one database and one folder of keys."""

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from uuid import uuid4

import pytest
import urllib3

from infra.host.ports import free_port
from shared.settings import CHECKOUT
from tests.integration.accounts.world import PASSWORD
from tests.support.api import Api
from tests.support.embedded import Urls
from tests.support.waiting import until

START_S = 60.0


@pytest.fixture
def pair(urls: Urls, tmp_path: Path) -> Iterator[list[Api]]:
    """Two processes, started at the same moment with no key yet; they end when told to."""
    ports = [free_port(), free_port()]
    processes = [serve(urls["accounts"], tmp_path, port) for port in ports]
    pair = [Api(f"http://127.0.0.1:{port}") for port in ports]
    for api in pair:
        until(partial(is_ready, api), START_S)
    yield pair
    for process in processes:
        process.terminate()
    assert [process.wait(20) for process in processes] == [0, 0]


def serve(database_url: str, data: Path, port: int) -> "subprocess.Popen[bytes]":
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(data),
        "ACCOUNTS_DATABASE_URL": database_url,
        "ACCOUNTS_ARGON2_MEMORY_KIB": "1024",
        "PORT": str(port),
    }
    return subprocess.Popen([sys.executable, "-m", "services.accounts", "web"], cwd=CHECKOUT, env=environment)


def is_ready(api: Api) -> bool:
    try:
        return api.call("GET", "/ready").status == 200
    except urllib3.exceptions.HTTPError:
        return False


def test_each_takes_the_others_tokens_and_ends_them_at_once(pair: list[Api]) -> None:
    one, other = pair
    published = [api.call("GET", "/.well-known/jwks.json").json for api in pair]
    assert published[0] == published[1]
    assert len(published[0]["keys"]) == 1
    body = {"email": f"{uuid4().hex}@example.org", "password": PASSWORD}
    one.token = other.token = one.call("POST", "/v1/accounts", body).json["access_token"]
    assert other.call("GET", "/v1/me").status == 200
    assert one.call("DELETE", "/v1/auth/tokens?everywhere=true").status == 204
    assert other.call("GET", "/v1/me").code == "unauthenticated"
    one.token = other.token = other.call("POST", "/v1/auth/tokens", body).json["access_token"]
    assert one.call("GET", "/v1/me").status == 200


def test_a_crowd_at_once_is_served_without_a_refusal(pair: list[Api]) -> None:
    def sign_up_and_play(number: int) -> list[int]:
        api = pair[number % 2]
        body = {"email": f"{uuid4().hex}@example.org", "password": PASSWORD}
        signed_up = api.call("POST", "/v1/accounts", body)
        person = Api(pair[(number + 1) % 2].url, signed_up.json["access_token"])
        answers = [
            person.call("POST", "/v1/players", {"name": "Ben"}),
            person.call("GET", "/v1/me"),
            person.call("POST", "/v1/auth/tokens", body),
        ]
        return [signed_up.status, *(answer.status for answer in answers)]

    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(sign_up_and_play, range(32)))
    assert found == [[201, 201, 200, 200]] * 32
