"""Owns the requests and replies of the bus: which there are, and examples of each."""

from dataclasses import dataclass
from typing import Any

from shared.contracts.bodies import (
    AskPlayers,
    AskRules,
    Body,
    PlayersAre,
    Refused,
    RulesRecall,
    RulesReconcile,
    RulesSay,
)


@dataclass(frozen=True, slots=True)
class Message:
    """The body of a request or reply: its name, its schema, examples of it."""

    name: str
    about: str
    body: type[Body]
    examples: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is asked on a request stream, and which answers there are."""

    stream: str
    request: Message
    replies: tuple[Message, ...]


_PLAY = {"id": "01890f3c-8a00-7000-8000-0000000000a1", "type": "play", "pile": "up1", "card": 12}
_UNDO = {
    "id": "01890f3c-8a00-7000-8000-0000000000a2",
    "type": "undo",
    "target": "01890f3c-8a00-7000-8000-0000000000a1",
}
_ASK = {"ruleset": "the-game", "rules_version": "1", "options": {"players": 2, "difficulty": "normal"}}
_ANNA = {
    "asked": "01890f3c-8a00-7000-8000-0000000000f1",
    "id": "01890f3c-8a00-7000-8000-0000000000f1",
    "name": "Anna",
    "colour": None,
    "archived": False,
}
_OTHER = {**_PLAY, "id": "01890f3c-8a00-7000-8000-0000000000d1", "pile": "up2"}
_TABLE = {"status": "playing", "active_seat": 0, "hands": [6, 7], "deck": 84}
_AGREED = {"base_version": 0, "actions": [], "table": _TABLE, "result": None}
_TEXTS = {
    "summary": "The newest entry is the offline device’s.",
    "keep_cloud": "Keeping the shared game discards 1 entry of the offline device.",
    "keep_device": "Keeping the offline device’s game discards 1 entry of the shared game.",
}
_LOSS = {"outcome": "loss", "remaining": 97, "rating": "counted"}
_SUMMARY = {
    "players": 2,
    "difficulty": "normal",
    "reduced_hand": False,
    "first_seat": 0,
    **_LOSS,
    "turns": 1,
    "plays_per_turn": [1],
    "back_tens": {"up1": 0, "up2": 0, "down1": 0, "down2": 0},
    "largest_jump": 11,
    "control": "full",
    "deck": 84,
    "hands": [6, 7],
    "blocked_by": 0,
    "rules_version": "1",
}

REFUSED = Message(
    "refused",
    "The request was refused as a whole.",
    Refused,
    (
        {"error": {"code": "internal_error"}},
        {"error": {"code": "validation_failed", "errors": {"options": ["Missing."]}}},
    ),
)
CONVERSATIONS = (
    Conversation(
        "rules.requests",
        Message(
            "rules.ask",
            "What do these actions lead to?",
            AskRules,
            (
                {**_ASK, "state": [2, 84, [7, 7]], "log": None, "actions": [_PLAY]},
                {**_ASK, "state": None, "log": [_PLAY], "actions": [_UNDO], "tables": True},
                {**_ASK, "rules_version": None, "state": None, "log": None, "actions": []},
                {**_ASK, "state": None, "log": [_PLAY, _UNDO], "actions": [], "since": 1},
                {**_ASK, "state": None, "log": [_PLAY], "actions": [], "base_version": 0, "branch": [_OTHER]},
                {**_ASK, "state": None, "log": [], "actions": [_PLAY, _UNDO], "go_on": True},
            ),
        ),
        (
            Message(
                "rules.say",
                "What the actions lead to.",
                RulesSay,
                (
                    {
                        "rules_version": "1",
                        "outcomes": [
                            {"verdict": "accepted", "instructions": [], "warnings": []},
                            {
                                "verdict": "rejected",
                                "code": "illegal_play",
                                "instructions": [],
                                "warnings": [],
                            },
                        ],
                        "state": [2, 84, [6, 7]],
                        "table": _TABLE,
                        "result": None,
                        "undo": {"target": _PLAY["id"], "type": "play"},
                        "redo": None,
                    },
                    {
                        "rules_version": "1",
                        "outcomes": [
                            {
                                "verdict": "accepted",
                                "instructions": [{"kind": "result"}],
                                "warnings": [],
                                "result": _LOSS,
                                "summary": _SUMMARY,
                            }
                        ],
                        "state": [3, 84, [6, 7]],
                        "table": {**_TABLE, "status": "finished"},
                        "result": _LOSS,
                        "undo": {"target": "01890f3c-8a00-7000-8000-0000000000b7", "type": "confirm"},
                        "redo": None,
                        "summary": _SUMMARY,
                    },
                ),
            ),
            Message(
                "rules.recall",
                "What there was to see after each action.",
                RulesRecall,
                (
                    {
                        "rules_version": "1",
                        "after": [
                            {"table": _TABLE, "result": None},
                            {"table": {**_TABLE, "status": "finished"}, "result": _LOSS},
                        ],
                    },
                ),
            ),
            Message(
                "rules.reconcile",
                "What a log and a branch make together.",
                RulesReconcile,
                (
                    {
                        "rules_version": "1",
                        "status": "undecided",
                        **_AGREED,
                        "proof": None,
                        "cloud": {**_AGREED, "actions": [_PLAY]},
                        "device": {
                            **_AGREED,
                            "actions": [_OTHER],
                            "outcomes": [{"verdict": "accepted", "instructions": [], "warnings": []}],
                        },
                        "first_difference": {
                            "index": 0,
                            "turn": 1,
                            "seat": 0,
                            "cloud": _PLAY,
                            "device": _OTHER,
                        },
                        "questions": [
                            {"id": "top:up1", "fact": "top", "pile": "up1", "cloud": 12, "device": 1}
                        ],
                        "proposal": None,
                        "texts": {"en": {**_TEXTS, "questions": {"top:up1": "Which card do you see?"}}},
                    },
                ),
            ),
            REFUSED,
        ),
    ),
    Conversation(
        "accounts.requests",
        Message(
            "accounts.ask",
            "Who are these saved players?",
            AskPlayers,
            (
                {
                    "op": "players",
                    "account_id": "01890f3c-8a00-7000-8000-00000000000a",
                    "player_ids": [_ANNA["id"]],
                },
            ),
        ),
        (
            Message("accounts.say", "Those that are the account's.", PlayersAre, ({"players": [_ANNA]},)),
            REFUSED,
        ),
    ),
)


def messages() -> tuple[Message, ...]:
    """Every message once."""
    found = {it.name: it for talk in CONVERSATIONS for it in (talk.request, *talk.replies)}
    return tuple(found.values())
