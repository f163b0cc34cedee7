"""Codes about what several devices tell of one game, and what corrects it."""

from collections.abc import Mapping

from tests.e2e.refusing.way import Way
from tests.support.api import Api, Reply, action, new_game, play, send, sign_up
from tests.support.guests import owner_with_plus
from tests.support.system import System

CONFLICTS_LIMIT = 50
PARKED_LIMIT = 2_000
SYNCED = 1_000


def _conflict(api: Api) -> str:
    """Where the conflict of a new game is: one card lies on two piles, says each side of another one."""
    path = f"/v1/games/{new_game(api)['id']}"
    assert api.post(f"{path}/actions", {"actions": [play("up1", 12)]}).status == 200
    story = {"device": "cellar phone", "base_version": 0, "actions": [play("up2", 12)]}
    answer = api.post(f"{path}/sync", story)
    assert answer.status == 202, answer.body
    return f"/v1/conflicts/{answer.json['conflict']['id']}"


def _plus_required(system: System) -> Reply:
    api = sign_up(system.url)
    return api.post(f"/v1/games/{new_game(api)['id']}/invitations", {"role": "viewer"})


def _target_not_valueless(system: System) -> Reply:
    api = owner_with_plus(system).api
    sent = [play("up1", 7), action("identify", card=9)]
    return send(api, new_game(api, 1), [sent[0], sent[1] | {"target": sent[0]["id"]}])


def _too_many_conflicts(system: System) -> Reply:
    """One card lies on two piles, says each of many devices."""
    api = owner_with_plus(system).api
    path = f"/v1/games/{new_game(api)['id']}"
    assert api.post(f"{path}/actions", {"actions": [play("up1", 12)]}).status == 200

    def sync(number: int) -> Reply:
        story = {"device": f"phone {number}", "base_version": 0, "actions": [play("up2", 12)]}
        return api.post(f"{path}/sync", story)

    for number in range(CONFLICTS_LIMIT):
        assert sync(number).status == 202
    return sync(CONFLICTS_LIMIT)


def _too_many_parked(system: System) -> Reply:
    api = owner_with_plus(system).api
    path = f"/v1/games/{new_game(api)['id']}/sync"

    def sync(count: int) -> Reply:
        refused = [play("left", 7) for _ in range(count)]
        return api.post(path, {"device": "cellar phone", "base_version": 0, "actions": refused})

    for _ in range(PARKED_LIMIT // SYNCED):
        assert sync(SYNCED).status == 200
    return sync(1)


def _conflict_settled(system: System) -> Reply:
    api = owner_with_plus(system).api
    decision = f"{_conflict(api)}/decision"
    assert api.post(decision, {"choice": "device"}).status == 200
    return api.post(decision, {"choice": "cloud"})


def _no_proposal(system: System) -> Reply:
    api = owner_with_plus(system).api
    return api.post(f"{_conflict(api)}/decision", {"choice": "merged"})


def _table_impossible(system: System) -> Reply:
    api = owner_with_plus(system).api
    piles = {"up1": 7, "up2": 1, "down1": 100, "down2": 100}
    shown = {"piles": piles, "deck": 98, "hands": [7, 7], "active_seat": 0}
    path = f"/v1/games/{new_game(api)['id']}/adopt"
    return api.post(path, {"table": shown, "expected_version": 0})


WAYS: Mapping[str, Way] = {
    "plus_required": _plus_required,
    "target_not_valueless": _target_not_valueless,
    "too_many_conflicts": _too_many_conflicts,
    "too_many_parked": _too_many_parked,
    "conflict_settled": _conflict_settled,
    "no_proposal": _no_proposal,
    "table_impossible": _table_impossible,
}
