"""Bringing in what was recorded offline: what is sent, what is told, and what stays until it was answered."""

import json
from typing import Any

import pytest

from gateway.client.home import Home
from gateway.client.journal import Journal
from gateway.client.seen import Seen
from tests.unit.client import branches as b
from tests.unit.client import documents as a
from tests.unit.client.command import Ninety8
from tests.unit.client.peer import Behaviour, Peer, Received, answers, breaks_off, refuses

SYNC = f"/v1/games/{a.GAME_ID}/sync"


@pytest.fixture
def journal(peer: Peer, home: Home, ninety8: Ninety8) -> Journal:
    """17 on up1, 12 on up1 and 80 on down2, recorded after version 6."""
    Seen(home, peer.url).saw_game(a.game(version=6))  # type: ignore[arg-type]
    ninety8("offline", "play", "up1", "17", "up1", "12", "down2", "80")
    return Journal(home, peer.url, a.GAME_ID)


def ids(journal: Journal) -> list[str]:
    found = journal.read()
    assert found is not None
    return [it["id"] for it in found.actions]


def judged(actions: list[dict[str, Any]], *refused: int, verdict: str = "accepted") -> list[dict[str, Any]]:
    """An outcome for each action: those with such a card are refused."""
    return [
        a.outcome("rejected", action_id=it["id"], code="illegal_play")
        if it.get("card") in refused
        else a.outcome(verdict, action_id=it["id"])
        for it in actions
    ]


def gateway(**paths: Behaviour) -> Any:
    """Answers by the end of the path; a code is explained by its name."""

    def rule(request: Received) -> Behaviour:
        if request.path.startswith("/problems/"):
            return answers(200, {"detail": f"Why {request.path.rpartition('/')[2]}."})
        for ending, behaviour in paths.items():
            if ending in request.path:
                return behaviour
        if request.path.endswith("/access"):
            return answers(200, a.access())
        return answers(200, a.game(version=9))

    return rule


