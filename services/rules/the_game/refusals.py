"""Owns the codes with which an action is refused, and the one warning."""

from typing import Literal, get_args

Refusal = Literal[
    "game_over",
    "result_pending",
    "pile_unknown",
    "card_out_of_range",
    "already_drawn",
    "hand_empty",
    "card_already_played",
    "illegal_play",
    "confirmation_required",
    "minimum_not_played",
    "nothing_to_draw",
    "draw_required",
    "minimum_already_played",
    "no_result_to_confirm",
    "nothing_to_undo",
    "nothing_to_redo",
    "undo_target_mismatch",
    "target_not_valueless",
    "table_impossible",
]
Warning = Literal["block_contradicted"]

REFUSALS: tuple[str, ...] = get_args(Refusal)
WARNINGS: tuple[str, ...] = get_args(Warning)
