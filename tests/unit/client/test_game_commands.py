"""Commands that start a game and act on it."""

import pytest

from tests.unit.client import documents as a
from tests.unit.client.command import Ninety8, accepted
from tests.unit.client.peer import Peer, answers, refuses


def test_a_new_game_seats_saved_players_by_name_and_others_freely(peer: Peer, ninety8: Ninety8) -> None:
    saved = [{"id": "p1", "name": "Ana"}, {"id": "p2", "name": "Ben", "archived": True}]
    peer.script += [answers(200, {"items": saved, "next_cursor": None}), answers(201, a.game())]
    result = ninety8("new", "ana", "Ben", "--difficulty", "expert", "--reduced-hand", "--first", "ben")
    assert result.exit_code == 0
    sent = peer.received[1].body
    assert sent["players"] == [{"player_id": "p1"}, {"name": "Ben"}]
    assert sent["options"] == {"difficulty": "expert", "reduced_hand": True, "first_seat": 1}
    assert f"Game {a.GAME_ID} is on the table." in result.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "No game yet. `ninety8 new NAME NAME …` starts one"),
        (["--bin"], "Nothing is in the bin."),
        (["--status", "finished"], "No such game."),
    ],
)
def test_a_list_without_games_says_so(peer: Peer, ninety8: Ninety8, arguments: list[str], told: str) -> None:
    peer.script += [answers(200, {"items": [], "next_cursor": None})]
    assert ninety8("games", *arguments).stdout.startswith(told)


def test_who_starts_must_sit_at_the_table(ninety8: Ninety8) -> None:
    assert ninety8("new", "Ana", "Ben", "--first", "Cid").exit_code == 2
    assert ninety8("new", "Ana", "Ben", "--first", "2").exit_code == 2


def test_a_play_tells_who_lays_what_and_what_comes_next(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [
        accepted(a.outcome(), a.outcome(), table={"played_this_turn": 2, "to_draw": 2}, version=2)
    ]
    result = ninety8("play", "up1", "17", "down2", "80", "--expect", "0")
    assert result.stdout.splitlines() == [
        "Ana lays 17 on up1.",
        "Ana lays 80 on down2.",
        "up1 ↑1  up2 ↑1  down1 ↓100  down2 ↓100",
        "Ana may lay more, or draws 2 cards: `ninety8 draw`.",
    ]
    sent = peer.received[0].body
    assert [(act["pile"], act["card"]) for act in sent["actions"]] == [("up1", 17), ("down2", 80)]
    assert len({act["id"] for act in sent["actions"]}) == 2
    assert sent["expected_version"] == 0


def test_a_card_without_its_value_is_sent_confirmed(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [accepted(a.outcome())]
    assert ninety8("play", "up1", "--hidden", "--confirm").exit_code == 0
    (sent,) = peer.received[0].body["actions"]
    assert {**sent, "id": ""} == {"id": "", "type": "play", "pile": "up1", "confirmed": True}


@pytest.mark.parametrize(
    "words", [("up1",), ("up1", "seventeen"), ("up1", "17", "up2"), (), ("up1", "17", "--hiden")]
)
def test_plays_that_cannot_be_understood_are_not_sent(
    peer: Peer, ninety8: Ninety8, words: tuple[str, ...]
) -> None:
    assert ninety8("play", *words).exit_code == 2
    assert peer.received == []


def test_any_whole_number_is_for_the_rules_to_judge(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [refuses(422, "card_out_of_range", outcomes=[], game=a.game(), index=0)]
    assert ninety8("play", "up1", "-3").exit_code == 1
    assert peer.received[0].body["actions"][0]["card"] == -3


@pytest.mark.parametrize(
    ("command", "kind"), [("draw", "draw"), ("end", "end_turn"), ("block", "block"), ("confirm", "confirm")]
)
def test_a_command_is_an_action(peer: Peer, ninety8: Ninety8, command: str, kind: str) -> None:
    peer.script += [accepted(a.outcome(instructions=[{"kind": "next_player", "seat": 1}]))]
    assert "Next: Ben." in ninety8(command).stdout
    assert peer.received[0].body["actions"][0]["type"] == kind


@pytest.mark.parametrize("command", ["undo", "redo"])
def test_undo_and_redo_name_what_they_mean(peer: Peer, ninety8: Ninety8, command: str) -> None:
    peer.script += [
        answers(200, a.game(**{command: {"target": "t-1", "type": "play"}})),
        accepted(a.outcome()),
    ]
    assert ninety8(command).exit_code == 0
    assert peer.received[1].body["actions"][0]["target"] == "t-1"


def test_with_nothing_to_undo_the_gateway_says_so(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [answers(200, a.game()), refuses(422, "nothing_to_undo")]
    result = ninety8("undo")
    assert result.exit_code == 1
    assert result.stderr.startswith("Refused (nothing_to_undo): Detail of nothing_to_undo.")


def test_what_was_applied_before_a_refusal_is_told(peer: Peer, ninety8: Ninety8) -> None:
    outcomes = [a.outcome(), a.outcome("rejected", code="illegal_play")]
    peer.script += [refuses(422, "illegal_play", index=1, outcomes=outcomes, game=a.game(version=1))]
    result = ninety8("play", "up1", "17", "up1", "3")
    assert result.exit_code == 1
    assert result.stdout == "Ana lays 17 on up1.\n"
    assert result.stderr.splitlines() == [
        "Refused (illegal_play): Detail of illegal_play.",
        "Next: ninety8 show lists what may be laid on each pile.",
    ]


def test_a_game_that_has_moved_on_shows_what_was_missed(peer: Peer, ninety8: Ninety8) -> None:
    drawn = [{"kind": "draw", "seat": 1, "count": 2}]
    missed = [a.entry(1, {"type": "draw"}, instructions=drawn)]
    peer.script += [
        refuses(409, "version_conflict", version=1, missed=missed),
        answers(200, a.game(version=1)),
        answers(200, a.access()),
    ]
    result = ninety8("end", "--expect", "0")
    assert result.exit_code == 1
    assert "   1  draw (Ben drew 2)" in result.stderr
