"""What this machine last saw online, in the home's `seen.json` (0600): games, and versions of conflicts."""

from typing import Any, cast

from gateway.client.contract import Game
from gateway.client.home import Home

MOST_KEPT = 20


class Seen:
    """What was seen at the gateway `url`, the last ones only; raises `HomeUnusable`."""

    FILE = "seen.json"

    def __init__(self, home: Home, url: str) -> None:
        self._home = home
        self._url = url

    def game(self, game_id: str) -> Game | None:
        """A game as it was answered last."""
        return cast("Game | None", self._kept("games").get(game_id))

    def game_ids(self) -> list[str]:
        return list(self._kept("games"))

    def saw_game(self, game: Game) -> None:
        self._keep("games", game["id"], game)

    def looked_at(self, conflict_id: str) -> int | None:
        """The version of the log when the conflict was shown here last."""
        return cast("int | None", self._kept("conflicts").get(conflict_id))

    def saw_conflict(self, conflict_id: str, cloud_version: int) -> None:
        self._keep("conflicts", conflict_id, cloud_version)

    def _kept(self, kind: str) -> dict[str, Any]:
        found = self._home.read(self.FILE).get(self._url, {})
        kept = found.get(kind, {}) if isinstance(found, dict) else {}
        return kept if isinstance(kept, dict) else {}

    def _keep(self, kind: str, key: str, value: Any) -> None:
        with self._home.exclusively():
            here = {kind: self._kept(kind) for kind in ("games", "conflicts")}
            if here[kind].get(key) == value:
                return
            here[kind].pop(key, None)
            here[kind] = dict([*here[kind].items(), (key, value)][-MOST_KEPT:])
            self._home.write(self.FILE, {**self._home.read(self.FILE), self._url: here})
