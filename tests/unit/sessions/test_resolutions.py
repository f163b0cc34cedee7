"""What the log says about a conflict, by which entries stand."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pytest

from services.sessions.domain.branch import MERGED, NEEDS_DECISION, PENDING, SETTLED, Branch, Conflict
from services.sessions.domain.log import By, Mark
from services.sessions.domain.resolutions import (
    Resolution,
    by_decision,
    by_proof,
    overrules,
    settling,
    standing,
    status,
)

AT = datetime(2026, 5, 4, tzinfo=UTC)
STORY = {"base_version": 1, "actions": []}
PROVED = STORY | {"proof": {"turns": 1}}


def conflict(stored: str = NEEDS_DECISION, length: int = 2, conflict_id: UUID | None = None) -> Conflict:
    actions = [{"id": str(uuid4()), "type": "play"} for _ in range(length)]
    branch = Branch(uuid4(), uuid4(), By(uuid4()), 1, actions, [None] * length, [], AT, AT)
    return Conflict(conflict_id or UUID(int=7), uuid4(), branch, stored, 2, None, AT, AT)


def decided(of: Conflict, *, stands: bool = True, seq: int = 3, choice: str = "cloud") -> Resolution:
    return Resolution(seq, by_decision(of, 0, choice, STORY), stands)


@pytest.mark.parametrize("stored", [NEEDS_DECISION, MERGED, SETTLED])
def test_the_log_counts_whatever_is_stored(stored: str) -> None:
    it = conflict(stored)
    proof = Resolution(3, by_proof(it, PROVED), True)
    assert status(it, [proof]) == MERGED
    assert status(it, [decided(it)]) == SETTLED
    assert status(it, [decided(it, stands=False)]) == NEEDS_DECISION
    assert status(it, [decided(it, stands=False), proof]) == MERGED


@pytest.mark.parametrize("stands", [True, False])
def test_until_it_is_stored_what_was_found_a_conflict_is_pending_whatever_the_log_says(stands: bool) -> None:
    """Somebody who reads it as merged is to find both tables there."""
    it = conflict(PENDING)
    assert status(it, [Resolution(3, by_proof(it, PROVED), stands)]) == PENDING
    assert status(it, []) == PENDING


def test_what_resolves_another_conflict_says_nothing_of_this_one() -> None:
    other = conflict(conflict_id=UUID(int=8))
    assert settling(conflict(), [decided(other)]) is None


def test_what_settled_a_shorter_branch_says_nothing_of_the_longer_one() -> None:
    assert settling(conflict(PENDING, length=3), [decided(conflict(length=2))]) is None


def test_the_same_proof_is_the_same_entry_and_a_longer_branch_s_is_another() -> None:
    assert by_proof(conflict(), PROVED) == by_proof(conflict(), PROVED)
    assert by_proof(conflict(), PROVED)["id"] != by_proof(conflict(length=3), PROVED)["id"]


def test_the_same_decision_is_the_same_entry_until_it_was_taken_back() -> None:
    it = conflict()
    assert by_decision(it, 0, "cloud", STORY) == by_decision(it, 0, "cloud", STORY)
    assert by_decision(it, 1, "cloud", STORY)["id"] != by_decision(it, 0, "cloud", STORY)["id"]


@pytest.mark.parametrize(
    ("choice", "table", "same"),
    [
        ("table", {"a": 1}, True),
        ("table", {"a": 1.0}, False),
        ("table", None, False),
        ("cloud", {"a": 1}, False),
    ],
)
def test_a_decision_is_the_same_with_its_choice_and_table(choice: str, table: Any, same: bool) -> None:
    made = Resolution(3, by_decision(conflict(), 0, "table", STORY, {"a": 1}), True)
    assert made.is_decision(choice, table) is same


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ("play resolve", {1, 2}),
        ("play resolve undo", {1}),
        ("play resolve undo redo", {1, 2}),
        ("play resolve play undo", {1, 2}),
        ("play resolve resolve", {1, 2, 3}),
        ("play resolve rewind:1", {1, 3}),
        ("play resolve rewind:1 undo", {1, 2}),
    ],
)
def test_an_entry_stands_until_it_is_taken_back(log: str, expected: set[int]) -> None:
    """Also where another one tells the game anew from before it; going back on purpose takes it back."""
    assert standing(marks(log)) == expected


def marks(log: str) -> list[Mark]:
    found = []
    for seq, word in enumerate(log.split(), 1):
        kind, _, version = word.partition(":")
        found.append(Mark(seq, kind, 1 if kind == "resolve" else int(version) if version else None))
    return found


@pytest.mark.parametrize(
    ("log", "further", "expected"),
    [
        ("play resolve", "undo", 0),
        ("play resolve", "play undo undo redo", 2),
        ("play resolve", "play undo redo", None),
        ("play resolve undo", "redo", 0),
        ("play resolve undo", "play", None),
        ("play resolve resolve", "undo", None),
        ("play resolve resolve", "undo undo", 1),
        ("play resolve rewind:1", "undo", 0),
        ("play resolve rewind:2", "undo", None),
        ("", "play undo redo", None),
    ],
)
def test_whoever_takes_a_decision_back_or_brings_it_back_overrules_it(
    log: str, further: str, expected: int | None
) -> None:
    """People decided in the second entry; a third that resolves says what was proved."""
    assert overrules(marks(log), {2}, further.split()) == expected
