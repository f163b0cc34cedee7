"""Owns the state of a game at one moment: all that is publicly known, and nothing about what a hand holds."""

from dataclasses import dataclass
from typing import Literal, get_args

from services.rules.the_game.cards import COUNT
from services.rules.the_game.options import Options
from services.rules.the_game.piles import RISING, Pile, fresh

Status = Literal["playing", "blocked", "cleared", "finished"]
STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True, slots=True)
class State:
    """Hands are counts by seat, `laid` counts this turn's cards, `entered` is the set known by value."""

    status: Status
    drawn: bool
    turn: int
    seat: int
    hands: tuple[int, ...]
    deck: int
    minimum: int
    laid: int
    entered: int
    piles: tuple[Pile, ...]

    @property
    def remaining(self) -> int:
        """Cards not played: the group's result."""
        return self.deck + sum(self.hands)

    @property
    def is_fully_controlled(self) -> bool:
        """True while every card that was played is known by value."""
        return COUNT - self.remaining == self.entered.bit_count()

    @property
    def control(self) -> Literal["full", "partial"]:
        """How much of the game is known: see `is_fully_controlled`."""
        return "full" if self.is_fully_controlled else "partial"

    @property
    def may_play(self) -> bool:
        """True when the active player may lay a card now, as far as the turn goes."""
        return self.status == "playing" and not self.drawn and self.hands[self.seat] > 0


def start(options: Options) -> State:
    """The table before the first card."""
    hands = (options.starting_hand,) * options.players
    deck = COUNT - sum(hands)
    return State(
        status="playing",
        drawn=False,
        turn=1,
        seat=options.first_seat,
        hands=hands,
        deck=deck,
        minimum=options.minimum(deck),
        laid=0,
        entered=0,
        piles=tuple(fresh(rising) for rising in RISING),
    )
