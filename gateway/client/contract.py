"""The documents of the public contract as types: the API's own names and shapes; nothing is checked."""

from typing import Any, Generic, Literal, NotRequired, TypedDict, TypeVar

Item = TypeVar("Item")


class Page(TypedDict, Generic[Item]):
    items: list[Item]
    next_cursor: str | None


class GuideSection(TypedDict):
    """`markdown` has paragraphs, `**bold**`, lists of `- ` and images of the guide's own drawings."""

    id: str
    title: str
    markdown: str


class Guide(TypedDict):
    language: str
    sections: list[GuideSection]


class TokensAnswer(TypedDict):
    access_token: str
    refresh_token: str
    token_type: str
    expires_in: int


class Account(TypedDict):
    id: str
    email: str
    display_name: NotRequired[str | None]
    locale: NotRequired[str | None]
    plan: NotRequired[str]
    created_at: NotRequired[str]


class SignedUp(TokensAnswer):
    account: Account


class Plan(TypedDict):
    plan: str


class Player(TypedDict):
    id: str
    name: str
    colour: NotRequired[str | None]
    archived: NotRequired[bool]
    merged_into: NotRequired[str | None]


class Options(TypedDict, total=False):
    """What a game is played with; `players` only where no seats are given (evaluate)."""

    players: int
    difficulty: Literal["normal", "expert"]
    reduced_hand: bool
    first_seat: int


class Action(TypedDict):
    """What clients send; in logs also adopt, rewind and resolve, with fields of their own."""

    id: NotRequired[str]
    type: str
    pile: NotRequired[Any]
    card: NotRequired[Any]
    confirmed: NotRequired[bool]
    target: NotRequired[str]
    table: NotRequired[dict[str, Any]]
    to_version: NotRequired[int]
    choice: NotRequired[str]
    conflict_id: NotRequired[str]
    base_version: NotRequired[int]
    actions: NotRequired[list["Action"]]
    proof: NotRequired[dict[str, int]]
    at: NotRequired[str]


class Instruction(TypedDict):
    kind: Literal["draw", "return_cards", "take_back", "next_player", "result"]
    seat: NotRequired[int]
    count: NotRequired[int]
    pile: NotRequired[str]
    card: NotRequired[int | None]


class Pile(TypedDict):
    direction: Literal["up", "down"]
    top: int | None
    playable: list[int]
    uncertain: list[int]


class Table(TypedDict):
    status: Literal["playing", "blocked", "cleared", "finished"]
    phase: Literal["play", "drawn"]
    turn: int
    active_seat: int
    hands: list[int]
    deck: int
    minimum: int
    played_this_turn: int
    to_draw: int
    remaining: int
    control: Literal["full", "partial"]
    piles: dict[str, Pile]
    played: list[int]


class Result(TypedDict):
    outcome: Literal["win", "loss"]
    remaining: int
    rating: Literal["perfect", "excellent", "counted"]
    confirmed_at: str


class Seat(TypedDict):
    seat: int
    player_id: NotRequired[str | None]
    name: str
    hand: int


class Reference(TypedDict):
    """The action that undo or redo would take next."""

    target: str
    type: str


class ListedAccess(TypedDict):
    """What one may do with a game of a list."""

    role: Literal["owner", "recorder", "viewer"]


class Game(TypedDict):
    id: str
    ruleset: str
    rules_version: str
    options: Options
    players: list[Seat]
    version: int
    table: Table
    result: Result | None
    undo: Reference | None
    redo: Reference | None
    created_at: str
    updated_at: str
    binned_at: NotRequired[str]
    access: NotRequired[ListedAccess]


class Outcome(TypedDict):
    action_id: NotRequired[str]
    verdict: Literal["accepted", "duplicate", "rejected"]
    code: NotRequired[str]
    errors: NotRequired[Any]
    seq: NotRequired[int]
    instructions: list[Instruction]
    warnings: list[str]
    table: NotRequired[Table]


class ActionsAnswer(TypedDict):
    version: int
    outcomes: list[Outcome]
    game: Game


class Author(TypedDict):
    """Whoever sent an action: an account, or a guest of the game, which has no account."""

    account_id: str | None
    guest_id: NotRequired[str]
    device: NotRequired[str | None]


class Entry(TypedDict):
    seq: int
    action: Action
    by: Author
    at: str | None
    recorded_at: str
    rules_version: str
    instructions: list[Instruction]
    effective: bool


class EntryWithTable(Entry):
    """An entry with what it led to."""

    table: Table
    result: Result | None


class Evaluation(TypedDict):
    start: Table
    outcomes: list[Outcome]
    table: Table


class SeatWanted(TypedDict, total=False):
    """One seat of a new game: a saved player or a free name, exactly one of the two."""

    player_id: str
    name: str
