"""Who may watch, and until when: rights that end end their streams at once, and no others."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from uuid import uuid4

import pytest

from tests.support.api import PASSWORD, Api, Json, new_game, play, send, sign_up
from tests.support.forging import Insider
from tests.support.guests import Guest, invite, join, owner_with_plus, revoke
from tests.support.people import Person
from tests.support.streams import Connection, Listener
from tests.support.system import System

RIGHTS_S = 1.0
SHORTEST_INVITATION_S = 60


@pytest.fixture(scope="module", autouse=True)
def short_invitation(system: System) -> Iterator[tuple[Guest, Listener]]:
    """A guest who listens until the invitation expires, invited early so that nobody waits for long."""
    owner = owner_with_plus(system)
    game = new_game(owner.api)
    guest = join(system.url, invite(owner.api, game["id"], "viewer", expires_in=SHORTEST_INVITATION_S))
    with Listener(guest.api, game) as listener:
        yield guest, listener


@pytest.fixture
def api(system: System) -> Api:
    return sign_up(system.url)


@pytest.fixture(scope="module")
def owner(system: System) -> Person:
    return owner_with_plus(system)


def test_an_account_without_plus_may_watch(api: Api) -> None:
    assert api.get("/v1/me").json["plan"] == "free"
    game = new_game(api, 1)
    assert send(api, game, [play("up1", 10)]).status == 200
    with Listener(api, game) as listener:
        assert listener.wait_for(1)


def test_only_who_may_see_the_game_may_watch_it(system: System, api: Api, owner: Person) -> None:
    game = new_game(owner.api)
    other = join(system.url, invite(owner.api, new_game(owner.api)["id"], "viewer"))
    for who, status, code in (
        (api, 404, "not_found"),
        (other.api, 404, "not_found"),
        (Api(system.url), 401, "unauthenticated"),
        (Api(system.url, "guest_" + "A" * 43), 401, "unauthenticated"),
    ):
        with Connection(who, game["id"]) as connection:
            assert connection.refused is not None
            assert (connection.refused.status, connection.refused.code) == (status, code)
    for game_id in (str(uuid4()), "x"):
        answer = api.get(f"/v1/games/{game_id}/live")
        assert (answer.status, answer.code) == (404, "not_found")


def ends_within_a_second(listener: Listener, cause: Callable[[], object]) -> Json:
    """What the stream says when it ends after `cause`."""
    cause()
    caused_s = time.monotonic()
    told = listener.wait_over()
    assert listener.over_at_s - caused_s < RIGHTS_S
    assert told is not None, "it says why"
    return told


def test_signing_out_ends_the_streams_of_that_sign_in_alone(system: System) -> None:
    person = Person(system.url)
    other = person.signs_in()
    game = new_game(person.api)
    with Listener(person.api, game) as signed_out, Listener(other.api, game) as staying:
        told = ends_within_a_second(signed_out, partial(person.api.call, "DELETE", "/v1/auth/tokens"))
        assert told["code"] == "unauthenticated"
        assert send(other.api, game, [play("up1", 9)]).status == 200
        staying.wait_for(1)


def test_signing_out_everywhere_ends_all_streams_of_the_account(system: System) -> None:
    person = Person(system.url)
    game = new_game(person.api)
    with Listener(person.api, game) as one, Listener(person.signs_in().api, game) as other:
        path = "/v1/auth/tokens?everywhere=true"
        assert (
            ends_within_a_second(one, partial(person.api.call, "DELETE", path))["code"] == "unauthenticated"
        )
        assert (other.wait_over(RIGHTS_S) or {})["code"] == "unauthenticated"


def test_a_changed_password_ends_the_streams_of_older_tokens(system: System) -> None:
    person = Person(system.url)
    game = new_game(person.api)
    body = {"current_password": PASSWORD, "new_password": "another horse battery"}
    with Listener(person.signs_in().api, game) as listener:
        change = partial(person.api.post, "/v1/me/password", body)
        assert ends_within_a_second(listener, change)["code"] == "unauthenticated"
    again = person.signs_in("another horse battery")
    with Listener(again.api, game) as listener:
        assert send(again.api, game, [play("up1", 9)]).status == 200
        listener.wait_for(1)


def test_a_deleted_account_s_streams_end_and_its_guests_see_nothing_more(system: System) -> None:
    person = owner_with_plus(system)
    game = new_game(person.api)
    guest = join(system.url, invite(person.api, game["id"], "viewer"))
    with Listener(person.api, game) as own, Listener(guest.api, game) as guests:
        delete = partial(person.api.call, "DELETE", "/v1/me", {"password": PASSWORD})
        assert ends_within_a_second(own, delete)["code"] in ("unauthenticated", "not_found")
        assert (guests.wait_over(RIGHTS_S) or {})["code"] == "unauthenticated"


def test_a_revoked_invitation_ends_its_guests_streams_and_no_others(system: System, owner: Person) -> None:
    game = new_game(owner.api)
    ended, kept = (invite(owner.api, game["id"], "viewer") for _ in range(2))
    guests = [join(system.url, invitation) for invitation in (ended, ended, kept)]
    with ExitStack() as stack:
        one, other, staying = (stack.enter_context(Listener(guest.api, game)) for guest in guests)
        own = stack.enter_context(Listener(owner.api, game))
        cause = partial(revoke, owner.api, game["id"], ended)
        assert ends_within_a_second(one, cause)["code"] == "unauthenticated"
        assert (other.wait_over(RIGHTS_S) or {})["code"] == "unauthenticated"
        assert send(owner.api, game, [play("up1", 9)]).status == 200
        staying.wait_for(1)
        own.wait_for(1)
    with Connection(guests[0].api, game["id"]) as connection:
        assert connection.refused is not None
        assert connection.refused.code == "unauthenticated"


def test_a_game_in_the_bin_is_over_for_guests_and_stays_for_its_owner(system: System, owner: Person) -> None:
    game = new_game(owner.api)
    guest = join(system.url, invite(owner.api, game["id"], "recorder"))
    with Listener(owner.api, game) as own, Listener(guest.api, game) as guests:
        path = f"/v1/games/{game['id']}"
        assert ends_within_a_second(guests, partial(owner.api.call, "DELETE", path))["code"] == "not_found"
        with Connection(guest.api, game["id"]) as connection:
            assert connection.refused is not None
            assert connection.refused.code == "not_found"
        assert owner.api.call("POST", f"{path}/restore").status == 200
        assert send(owner.api, game, [play("up1", 9)]).status == 200
        own.wait_for(1)
        assert own.seqs == [1]


def test_what_a_recorder_enters_the_owner_sees_as_theirs(system: System, owner: Person) -> None:
    game = new_game(owner.api)
    guest = join(system.url, invite(owner.api, game["id"], "recorder"))
    with Listener(owner.api, game) as listener:
        path = f"/v1/games/{game['id']}/actions"
        answer = guest.api.post(path, {"actions": [play("up1", 9)]}, X_Device="tablet")
        assert answer.status == 200, answer.body
        [told] = listener.wait_for(1)
    assert told["entry"]["by"] == {"account_id": None, "guest_id": guest.guest_id, "device": "tablet"}


def test_a_token_that_expires_ends_its_stream(system: System) -> None:
    person = Person(system.url)
    game = new_game(person.api)
    assert person.api.token is not None
    expires_at = int(time.time()) + 4
    token = Insider(system.keys(), person.api.token).copy(exp=expires_at)
    with Listener(Api(system.url, token), game) as listener:
        told = listener.wait_over()
        assert told is not None
        assert told["code"] == "unauthenticated"
        assert expires_at - 0.2 < time.time() < expires_at + 2 * RIGHTS_S


def test_an_invitation_that_expires_ends_its_guests_streams(
    system: System, short_invitation: tuple[Guest, Listener]
) -> None:
    guest, listener = short_invitation
    told = listener.wait_over(SHORTEST_INVITATION_S + 10)
    assert told is not None
    assert told["code"] == "unauthenticated"
    over_at = time.time() - (time.monotonic() - listener.over_at_s)
    assert 0 <= over_at - seconds(guest.expires_at) < RIGHTS_S
    assert guest.api.get(f"/v1/games/{uuid4()}").code == "unauthenticated"


def seconds(moment: str) -> float:
    """An RFC 3339 time as seconds since 1970."""
    return datetime.fromisoformat(moment).timestamp()
