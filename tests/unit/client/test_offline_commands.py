"""Recording at the command line without any network, and what commands with one say about it."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from gateway.client.home import Home
from gateway.client.joined import Joined, JoinedGames
from gateway.client.journal import Journal
from gateway.client.seen import MOST_KEPT, Seen
from gateway.client.tokens import Tokens
from tests.unit.client import documents as a
from tests.unit.client.command import Ninety8, accepted
from tests.unit.client.peer import Behaviour, Peer, answers, refuses


@pytest.fixture
def seen(peer: Peer, home: Home) -> Seen:
    """The game in use as it was seen last."""
    found = Seen(home, peer.url)
    found.saw_game(a.game(version=6, undo={"target": "t-6", "type": "draw"}))  # type: ignore[arg-type]
    return found


@pytest.fixture
def journal(peer: Peer, home: Home, seen: Seen) -> Journal:
    return Journal(home, peer.url, a.GAME_ID)


def actions(journal: Journal) -> list[dict[str, Any]]:
    found = journal.read()
    assert found is not None
    return [dict(it) for it in found.actions]


def test_what_happens_is_recorded_unchecked_and_nobody_is_asked(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    told = ninety8("offline", "play", "up1", "17", "down2", "80")
    assert told.exit_code == 0, told.output
    assert told.stdout.splitlines() == [
        "Recorded on this machine, not checked yet: 17 on up1, 80 on down2.",
        "It follows version 6, the last that was seen here.",
        "Not sent yet: 2 entries. `ninety8 sync` sends, `ninety8 offline show` lists what waits.",
    ]
    for command, kind in [("draw", "draw"), ("end", "end_turn"), ("block", "block"), ("confirm", "confirm")]:
        assert ninety8("offline", command).exit_code == 0
        assert actions(journal)[-1]["type"] == kind
    sent = actions(journal)
    assert len({it["id"] for it in sent}) == len(sent) == 6
    assert all(it["at"].endswith("+00:00") for it in sent)
    assert peer.received == []


def test_a_card_without_its_value_is_recorded_confirmed(ninety8: Ninety8, journal: Journal) -> None:
    assert ninety8("offline", "play", "up1", "--hidden", "--confirm").exit_code == 0
    (sent,) = actions(journal)
    assert (sent["confirmed"], "card" in sent) == (True, False)
    assert ninety8("offline", "play", "up1").exit_code == 2


def test_undo_and_redo_name_what_they_mean(ninety8: Ninety8, journal: Journal) -> None:
    ninety8("offline", "play", "up1", "17")
    played = actions(journal)[0]["id"]
    assert "undo of 17 on up1" in ninety8("offline", "undo").stdout
    assert "undo of draw" in ninety8("offline", "undo").stdout
    assert [it.get("target") for it in actions(journal)] == [None, played, "t-6"]
    refused = ninety8("offline", "undo")
    assert refused.exit_code == 1
    assert "nothing to undo; nothing was recorded" in refused.stderr
    ninety8("offline", "redo")
    ninety8("offline", "redo")
    assert [it.get("target") for it in actions(journal)][3:] == ["t-6", played]
    assert "nothing to redo" in ninety8("offline", "redo").stderr
    assert len(actions(journal)) == 5


def test_what_waits_is_shown_below_the_table_that_was_seen_last(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    assert "Nothing is recorded offline." in ninety8("offline", "show").stdout
    ninety8("offline", "play", "up1", "17")
    shown = ninety8("offline", "show").stdout
    assert "Ana, Ben · version 6" in shown
    assert "not checked yet:\n   1  17 on up1" in shown
    document = json.loads(ninety8("offline", "show", "--json").stdout)
    assert [it["card"] for it in document["unsent"]] == [17]
    assert peer.received == []


def test_a_game_that_was_never_seen_cannot_be_gone_on_with(ninety8: Ninety8) -> None:
    for words in (("play", "up1", "17"), ("show",), ("undo",)):
        told = ninety8("offline", *words)
        assert told.exit_code == 1
        assert "With a network: ninety8 use GAME" in told.stderr


def test_a_game_is_named_by_a_piece_of_its_id_without_a_network(ninety8: Ninety8, journal: Journal) -> None:
    assert ninety8("offline", "draw", "--game", a.GAME_ID[-12:]).exit_code == 0
    assert "No games seen on this machine match beef" in ninety8("offline", "draw", "--game", "beef").stderr


def test_whoever_only_watches_records_nothing(
    peer: Peer, ninety8: Ninety8, home: Home, journal: Journal
) -> None:
    JoinedGames(home, peer.url).keep(Joined(a.GAME_ID, "guest_t", "viewer", "2026-01-03T10:00:00Z", "g"))
    assert "to watch it" in ninety8("offline", "draw").stderr
    assert journal.read() is None


@pytest.mark.parametrize("words", [("play", "up1", "20"), ("draw",), ("end",), ("block",), ("confirm",)])
def test_nothing_overtakes_what_waits(
    peer: Peer, ninety8: Ninety8, journal: Journal, words: tuple[str, ...]
) -> None:
    ninety8("offline", "play", "up1", "17")
    told = ninety8(*words)
    assert told.exit_code == 1
    assert "1 entry recorded offline on this machine come" in told.stderr
    assert "ninety8 sync" in told.stderr
    assert peer.received == []


def test_looking_with_a_network_says_what_is_missing_in_it(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    ninety8("offline", "play", "up1", "17")
    peer.script += [answers(200, a.game())]
    assert "1 entry recorded offline" in ninety8("show").stderr


def test_without_a_gateway_the_way_to_record_is_told_where_something_is_entered(
    ninety8: Ninety8, home: Home
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        url = f"http://127.0.0.1:{reserved.getsockname()[1]}"
    home.tokens(url).save(Tokens("access-1", "refresh-1"))
    for words, is_told in ((("draw",), True), (("undo",), True), (("show",), False)):
        told = ninety8(*words, "--game", a.GAME_ID, "--url", url)
        assert told.exit_code == 3
        assert ("`ninety8 offline play`" in told.stderr) == is_told


def test_every_answer_about_a_game_is_remembered(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    seen = Seen(home, peer.url)
    refused = {"outcomes": [a.outcome("rejected", code="illegal_play")], "index": 0, "version": 3}
    steps: list[tuple[tuple[str, ...], Behaviour]] = [
        (("show",), answers(200, a.game(version=0))),
        (("draw",), accepted(a.outcome(), version=1)),
        (("use", a.GAME_ID), answers(200, a.game(version=2))),
        (("draw",), refuses(422, "illegal_play", game=a.game(version=3), **refused)),
    ]
    for version, (words, answer) in enumerate(steps):
        peer.script += [answer]
        ninety8(*words)
        game = seen.game(a.GAME_ID)
        assert game is not None
        assert game["version"] == version


def test_only_the_last_games_are_remembered(home: Home, peer: Peer) -> None:
    seen = Seen(home, peer.url)
    for number in range(MOST_KEPT + 5):
        seen.saw_game(a.game(id=str(number)))  # type: ignore[arg-type]
    assert seen.game_ids() == [str(number) for number in range(5, MOST_KEPT + 5)]


def test_a_full_disk_does_not_spoil_an_answer_that_came(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    (home.directory / "seen.json").write_text("{")
    peer.script += [accepted(a.outcome())]
    assert ninety8("draw").exit_code == 0
    assert "cannot be read" in ninety8("offline", "draw").stderr


def test_giving_up_asks_first_and_keeps_the_file(ninety8: Ninety8, journal: Journal) -> None:
    assert "Nothing is recorded" in ninety8("offline", "discard").stderr
    ninety8("offline", "play", "up1", "17")
    assert ninety8("offline", "discard", stdin="n\n").exit_code == 1
    assert len(actions(journal)) == 1
    told = ninety8("offline", "discard", stdin="y\n")
    assert "Given up: 1 entry." in told.stdout
    (aside,) = Path(journal.file.parent).glob("*.discarded")
    assert '"card": 17' in aside.read_text()
    assert journal.read() is None
