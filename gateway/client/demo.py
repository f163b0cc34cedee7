"""The demonstration: an account of its own, a recorded game played through the gateway, the end checked."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from gateway.client.actions import new_id
from gateway.client.contract import Game
from gateway.client.ninety_eight import NinetyEight
from gateway.client.problems import ClientError
from gateway.client.recordings import Recording, differences, turns


class WentOtherwise(Exception):
    """The game did not end as recorded; the message lists the differences."""


@dataclass(frozen=True, slots=True)
class Guest:
    """An account made for one demonstration."""

    email: str
    password: str = field(repr=False)


@contextmanager
def guest_account(client: NinetyEight, *, keep: bool) -> Iterator[Guest]:
    """Sign `client` up with an address that cannot exist; deletes the account at the end unless `keep`."""
    guest = Guest(f"demo-{new_id()}@ninety-eight.invalid", secrets.token_urlsafe(24))
    client.accounts.sign_up(guest.email, guest.password, display_name="Demonstration")
    try:
        yield guest
    except BaseException:
        # What went wrong is worth more than a failure to tidy up after it.
        if not keep:
            _delete_if_possible(client, guest)
        raise
    if not keep:
        client.accounts.delete(guest.password)


def _delete_if_possible(client: NinetyEight, guest: Guest) -> bool:
    try:
        client.accounts.delete(guest.password)
    except ClientError:
        return False
    return True


def play(
    client: NinetyEight, recording: Recording, *, by_turn: bool, played: Callable[[Game, int], None]
) -> Game:
    """Play `recording` as a new game, action by action or turn by turn; the game as read at the end.

    `played` is called with the game and the number of actions just applied. Raises `WentOtherwise`
    when the end, the log or what a second reader sees is not as recorded, and any `ClientError`.
    """
    game = client.games.start([{"name": name} for name in recording.players], recording.options)
    actions = recording.fresh_actions()
    for batch in turns(actions) if by_turn else [[action] for action in actions]:
        game = client.games.act(game["id"], batch)["game"]
        played(game, len(batch))
    final = client.games.get(game["id"])
    found = differences(recording, final)
    logged = [entry["action"].get("id") for entry in client.games.stream_log(final["id"])]
    if logged != [action["id"] for action in actions]:
        found.append(f"the log holds {len(logged)} entries that are not the actions sent, in order")
    if found:
        raise WentOtherwise("; ".join(found))
    return final
