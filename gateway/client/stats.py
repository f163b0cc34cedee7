"""Statistics: over one's own finished games, for operators over all, and what to compare them with."""

from collections.abc import Sequence
from typing import Unpack, cast

from gateway.client.calls import Calls
from gateway.client.figures import Grouping, Stats, WhichGames, Yardstick, query_of
from gateway.client.transport import Query, Request, path


class Statistics:
    """`/v1/stats` and `/v1/ops/stats`."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def read(self, by: Sequence[Grouping] = (), **which: Unpack[WhichGames]) -> Stats:
        """Figures of one's finished games, a group per combination of `by`; without it exactly one group."""
        return self._read(path("stats"), by, which)

    def read_of_all(self, by: Sequence[Grouping] = (), **which: Unpack[WhichGames]) -> Stats:
        """The same over all accounts, but never by player: for operators, else `operator_required`."""
        return self._read(path("ops", "stats"), by, which)

    def yardstick(
        self,
        *,
        players: int | None = None,
        difficulty: str | None = None,
        reduced_hand: bool | None = None,
        strategy: str | None = None,
    ) -> Yardstick:
        """What simulated strategies come to; no sign-in needed."""
        query: Query = {
            "players": players,
            "difficulty": difficulty,
            "reduced_hand": reduced_hand,
            "strategy": strategy,
        }
        request = Request("GET", path("stats", "yardstick"), query=query, repeatable=True)
        return cast("Yardstick", self._calls.guest_document(request))

    def _read(self, where: str, by: Sequence[Grouping], which: WhichGames) -> Stats:
        query = {"by": ",".join(by) or None, **query_of(which)}
        return cast("Stats", self._calls.document(Request("GET", where, query=query, repeatable=True)))
