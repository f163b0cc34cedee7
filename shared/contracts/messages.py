"""Owns the requests and replies of the bus: the shape of each body, and examples."""

from dataclasses import dataclass
from typing import Any

from marshmallow import INCLUDE, Schema, fields, validate


class Body(Schema):
    """The body of a request or a reply. Readers pass over what they do not know, for shapes may only grow."""

    class Meta:
        unknown = INCLUDE


class _Error(Body):
    code = fields.String(required=True, metadata={"description": "one of the problem codes"})
    errors = fields.Dict(metadata={"description": "what is wrong, by field"})


class Refused(Body):
    """The answer to a request that cannot be answered otherwise."""

    error = fields.Nested(_Error, required=True)


class _Action(Body):
    id = fields.String(required=True)
    type = fields.String(required=True)


class _Options(Body):
    players = fields.Integer(required=True, strict=True, validate=validate.Range(min=1, max=5))


class AskRules(Body):
    """What do these actions lead to? Undo and redo need the whole log; other batches go on from a state."""

    ruleset = fields.String(required=True)
    rules_version = fields.String(
        required=True, allow_none=True, metadata={"description": "the game's; null: the newest"}
    )
    options = fields.Nested(_Options, required=True)
    state = fields.Raw(
        required=True,
        allow_none=True,
        metadata={"description": "as rules answered it last; opaque; null: see log"},
    )
    log = fields.List(
        fields.Nested(_Action),
        required=True,
        allow_none=True,
        metadata={"description": "all actions of the game so far; null with a state, or from the start"},
    )
    actions = fields.List(
        fields.Nested(_Action), required=True, metadata={"description": "judged up to the first refused one"}
    )
    tables = fields.Boolean(metadata={"description": "whether each outcome carries the table after it"})
    since = fields.Integer(
        strict=True,
        validate=validate.Range(min=0),
        metadata={
            "description": "recall: what was to be seen after each action of the log but the first so many"
        },
    )


class _Instruction(Body):
    kind = fields.String(required=True)


class _Result(Body):
    outcome = fields.String(required=True, validate=validate.OneOf(["win", "loss"]))
    remaining = fields.Integer(required=True, strict=True, validate=validate.Range(min=0))
    rating = fields.String(required=True)


class _Outcome(Body):
    verdict = fields.String(required=True, validate=validate.OneOf(["accepted", "rejected"]))
    code = fields.String(metadata={"description": "why it was refused: one of the problem codes"})
    instructions = fields.List(fields.Nested(_Instruction), required=True)
    warnings = fields.List(fields.String(), required=True)
    table = fields.Dict()
    result = fields.Nested(
        _Result, metadata={"description": "that there is after the action; absent: there is none"}
    )


class _Target(Body):
    target = fields.String(required=True)
    type = fields.String(required=True)


class RulesSay(Body):
    """One outcome per action up to the first refused one, and where that leaves the game."""

    rules_version = fields.String(required=True)
    outcomes = fields.List(fields.Nested(_Outcome), required=True)
    state = fields.Raw(required=True, metadata={"description": "to go on from; opaque"})
    table = fields.Dict(required=True, metadata={"description": "what everyone may see"})
    result = fields.Nested(_Result, required=True, allow_none=True)
    undo = fields.Nested(
        _Target,
        allow_none=True,
        metadata={"description": "what undo would take back; absent where nothing new is known"},
    )
    redo = fields.Nested(_Target, allow_none=True)
    options = fields.Nested(_Options, metadata={"description": "complete, with those that were left out"})


class _Seen(Body):
    table = fields.Dict(required=True)
    result = fields.Nested(_Result, required=True, allow_none=True)


class RulesRecall(Body):
    """What there was to see after actions of the log, which are not judged again."""

    rules_version = fields.String(required=True)
    after = fields.List(
        fields.Nested(_Seen),
        required=True,
        metadata={"description": "in order, from the action after `since`"},
    )


class AskPlayers(Body):
    """Which of these saved players are the account's, and who are they?"""

    op = fields.String(required=True, validate=validate.Equal("players"))
    account_id = fields.UUID(required=True)
    player_ids = fields.List(fields.UUID(), required=True)


class _Player(Body):
    id = fields.UUID(required=True, metadata={"description": "whom it counts as, after a merge"})
    asked = fields.UUID(metadata={"description": "the id asked for"})
    name = fields.String(required=True)
    colour = fields.String(required=True, allow_none=True)
    archived = fields.Boolean(required=True)


class PlayersAre(Body):
    """Those that are the account's; the others are left out."""

    players = fields.List(fields.Nested(_Player), required=True)


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
_TABLE = {"status": "playing", "active_seat": 0, "hands": [6, 7], "deck": 84}
_LOSS = {"outcome": "loss", "remaining": 97, "rating": "counted"}

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
                            }
                        ],
                        "state": [3, 84, [6, 7]],
                        "table": {**_TABLE, "status": "finished"},
                        "result": _LOSS,
                        "undo": {"target": "01890f3c-8a00-7000-8000-0000000000b7", "type": "confirm"},
                        "redo": None,
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
