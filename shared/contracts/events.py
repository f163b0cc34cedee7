"""Owns the events of the bus: the shape of each one's data, and an example."""

from dataclasses import dataclass
from typing import Any

from marshmallow import INCLUDE, Schema, fields, validate


class Data(Schema):
    """What an event carries. Readers pass over what they do not know, for shapes may only grow."""

    class Meta:
        unknown = INCLUDE


class _Game(Data):
    game_id = fields.UUID(required=True)


class _GameAtVersion(_Game):
    version = fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(min=0),
        metadata={"description": "the seq of the game's last entry"},
    )


class _Table(Data):
    """The public table as the ruleset answers it; there is no hand in it, only counts."""

    status = fields.String(required=True)


class _Result(Data):
    outcome = fields.String(required=True, validate=validate.OneOf(["win", "loss"]))
    remaining = fields.Integer(required=True, strict=True, validate=validate.Range(min=0))
    rating = fields.String(required=True)
    confirmed_at = fields.AwareDateTime()


class _Action(Data):
    id = fields.UUID(required=True)
    type = fields.String(required=True)


class _By(Data):
    account_id = fields.UUID(required=True)
    device = fields.String()


class _Instruction(Data):
    kind = fields.String(required=True)


class _Entry(Data):
    """An entry of the log as the API gives it."""

    seq = fields.Integer(required=True, strict=True, validate=validate.Range(min=1))
    action = fields.Nested(_Action, required=True)
    by = fields.Nested(_By, required=True)
    at = fields.AwareDateTime(required=True, allow_none=True, metadata={"description": "the client's clock"})
    recorded_at = fields.AwareDateTime(required=True)
    rules_version = fields.String(required=True)
    instructions = fields.List(fields.Nested(_Instruction), required=True)
    effective = fields.Boolean(required=True, metadata={"description": "when it was written"})


class _GameCreated(_Game):
    account_id = fields.UUID(required=True, metadata={"description": "whose game it is"})
    table = fields.Nested(_Table, required=True)


class _GameAdvanced(_GameAtVersion):
    entries = fields.List(fields.Nested(_Entry), required=True, validate=validate.Length(min=1))
    table = fields.Nested(_Table, required=True, metadata={"description": "after the last of the entries"})
    result = fields.Nested(_Result, required=True, allow_none=True)


class _Account(Data):
    account_id = fields.UUID(required=True)


class _TokensRevoked(_Account):
    before = fields.AwareDateTime(
        required=True, metadata={"description": "tokens issued before this moment are denied"}
    )


class _SignInEnded(_Account):
    family = fields.UUID(required=True, metadata={"description": "the claim `family` of the tokens denied"})


class _PlanChanged(_Account):
    plan = fields.String(required=True)
    changed_at = fields.AwareDateTime(
        required=True, metadata={"description": "the newest wins, also over what an older token says"}
    )


class _PlayerChanged(_Account):
    player_id = fields.UUID(
        required=True, metadata={"description": "whom to ask accounts about; no event carries a name"}
    )


DataShape = type[Data]


@dataclass(frozen=True, slots=True)
class EventType:
    """A type of event: the stream that carries it, the schema of its data, and examples of that data.

    A change that is no addition makes a new type (`….v2`) and an upcast for the old one.
    """

    type: str
    stream: str
    about: str
    data: DataShape
    examples: tuple[dict[str, Any], ...]


