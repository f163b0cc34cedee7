"""Owns how this process reaches Redis: clients that never retry by themselves, and lines held by one thread.

redis-py's default client retries writes, so that one XADD may become two, and its socket times out before a
long blocking read ends. What is made here does neither; nothing connects before its first use.
"""

import os
from collections.abc import Sequence
from typing import Any

from redis import ConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.exceptions import ResponseError
from redis.retry import Retry

CONNECT_TIMEOUT_S = 2.0
COMMAND_TIMEOUT_S = 5.0

Command = tuple[str | bytes | int, ...]
# redis-py types each answer as the union over all protocols and settings; ours are bytes.
Client = Any
# What Redis answered to one command: bytes, int, None, lists of these, or the error as a value.
Reply = Any


def _settings(socket_timeout_s: float) -> dict[str, Any]:
    # RESP2: RESP3 would ask each new connection for maintenance notifications, which Valkey does not know.
    return {
        "protocol": 2,
        "legacy_responses": False,
        "driver_info": None,
        "retry": Retry(NoBackoff(), 0),
        "socket_connect_timeout": CONNECT_TIMEOUT_S,
        "socket_timeout": socket_timeout_s,
        "socket_keepalive": True,
    }


def open_client(url: str, *, decode: bool = False) -> Client:
    """A client for commands that do not block; a command is sent once, whatever becomes of it."""
    client = Redis.from_url(url, decode_responses=decode, **_settings(COMMAND_TIMEOUT_S))
    # redis-py drops the cursor from the answer when only ids are asked for.
    client.set_response_callback("XAUTOCLAIM", lambda reply, **_: reply)
    return client


class Connections:
    """The two clients of one reader of streams; both are made anew in a forked child."""

    def __init__(self, url: str, block_s: float) -> None:
        """`block_s` is the longest blocking read that will be asked for."""
        self._url = url
        self._block_s = block_s
        self._owner = 0
        self._commands: Client = None
        self._blocking: Client = None

    @property
    def commands(self) -> Client:
        """For commands that answer at once."""
        self._leave_parents_behind()
        if self._commands is None:
            self._commands = open_client(self._url)
        return self._commands

    @property
    def blocking(self) -> Client:
        """For blocking reads: its socket outlasts the block."""
        self._leave_parents_behind()
        if self._blocking is None:
            self._blocking = Redis.from_url(self._url, **_settings(self._block_s + COMMAND_TIMEOUT_S))
        return self._blocking

    def close(self) -> None:
        """Close what this process has opened; the next use opens again."""
        self._leave_parents_behind()
        for client in (self._commands, self._blocking):
            if client is not None:
                client.close()
        self._commands = self._blocking = None

    def _leave_parents_behind(self) -> None:
        if self._owner != os.getpid():
            self._owner = os.getpid()
            self._commands = self._blocking = None


class Line:
    """One connection of one thread that sends many commands in one packet; connects at its first use.

    Half the cost of a client with its pool for a single command, and a blocking command may come last.
    """

    def __init__(self, url: str, block_s: float = 0.0) -> None:
        settings = _settings(block_s + COMMAND_TIMEOUT_S)
        self._connection: Any = ConnectionPool.from_url(url, **settings).make_connection()

    def exchange(self, commands: Sequence[Command]) -> list[Reply]:
        """Send `commands` together and return their replies, an error of Redis as a value in its place.

        Raises redis.exceptions.ConnectionError or TimeoutError; then nobody knows which commands were done.
        """
        connection = self._connection
        try:
            connection.send_packed_command(connection.pack_commands(commands), check_health=False)
            return [self._read() for _ in commands]
        except BaseException:
            # Unread replies would be taken for those of the next commands.
            connection.disconnect()
            raise

    def close(self) -> None:
        """Hang up; the next exchange connects again."""
        self._connection.disconnect()

    def _read(self) -> Reply:
        try:
            return self._connection.read_response()
        except ResponseError as error:
            return error
