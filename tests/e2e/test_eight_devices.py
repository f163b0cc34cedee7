"""Eight devices play one game over a bad network: all end with one log, and nobody was told otherwise."""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest

from tests.support.api import Api, Json, new_game, whole_log
from tests.support.audit import audit, replay
from tests.support.bad_network import BadNetwork
from tests.support.copies import LogCopy, facts
from tests.support.devices import Device
from tests.support.fates import Fate
from tests.support.guests import invite, join, keep_signed_in, owner_with_plus
from tests.support.people import Person
from tests.support.soak import SEEDS
from tests.support.system import System

DEVICES = 8
GUESTS = 4


@pytest.fixture(scope="module")
def with_plus(system: System) -> Person:
    return owner_with_plus(system)


@pytest.fixture
def owner(with_plus: Person) -> Person:
    """The owner of all games, whose token outlasts the next one."""
    keep_signed_in(with_plus)
    return with_plus


@contextmanager
def seated(owner: Person, game: Json, url: str, seed: int) -> Iterator[list[Device]]:
    """Eight devices that reach the gateway by `url`: four of the owner's, four of guests who may record."""
    invitation = invite(owner.api, game["id"], "recorder")
    with ExitStack() as stack:
        devices = []
        for number in range(DEVICES):
            by: Json = {"account_id": owner.account["id"], "device": f"device {number}"}
            token = owner.api.token
            if number >= DEVICES - GUESTS:
                guest = join(owner.url, invitation)
                by, token = by | {"account_id": None, "guest_id": guest.guest_id}, guest.api.token
            api = Api(url, token)
            copy = stack.enter_context(LogCopy(api, game, by["device"]))
            devices.append(Device(api, game["id"], by, random.Random(f"{seed} {number}"), copy))
        yield devices


@pytest.mark.parametrize("seed", range(1, SEEDS + 1))
def test_eight_devices_on_a_bad_network_end_with_one_log_that_has_every_accepted_action_once(
    owner: Person, seed: int
) -> None:
    game = new_game(owner.api, random.Random(seed).randint(1, 5))
    with BadNetwork(owner.url, seed) as network, seated(owner, game, network.url, seed) as devices:
        with ThreadPoolExecutor(DEVICES) as pool:
            for done in [pool.submit(device.play) for device in devices]:
                done.result()
        network.deliver_late()
        log = whole_log(owner.api, game["id"])
        for device in devices:
            device.copy.wait_for(len(log))
    check(owner.api, game, log, devices, network)
    assert set(network.fates) == set(Fate), "everything that can happen happened"
    assert network.cuts > DEVICES
    assert sum(device.lost_races for device in devices) > DEVICES


def check(api: Api, game: Json, log: list[Json], devices: Sequence[Device], network: BadNetwork) -> None:
    """Every device has the log and heard what the gateway said, which is what the log says."""
    tables = replay(api, game, log)
    audit(api.get(f"/v1/games/{game['id']}").json, log, tables, network.heard)
    answers = [(one.body, one.reply.body) for one in network.heard]
    for device in devices:
        assert facts(device.copy.entries) == facts(log)
        assert device.copy.tables == tables
        assert all((one.body, one.reply.body) in answers for one in device.heard)
        assert all(entry["by"] == device.by for entry in log if entry["action"]["id"] in device.sent)
    outcomes = [it for one in network.heard for it in one.reply.json.get("outcomes", [])]
    told = {it["action_id"] for it in outcomes if it["verdict"] in ("accepted", "duplicate")}
    assert told == {entry["action"]["id"] for entry in log}, "what is in the log was told, and nothing else"
