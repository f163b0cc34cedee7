"""The command `stats`: a table, what to compare it with, and a histogram."""

import json
from typing import Any

from tests.unit.client.command import Ninety8
from tests.unit.client.figures import group, row, yardstick
from tests.unit.client.peer import Peer, answers, refuses

OPTIONS = {"players": 2, "difficulty": "normal", "reduced_hand": False}


def serves(peer: Peer, *answers_: Any) -> None:
    peer.script += [answers(200, answer) for answer in answers_]


def asked(peer: Peer) -> list[str]:
    return [request.path for request in peer.received]


def test_all_games_are_told_with_a_histogram_beside_what_the_strategy_comes_to(
    peer: Peer, ninety8: Ninety8
) -> None:
    one = group()
    serves(peer, {"items": [one]}, {"items": [one | OPTIONS]}, yardstick(row()))
    told = ninety8("stats").stdout
    assert asked(peer) == [
        "/v1/stats",
        "/v1/stats?by=players%2Cdifficulty%2Creduced_hand",
        "/v1/stats/yardstick?strategy=least_step",
    ]
    assert "25.0 % (5.0-70.0)" in told
    assert "5.0 % ~" in told  # four games cannot be told apart from the strategy
    assert "13.5 ~" in told
    assert "19 of 20" in told
    assert [line.split()[:2] for line in told.splitlines() if "█" in line] == [
        ["0", "1"],
        ["1-4", "1"],
        ["10-14", "1"],
        ["30-34", "1"],
    ]


def test_a_group_apart_from_the_strategy_is_marked(peer: Peer, ninety8: Ninety8) -> None:
    one = group((0, 2, 3, 12) * 8, win_rate_interval=[0.2, 0.3], mean_remaining_interval=[2.0, 5.0])
    serves(peer, {"items": [one]}, {"items": [one | OPTIONS]}, yardstick(row()))
    told = ninety8("stats").stdout
    assert "5.0 % ▲" in told
    assert "13.5 ▼" in told


def test_groups_too_many_to_be_compared_are_told_without(peer: Peer, ninety8: Ninety8) -> None:
    one = group(month="2026-05", player_id="a", name="Ana")
    serves(peer, {"items": [one]})
    peer.script += [refuses(422, "validation_failed")]
    serves(peer, yardstick(row()))
    told = ninety8("stats", "--by", "player,month").stdout
    assert "Ana" in told
    assert "least_step" not in told


def test_groups_are_rows_and_their_names_come_from_other_people(peer: Peer, ninety8: Ninety8) -> None:
    found = [
        group(player_id="a", name="Ana\x1b[31m", month="2026-05"),
        group(player_id="b", name=None, month="2026-05"),
    ]
    serves(peer, {"items": found}, {"items": [it | OPTIONS for it in found]}, yardstick(row()))
    told = ninety8("stats", "--by", "player,month").stdout
    assert asked(peer)[0] == "/v1/stats?by=player%2Cmonth"
    assert "\x1b" not in told
    assert "(no name)" in told
    assert "█" not in told


def test_what_tells_all_options_apart_is_asked_once(peer: Peer, ninety8: Ninety8) -> None:
    serves(peer, {"items": [group() | OPTIONS]}, yardstick(row()))
    told = ninety8("stats", "--by", "reduced-hand,players,difficulty").stdout
    assert asked(peer) == [
        "/v1/stats?by=reduced_hand%2Cplayers%2Cdifficulty",
        "/v1/stats/yardstick?strategy=least_step",
    ]
    assert "full" in told


def test_filters_say_which_games_are_meant(peer: Peer, ninety8: Ninety8) -> None:
    saved = {"items": [{"id": "p1", "name": "Ana"}], "next_cursor": None}
    serves(peer, saved, {"items": [group()]}, {"items": []}, yardstick())
    words = ("--from", "2026-05-01", "--to", "2026-05-31", "--players", "2", "--full-hand", "--player", "ana")
    assert ninety8("stats", *words).exit_code == 0
    query = "players=2&reduced_hand=false&from=2026-05-01&to=2026-05-31&player_id=p1"
    assert set(asked(peer)[1].partition("?")[2].split("&")) == set(query.split("&"))


def test_without_a_finished_game_it_says_so(peer: Peer, ninety8: Ninety8) -> None:
    serves(peer, {"items": [group(())]}, {"items": []}, yardstick(row()))
    assert "No finished game yet" in ninety8("stats").stdout


def test_operators_ask_about_all_accounts(peer: Peer, ninety8: Ninety8) -> None:
    serves(peer, {"items": [group()]}, {"items": [group() | OPTIONS]}, yardstick(row()))
    assert ninety8("stats", "--all-accounts").exit_code == 0
    assert asked(peer)[0] == "/v1/ops/stats"


def test_machines_get_the_answer_and_what_was_expected(peer: Peer, ninety8: Ninety8) -> None:
    one = group()
    serves(peer, {"items": [one]}, {"items": [one | OPTIONS]}, yardstick(row()))
    document = json.loads(ninety8("--json", "stats").stdout)
    assert document["items"] == [one]
    assert document["expected"] == [{"win_rate": 0.05, "excellent_rate": 0.45, "mean_remaining": 13.5}]


def test_a_grouping_that_there_is_not_is_refused(ninety8: Ninety8) -> None:
    refused = ninety8("stats", "--by", "colour")
    assert refused.exit_code == 2
    assert "players, difficulty, reduced_hand, month, player" in refused.stderr