_GAME = {"game_id": "01890f3c-8a00-7000-8000-000000000001"}
_ACCOUNT = {"account_id": "01890f3c-8a00-7000-8000-00000000000a"}
_TABLE = {
    "status": "playing",
    "phase": "play",
    "turn": 0,
    "active_seat": 0,
    "hands": [7, 6],
    "deck": 84,
    "minimum": 2,
    "played_this_turn": 1,
    "to_draw": 1,
    "remaining": 97,
    "control": "full",
    "piles": {
        "up1": {"direction": "up", "top": 12, "playable": [2, 13], "uncertain": []},
        "up2": {"direction": "up", "top": None, "playable": [], "uncertain": [14]},
    },
    "played": [12],
}
_ENTRY = {
    "seq": 1,
    "action": {"id": "01890f3c-8a00-7000-8000-0000000000a1", "type": "play", "pile": "up1", "card": 12},
    "by": _ACCOUNT,
    "at": None,
    "recorded_at": "2026-05-04T18:30:00Z",
    "rules_version": "1",
    "instructions": [],
    "effective": True,
}
_CONFIRM = {
    "seq": 120,
    "action": {"id": "01890f3c-8a00-7000-8000-0000000000b7", "type": "confirm"},
    "by": {**_ACCOUNT, "device": "kitchen tablet"},
    "at": "2026-05-04T19:14:58.5Z",
    "recorded_at": "2026-05-04T19:15:00Z",
    "rules_version": "1",
    "instructions": [{"kind": "result"}],
    "effective": True,
}
_WIN = {"outcome": "win", "remaining": 0, "rating": "perfect", "confirmed_at": "2026-05-04T19:15:00Z"}

_SESSIONS, _ACCOUNTS = "sessions.events", "accounts.events"
EVENTS = (
    EventType(
        "sessions.game.created",
        _SESSIONS,
        "A game was created.",
        _GameCreated,
        ({**_GAME, **_ACCOUNT, "table": {**_TABLE, "played_this_turn": 0, "played": []}},),
    ),
    EventType(
        "sessions.game.advanced",
        _SESSIONS,
        "Entries were added to a game's log.",
        _GameAdvanced,
        (
            {**_GAME, "version": 1, "entries": [_ENTRY], "table": _TABLE, "result": None},
            {
                **_GAME,
                "version": 120,
                "entries": [_CONFIRM],
                "table": {**_TABLE, "status": "finished"},
                "result": _WIN,
            },
        ),
    ),
    EventType(
        "sessions.game.finished",
        _SESSIONS,
        "A game's result was confirmed.",
        _GameAtVersion,
        ({**_GAME, "version": 120},),
    ),
    EventType(
        "sessions.game.reopened",
        _SESSIONS,
        "A confirmed result was taken back.",
        _GameAtVersion,
        ({**_GAME, "version": 121},),
    ),
    EventType("sessions.game.binned", _SESSIONS, "A game was put into the bin.", _Game, (_GAME,)),
    EventType("sessions.game.restored", _SESSIONS, "A game was taken out of the bin.", _Game, (_GAME,)),
    EventType("sessions.game.purged", _SESSIONS, "A game is gone for good.", _Game, (_GAME,)),
    EventType(
        "sessions.games.orphaned",
        _SESSIONS,
        "The account that a number of games belong to is gone; they are to be purged.",
        _Account,
        (_ACCOUNT,),
    ),
    EventType("accounts.account.created", _ACCOUNTS, "There is an account.", _Account, (_ACCOUNT,)),
    EventType("accounts.account.deleted", _ACCOUNTS, "The person is gone.", _Account, (_ACCOUNT,)),
    EventType(
        "accounts.tokens.revoked",
        _ACCOUNTS,
        "An account's access tokens are denied: sign-out everywhere, a new password.",
        _TokensRevoked,
        ({**_ACCOUNT, "before": "2026-05-04T18:30:00.125Z"},),
    ),
    EventType(
        "accounts.sign_in.ended",
        _ACCOUNTS,
        "One sign-in is over, its access tokens with it: sign-out, or a refresh token used twice.",
        _SignInEnded,
        ({**_ACCOUNT, "family": "01890f3c-8a00-7000-8000-0000000000f1"},),
    ),
    EventType(
        "accounts.plan.changed",
        _ACCOUNTS,
        "An account has another plan.",
        _PlanChanged,
        ({**_ACCOUNT, "plan": "plus", "changed_at": "2026-05-04T18:30:00.125Z"},),
    ),
    EventType(
        "accounts.player.changed",
        _ACCOUNTS,
        "What a saved player is called, or whom it counts as, may have changed.",
        _PlayerChanged,
        ({**_ACCOUNT, "player_id": "01890f3c-8a00-7000-8000-0000000000f1"},),
    ),
)


def events_of(stream: str) -> tuple[EventType, ...]:
    """The events that the stream with this key carries."""
    return tuple(it for it in EVENTS if it.stream == stream)
