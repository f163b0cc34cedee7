"""The games joined with an invitation: a guest's token for each, in the home's `guests.json` (0600)."""

from dataclasses import asdict, dataclass, field
from typing import Any

from gateway.client.home import Home, HomeUnusable


@dataclass(frozen=True, slots=True)
class Joined:
    """One game joined as a guest; `device` is the name under which this machine enters things there."""

    game_id: str
    access_token: str = field(repr=False)
    role: str
    expires_at: str
    guest_id: str
    device: str | None = None


class JoinedGames:
    """The games joined at the gateway `url`."""

    FILE = "guests.json"

    def __init__(self, home: Home, url: str) -> None:
        self._home = home
        self._url = url

    def each(self) -> list[Joined]:
        """All of them, as they were joined; raises `HomeUnusable`."""
        return [self._joined(kept) for kept in self._here().values()]

    def get(self, game_id: str) -> Joined | None:
        kept = self._here().get(game_id)
        return None if kept is None else self._joined(kept)

    def keep(self, joined: Joined) -> None:
        """Keep a guest's token, instead of an earlier one for the same game."""
        with self._home.exclusively():
            self._write(self._here() | {joined.game_id: asdict(joined)})

    def forget(self, game_id: str) -> None:
        with self._home.exclusively():
            kept = self._here()
            if kept.pop(game_id, None) is not None:
                self._write(kept)

    def _here(self) -> dict[str, Any]:
        found = self._home.read(self.FILE).get(self._url, {})
        if not isinstance(found, dict):
            raise self._unusable()
        return found

    def _write(self, here: dict[str, Any]) -> None:
        self._home.write(self.FILE, {**self._home.read(self.FILE), self._url: here})

    def _joined(self, kept: Any) -> Joined:
        try:
            return Joined(**kept)
        except TypeError as error:
            raise self._unusable() from error

    def _unusable(self) -> HomeUnusable:
        return HomeUnusable(f"{self.FILE} does not hold what it should. Remove it and join again.")
