"""Owns the streams of the bus as data: who writes each, which groups read it, what it carries."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream by its key in Redis. Requests are answered over `replies.<asking service>.<process>`."""

    key: str
    kind: Literal["events", "requests"]
    owner: str
    groups: tuple[str, ...]
    about: str


@dataclass(frozen=True, slots=True)
class Group:
    """A group by its name, and the service whose processes read in it."""

    name: str
    service: str
    about: str


STREAMS = (
    Stream("sessions.events", "events", "sessions", ("jobs",), "What happened to games, in order per game."),
    Stream(
        "accounts.events", "events", "accounts", ("sessions",), "What happened to accounts and their players."
    ),
    Stream("rules.requests", "requests", "rules", ("rules",), "What a batch of actions leads to."),
    Stream("accounts.requests", "requests", "accounts", ("accounts",), "Who an account's players are."),
)

GROUPS = (
    Group("jobs", "sessions", "Starts the jobs that an event asks for."),
    Group("sessions", "sessions", "Keeps what sessions knows of accounts."),
    Group("rules", "rules", "Answers with what the rules say."),
    Group("accounts", "accounts", "Answers with the players that belong to the account asked about."),
)


def stream(key: str) -> Stream:
    """The stream with this key; raises KeyError."""
    try:
        return next(it for it in STREAMS if it.key == key)
    except StopIteration:
        raise KeyError(key) from None


def groups_of(key: str) -> tuple[str, ...]:
    """The groups that read the stream with this key."""
    return stream(key).groups


def event_streams() -> tuple[Stream, ...]:
    """The streams that carry events."""
    return tuple(it for it in STREAMS if it.kind == "events")
