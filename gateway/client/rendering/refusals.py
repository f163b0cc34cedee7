"""A refusal as lines: what the API says, what it names, and the command that leads on."""

import json
from collections.abc import Sequence

from gateway.client.problems import ApiProblem
from gateway.client.rendering.authors import NOBODY, Viewpoint
from gateway.client.rendering.sentences import entry
from gateway.client.rendering.text import printable

NEXT = {
    "unauthenticated": "ninety8 sign-in, or ninety8 sign-up for a new account",
    "bad_refresh_token": "ninety8 sign-in",
    "email_taken": "ninety8 sign-in",
    "player_unknown": "ninety8 players list",
    "game_in_bin": "ninety8 restore GAME",
    "version_conflict": "ninety8 show, then decide again",
    "action_id_reused": "ninety8 show, then decide again",
    "game_over": "ninety8 undo reopens the game",
    "result_pending": "ninety8 confirm, or ninety8 undo to play on",
    "already_drawn": "ninety8 end, or ninety8 undo to take the draw back",
    "illegal_play": "ninety8 show lists what may be laid on each pile",
    "card_already_played": "ninety8 show lists what may be laid on each pile",
    "confirmation_required": "look at the pile, then the same command with --confirmed",
    "minimum_not_played": "ninety8 play PILE CARD, or ninety8 block if it cannot be done",
    "nothing_to_draw": "ninety8 end",
    "draw_required": "ninety8 draw",
    "minimum_already_played": "ninety8 draw or ninety8 end",
    "no_result_to_confirm": "ninety8 block, when the minimum cannot be laid",
    "undo_target_mismatch": "ninety8 show, then decide again",
    "pile_unknown": "the piles are up1, up2, down1 and down2",
    "plus_required": "ninety8 plus redeem CODE",
    "invitation_ended": "ask whoever invited you for a new one",
    "conflict_settled": "ninety8 conflict CONFLICT shows how; ninety8 undo takes that decision back",
    "no_proposal": "ninety8 decide CONFLICT cloud, device or table",
    "table_impossible": "count again; `errors` above says where",
    "target_not_valueless": "ninety8 log shows which cards were laid without their value",
    "too_many_invitations": "ninety8 invitations, then ninety8 revoke INVITATION",
    "too_many_conflicts": "ninety8 conflicts, then ninety8 decide CONFLICT CHOICE; then ninety8 sync",
    "too_many_parked": "ninety8 parked, then ninety8 unpark ACTION; then ninety8 sync",
    "role_insufficient": "ninety8 watch shows the game; ask for an invitation that allows more",
    "not_shared": "ninety8 bin puts a game of your own away",
    "not_found": "ninety8 games lists yours, ninety8 use GAME picks one",
}


AS_GUEST = {
    "unauthenticated": "your invitation to this game has ended: ask for a new one, or ninety8 leave",
    "not_found": "the game is not there any more: ninety8 leave",
    "game_over": "whoever invited you can reopen the game",
    "plus_required": "whoever owns the game has Plus no more; ninety8 play, draw, end … work without",
    "too_many_conflicts": "whoever invited you decides one; then ninety8 sync",
    "too_many_parked": "whoever invited you puts some away; then ninety8 sync",
}


def refusal(
    problem: ApiProblem,
    names: Sequence[str] = (),
    viewpoint: Viewpoint = NOBODY,
    *,
    as_guest: bool = False,
) -> list[str]:
    """The lines to show for `problem`; `names` are the players' by seat, for what was missed.

    `viewpoint` tells who entered that. What leads on is another thing for a guest of the game.
    """
    following = NEXT | AS_GUEST if as_guest else NEXT
    lines = [f"Refused ({printable(problem.code)}): {printable(problem.detail)}"]
    if problem.errors:
        lines.append(f"  {printable(json.dumps(problem.errors, ensure_ascii=False))}")
    if problem.missed:
        lines.append("Missed since:")
        lines += [entry(missed, names, viewpoint=viewpoint) for missed in problem.missed]
    if problem.retry_after_s is not None:
        lines.append(f"Try again in {problem.retry_after_s:g} s.")
    if problem.code in following:
        lines.append(f"Next: {following[problem.code]}.")
    if problem.status >= 500 and problem.request_id:
        lines.append(f"Request {printable(problem.request_id)}.")
    return lines
