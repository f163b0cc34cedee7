"""Saved players: made, found, listed, renamed, archived."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from services.accounts.domain.players import PLAYERS_LIMIT
from tests.integration.accounts.world import Person, World, at_once, is_refused

Json = dict[str, Any]


def listed(person: Person, query: str = "") -> list[str]:
    return [player["name"] for player in person.call("GET", f"/v1/players{query}").json["items"]]


def test_a_player_is_saved_and_found(world: World, anna: Person) -> None:
    answer = anna.call("POST", "/v1/players", {"name": "  Ben  ", "colour": "#A0b1C2"})
    assert answer.status_code == 201
    made = answer.json
    moment = world.clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert made == {
        "id": made["id"],
        "name": "Ben",
        "colour": "#a0b1c2",
        "archived": False,
        "merged_into": None,
        "created_at": moment,
        "updated_at": moment,
    }
    assert UUID(made["id"]).version == 7
    assert answer.headers["Location"] == f"/v1/players/{made['id']}"
    assert anna.call("GET", f"/v1/players/{made['id']}").json == made
    assert world.events(anna.id)[-1] == (
        "accounts.player.changed",
        {"account_id": anna.id, "player_id": made["id"]},
    )


def test_the_same_id_and_body_again_is_the_same_player(world: World, anna: Person) -> None:
    body = {"id": str(uuid4()), "name": "Ben", "colour": "#aabbcc"}
    first = anna.call("POST", "/v1/players", body)
    assert anna.call("POST", "/v1/players", body | {"name": " Ben ", "colour": "#AABBCC"}).json == first.json
    anna.call("PATCH", f"/v1/players/{body['id']}", {"name": "Benjamin"})
    again = anna.call("POST", "/v1/players", body)
    assert (again.status_code, again.json["name"]) == (201, "Benjamin")
    assert listed(anna) == ["Benjamin"]


def test_the_same_id_with_another_body_is_taken(world: World, anna: Person) -> None:
    body = {"id": str(uuid4()), "name": "Ben"}
    anna.call("POST", "/v1/players", body)
    for other in ({"name": "Bob"}, {"colour": "#aabbcc"}):
        assert is_refused(anna.call("POST", "/v1/players", body | other), 409, "id_taken")
    foreign = world.sign_up().call("POST", "/v1/players", body)
    assert is_refused(foreign, 409, "id_taken")
    assert "Ben" not in foreign.text


def test_a_doubled_creation_at_once_makes_one_player(world: World, anna: Person) -> None:
    body = {"id": str(uuid4()), "name": "Ben"}
    answers = at_once(*[lambda: anna.call("POST", "/v1/players", body)] * 6)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert listed(anna) == ["Ben"]
    assert [kind for kind, _ in world.events(anna.id)].count("accounts.player.changed") == 1


def test_two_accounts_claim_one_id_at_once_and_one_gets_it(world: World) -> None:
    body = {"id": str(uuid4()), "name": "Ben"}
    people = [world.sign_up() for _ in range(4)]
    answers = at_once(*[lambda person=person: person.call("POST", "/v1/players", body) for person in people])
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "  "},
        {"name": "x" * 61},
        {"name": "a\u0000"},
        {"name": None},
        {"name": 5},
        {"name": "Ben", "colour": "red"},
        {"name": "Ben", "colour": "#abc"},
        {"name": "Ben", "colour": "#aabbcc\n"},
        {"name": "Ben", "colour": "#gggggg"},
        {"name": "Ben", "colour": 5},
        {"name": "Ben", "id": "x"},
        {"name": "Ben", "id": 5},
        {"name": "Ben", "archived": True},
        {"name": "Ben", "hand": [5, 6]},
        [],
        None,
        "Ben",
    ],
)
def test_what_is_no_player_is_refused(anna: Person, body: object) -> None:
    assert is_refused(anna.call("POST", "/v1/players", body), 422, "validation_failed")
    assert listed(anna) == []


def test_a_player_is_renamed_and_keeps_its_identity(world: World, anna: Person) -> None:
    made = anna.player("Ben", colour="#aabbcc")
    world.clock.turn(seconds=1)
    changed = anna.call("PATCH", f"/v1/players/{made['id']}", {"name": "Benjamin", "colour": None}).json
    assert changed["updated_at"] > made["updated_at"]
    assert changed | {"updated_at": ""} == made | {"name": "Benjamin", "colour": None, "updated_at": ""}
    assert [kind for kind, _ in world.events(anna.id)].count("accounts.player.changed") == 2


def test_a_change_to_the_same_is_none(world: World, anna: Person) -> None:
    made = anna.player("Ben")
    world.clock.turn(seconds=1)
    same = anna.call("PATCH", f"/v1/players/{made['id']}", {"name": "Ben", "archived": False})
    assert same.json == made
    assert anna.call("PATCH", f"/v1/players/{made['id']}", {}).json == made
    assert [kind for kind, _ in world.events(anna.id)].count("accounts.player.changed") == 1


@pytest.mark.parametrize(
    "change",
    [
        {"archived": "yes"},
        {"archived": 1},
        {"archived": None},
        {"name": None},
        {"name": ""},
        {"id": "x"},
        {"merged_into": None},
        [],
    ],
)
def test_what_cannot_change_is_refused(anna: Person, change: object) -> None:
    made = anna.player()
    assert is_refused(anna.call("PATCH", f"/v1/players/{made['id']}", change), 422, "validation_failed")


def test_deleting_archives_and_can_be_taken_back(anna: Person) -> None:
    made = anna.player("Ben")
    path = f"/v1/players/{made['id']}"
    for _ in range(2):
        answer = anna.call("DELETE", path)
        assert (answer.status_code, answer.data) == (204, b"")
    assert anna.call("GET", path).json["archived"] is True
    assert listed(anna) == []
    anna.call("PATCH", path, {"archived": False})
    assert listed(anna) == ["Ben"]


def test_the_list_leaves_archived_and_merged_ones_out_unless_asked(anna: Person) -> None:
    active, archived, merged = (anna.player(name) for name in ("active", "archived", "merged"))
    anna.call("DELETE", f"/v1/players/{archived['id']}")
    anna.call("POST", f"/v1/players/{merged['id']}/merge", {"into": active["id"]})
    assert listed(anna) == ["active"]
    assert listed(anna, "?archived=true") == ["archived"]
    assert listed(anna, "?archived=all") == ["active", "archived"]
    assert listed(anna, "?merged=true") == ["merged"]
    assert listed(anna, "?archived=all&merged=all") == ["active", "archived", "merged"]


def pages(person: Person, limit: int, between: Any = lambda: None) -> list[list[str]]:
    found, cursor = [], ""
    while cursor is not None:
        answer = person.call("GET", f"/v1/players?limit={limit}{cursor and '&cursor=' + cursor}").json
        assert set(answer) == {"items", "next_cursor"}
        found.append([player["name"] for player in answer["items"]])
        cursor = answer["next_cursor"]
        between()
    return found


def test_pages_hold_everything_once_in_the_order_it_was_made(world: World, anna: Person) -> None:
    world.sign_up().player("somebody else's")
    for number in range(7):
        anna.player(str(number))
        world.clock.turn(seconds=number % 2)  # some are made in the same moment
    assert pages(anna, 3) == [["0", "1", "2"], ["3", "4", "5"], ["6"]]
    assert pages(anna, 7) == [["0", "1", "2", "3", "4", "5", "6"]]


def test_pages_hold_still_while_players_are_added(world: World, anna: Person) -> None:
    for number in range(6):
        anna.player(str(number))
        world.clock.turn(seconds=1)
    names = iter("abc")

    def add() -> None:
        if name := next(names, None):
            anna.player(name)

    found = [name for page in pages(anna, 2, add) for name in page]
    assert found[:6] == ["0", "1", "2", "3", "4", "5"]
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=x",
        "limit=-1",
        "cursor=x",
        "cursor=",
        "cursor=" + "A" * 31,
        "cursor=" + "_" * 32,
        "cursor=" + "!" * 32,
        "cursor=" + "A" * 28 + "++++",
        "cursor=%ff",
        "archived=yes",
        "merged=1",
        "limit=1" + "0" * 5000,
    ],
)
def test_a_query_that_makes_no_sense_is_refused(anna: Person, query: str) -> None:
    assert is_refused(anna.call("GET", f"/v1/players?{query}"), 422, "validation_failed")


def test_another_accounts_player_does_not_exist(world: World, anna: Person) -> None:
    theirs = world.sign_up().player("theirs")
    mine = anna.player("mine")
    for player_id in (theirs["id"], str(uuid4()), "not-an-id"):
        path = f"/v1/players/{player_id}"
        for method, where, body in (
            ("GET", path, None),
            ("PATCH", path, {"name": "x"}),
            ("DELETE", path, None),
            ("POST", f"{path}/merge", {"into": mine["id"]}),
            ("POST", f"{path}/unmerge", None),
        ):
            assert is_refused(anna.call(method, where, body), 404, "not_found")


def test_an_account_keeps_a_thousand_players_archived_ones_included(world: World, anna: Person) -> None:
    last = {"id": str(uuid4()), "name": "Last"}
    with world.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO players (id, account_id, name, archived, created_as, created_at, updated_at)"
                " SELECT gen_random_uuid(), :account, 'Ana', n % 2 = 0, '{}', now(), now()"
                " FROM generate_series(1, :number) n"
            ),
            {"account": anna.id, "number": PLAYERS_LIMIT - 1},
        )
    made = anna.call("POST", "/v1/players", last)
    assert made.status_code == 201
    told = len(world.events(anna.id))
    assert is_refused(anna.call("POST", "/v1/players", {"name": "Late"}), 422, "too_many_players")
    anna.call("DELETE", f"/v1/players/{last['id']}")
    assert is_refused(anna.call("POST", "/v1/players", {"name": "Late"}), 422, "too_many_players")
    assert anna.call("POST", "/v1/players", last).status_code == 201, "made before"
    assert len(world.events(anna.id)) == told + 1, "of the archived one"
    assert world.sign_up().call("POST", "/v1/players", {"name": "Theirs"}).status_code == 201
