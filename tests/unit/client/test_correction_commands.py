"""Commands that correct a game, and how the entries they make are told."""

from typing import Any, cast

import pytest

from gateway.client.live import EntrySeen
from gateway.client.rendering.authors import Viewpoint
from gateway.client.rendering.corrections import retold
from gateway.client.rendering.live import Teller
from gateway.client.rendering.sentences import entry
from tests.unit.client import documents as a
from tests.unit.client.command import Ninety8, accepted
from tests.unit.client.peer import Behaviour, Peer, Received, answers, refuses

HIDDEN = {"type": "play", "pile": "up1"}


def gateway(*log: dict[str, Any], answer: Behaviour | None = None) -> Any:
    """A game at version 5 with this log, which answers whatever is entered with `answer`."""

    def rule(request: Received) -> Behaviour:
        if request.method == "POST":
            return answer or accepted(a.outcome(), version=6)
        if "/log" in request.path:
            return answers(200, {"items": list(log), "next_cursor": None})
        if request.path.endswith("/access"):
            return answers(200, a.access())
        return answers(200, a.game(version=5))

    return rule


def test_what_is_left_out_stays_as_recorded(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway()
    told = ninety8("adopt", "--up1", "23", "--down1", "?", "--hands", "6,5", "--seat", "Ben")
    assert told.exit_code == 0, told.output
    assert told.stdout.startswith("The game goes on from what the table shows.\n")
    assert told.stdout.endswith("`ninety8 undo` takes this back.\n")
    (sent,) = [it for it in peer.received if it.method == "POST"]
    assert sent.path.endswith("/adopt")
    assert sent.body["expected_version"] == 5
    assert sent.body["table"] == {
        "piles": {"up1": 23, "up2": 1, "down1": None, "down2": 100},
        "deck": 84,
        "hands": [6, 5],
        "active_seat": 1,
    }


def test_a_table_that_cannot_be_says_where(peer: Peer, ninety8: Ninety8) -> None:
    errors = {"json": {"table": {"deck": ["Must be a count from 0 to 84."]}}}
    peer.rule = gateway(answer=refuses(422, "table_impossible", errors=errors))
    told = ninety8("adopt", "--deck", "90")
    assert told.exit_code == 1
    assert "Must be a count from 0 to 84." in told.stderr
    assert "count again" in told.stderr


def test_going_back_names_the_version_it_goes_back_from(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway()
    told = ninety8("rewind", "3")
    assert "as it was at version 3; what came after stays in the log." in told.stdout
    sent = peer.received[-1].body
    assert (sent["to_version"], sent["expected_version"]) == (3, 5)


@pytest.mark.parametrize(
    "words", [("adopt",), ("rewind", "-1"), ("rewind",), ("identify", "x"), ("adopt", "--deck", "x")]
)
def test_corrections_that_cannot_be_understood_are_not_sent(
    peer: Peer, ninety8: Ninety8, words: tuple[str, ...]
) -> None:
    assert ninety8(*words).exit_code == 2
    assert peer.received == []


def test_the_one_card_laid_without_its_value_is_named(peer: Peer, ninety8: Ninety8) -> None:
    undone = a.entry(1, HIDDEN, effective=False)
    named = [a.entry(2, HIDDEN), a.entry(3, {"type": "identify", "target": "id-2", "card": 9})]
    peer.rule = gateway(undone, *named, a.entry(4, HIDDEN), a.entry(5, {**HIDDEN, "card": 30}))
    told = ninety8("identify", "17")
    assert told.exit_code == 0, told.output
    assert "Entry 4, a card without its value on up1: it was 17." in told.stdout
    (sent,) = peer.received[-1].body["actions"]
    assert {**sent, "id": ""} == {"id": "", "type": "identify", "target": "id-4", "card": 17}


def test_where_several_may_be_meant_the_entry_has_to_be_said(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway(a.entry(1, HIDDEN), a.entry(2, HIDDEN))
    told = ninety8("identify", "17")
    assert told.exit_code == 1
    assert "--entry N" in told.stderr
    assert "   2  a card without its value on up1" in told.stderr
    assert ninety8("identify", "17", "--entry", "1").exit_code == 0
    assert peer.received[-1].body["actions"][0]["target"] == "id-1"
    assert "no entry 9" in ninety8("identify", "17", "--entry", "9").stderr
    peer.rule = gateway()
    assert "No card that counts was laid without its value." in ninety8("identify", "17").stderr


def test_a_card_that_does_not_fit_names_the_entries_in_its_way(peer: Peer, ninety8: Ninety8) -> None:
    refused = refuses(422, "illegal_play", index=0, outcomes=[], errors=["id-2"], game=a.game())
    peer.rule = gateway(a.entry(1, HIDDEN), a.entry(2, {**HIDDEN, "card": 17}), answer=refused)
    told = ninety8("identify", "18")
    assert told.exit_code == 1
    assert "With 18 in entry 1 these would not fit:\n   2  17 on up1\n" in told.stderr


PROOF = {"plays_common": 1, "plays_cloud_only": 2, "plays_device_only": 3, "turns": 1}
TOLD: list[tuple[dict[str, Any], str, str]] = [
    (
        {"type": "identify", "target": "id-1", "card": 17},
        "a card laid without its value named: 17",
        "A card without its value on up1: it was 17.",
    ),
    (
        {"type": "adopt", "table": {}},
        "the table taken as it lies",
        "The game goes on from what the table shows. Next: Ben.",
    ),
    ({"type": "rewind", "to_version": 3}, "back to version 3", "The game is back to version 3. Next: Ben."),
    (
        {"type": "resolve", "choice": "device"},
        "conflict decided for the offline device",
        "Conflict decided for the offline device. Next: Ben.",
    ),
    (
        {"type": "resolve", "choice": "merged", "proof": PROOF},
        "two stories joined: 1 card in both, 2 only in the shared game, 3 only on the device",
        "Two stories joined: 1 card in both, 2 only in the shared game, 3 only on the device. Next: Ben.",
    ),
    ({"type": "resolve", "choice": "new"}, "conflict decided", "Conflict decided. Next: Ben."),
]


@pytest.mark.parametrize(("action", "line", "sentence"), TOLD)
def test_entries_about_the_whole_game_are_told_in_words(
    action: dict[str, Any], line: str, sentence: str
) -> None:
    acts = [] if action["type"] == "identify" else [{"kind": "next_player", "seat": 1}]
    made = cast("Any", a.entry(7, action, instructions=acts))
    assert entry(made, ["Ana", "Ben"]).startswith(f"   7  {line}")
    teller = Teller(["Ana", "Ben"], Viewpoint())
    teller.catch_up(cast("Any", a.game()), [cast("Any", {"id": "id-1", **HIDDEN})])
    told = teller.entry(EntrySeen(made, cast("Any", a.table()), None))
    assert told[0].text == f"   7  {sentence}  · the owner"


def test_what_a_settlement_tells_again_was_not_undone() -> None:
    play = cast("Any", a.entry(1, {**HIDDEN, "card": 17}, effective=False))
    other = cast("Any", a.entry(2, {**HIDDEN, "card": 20}, effective=False))
    settled = cast("Any", a.entry(3, {"type": "resolve", "choice": "merged", "actions": [play["action"]]}))
    again = retold([play, other, settled])
    assert entry(play, [], again) == "   1  17 on up1  [counts by entry 3]"
    assert entry(other, [], again) == "   2  20 on up1  [undone]"
    assert retold([settled | {"effective": False}]) == {}
