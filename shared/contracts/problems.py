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
        401,
        "Not signed in",
        "You are not signed in, or what let you in has ended. Sign in again; as a guest ask for a new"
        " invitation.",
    ),
    "bad_credentials": Code(
        401,
        "Wrong e-mail or password",
        "No account has this e-mail and password. Check both, or ask whoever runs this server for a code for"
        " a new password.",
    ),
    "bad_refresh_token": Code(
        401, "Refresh token not valid", "This refresh token is used up, revoked or unknown. Sign in again."
    ),
    "wrong_password": Code(403, "Wrong password", "The password is not the account's. Nothing was changed."),
    "plus_required": Code(
        403, "Plus required", "This needs the plan Plus. Redeem a code for it and try again."
    ),
    "role_insufficient": Code(
        403,
        "Not with this invitation",
        "Your invitation does not allow this. With one you only look, with another you enter cards too, but"
        " you do not reopen a result or a decision, delete or invite. Ask whoever invited you.",
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
        422, "Not valid", "Something is missing, unknown or not of the right kind. Nothing was changed."
    ),
    "too_many_requests": Code(
        429, "Too many requests", "That was too much at once. Wait a moment and try again."
    ),
    "internal_error": Code(
        500,
        "Internal error",
        "Something went wrong here. Nothing half-done was kept. Try again; if it stays so, tell whoever runs"
        " this server.",
    ),
    "service_unavailable": Code(
        503, "Service away", "A part of the system is away. Nothing was changed. Try again in a moment."
    ),
    # accounts
    "email_taken": Code(409, "E-mail taken", "An account with this e-mail exists. Sign in instead."),
    "code_unknown": Code(422, "Code unknown", "There is no such code. Check the spelling."),
    "code_used": Code(409, "Code used", "This code has been redeemed already. Each code works once."),
    "link_expired": Code(
        422,
        "Link expired",
        "This one-time code is used up, expired or unknown. Ask whoever runs this server for a new one.",
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
        "There are 1000 saved players, the most there can be, those put away included. Rename one instead.",
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
        422,
        "Player unknown",
        "One of the players is not among your saved ones. Use a saved player or a name.",
    ),
    "version_conflict": Code(
        409, "The game has moved on", "Other entries came first. Look at the table and enter it again."
    ),
    "action_id_reused": Code(
        409, "Action id reused", "Another entry already has the id of this one. Enter it anew."
    ),
    "log_full": Code(
        422,
        "Log full",
        "This game is as long as a game can be: 2000 entries, or fewer where some stand for long stretches"
        " of play. Start a new game.",
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
        "This game is not shared with your account. Your own you put into the bin; as a guest, you leave on"
        " the device that was invited.",
    ),
    "too_many_streams": Code(
        429,
        "Too many live streams",
        "So many devices or tabs cannot follow live at once. Close some, or come back in a moment.",
    ),
    "exports_busy": Code(
        503,
        "Exports are running",
        "As many exports as there can be are running. Wait for one of yours to end, or come back in a"
        " moment.",
    ),
    "conflict_settled": Code(
        409, "Conflict settled", "This was decided otherwise. Undo that decision first to decide anew."
    ),
    "no_proposal": Code(
        422,
        "No proposal",
        "There is no story that both sides fit into. Choose one of the sides, or say what the table shows.",
    ),
    "too_many_conflicts": Code(
        409,
        "Too many conflicts",
        "This game has 50 undecided conflicts, or 200 in all: there cannot be more. Decide one and try"
        " again; with 200 in all open one version as a game of its own.",
    ),
    "too_many_parked": Code(
        409,
        "Too many parked actions",
        "This game keeps 2000 refused entries at most. Whoever owns it looks through them and deletes some;"
        " then try again.",
    ),
    # refusals of the ruleset
    "game_over": Code(422, "Game over", "The result is confirmed. Undo it to play on."),
    "result_pending": Code(
        422, "Result pending", "The game has come to its end. Confirm the result, or undo to play on."
    ),
    "pile_unknown": Code(
        422, "Pile unknown", "There is no such pile. Choose one of the two that rise or the two that fall."
    ),
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
        "The assistant cannot know whether this fits. Look at the pile together and confirm it.",
    ),
    "minimum_not_played": Code(
        422, "Minimum not played", "Lay the minimum of cards first, or declare a block if it cannot be done."
    ),
    "nothing_to_draw": Code(422, "Nothing to draw", "There is no card to draw. End the turn."),
    "draw_required": Code(422, "Draw required", "Draw the cards before ending the turn."),
    "minimum_already_played": Code(
        422, "Minimum already played", "The minimum is laid, so there is no block. End the turn instead."
    ),
    "no_result_to_confirm": Code(
        422, "No result to confirm", "The game is still going. Declare a block or lay the last card first."
    ),
    "nothing_to_undo": Code(422, "Nothing to undo", "The game stands at its start."),
    "undo_target_mismatch": Code(
        422,
        "Another action came first",
        "Something else was entered meanwhile, so undo would take back something else now. Look at the table"
        " and decide again.",
    ),
    "nothing_to_redo": Code(
        422, "Nothing to redo", "Nothing that was undone is waiting, or a new entry has ended redo."
    ),
    "target_not_valueless": Code(
        422,
        "No card to name there",
        "There is no card without its number there any more. Look at the game move by move.",
    ),
    "table_impossible": Code(
        422, "Table impossible", "The table cannot look like this. Count again, or undo what was entered."
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
