"""The actions of a game as documents, each with an id of its own so that sending it twice is harmless."""

import uuid_utils.compat

from gateway.client.contract import Action


def new_id() -> str:
    """A fresh UUIDv7, for anything whose id the client may choose."""
    return str(uuid_utils.compat.uuid7())


def play(pile: str, card: int | None = None, *, confirmed: bool = False) -> Action:
    """Lay `card` on `pile`; without a card the value stays unknown and has to be `confirmed`."""
    action = Action(id=new_id(), type="play", pile=pile)
    if card is not None:
        action["card"] = card
    if confirmed:
        action["confirmed"] = True
    return action


def draw() -> Action:
    return Action(id=new_id(), type="draw")


def end_turn() -> Action:
    return Action(id=new_id(), type="end_turn")


def block() -> Action:
    return Action(id=new_id(), type="block")


def confirm() -> Action:
    return Action(id=new_id(), type="confirm")


def undo(target: str | None) -> Action:
    """Take back the action `target`; with it, two taps cannot take back two things."""
    return _targeted("undo", target)


def redo(target: str | None) -> Action:
    """Do the undone action `target` again."""
    return _targeted("redo", target)


def identify(target: str, card: int) -> Action:
    """Say which card the play `target` laid, that was sent without its value (Plus)."""
    return Action(id=new_id(), type="identify", target=target, card=card)


def _targeted(kind: str, target: str | None) -> Action:
    action = Action(id=new_id(), type=kind)
    if target is not None:
        action["target"] = target
    return action
