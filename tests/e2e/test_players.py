"""Saved players: one person through all games, whatever the name, and two that turn out to be one."""

from uuid import uuid4

import pytest

from tests.support.api import Api, Json, play, send, sign_up, whole_log
from tests.support.system import System
from tests.support.waiting import until

SOON_S = 15.0


@pytest.fixture
def api(system: System) -> Api:
    return sign_up(system.url)


def saved(api: Api, name: str) -> str:
    """A new saved player's id."""
    return str(api.post("/v1/players", {"name": name}).json["id"])


def game_of(api: Api, *players: str) -> Json:
    """A game with these saved players."""
    body = {"ruleset": "the-game", "players": [{"player_id": player} for player in players]}
    answer = api.post("/v1/games", body)
    assert answer.status == 201, answer.body
    game: Json = answer.json
    return game


def seats(api: Api, game: Json) -> list[tuple[str, str]]:
    """Who sits where, by id and name."""
    places = api.get(f"/v1/games/{game['id']}").json["players"]
    return [(place["player_id"], place["name"]) for place in places]


def games_with(api: Api, player: str) -> list[str]:
    """The games that a player took part in, newest first."""
    return [game["id"] for game in api.get(f"/v1/games?player_id={player}").json["items"]]


def test_a_new_name_reaches_the_seats_of_games_and_nothing_else_changes(api: Api) -> None:
    ana, ben = saved(api, "Ana"), saved(api, "Ben")
    game = game_of(api, ana, ben)
    send(api, game, [play("up1", 7)])
    log = whole_log(api, game["id"])
    tag = api.get(f"/v1/games/{game['id']}").headers["ETag"]
    assert api.call("PATCH", f"/v1/players/{ana}", {"name": "Ana María"}).json["name"] == "Ana María"
    until(lambda: seats(api, game) == [(ana, "Ana María"), (ben, "Ben")], SOON_S, "the seat follows")
    assert api.get(f"/v1/games/{game['id']}", If_None_Match=tag).status == 200, "the document has changed"
    assert whole_log(api, game["id"]) == log
    assert games_with(api, ana) == [game["id"]]


def test_an_archived_player_is_out_of_the_list_and_comes_back(api: Api) -> None:
    ana, ben = saved(api, "Ana"), saved(api, "Ben")
    game = game_of(api, ana)
    assert api.call("DELETE", f"/v1/players/{ana}").status == 204
    assert api.call("DELETE", f"/v1/players/{ana}").status == 204
    assert [player["id"] for player in api.get("/v1/players").json["items"]] == [ben]
    assert [player["id"] for player in api.get("/v1/players?archived=true").json["items"]] == [ana]
    assert api.get(f"/v1/players/{ana}").json["archived"] is True
    assert seats(api, game) == [(ana, "Ana")]
    assert api.call("PATCH", f"/v1/players/{ana}", {"archived": False}).status == 200
    assert [player["id"] for player in api.get("/v1/players").json["items"]] == [ana, ben]


def test_two_that_are_one_person_share_their_games_until_they_are_parted_again(api: Api) -> None:
    ana, anna, ben = saved(api, "Ana"), saved(api, "Anna"), saved(api, "Ben")
    first, second = game_of(api, ana, ben), game_of(api, anna)
    assert api.post(f"/v1/players/{anna}/merge", {"into": ana}).json["merged_into"] == ana
    until(lambda: games_with(api, ana) == [second["id"], first["id"]], SOON_S, "both games are hers")
    assert seats(api, second) == [(ana, "Ana")]
    assert games_with(api, anna) == []
    assert [player["id"] for player in api.get("/v1/players").json["items"]] == [ana, ben]
    third = game_of(api, anna)
    assert seats(api, third) == [(ana, "Ana")], "the merged one is taken for the one it became"
    assert api.post(f"/v1/players/{anna}/unmerge").json["merged_into"] is None
    until(lambda: games_with(api, ana) == [first["id"]], SOON_S, "each has their own again")
    until(lambda: games_with(api, anna) == [third["id"], second["id"]], SOON_S, "each has their own again")
    assert seats(api, second) == [(anna, "Anna")]
    assert api.post(f"/v1/players/{anna}/unmerge").code == "not_merged"


def test_a_merge_of_merged_players_leads_to_the_last_of_them(api: Api) -> None:
    ana, anna, anne = saved(api, "Ana"), saved(api, "Anna"), saved(api, "Anne")
    game = game_of(api, anna)
    assert api.post(f"/v1/players/{anna}/merge", {"into": ana}).status == 200
    assert api.post(f"/v1/players/{ana}/merge", {"into": anne}).status == 200
    until(lambda: games_with(api, anne) == [game["id"]], SOON_S, "the game follows both merges")
    for into in (anna, ana, anne):
        assert api.post(f"/v1/players/{anne}/merge", {"into": into}).code == "merge_impossible"
    api.call("PATCH", f"/v1/players/{anne}", {"name": "Anne-Marie"})
    until(lambda: seats(api, game) == [(anne, "Anne-Marie")], SOON_S, "and the name that counts")


def test_two_names_of_one_person_cannot_sit_at_one_table(api: Api) -> None:
    ana, anna = saved(api, "Ana"), saved(api, "Anna")
    api.post(f"/v1/players/{anna}/merge", {"into": ana})
    body = {"ruleset": "the-game", "players": [{"player_id": ana}, {"player_id": anna}]}
    assert api.post("/v1/games", body).code == "validation_failed"
    body["players"] = [{"player_id": ana}, {"player_id": ana}]
    assert api.post("/v1/games", body).code == "validation_failed"


def test_a_player_saved_again_with_the_same_id_and_body_is_the_same_player(api: Api) -> None:
    body = {"id": str(uuid4()), "name": "Ana", "colour": "#1A2B3C"}
    first, again = api.post("/v1/players", body), api.post("/v1/players", body)
    assert first.status == again.status == 201
    assert first.json == again.json
    assert first.json["colour"] == "#1a2b3c"
    assert first.headers["Location"] == f"/v1/players/{body['id']}"
    assert api.post("/v1/players", body | {"name": "Ben"}).code == "id_taken"
    assert len(api.get("/v1/players").json["items"]) == 1


def test_the_list_comes_in_pages_in_the_order_of_their_making(api: Api) -> None:
    made = [saved(api, f"Player {number}") for number in range(5)]
    seen: list[str] = []
    cursor = ""
    while True:
        page = api.get(f"/v1/players?limit=2{cursor}").json
        seen += [player["id"] for player in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert seen == made
