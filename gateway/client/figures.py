"""Finished games as figures, as types: the documents of the public API, and which games are meant."""

from typing import Literal, NotRequired, TypedDict

from gateway.client.transport import Query

Grouping = Literal["players", "difficulty", "reduced_hand", "month", "player"]
Interval = list[float]


class WhichGames(TypedDict, total=False):
    """Which finished games are meant; what is left out does not narrow. Days, `YYYY-MM-DD`, are UTC's."""

    since: str | None
    until: str | None
    players: int | None
    difficulty: str | None
    reduced_hand: bool | None
    player_id: str | None


def query_of(which: WhichGames) -> Query:
    """The part of a query string that says which games are meant."""
    named = {"since": "from", "until": "to"}
    return {named.get(name, name): value for name, value in which.items()}  # type: ignore[misc]


class FinishedGame(TypedDict):
    """One finished game; in the list of all accounts hashes stand for the game and its account."""

    game_id: NotRequired[str]
    game_hash: NotRequired[str]
    account_hash: NotRequired[str]
    confirmed_at: str
    players: int
    difficulty: str
    reduced_hand: bool
    first_seat: int
    outcome: Literal["win", "loss"]
    remaining: int
    rating: Literal["perfect", "excellent", "counted"]
    turns: int
    plays: int
    plays_per_turn: list[int]
    back_tens: int
    back_tens_up1: int
    back_tens_up2: int
    back_tens_down1: int
    back_tens_down2: int
    largest_jump: int | None
    control: Literal["full", "partial"]
    deck: int
    hands: list[int]
    blocked_by: int | None
    duration_s: int
    pauses_s: int
    version: int
    rules_version: str
    player_ids: NotRequired[list[str]]
    players_names: NotRequired[list[str]]
    cursor: str


class Group(TypedDict):
    """Games that have something in common, as figures; what was grouped by is there and nothing else."""

    players: NotRequired[int]
    difficulty: NotRequired[str]
    reduced_hand: NotRequired[bool]
    month: NotRequired[str]
    player_id: NotRequired[str]
    name: NotRequired[str | None]
    games: int
    wins: int
    win_rate: float | None
    win_rate_interval: Interval | None
    excellent: int
    excellent_rate: float | None
    excellent_rate_interval: Interval | None
    mean_remaining: float | None
    mean_remaining_interval: Interval | None
    quantiles: dict[str, int | None]
    histogram: list[int]
    mean_turns: float | None
    back_tens: float | None
    mean_duration_s: float | None


class Stats(TypedDict):
    items: list[Group]


class YardstickRow(TypedDict):
    """What a simulated strategy came to, each rate and mean with its standard error."""

    strategy: str
    players: int
    difficulty: str
    reduced_hand: bool
    games: int
    win_rate: float
    win_rate_se: float
    excellent_rate: float
    excellent_rate_se: float
    mean_remaining: float
    mean_remaining_se: float
    histogram: list[int]


class Strategy(TypedDict):
    id: str
    about: str


class Yardstick(TypedDict):
    items: list[YardstickRow]
    strategies: list[Strategy]
    rules_version: str
    command: str
