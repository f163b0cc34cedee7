"""Games shared between accounts, through the gateway: from the invitation to whoever has the game last."""

from uuid import uuid4

import pytest

from tests.support.api import PASSWORD, Api, Json, action, new_game, play, send
from tests.support.guests import invite, join, owner_with_plus, revoke
from tests.support.people import Person
from tests.support.streams import Listener
from tests.support.system import System
from tests.support.waiting import until

SOON_S = 30.0


@pytest.fixture
def owner(system: System) -> Person:
    return owner_with_plus(system)


def accept(person: Person, invitation: Json) -> Json:
    """What somebody with an account is told who accepts the invitation."""
    answer = person.api.post("/v1/invitations/accept", {"code": invitation["code"]})
    assert answer.status == 200, answer.body
    found: Json = answer.json
    return found


def roles(person: Person) -> dict[str, str]:
    """The games of somebody's list with the role in each."""
    return {it["id"]: it["access"]["role"] for it in person.api.get("/v1/games").json["items"]}


def games_counted(api: Api) -> int:
    return int(api.get("/v1/stats").json["items"][0]["games"])


def delete(person: Person) -> None:
    answer = person.api.call("DELETE", "/v1/me", {"password": PASSWORD})
    assert answer.status == 204, answer.body


def test_two_accounts_play_one_game_and_see_each_other_s_entries(system: System, owner: Person) -> None:
    game, other = new_game(owner.api), Person(system.url)
    assert accept(other, invite(owner.api, game["id"]))["shared"] is True
    assert roles(other) == {game["id"]: "recorder"}
    with Listener(owner.api, game) as mine, Listener(other.api, game) as theirs:
        assert send(other.api, game, [play("up1", 7)]).status == 200
        assert send(owner.api, game, [play("up1", 8)]).status == 200
        for listener in (mine, theirs):
            entries = listener.wait_for(2)
            by = [it["entry"]["by"]["account_id"] for it in entries]
            assert by == [other.account["id"], owner.account["id"]]
    assert other.api.get(f"/v1/games/{game['id']}").json == owner.api.get(f"/v1/games/{game['id']}").json


def test_a_share_is_the_account_s_and_not_the_device_s(system: System, owner: Person) -> None:
    game, other = new_game(owner.api), Person(system.url)
    accept(other, invite(owner.api, game["id"], "viewer"))
    elsewhere = other.signs_in().api
    assert elsewhere.get(f"/v1/games/{game['id']}").status == 200
    assert send(elsewhere, game, [play("up1", 7)]).code == "role_insufficient"


@pytest.mark.parametrize("way", ["withdrawn", "left"])
def test_whoever_has_the_game_no_longer_sees_no_more_of_it(system: System, owner: Person, way: str) -> None:
    game, other, kept = new_game(owner.api), Person(system.url), Person(system.url)
    invitation = invite(owner.api, game["id"])
    accept(other, invitation)
    accept(kept, invite(owner.api, game["id"]))
    with Listener(other.api, game) as ending, Listener(kept.api, game) as going_on:
        if way == "withdrawn":
            revoke(owner.api, game["id"], invitation)
        else:
            assert other.api.call("DELETE", f"/v1/games/{game['id']}/access").status == 204
        assert other.api.get(f"/v1/games/{game['id']}").code == "not_found"
        assert (ending.wait_over() or {})["code"] == "unauthenticated"
        assert send(owner.api, game, [play("up1", 7)]).status == 200
        going_on.wait_for(1)
    assert ending.seqs == []
    assert roles(other) == {}


def test_a_finished_game_counts_for_each_account_until_it_has_it_no_more(
    system: System, owner: Person
) -> None:
    game, other = new_game(owner.api), Person(system.url)
    accept(other, invite(owner.api, game["id"]))
    assert send(other.api, game, [action("block"), action("confirm")]).status == 200
    for person in (owner, other):
        until(lambda api=person.api: games_counted(api) == 1, SOON_S, "the game is counted")  # type: ignore[misc]
    assert other.api.call("DELETE", f"/v1/games/{game['id']}/access").status == 204
    until(lambda: games_counted(other.api) == 0, SOON_S, "it counts no longer")
    assert games_counted(owner.api) == 1


def test_the_owner_goes_and_the_game_stays_until_the_last_one_leaves(system: System, owner: Person) -> None:
    shared, alone = new_game(owner.api), new_game(owner.api)
    first, last = Person(system.url), Person(system.url)
    invitation = invite(owner.api, shared["id"])
    guest = join(system.url, invitation)
    for person in (first, last):
        accept(person, invitation)
    with Listener(first.api, shared) as listener:
        delete(owner)
        path = f"/v1/games/{shared['id']}"
        until(
            lambda: [it["name"] for it in first.api.get(path).json["players"]] == ["", ""],
            SOON_S,
            "the names are gone",
        )
        assert guest.api.get(path).code == "not_found"
        assert send(first.api, shared, [play("up1", 7), action("block"), action("confirm")]).status == 200
        assert [it["entry"]["seq"] for it in listener.wait_for(3)] == [1, 2, 3]
    for person in (first, last):
        until(lambda api=person.api: games_counted(api) == 1, SOON_S, "the game is counted")  # type: ignore[misc]
    assert first.api.post(f"{path}/invitations", {"role": "viewer"}).code == "role_insufficient"
    delete(first)
    assert last.api.get(path).json["result"]["remaining"] == 97
    assert last.api.call("DELETE", f"{path}/access").status == 204
    # Whoever makes a game by the id that it had shows that it is gone.
    for game in (shared, alone):
        taken_again = {"id": game["id"], "ruleset": "the-game", "players": [{"name": str(uuid4())}]}
        until(lambda it=taken_again: last.api.post("/v1/games", it).status == 201, SOON_S, "it is purged")  # type: ignore[misc]


def test_a_deleted_account_takes_nothing_from_those_who_shared_with_it(system: System, owner: Person) -> None:
    game, other = new_game(owner.api), Person(system.url)
    accept(other, invite(owner.api, game["id"]))
    assert send(other.api, game, [play("up1", 7)]).status == 200
    delete(other)
    invitations = f"/v1/games/{game['id']}/invitations"
    until(
        lambda: [it["guests"] for it in owner.api.get(invitations).json["items"]] == [0],
        SOON_S,
        "the share is gone",
    )
    assert owner.api.get(f"/v1/games/{game['id']}").json["players"][0]["name"] != ""
    assert roles(owner) == {game["id"]: "owner"}
