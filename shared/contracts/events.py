"""Owns the events of the bus: what each is about, the shape of its data, and examples."""

from dataclasses import dataclass
from typing import Any

from shared.contracts import event_data as shapes

DataShape = type[shapes.Data]


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
_CONFLICT = {**_GAME, "conflict_id": "01890f3c-8a00-7000-8000-0000000000d1"}
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
_START = {**_TABLE, "played_this_turn": 0, "played": []}
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
_UNDONE = {
    **_ENTRY,
    "seq": 2,
    "action": {
        "id": "01890f3c-8a00-7000-8000-0000000000a2",
        "type": "undo",
        "target": "01890f3c-8a00-7000-8000-0000000000a1",
    },
    "instructions": [{"kind": "take_back", "seat": 0, "pile": "up1", "card": 12}],
    "effective": False,
}
_GUEST = {
    "account_id": None,
    "guest_id": "01890f3c-8a00-7000-8000-0000000000c1",
    "device": "second phone",
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
        shapes.GameCreated,
        ({**_GAME, **_ACCOUNT, "table": _START},),
    ),
    EventType(
        "sessions.game.advanced",
        _SESSIONS,
        "Entries were added to a game's log.",
        shapes.GameAdvanced,
        (
            {**_GAME, "version": 1, "entries": [_ENTRY], "table": _TABLE, "result": None},
            {
                **_GAME,
                "version": 120,
                "entries": [_CONFIRM],
                "table": {**_TABLE, "status": "finished"},
                "result": _WIN,
            },
            {
                **_GAME,
                "version": 2,
                "entries": [{**_ENTRY, "by": _GUEST}, {**_UNDONE, "by": _GUEST}],
                "table": _START,
                "result": None,
                "after": [{"table": _TABLE, "result": None}, {"table": _START, "result": None}],
            },
        ),
    ),
    EventType(
        "sessions.game.finished",
        _SESSIONS,
        "A game's result was confirmed.",
        shapes.GameAtVersion,
        ({**_GAME, "version": 120},),
    ),
    EventType(
        "sessions.game.reopened",
        _SESSIONS,
        "A confirmed result was taken back.",
        shapes.GameAtVersion,
        ({**_GAME, "version": 121},),
    ),
    EventType("sessions.game.binned", _SESSIONS, "A game was put into the bin.", shapes.Game, (_GAME,)),
    EventType("sessions.game.restored", _SESSIONS, "A game was taken out of the bin.", shapes.Game, (_GAME,)),
    EventType("sessions.game.purged", _SESSIONS, "A game is gone for good.", shapes.Game, (_GAME,)),
    EventType(
        "sessions.conflict.opened",
        _SESSIONS,
        "A branch came that is not in the log: it is to be reconciled, again if it has grown since.",
        shapes.Conflict,
        (_CONFLICT,),
    ),
    EventType(
        "sessions.conflict.settled",
        _SESSIONS,
        "An entry of the log settles a conflict, by proof or by what people decided.",
        shapes.Conflict,
        (_CONFLICT,),
    ),
    EventType(
        "sessions.games.orphaned",
        _SESSIONS,
        "The account that games belong to is gone; those that nobody else has are to be purged.",
        shapes.Account,
        (_ACCOUNT,),
    ),
    EventType(
        "sessions.access.ended",
        _SESSIONS,
        "A right to see games is over at once: streams that stand on it end.",
        shapes.AccessEnded,
        (
            {"kind": "account", "id": _ACCOUNT["account_id"]},
            {"kind": "sign_in", "id": "01890f3c-8a00-7000-8000-0000000000f1"},
            {"kind": "tokens", "id": _ACCOUNT["account_id"], "before": "2026-05-04T18:30:00.125Z"},
            {"kind": "invitation", "id": "01890f3c-8a00-7000-8000-0000000000e1"},
            {
                "kind": "share",
                "id": _ACCOUNT["account_id"],
                "game_id": "01890f3c-8a00-7000-8000-000000000001",
                "before": "2026-05-04T18:30:00.125Z",
            },
        ),
    ),
    EventType("accounts.account.created", _ACCOUNTS, "There is an account.", shapes.Account, (_ACCOUNT,)),
    EventType("accounts.account.deleted", _ACCOUNTS, "The person is gone.", shapes.Account, (_ACCOUNT,)),
    EventType(
        "accounts.tokens.revoked",
        _ACCOUNTS,
        "An account's access tokens are denied: sign-out everywhere, a new password.",
        shapes.TokensRevoked,
        ({**_ACCOUNT, "before": "2026-05-04T18:30:00.125Z"},),
    ),
    EventType(
        "accounts.sign_in.ended",
        _ACCOUNTS,
        "One sign-in is over, its access tokens with it: sign-out, or a refresh token used twice.",
        shapes.SignInEnded,
        ({**_ACCOUNT, "family": "01890f3c-8a00-7000-8000-0000000000f1"},),
    ),
    EventType(
        "accounts.plan.changed",
        _ACCOUNTS,
        "An account has another plan.",
        shapes.PlanChanged,
        ({**_ACCOUNT, "plan": "plus", "changed_at": "2026-05-04T18:30:00.125Z"},),
    ),
    EventType(
        "accounts.player.changed",
        _ACCOUNTS,
        "What a saved player is called, or whom it counts as, may have changed.",
        shapes.PlayerChanged,
        ({**_ACCOUNT, "player_id": "01890f3c-8a00-7000-8000-0000000000f1"},),
    ),
)


def events_of(stream: str) -> tuple[EventType, ...]:
    """The events that the stream with this key carries."""
    return tuple(it for it in EVENTS if it.stream == stream)
