"""A game through the gateway, from the first card to the confirmed result and back."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.api import Api, Json, action, new_game, play, send, sign_up, whole_log
from tests.support.system import System
from tests.vectors.cases import Case, check_step, named, public


@pytest.fixture
def api(system: System) -> Api:
    return sign_up(system.url)


def test_a_new_game_stands_at_version_nought_with_everyone_s_cards_counted(api: Api) -> None:
    game = new_game(api, 3, first_seat=2)
    assert game["version"] == 0
    assert [(place["seat"], place["hand"]) for place in game["players"]] == [(0, 6), (1, 6), (2, 6)]
    assert game["table"]["active_seat"] == 2
    assert game["options"] == {
        "players": 3, "difficulty": "normal", "reduced_hand": False, "first_seat": 2,
    }  # fmt: skip
    assert game["result"] is None
    assert game["undo"] is None
    assert game["redo"] is None
    assert whole_log(api, game["id"]) == []


def test_a_play_is_in_the_log_with_who_and_when_and_the_table_shows_it(api: Api) -> None:
    game = new_game(api)
    sent = play("up1", 7, at="2026-05-01T18:30:00+02:00")
    answer = send(api, game, [sent], expected_version=0).json
    assert answer["version"] == 1
    assert answer["outcomes"] == [
        {"action_id": sent["id"], "verdict": "accepted", "seq": 1, "instructions": [], "warnings": []}
    ]
    assert answer["game"]["table"]["piles"]["up1"]["top"] == 7
    assert answer["game"]["undo"] == {"target": sent["id"], "type": "play"}
    (entry,) = whole_log(api, game["id"])
    assert entry["seq"] == 1
    assert entry["action"] == {"id": sent["id"], "type": "play", "pile": "up1", "card": 7}
    assert entry["at"] == "2026-05-01T16:30:00Z"
    assert entry["effective"] is True
    assert entry["by"]["account_id"] == api.get("/v1/me").json["id"]
    assert api.get(f"/v1/games/{game['id']}").json == answer["game"]


def test_a_client_s_clock_is_kept_in_utc_whatever_its_offset(api: Api) -> None:
    """PostgreSQL takes no offset of sixteen hours, and gives no year back that Python cannot hold."""
    game = new_game(api)
    assert send(api, game, [play("up1", 7, at="2024-01-01T00:00:00+16:00")]).status == 200
    assert whole_log(api, game["id"])[0]["at"] == "2023-12-31T08:00:00Z"
    for beyond in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"):
        assert send(api, game, [play("up1", 9, at=beyond)]).code == "validation_failed"


def test_a_refused_action_stops_the_batch_and_those_before_it_stay(api: Api) -> None:
    game = new_game(api)
    batch = [play("up1", 50), play("up1", 45), play("up1", 60)]
    answer = send(api, game, batch)
    assert answer.status == 422
    assert answer.code == "illegal_play"
    document = answer.json
    assert document["index"] == 1
    assert document["action_id"] == batch[1]["id"]
    assert [outcome["verdict"] for outcome in document["outcomes"]] == ["accepted", "rejected"]
    assert document["version"] == document["game"]["version"] == 1
    again = send(api, game, [batch[1] | {"card": 60}]).json
    assert again["outcomes"][0]["verdict"] == "accepted", "a refused action's id is free again"


def test_the_same_action_again_is_answered_as_before_and_counts_once(api: Api) -> None:
    game = new_game(api)
    sent = play("up1", 7)
    first = send(api, game, [sent]).json["outcomes"][0]
    send(api, game, [play("up2", 9)])
    again = send(api, game, [sent | {"at": "2026-01-01T00:00:00Z"}], expected_version=0)
    assert again.status == 200
    assert again.json["outcomes"] == [first | {"verdict": "duplicate"}]
    assert again.json["version"] == 2


def test_the_same_id_with_another_body_is_refused(api: Api) -> None:
    game = new_game(api)
    sent = play("up1", 7)
    send(api, game, [sent])
    answer = send(api, game, [play("up2", 9), sent | {"card": 8}])
    assert (answer.status, answer.code) == (409, "action_id_reused")
    assert answer.json["index"] == 1
    assert answer.json["version"] == 2


def test_a_device_that_missed_something_is_told_what(api: Api) -> None:
    game = new_game(api)
    missed = play("up1", 7)
    send(api, game, [missed])
    answer = send(api, game, [play("up1", 8)], expected_version=0)
    assert (answer.status, answer.code) == (409, "version_conflict")
    assert answer.json["version"] == 1
    assert [entry["action"]["id"] for entry in answer.json["missed"]] == [missed["id"]]


def test_a_batch_sent_again_does_not_miss_its_own_entries(api: Api) -> None:
    game = new_game(api)
    batch = [play("up1", 7), play("up1", 6)]
    assert send(api, game, batch, expected_version=0).status == 422
    again = send(api, game, [batch[0], play("up1", 8)], expected_version=0)
    assert again.status == 200
    assert [outcome["verdict"] for outcome in again.json["outcomes"]] == ["duplicate", "accepted"]


def test_undo_takes_back_tells_what_to_do_and_can_be_redone(api: Api) -> None:
    game = new_game(api)
    laid = play("up1", 7)
    send(api, game, [laid])
    undone = send(api, game, [action("undo", target=laid["id"])]).json
    assert undone["outcomes"][0]["instructions"] == [
        {"kind": "take_back", "seat": 0, "pile": "up1", "card": 7}
    ]
    assert undone["game"]["undo"] is None
    assert undone["game"]["redo"] == {"target": laid["id"], "type": "play"}
    assert undone["game"]["table"] == game["table"]
    redone = send(api, game, [action("redo", target=laid["id"])]).json
    assert redone["game"]["undo"] == {"target": laid["id"], "type": "play"}
    assert [entry["effective"] for entry in whole_log(api, game["id"])] == [True, False, False]


def test_two_undo_taps_with_the_same_target_take_one_thing_back(api: Api) -> None:
    game = new_game(api)
    laid = [play("up1", 7), play("up1", 9)]
    send(api, game, laid)
    answers = [send(api, game, [action("undo", target=laid[1]["id"])]) for _ in range(2)]
    assert answers[0].status == 200
    assert answers[1].code == "undo_target_mismatch"
    assert answers[1].json["game"]["table"]["piles"]["up1"]["top"] == 7


def test_the_table_at_any_version_is_as_it_was_then(api: Api) -> None:
    game = new_game(api)
    tables = [game["table"]]
    laid = [play("up1", 7), play("down1", 90), action("draw"), action("end_turn")]
    for one in laid:
        tables.append(send(api, game, [one]).json["game"]["table"])
    tables.append(send(api, game, [action("undo", target=laid[-1]["id"])]).json["game"]["table"])
    for version, table in enumerate(tables):
        found = api.get(f"/v1/games/{game['id']}?at={version}").json
        assert found["version"] == version
        assert found["table"] == table
    assert api.get(f"/v1/games/{game['id']}?at=6").code == "validation_failed"


def test_the_document_s_etag_changes_with_it_and_not_otherwise(api: Api) -> None:
    game = new_game(api)
    first = api.get(f"/v1/games/{game['id']}")
    tag = first.headers["ETag"]
    assert tag.startswith('"')
    same = api.get(f"/v1/games/{game['id']}", If_None_Match=tag)
    assert (same.status, same.body) == (304, b"")
    send(api, game, [play("up1", 7)])
    assert api.get(f"/v1/games/{game['id']}", If_None_Match=tag).status == 200


def test_a_game_made_again_with_the_same_id_and_body_is_the_same_game(api: Api) -> None:
    body: Json = {"id": str(uuid4()), "ruleset": "the-game", "options": {}, "players": [{"name": "Ana"}]}
    first, again = api.post("/v1/games", body), api.post("/v1/games", body)
    assert first.status == again.status == 201
    assert first.json == again.json
    assert api.post("/v1/games", body | {"id": body["id"].upper()}).json == first.json
    other = api.post("/v1/games", body | {"players": [{"name": "Ben"}]})
    assert (other.status, other.code) == (409, "id_taken")


@pytest.mark.parametrize("name", ["on-fire", "extreme", "quick-and-easy", "face-to-face"])
def test_a_variant_that_is_not_covered_is_refused_by_name(api: Api, name: str) -> None:
    answer = api.post("/v1/games", {"ruleset": name, "players": [{"name": "Ana"}]})
    assert answer.code == "variant_not_covered"


def test_an_unknown_ruleset_and_options_it_does_not_have_are_refused(api: Api) -> None:
    players = [{"name": "Ana"}]
    assert api.post("/v1/games", {"ruleset": "whist", "players": players}).code == "ruleset_unknown"
    for options in ({"difficulty": "hard"}, {"first_seat": 1}, {"jokers": 2}, {"reduced_hand": "yes"}):
        answer = api.post("/v1/games", {"ruleset": "the-game", "options": options, "players": players})
        assert answer.code == "validation_failed", options
    six = [{"name": f"P{number}"} for number in range(6)]
    assert api.post("/v1/games", {"ruleset": "the-game", "players": six}).code == "validation_failed"


def test_a_game_in_the_bin_is_out_of_the_list_refuses_play_and_comes_back(api: Api) -> None:
    game = new_game(api)
    assert api.call("DELETE", f"/v1/games/{game['id']}").status == 204
    assert api.call("DELETE", f"/v1/games/{game['id']}").status == 204
    assert api.get("/v1/games").json["items"] == []
    assert [one["id"] for one in api.get("/v1/games?bin=true").json["items"]] == [game["id"]]
    assert send(api, game, [play("up1", 7)]).code == "game_in_bin"
    assert api.post(f"/v1/games/{game['id']}/restore").status == 200
    assert send(api, game, [play("up1", 7)]).status == 200


def test_lists_come_in_pages_newest_first_and_by_status_and_player(api: Api) -> None:
    player = api.post("/v1/players", {"name": "Ana"}).json
    names = {"ruleset": "the-game", "players": [{"name": "Ben"}]}
    made = [api.post("/v1/games", names | {"id": str(uuid4())}).json["id"] for _ in range(4)]
    hers = api.post("/v1/games", {"ruleset": "the-game", "players": [{"player_id": player["id"]}]}).json["id"]
    seen: list[str] = []
    cursor = ""
    while True:
        page = api.get(f"/v1/games?limit=2{cursor}").json
        seen += [game["id"] for game in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert seen == [hers, *reversed(made)]
    assert [g["id"] for g in api.get(f"/v1/games?player_id={player['id']}").json["items"]] == [hers]
    assert api.get("/v1/games?status=finished").json == {"items": [], "next_cursor": None}


def test_the_log_comes_in_pages_and_as_lines(api: Api) -> None:
    game = new_game(api, 1)
    laid = [play("up1", card) for card in range(2, 10)]
    send(api, game, laid)
    page = api.get(f"/v1/games/{game['id']}/log?after=2&limit=4").json
    assert [entry["seq"] for entry in page["items"]] == [3, 4, 5, 6]
    rest = api.get(f"/v1/games/{game['id']}/log?limit=4&cursor={page['next_cursor']}").json
    assert [entry["seq"] for entry in rest["items"]] == [7, 8]
    assert rest["next_cursor"] is None
    assert [entry["seq"] for entry in whole_log(api, game["id"])] == list(range(1, 9))


@pytest.mark.parametrize("case", [case for case in named() if case.steps], ids=lambda case: case.name)
def test_every_named_case_is_a_real_game_too(api: Api, case: Case) -> None:
    """Labels of the cases become ids, and every step leads to the table that the case tells."""
    options: dict[str, Any] = dict(case.options)
    game = new_game(api, options.pop("players"), **options)
    assert public(game["table"]) == case.start
    ids: dict[str, str] = {}
    for step in case.steps:
        wanted = dict(step["action"])
        sent = wanted | {"id": str(uuid4())}
        if "id" in wanted:
            ids[wanted["id"]] = sent["id"]
        if "target" in sent:
            sent["target"] = ids.get(sent["target"], sent["target"])
        document = send(api, game, [sent]).json
        check_step(step, document["outcomes"][0], document["game"]["table"])
    log = whole_log(api, game["id"])
    assert [entry["seq"] for entry in log] == list(range(1, document["version"] + 1))
