"""What happens in a game while one watches, told to people: a sentence an entry, the piles after it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from gateway.client.contract import Action, Game, Table
from gateway.client.live import EntrySeen, PresenceSeen
from gateway.client.rendering.authors import Viewpoint, author, presence
from gateway.client.rendering.sentences import action, instruction, name_of, standing_result
from gateway.client.rendering.table import standing

Weight = Literal["plain", "dim", "strong"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line to show, and how loud."""

    text: str
    weight: Weight = "plain"


@dataclass
class Teller:
    """Tells one game to one reader; it remembers the actions, so that it can say what is undone."""

    names: list[str]
    viewpoint: Viewpoint
    ending: str | None = None
    watching: str | None = None
    known: dict[str, Action] = field(default_factory=dict)

    def catch_up(self, game: Game, earlier: Iterable[Action]) -> None:
        """Begin after the actions `earlier`, which led to `game`."""
        self.ending = standing_result(game["table"], game["result"])
        for item in earlier:
            self._remember(item)

    def entry(self, seen: EntrySeen) -> list[Line]:
        """What an entry did, and what the table says now; its piles are told by `compact`."""
        entry, before = seen.entry, self.ending
        self._remember(entry["action"])
        self.ending = standing_result(seen.table, seen.result)
        by = author(entry["by"], self.viewpoint)
        lines = [Line(f"{entry['seq']:>4}  {self._sentence(seen)}  · {by}")]
        if self.ending is not None:
            lines.append(Line(f"      {self.ending}", "strong"))
        elif before is not None:
            lines.append(Line("      The game goes on.", "strong"))
        return lines

    def presence(self, seen: PresenceSeen) -> list[Line]:
        """Who watches now, where that is news."""
        told = presence(seen.devices, self.viewpoint)
        if told == self.watching:
            return []
        self.watching = told
        return [Line(f"      {told}", "dim")]

    def _sentence(self, seen: EntrySeen) -> str:
        item = seen.entry["action"]
        who = name_of(self.names, seen.table["active_seat"])
        done = " ".join(
            instruction(it, self.names, seen.table, seen.result)
            for it in seen.entry["instructions"]
            if it["kind"] != "result"
        )
        match item["type"]:
            case "play":
                return f"{who} lays {action(item)}."
            case "draw":
                return done or f"{who} draws."
            case "end_turn":
                return f"The turn ends. {done}".rstrip()
            case "block":
                return f"{who} cannot lay enough."
            case "confirm":
                return "The result is confirmed."
            case "undo":
                return f"Undone: {self._target(item)}. {done}".rstrip()
            case "redo":
                return f"Done again: {self._target(item)}. {done}".rstrip()
            case "identify":
                return f"{self._target(item).capitalize()}: it was {item.get('card')}."
            case "adopt":
                return f"The game goes on from what the table shows. {done}".rstrip()
            case "rewind":
                return f"The game is {action(item)}. {done}".rstrip()
            case "resolve":
                return f"{action(item).capitalize()}. {done}".rstrip()
        return f"{action(item)}. {done}".rstrip()

    def _remember(self, item: Action) -> None:
        if "id" in item:
            self.known[item["id"]] = item

    def _target(self, item: Action) -> str:
        target = self.known.get(item.get("target", ""))
        return action(target) if target else "the last action"


def compact(table: Table) -> str:
    """The table in one line."""
    return f"{standing(table)}  · deck {table['deck']} · {table['remaining']} left"
