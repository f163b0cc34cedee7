"""Codes with which the rules refuse an action."""

from collections.abc import Mapping
from uuid import uuid4

from tests.e2e.refusing.way import Way
from tests.support.api import Json, Reply, new_game, send, sign_up
from tests.support.system import System

_BLOCKED = ({"type": "block"}, {"type": "confirm"})


def _play(pile: str, *cards: int) -> list[Json]:
    return [{"type": "play", "pile": pile, "card": card} for card in cards]


def _without_a_deck() -> list[Json]:
    """One player lays everything upwards, eight cards a turn, until the last two are in hand."""
    turn_end = [{"type": "draw"}, {"type": "end_turn"}]
    turns = [[*_play("up1", *range(first, first + 8)), *turn_end] for first in range(2, 98, 8)]
    return [one for turn in turns for one in turn]


# The last action is refused with the code, those before it are accepted; one player, normal.
OF_THE_RULES: Mapping[str, list[Json]] = {
    "game_over": [*_BLOCKED, {"type": "draw"}],
    "result_pending": [{"type": "block"}, {"type": "draw"}],
    "pile_unknown": _play("left", 7),
    "card_out_of_range": _play("up1", 100),
    "already_drawn": [*_play("up1", 2, 3), {"type": "draw"}, {"type": "draw"}],
    "hand_empty": _play("up1", *range(2, 11)),
    "card_already_played": [*_play("up1", 7), *_play("down1", 7)],
    "illegal_play": _play("up1", 50, 45),
    "confirmation_required": [
        *_play("up1", 50),
        {"type": "play", "pile": "up1", "confirmed": True},
        *_play("up1", 60),
    ],
    "minimum_not_played": [*_play("up1", 7), {"type": "end_turn"}],
    "nothing_to_draw": [*_without_a_deck(), *_play("up1", 98), {"type": "draw"}],
    "draw_required": [*_play("up1", 2, 3), {"type": "end_turn"}],
    "minimum_already_played": [*_play("up1", 2, 3), {"type": "block"}],
    "no_result_to_confirm": [*_play("up1", 2), {"type": "confirm"}],
    "nothing_to_undo": [{"type": "undo"}],
    "undo_target_mismatch": [*_play("up1", 2), {"type": "undo", "target": "another"}],
    "nothing_to_redo": [*_play("up1", 2), {"type": "redo"}],
}


def _of_the_rules(actions: list[Json]) -> Way:
    def way(system: System) -> Reply:
        api = sign_up(system.url)
        sent = [{"id": str(uuid4()), **one} for one in actions]
        answer = send(api, new_game(api, 1), sent)
        assert answer.json["index"] == len(sent) - 1
        assert answer.json["action_id"] == sent[-1]["id"]
        return answer

    return way


WAYS: Mapping[str, Way] = {code: _of_the_rules(actions) for code, actions in OF_THE_RULES.items()}
