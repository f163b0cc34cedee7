"""The documents of branches, conflicts and corrections as types: what each side has, what is asked."""

from typing import Any, Literal, NotRequired, TypedDict

from gateway.client.contract import Action, Author, Entry, Game, Outcome, Result, Table

Side = Literal["cloud", "device"]
Choice = Literal["merged", "cloud", "device", "table"]
Status = Literal["pending", "merged", "needs_decision", "settled"]


class Opened(TypedDict):
    """Which conflict a branch opened."""

    id: str


class SyncAnswer(TypedDict):
    """What became of a branch: taken in, with the `game` after it; or kept, with the `conflict` it opened."""

    version: int
    outcomes: list[Outcome]
    parked: int
    game: NotRequired[Game]
    conflict: NotRequired[Opened]


class Parked(TypedDict):
    """An action of a branch that was refused, kept until somebody has looked at it."""

    action_id: str
    action: Action
    code: str
    by: Author
    at: str | None
    parked_at: str


class TableShown(TypedDict):
    """What people see on the table: a top each, None where it was not read; counts; whose turn it is."""

    piles: dict[str, int | None]
    deck: int
    hands: list[int]
    active_seat: int


class Sent(TypedDict):
    """An action of a branch with what was answered."""

    action: Action
    at: str | None
    outcome: Outcome


class SideOfConflict(TypedDict):
    """Who entered the last of one side, on which device, when; `table` is None until it was looked at."""

    device: str | None
    by: Author | None
    at: str | None
    table: Table | None


class CloudSide(SideOfConflict):
    """The log after the base; a list of conflicts leaves the entries out."""

    entries: NotRequired[list[Entry]]


class DeviceSide(SideOfConflict):
    """The branch; a list of conflicts leaves the entries out."""

    entries: NotRequired[list[Sent]]


class Difference(TypedDict):
    """Where the sides part: what each did there, None when it has nothing."""

    index: int
    turn: int
    seat: int
    cloud: Action | None
    device: Action | None


class StoryTold(TypedDict):
    """A story that both sides fit into; a list of conflicts leaves the actions out."""

    base_version: int
    actions: NotRequired[list[Action]]
    table: Table
    result: Result | None


class Question(TypedDict):
    """What the table is asked, and what each side says."""

    id: str
    fact: Literal["top", "deck", "hands"]
    pile: NotRequired[str]
    cloud: Any
    device: Any
    text: str | None


class Text(TypedDict):
    """The conflict in the reader's language; None until it was looked at."""

    summary: str | None
    keep_cloud: str | None
    keep_device: str | None


class Conflict(TypedDict):
    """A game told in two ways; merged = settled by proof, settled = decided by people.

    `proof` counts what was proved, while it is merged.
    """

    id: str
    game_id: str
    status: Status
    base_version: int
    cloud_version: int
    cloud: CloudSide
    device: DeviceSide
    newer: Side
    first_difference: Difference | None
    proposal: StoryTold | None
    questions: list[Question]
    proof: dict[str, int] | None
    text: Text
    created_at: str
    updated_at: str
