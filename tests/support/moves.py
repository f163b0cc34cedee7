"""Owns what a person at the table may tap next: what makes sense, and what does not."""

import random
from collections.abc import Callable

from tests.support.api import Json, action, play

PILES = ("up1", "up2", "down1", "down2")


def next_action(game: Json, chance: random.Random) -> Json:
    """What brings the game on; a finished one is reopened."""
    table = game["table"]
    if table["status"] == "finished":
        return take_back(game)
    if table["status"] != "playing":
        return action("confirm")
    if table["phase"] == "drawn":
        return action("end_turn")
    if table["played_this_turn"] >= table["minimum"]:
        return action("draw" if table["to_draw"] else "end_turn")
    return _lay(game, chance) or action("block")


def whole_turn(game: Json, chance: random.Random) -> list[Json]:
    """The rest of the turn as one batch, as far as it can be told from the table."""
    table = game["table"]
    first = next_action(game, chance)
    if first["type"] != "play" or table["minimum"] - table["played_this_turn"] != 2:
        return [first]
    others = [offer for offer in _offers(game) if offer[1] != first["pile"] and offer[2] != first.get("card")]
    if not others:
        return [first]
    _, pile, card = min(others)
    return [first, play(pile, card), action("draw" if table["deck"] else "end_turn")]


def take_back(game: Json) -> Json:
    """Undo of what the client sees as the last action."""
    return action("undo", target=game["undo"]["target"]) if game["undo"] else action("undo")


def bring_back(game: Json) -> Json:
    """Redo of what the client sees as taken back last."""
    return action("redo", target=game["redo"]["target"]) if game["redo"] else action("redo")


def odd_action(game: Json, chance: random.Random) -> Json:
    """What a hasty hand taps; most of it is refused."""
    choices: list[Callable[[], Json]] = [
        lambda: play(chance.choice(PILES), chance.randint(1, 100)),
        lambda: play(chance.choice(PILES), confirmed=True),
        lambda: play(chance.choice((*PILES, "up3")), 50),
        lambda: action("draw"),
        lambda: action("end_turn"),
        lambda: action("confirm"),
        lambda: action("undo", target="somewhere else"),
        lambda: take_back(game),
        lambda: bring_back(game),
    ]
    return chance.choice(choices)()


def _lay(game: Json, chance: random.Random) -> Json | None:
    """One of the cards that move their pile least."""
    offers = sorted(_offers(game))[:3]
    if not offers:
        return None
    _, pile, card = chance.choice(offers)
    return play(pile, card)


def _offers(game: Json) -> list[tuple[int, str, int]]:
    """(distance, pile, card) of what may be laid without asking."""
    return [
        (abs(card - pile["top"]) if pile["top"] else 0, name, card)
        for name, pile in game["table"]["piles"].items()
        for card in pile["playable"]
    ]
