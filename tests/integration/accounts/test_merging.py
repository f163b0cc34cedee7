"""Merging players that are one person, and taking it back."""

from typing import Any
from uuid import UUID, uuid4

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.accounts.domain.players import FAMILY_LIMIT
from services.accounts.entrypoints.responder import handle
from tests.integration.accounts.world import Answer, Person, World, at_once, is_refused


def merge(person: Person, player: dict[str, Any], into: dict[str, Any] | str) -> Answer:
    target = into if isinstance(into, str) else into["id"]
    return person.call("POST", f"/v1/players/{player['id']}/merge", {"into": target})


def unmerge(person: Person, player: dict[str, Any]) -> Answer:
    return person.call("POST", f"/v1/players/{player['id']}/unmerge")


def state(person: Person) -> list[dict[str, Any]]:
    """All players without the moments of their last change."""
    items = person.call("GET", "/v1/players?archived=all&merged=all").json["items"]
    return [item | {"updated_at": ""} for item in items]


def test_a_merged_player_says_who_stands_for_it(world: World, anna: Person) -> None:
    ben, benjamin = anna.player("Ben"), anna.player("Benjamin")
    answer = merge(anna, ben, benjamin)
    assert answer.status_code == 200
    assert (answer.json["name"], answer.json["merged_into"]) == ("Ben", benjamin["id"])
    told = len(world.events(anna.id))
    assert merge(anna, ben, benjamin).json == answer.json
    assert len(world.events(anna.id)) == told


def test_unmerging_gives_back_what_was(anna: Person) -> None:
    ben, benjamin = anna.player("Ben"), anna.player("Benjamin")
    before = state(anna)
    merge(anna, ben, benjamin)
    answer = unmerge(anna, ben)
    assert (answer.status_code, answer.json["merged_into"]) == (200, None)
    assert state(anna) == before
    assert is_refused(unmerge(anna, ben), 409, "not_merged")


def test_merging_what_others_are_merged_into_moves_them_and_unmerging_brings_them_back(
    world: World, anna: Person
) -> None:
    ben, benny, benjamin = (anna.player(name) for name in ("Ben", "Benny", "Benjamin"))
    merge(anna, ben, benny)
    before = state(anna)
    told = len(world.events(anna.id))
    merge(anna, benny, benjamin)
    assert {item["name"]: item["merged_into"] for item in state(anna)} == {
        "Ben": benjamin["id"],
        "Benny": benjamin["id"],
        "Benjamin": None,
    }
    concerned = {data["player_id"] for _, data in world.events(anna.id)[told:]}
    assert concerned == {ben["id"], benny["id"]}
    unmerge(anna, benny)
    assert state(anna) == before


def test_renaming_who_stands_for_others_tells_of_all_of_them(world: World, anna: Person) -> None:
    ben, benjamin = anna.player("Ben"), anna.player("Benjamin")
    merge(anna, ben, benjamin)
    told = len(world.events(anna.id))
    anna.call("PATCH", f"/v1/players/{benjamin['id']}", {"name": "B."})
    assert {data["player_id"] for _, data in world.events(anna.id)[told:]} == {ben["id"], benjamin["id"]}


def test_impossible_merges_are_refused(world: World, anna: Person) -> None:
    ben, benny, benjamin = (anna.player(name) for name in ("Ben", "Benny", "Benjamin"))
    merge(anna, ben, benny)
    stranger = world.sign_up().player("theirs")
    before = state(anna)
    for player, into in (
        (benjamin, benjamin),  # itself
        (benjamin, ben),  # into one that is merged
        (benny, ben),  # a circle
        (ben, benjamin),  # merged elsewhere already
        (benjamin, stranger),  # another account's
        (benjamin, str(uuid4())),  # nobody
    ):
        assert is_refused(merge(anna, player, into), 422, "merge_impossible")
    for wrong in ({}, {"into": "x"}, {"into": None}, {"into": benny["id"], "why": "x"}):
        answer = anna.call("POST", f"/v1/players/{benjamin['id']}/merge", wrong)
        assert is_refused(answer, 422, "validation_failed")
    assert state(anna) == before


def test_at_most_fifty_players_are_one_person(anna: Person) -> None:
    first, *others, one_more = (anna.player(str(number)) for number in range(FAMILY_LIMIT + 1))
    for other in others:
        assert merge(anna, other, first).status_code == 200
    before = state(anna)
    for player, into in ((one_more, first), (first, one_more)):
        assert is_refused(merge(anna, player, into), 422, "merge_impossible")
    assert state(anna) == before
    unmerge(anna, others[0])
    assert merge(anna, one_more, first).status_code == 200


def test_two_merged_into_each_other_at_once_make_no_circle(anna: Person) -> None:
    ben, benjamin = anna.player("Ben"), anna.player("Benjamin")
    answers = at_once(lambda: merge(anna, ben, benjamin), lambda: merge(anna, benjamin, ben))
    assert sorted(answer.status_code for answer in answers) == [200, 422]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8))
def test_merges_taken_back_in_any_order_leave_everyone_alone_again(
    world: World, wishes: list[tuple[int, int]]
) -> None:
    world.forgive()
    person = world.sign_up()
    players = [person.player(str(number)) for number in range(5)]
    before = state(person)
    tried = [(players[one], merge(person, players[one], players[other])) for one, other in wishes]
    merged = [player for player, answer in tried if answer.status_code == 200]
    roots = {item["id"] for item in state(person) if item["merged_into"] is None}
    assert all(item["merged_into"] in roots for item in state(person) if item["merged_into"])
    for player in {player["id"]: player for player in merged}.values():
        assert unmerge(person, player).status_code == 200
    assert state(person) == before


def test_others_ask_for_a_merged_player_and_get_who_stands_for_it(world: World, anna: Person) -> None:
    ben, benny, benjamin = (anna.player(name) for name in ("Ben", "Benny", "Benjamin"))
    merge(anna, ben, benny)
    merge(anna, benny, benjamin)
    anna.call("PATCH", f"/v1/players/{benjamin['id']}", {"colour": "#aabbcc", "archived": True})
    stranger = world.sign_up().player("theirs")
    asked = [ben["id"], stranger["id"], str(uuid4()), benjamin["id"]]
    answer = handle(world.engine, {"op": "players", "account_id": anna.id, "player_ids": asked})
    standing = {"id": benjamin["id"], "name": "Benjamin", "colour": "#aabbcc", "archived": True}
    assert answer == {"players": [{"asked": ben["id"], **standing}, {"asked": benjamin["id"], **standing}]}
    nobody = {"op": "players", "account_id": str(uuid4()), "player_ids": asked}
    assert handle(world.engine, nobody) == {"players": []}


def test_a_question_of_the_wrong_shape_is_answered_as_such(world: World, anna: Person) -> None:
    wrong: list[Any] = [
        None,
        [],
        {},
        {"op": "people"},
        {"op": "players", "account_id": anna.id},
        {"op": "players", "account_id": "x", "player_ids": []},
        {"op": "players", "account_id": anna.id, "player_ids": ["x"]},
        {"op": "players", "account_id": anna.id, "player_ids": [5, None]},
        {"op": "players", "account_id": 5, "player_ids": [str(UUID(int=0))]},
    ]
    for body in wrong:
        assert handle(world.engine, body) == {"error": {"code": "validation_failed"}}