def test_the_branch_is_sent_whole_and_each_entry_is_told(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    sent = ids(journal)
    outcomes = [
        a.outcome(action_id=sent[0]),
        a.outcome("rejected", action_id=sent[1], code="illegal_play"),
        a.outcome("duplicate", action_id=sent[2]),
    ]
    peer.rule = gateway(sync=answers(200, b.synced(*outcomes, version=8)))
    told = ninety8("sync", "--device", "cellar")
    assert told.exit_code == 0, told.output
    assert told.stdout.splitlines() == [
        "Sent: 3 entries.",
        "   1  17 on up1: in the game",
        "   2  12 on up1: refused (illegal_play)",
        "        Why illegal_play.",
        "   3  80 on down2: was there already",
        "1 of them changed nothing and are parked: enter what really happened, then ninety8 parked and"
        " ninety8 unpark ACTION put them away.",
        "The game is at version 8.",
        "up1 ↑1  up2 ↑1  down1 ↓100  down2 ↓100",
        "Ana lays at least 2 cards.",
    ]
    request = peer.received[0]
    assert (request.method, request.path) == ("POST", SYNC)
    assert (request.body["device"], request.body["base_version"]) == ("cellar", 6)
    assert [it["id"] for it in request.body["actions"]] == sent
    assert journal.read() is None
    assert "Nothing is waiting here" in ninety8("sync").stdout


def test_after_it_was_brought_in_recording_follows_the_new_version(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    peer.rule = gateway(sync=answers(200, b.synced(*[a.outcome()] * 3, version=9)))
    ninety8("sync")
    assert "It follows version 9" in ninety8("offline", "draw").stdout


def test_an_answer_that_got_lost_is_asked_for_again_under_the_same_name(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    peer.script += [breaks_off(b"{"), refuses(500, "internal_error")]
    told = ninety8("sync", "--device", "cellar")
    assert told.exit_code == 1
    assert "Not sent: 3 entries recorded offline, kept on this machine." in told.stderr
    assert len(ids(journal)) == 3
    peer.script += [answers(200, b.synced(*[a.outcome("duplicate")] * 3))]
    assert ninety8("sync", "--device", "another").exit_code == 0
    bodies = [it.body for it in peer.received if it.path == SYNC]
    assert len(bodies) == 3
    assert bodies[0] == bodies[1] == bodies[2]
    assert bodies[0]["device"] == "cellar"


@pytest.mark.parametrize(
    "refusal",
    [
        refuses(401, "unauthenticated"),
        refuses(404, "not_found"),
        refuses(409, "action_id_reused"),
        refuses(409, "version_conflict", version=3, missed=[]),
        refuses(403, "role_insufficient"),
    ],
)
def test_whatever_is_refused_as_a_whole_stays_on_the_machine(
    peer: Peer, ninety8: Ninety8, journal: Journal, refusal: Behaviour
) -> None:
    peer.rule = lambda _: refusal
    told = ninety8("sync")
    assert told.exit_code == 1
    assert told.stderr.startswith("Not sent: 3 entries recorded offline, kept on this machine.")
    assert "Refused (" in told.stderr
    assert len(ids(journal)) == 3


def test_two_stories_that_fit_are_joined_and_what_was_proved_is_told(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    proof = {"plays_common": 1, "plays_cloud_only": 2, "plays_device_only": 3, "turns": 1}
    log = {"items": [a.entry(1, {"type": "draw"}), b.resolved(proof=proof)], "next_cursor": None}
    peer.rule = gateway(
        sync=answers(202, b.branched(*[a.outcome()] * 3)),
        conflicts=answers(200, b.conflict("merged")),
        log=answers(200, log),
    )
    told = ninety8("sync")
    assert told.exit_code == 0, told.output
    assert "   1  17 on up1: kept for comparing" in told.stdout
    assert "joined: both stories fit together" in told.stdout
    assert "Nothing was lost: 1 card in both, 2 only in the shared game, 3 only on the device." in told.stdout
    assert journal.read() is None


def test_while_two_stories_are_compared_the_command_waits_and_says_so(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    pending = answers(200, b.conflict("pending"))
    peer.rule = gateway()
    peer.script += [answers(202, b.branched(*[a.outcome()] * 3)), pending, pending]
    peer.script += [answers(200, b.conflict()), answers(200, a.game())]
    told = ninety8("sync")
    assert "the two stories are being compared .\n" in told.stderr
    assert "waits for a decision" in told.stdout
    found = journal.read()
    assert found is not None
    assert (found.conflict_id, found.unsent) == (b.CONFLICT_ID, ())


def test_a_comparison_that_takes_long_is_looked_at_later(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    peer.rule = gateway(
        sync=answers(202, b.branched(*[a.outcome()] * 3)), conflicts=answers(200, b.conflict("pending"))
    )
    told = ninety8("sync", "--wait", "0")
    assert told.exit_code == 0
    assert f"Still being compared; nothing is lost. Again: ninety8 conflict {b.CONFLICT_ID}" in told.stdout
    peer.received.clear()
    peer.rule = gateway(
        conflicts=answers(200, b.conflict("settled")), log=answers(200, {"items": [], "next_cursor": None})
    )
    assert "decided" in ninety8("sync").stdout
    assert SYNC not in [it.path for it in peer.received]
    assert journal.read() is None


def test_what_is_recorded_while_a_question_is_open_goes_on_from_the_branch(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    first = ids(journal)
    peer.rule = gateway(
        sync=answers(202, b.branched(*[a.outcome()] * 4)), conflicts=answers(200, b.conflict())
    )
    ninety8("sync")
    assert "Not sent yet: 1 entry." in ninety8("offline", "draw").stdout
    shown = ninety8("offline", "show").stdout
    assert "Sent already:" in shown
    assert f"ninety8 conflict {b.CONFLICT_ID}" in shown
    ninety8("sync")
    bodies = [it.body for it in peer.received if it.path == SYNC]
    assert [len(body["actions"]) for body in bodies] == [3, 4]
    assert [it["id"] for it in bodies[1]["actions"]][:3] == first
    assert bodies[1]["base_version"] == bodies[0]["base_version"]


def test_whoever_goes_on_with_the_shared_game_records_from_there(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    moved = answers(200, {"version": 9, "outcomes": [a.outcome()], "game": a.game(version=9)})
    peer.rule = gateway(
        sync=answers(202, b.branched(*[a.outcome()] * 3)), conflicts=answers(200, b.conflict()), actions=moved
    )
    ninety8("sync")
    assert ninety8("draw").exit_code == 0
    assert "It follows version 9" in ninety8("offline", "draw").stdout


def test_for_machines_the_answer_and_the_conflict_are_one_document(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    peer.rule = gateway(
        sync=answers(202, b.branched(*[a.outcome()] * 3)), conflicts=answers(200, b.conflict())
    )
    document = json.loads(ninety8("sync", "--json").stdout)
    assert (len(document["answer"]["outcomes"]), document["conflict"]) == (3, b.conflict())
    peer.rule = gateway(conflicts=answers(200, b.conflict()))
    assert json.loads(ninety8("sync", "--json").stdout)["answer"] is None


class WithoutPlus:
    """A gateway that takes actions only, and refuses 12; `breaks` answers are lost after they count."""

    def __init__(self, breaks: int = 0) -> None:
        self.version = 6
        self.log: list[str] = []
        self.breaks = breaks
        self.judged: list[str] = []

    def __call__(self, request: Received) -> Behaviour:
        if request.path == SYNC:
            return refuses(403, "plus_required")
        if request.path.startswith("/problems/"):
            return refuses(404, "not_found")
        if request.path.endswith("/access"):
            return answers(200, a.access())
        expected, own = request.body["expected_version"], [it["id"] for it in request.body["actions"]]
        since = self.log[expected - 6 :]
        if [it for it in since if it not in own]:
            return refuses(
                409, "version_conflict", version=self.version, missed=[a.entry(7, {"type": "draw"})]
            )
        outcomes = []
        for index, it in enumerate(request.body["actions"]):
            if it["id"] in self.log:
                outcomes.append(a.outcome("duplicate", action_id=it["id"]))
                continue
            self.judged.append(it["id"])
            if it["card"] == 12:
                outcomes.append(a.outcome("rejected", action_id=it["id"], code="illegal_play"))
                extra = {"index": index, "outcomes": outcomes, "version": self.version}
                return self._told(refuses(422, "illegal_play", game=a.game(version=self.version), **extra))
            self.log.append(it["id"])
            self.version += 1
            outcomes.append(a.outcome(action_id=it["id"]))
        made = a.game(version=self.version)
        return self._told(answers(200, {"version": self.version, "outcomes": outcomes, "game": made}))

    def _told(self, answer: Behaviour) -> Behaviour:
        self.breaks -= 1
        return answer if self.breaks < 0 else refuses(500, "internal_error")


@pytest.mark.parametrize("breaks", [0, 1])
def test_without_plus_entries_go_in_as_ordinary_actions_each_judged_in_its_place(
    peer: Peer, ninety8: Ninety8, journal: Journal, breaks: int
) -> None:
    sent = ids(journal)
    table = WithoutPlus(breaks)
    peer.rule = table
    for _ in range(breaks):
        assert ninety8("sync").exit_code == 1
        assert journal.read() is not None
    told = ninety8("sync")
    assert told.exit_code == 0, told.output
    assert table.log == [sent[0], sent[2]]
    assert "   2  12 on up1: refused (illegal_play)" in told.stdout
    assert "look at the table and enter what really happened" in told.stdout
    assert journal.read() is None


def test_without_plus_what_was_refused_is_not_judged_again_by_a_later_table(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    sent = ids(journal)
    table = WithoutPlus()

    def rule(request: Received) -> Behaviour:
        answer = table(request)
        # The second batch counts, and its answer is lost.
        return refuses(500, "internal_error") if sent[2] in table.judged else answer

    peer.rule = rule
    assert ninety8("sync").exit_code == 1
    peer.rule = table
    assert ninety8("sync").exit_code == 0
    assert (table.judged.count(sent[1]), table.log) == (1, [sent[0], sent[2]])


def test_without_plus_what_was_missed_is_told_and_nothing_is_given_up(
    peer: Peer, ninety8: Ninety8, journal: Journal
) -> None:
    table = WithoutPlus()
    table.log.append("somebody else's")
    table.version = 7
    peer.rule = table
    told = ninety8("sync")
    assert told.exit_code == 1
    assert "Not sent: 3 entries recorded offline, kept on this machine." in told.stderr
    assert "   7  draw" in told.stderr
    for way in ("ninety8 plus redeem CODE", "ninety8 offline discard", "ninety8 offline show"):
        assert way in told.stderr
    assert json.loads(ninety8("sync", "--json").stderr.splitlines()[-1])["code"] == "version_conflict"
    assert len(ids(journal)) == 3
