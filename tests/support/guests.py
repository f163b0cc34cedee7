"""People who share a game: an owner with Plus, and guests who have a link and no account."""

import time
from dataclasses import dataclass

from tests.support.api import Api, Json
from tests.support.people import Person
from tests.support.system import System

LASTS_S = 300.0


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who accepted an invitation; `api` has the token for that one game."""

    api: Api
    guest_id: str
    invitation_id: str
    expires_at: str


def owner_with_plus(system: System) -> Person:
    """A person whose token says that they have Plus."""
    person = Person(system.url)
    system.run("services.accounts", "plus", "grant", person.email)
    renew(person)
    return person


def renew(person: Person) -> None:
    """Their token is as good as new."""
    person.device.renew()
    person.api = person.device.api


def keep_signed_in(person: Person) -> None:
    """Their token lasts five minutes more; a sign-in may be renewed thirty times in a quarter of an hour."""
    if person.device.claims["exp"] - time.time() < LASTS_S:
        renew(person)


def invite(owner: Api, game_id: str, role: str = "recorder", **body: int) -> Json:
    """A new invitation to that game."""
    answer = owner.post(f"/v1/games/{game_id}/invitations", {"role": role, **body})
    assert answer.status == 201, answer.body
    found: Json = answer.json
    return found


def join(url: str, invitation: Json) -> Guest:
    """Somebody accepts the invitation."""
    answer = Api(url).post("/v1/invitations/accept", {"code": invitation["code"]})
    assert answer.status == 200, answer.body
    told = answer.json
    return Guest(Api(url, told["access_token"]), told["guest_id"], told["invitation_id"], told["expires_at"])


def revoke(owner: Api, game_id: str, invitation: Json) -> None:
    """The invitation and all its guests' tokens end."""
    answer = owner.call("DELETE", f"/v1/games/{game_id}/invitations/{invitation['id']}")
    assert answer.status == 204, answer.body
