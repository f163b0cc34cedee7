"""The one list of error codes: status, title and what to do next; texts in other languages lie beside it."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "es", "it", "pt", "fr", "de", "sl")


@dataclass(frozen=True, slots=True)
class Code:
    """One error code: HTTP `status`, short `title`, `detail` that says what to do next (English)."""

    status: int
    title: str
    detail: str


CODES: dict[str, Code] = {
    # the request itself
    "malformed_body": Code(
        400, "Body is not JSON", "The body could not be read as JSON in UTF-8. Send one JSON value."
    ),
    "unauthenticated": Code(
        401, "Not signed in", "The access token is missing, expired or not valid. Sign in or refresh it."
    ),
    "bad_credentials": Code(
        401,
        "Wrong e-mail or password",
        "No account has this e-mail and password. Check both, or ask an operator for a reset link.",
    ),
    "bad_refresh_token": Code(
        401, "Refresh token not valid", "This refresh token is used up, revoked or unknown. Sign in again."
    ),
    "wrong_password": Code(403, "Wrong password", "The password is not the account's. Nothing was changed."),
    "plus_required": Code(
        403, "Plus required", "This needs the plan Plus. Redeem a code at /v1/me/plus and try again."
    ),
    "role_insufficient": Code(
        403,
        "Not with this invitation",
        "An invitation to view only reads; one to record adds to the log, and does not take back a confirmed"
        " result or a decision, delete or invite. Ask whoever invited you.",
    ),
    "operator_required": Code(
        403,
        "Not an operator",
        "Figures over all accounts are for operators. Ask whoever runs this service for the role; figures of"
        " your own games are at /v1/stats and /v1/results.",
    ),
    "not_found": Code(404, "Not found", "There is nothing here, or it is not yours. Check the address."),
    "method_not_allowed": Code(
        405,
        "Method not allowed",
        "This address does not take that method. The header Allow lists those it takes.",
    ),
    "body_too_large": Code(
        413, "Body too large", "The body is over 262144 bytes. Send fewer actions in one request."
    ),
    "unsupported_media_type": Code(415, "Unsupported media type", "Send the body as application/json."),
    "validation_failed": Code(
        422,
        "Not valid",
        "Some fields are missing, unknown or of the wrong kind. `errors` says which; nothing was applied.",
    ),
    "too_many_requests": Code(
        429, "Too many requests", "Slow down and try again after the seconds in Retry-After."
    ),
    "internal_error": Code(
        500,
        "Internal error",
        "Something went wrong here. Nothing half-done was kept; try again, and quote request_id.",
    ),
    "service_unavailable": Code(
        503,
        "Service away",
        "A part of the system is away. Nothing was applied; repeat the request after Retry-After.",
    ),
    # accounts
    "email_taken": Code(409, "E-mail taken", "An account with this e-mail exists. Sign in instead."),
    "code_unknown": Code(422, "Code unknown", "There is no such code. Check the spelling."),
    "code_used": Code(409, "Code used", "This code has been redeemed already. Each code works once."),
    "link_expired": Code(
        422,
        "Link expired",
        "This one-time link is used up, expired or unknown. Ask an operator for a new one.",
    ),
    "id_taken": Code(
        409, "Id taken", "This id is in use for something else. Repeat the same body, or make a new id."
    ),
    "merge_impossible": Code(
        422,
        "Merge impossible",
        "A player can only be merged into another player of yours that is not merged itself,"
        " and at most 50 players can be one person.",
    ),
    "too_many_players": Code(
        422,
        "Too many players",
        "There are 1000 saved players, the most there can be, archived ones included. Rename one instead.",
    ),
    "not_merged": Code(409, "Not merged", "This player is not merged into another one."),
    # games
    "ruleset_unknown": Code(422, "Ruleset unknown", "There is no such ruleset. See /v1/rulesets."),
    "variant_not_covered": Code(
        422,
        "Variant not covered",
        "This variant needs rules of its own that are not covered; it is never played as the base game.",
    ),
    "rules_version_unknown": Code(
        422, "Rules version unknown", "The rules version this game is pinned to is not available."
    ),
    "player_unknown": Code(
        422, "Player unknown", "A `player_id` is not one of your saved players. Use a saved player or a name."
    ),
    "version_conflict": Code(
        409,
        "The game has moved on",
        "Other entries came first. `missed` lists them; look at the table and send the action again.",
    ),
    "action_id_reused": Code(
        409, "Action id reused", "This action id was used for a different action. Make a new id."
    ),
    "log_full": Code(
        422,
        "Log full",
        "This game has 2000 entries, or fewer that tell long stories anew: it can keep no more. Start a new"
        " game.",
    ),
    "game_in_bin": Code(409, "Game in the bin", "The game is in the bin. Restore it to play on."),
    "invitation_unknown": Code(
        404, "Invitation unknown", "There is no invitation with this code. Check that it is complete."
    ),
    "invitation_ended": Code(
        410, "Invitation ended", "This invitation has expired or was withdrawn. Ask for a new one."
    ),
    "too_many_invitations": Code(
        409,
        "Too many invitations",
        "This game has 20 invitations in force, or 200 in all: there cannot be more. Withdraw one that is in"
        " force; with 200 in all there can be no new one.",
    ),
    "too_many_guests": Code(
        409,
        "Too many guests",
        "This invitation was accepted 50 times, as often as it can be. Ask for a new one.",
    ),
    "not_shared": Code(
        409,
        "Nothing to leave",
        "This game is not shared with your account. Your own you delete; as a guest, forget the token.",
    ),
    "too_many_streams": Code(
        429,
        "Too many live streams",
        "So many live streams cannot be open at once. Close some, or come back after Retry-After.",
    ),
    "exports_busy": Code(
        503,
        "Exports are running",
        "As many exports as there can be are running. Wait for one of yours to end, or come back after"
        " Retry-After.",
    ),
    "conflict_settled": Code(
        409,
        "Conflict settled",
        "This conflict was decided otherwise. Undo that entry of the log first to decide anew.",
    ),
    "no_proposal": Code(
        422,
        "No proposal",
        "There is no story that both sides fit into. Choose one of the sides, or say what the table shows.",
    ),
    "too_many_conflicts": Code(
        409,
        "Too many conflicts",
        "This game has 50 conflicts without a decision, or 200 in all: there cannot be more. Decide one at"
        " /v1/conflicts and send the same again; with 200 in all open a side of one as a game of its own.",
    ),
    "too_many_parked": Code(
        409,
        "Too many parked actions",
        "This game keeps 2000 refused actions at most. Whoever owns it looks at those in `parked` and deletes"
        " some; then send the same again.",
    ),
    # refusals of the ruleset
    "game_over": Code(422, "Game over", "The result is confirmed. Undo it to play on."),
    "result_pending": Code(
        422, "Result pending", "The game has come to its end. Confirm the result, or undo to play on."
    ),
    "pile_unknown": Code(422, "Pile unknown", "The piles are up1, up2, down1 and down2."),
    "card_out_of_range": Code(422, "Card out of range", "A card is a whole number from 2 to 99."),
    "already_drawn": Code(422, "Already drawn", "The cards are drawn already. End the turn."),
    "hand_empty": Code(422, "Hand empty", "This player has no card left to lay."),
    "card_already_played": Code(
        422, "Card already played", "This card lies on a pile already. Check the number."
    ),
    "illegal_play": Code(
        422,
        "Illegal play",
        "This card does not fit this pile: it must continue its direction or step back by exactly ten.",
    ),
    "confirmation_required": Code(
        422,
        "Confirmation required",
        "The assistant cannot know whether this fits. Look at the pile together and confirm it"
        " (`confirmed: true`).",
    ),
    "minimum_not_played": Code(
        422, "Minimum not played", "Lay the minimum of cards first, or declare a block if it cannot be done."
    ),
    "nothing_to_draw": Code(422, "Nothing to draw", "There is no card to draw. End the turn."),
    "draw_required": Code(422, "Draw required", "Draw the cards before ending the turn."),
    "minimum_already_played": Code(
        422, "Minimum already played", "The minimum is played, so there is no block. End the turn instead."
    ),
    "no_result_to_confirm": Code(
        422, "No result to confirm", "The game is still going. Declare a block or lay the last card first."
    ),
    "nothing_to_undo": Code(422, "Nothing to undo", "The game stands at its start."),
    "undo_target_mismatch": Code(
        422,
        "Another action came first",
        "Something else was entered meanwhile, so this is not what would be taken back (`target`)."
        " Look at the table and decide again.",
    ),
    "nothing_to_redo": Code(
        422, "Nothing to redo", "No undone action is waiting, or a new action has ended redo."
    ),
    "target_not_valueless": Code(
        422,
        "No card to name there",
        "The action named in `target` is not a play without a value that still counts. Look at the log.",
    ),
    "table_impossible": Code(
        422,
        "Table impossible",
        "The table cannot look like this. `errors` says where; count again, or undo what was entered.",
    ),
}


@cache
def details(language: str) -> dict[str, str]:
    """Code → detail text in one language of `LANGUAGES`; English for what a catalogue lacks."""
    english = {code: entry.detail for code, entry in CODES.items()}
    catalogue = Path(__file__).parent / "problems" / f"{language}.json"
    if language == "en" or not catalogue.exists():
        return english
    translated: dict[str, str] = json.loads(catalogue.read_text(encoding="utf-8"))
    return english | translated
