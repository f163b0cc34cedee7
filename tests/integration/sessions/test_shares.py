"""A game shared with an account: accepting, what it may do then, and how that ends."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest

from services.sessions.application.invitations import GUESTS_LIMIT
from tests.integration.sessions.served import GAME, Served, accept, accepted, is_refused
from tests.integration.sessions.sharers import joined, sharer
from tests.integration.sessions.test_events import validate
from tests.integration.sessions.world import eventually
from tests.support.api import action, play


@pytest.mark.parametrize("role", ["recorder", "viewer"])
def test_accepting_with_an_account_shares_the_game_and_gives_no_second_token(
    served: Served, role: str
) -> None:
    owner = served.owner()
    invitation = owner.invite(role)
    it = joined(served, invitation["code"])
    assert it.told == {
        "access_token": None,
        "token_type": None,
        "expires_in": None,
        "expires_at": None,
        "game_id": owner.game_id,
        "role": role,
        "invitation_id": invitation["id"],
        "guest_id": None,
        "shared": True,
    }
    assert it.call("GET", it.game).data == owner.call("GET", owner.game).data
    assert it.listed() == {owner.game_id: role}
    assert owner.listed()[0]["guests"] == 1


def test_without_an_account_or_with_a_guest_s_token_one_becomes_a_guest(served: Served) -> None:
    owner = served.owner()
    code = owner.invite()["code"]
    guest = accepted(served, code)
    again = served.call("POST", "/v1/invitations/accept", {"code": code}, guest.token).json
    for told in (guest.told, again):
        assert told["access_token"].startswith("guest_")
        assert told["shared"] is False
    assert served.world.count("shares", UUID(owner.game_id)) == 0


@pytest.mark.parametrize("sent", ["Bearer x", "Basic YTpi", "Bearer"])
def test_a_token_that_does_not_count_is_told_instead_of_being_passed_over(served: Served, sent: str) -> None:
    code = served.owner().invite()["code"]
    answer = served.call("POST", "/v1/invitations/accept", {"code": code}, Authorization=sent)
    assert is_refused(answer, 401, "unauthenticated")


def test_accepting_again_changes_nothing(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite()
    it = joined(served, invitation["code"])
    since = it.call("GET", f"{it.game}/access").json["joined_at"]
    served.clock.turn(seconds=5)
    assert it.accepts(invitation["code"]) == it.told
    assert it.call("GET", f"{it.game}/access").json["joined_at"] == since
    assert owner.listed()[0]["guests"] == 1


def test_the_owner_who_accepts_stays_the_owner(served: Served) -> None:
    owner = served.owner()
    invitation = owner.invite("viewer")
    it = joined(served, invitation["code"], owner.account_id)
    assert (it.told["role"], it.told["shared"], it.told["access_token"]) == ("owner", False, None)
    assert it.listed() == {owner.game_id: "owner"}
    assert owner.listed()[0]["guests"] == 0
    owner.revoke(invitation["id"])
    assert owner.call("GET", owner.game).status_code == 200


def test_of_two_invitations_the_one_that_allows_more_counts_in_either_order(served: Served) -> None:
    owner = served.owner()
    views, records = owner.invite("viewer"), owner.invite("recorder")
    for codes in ((views, records), (records, views)):
        it = joined(served, codes[0]["code"])
        served.clock.turn(seconds=1)
        told = it.accepts(codes[1]["code"])
        assert (told["role"], told["invitation_id"]) == ("recorder", records["id"])
        access = it.call("GET", f"{it.game}/access").json
        assert (access["role"], access["invitation_id"]) == ("recorder", records["id"])


def test_open_streams_are_told_of_a_share_that_is_another_one_now(served: Served) -> None:
    owner = served.owner()
    it = sharer(owner, "viewer")
    served.clock.turn(seconds=1)
    it.accepts(owner.invite()["code"])
    (told,) = told_ends(served, owner.game_id)
    moment = it.call("GET", f"{it.game}/access").json["joined_at"]
    assert told == {
        "kind": "share",
        "id": str(it.account_id),
        "game_id": owner.game_id,
        "before": moment.replace("Z", "+00:00"),
    }
    validate("sessions.access.ended.json", told)


def test_access_says_what_the_account_may_and_by_which_invitation(served: Served) -> None:
    owner = served.owner()
    it = sharer(owner, "viewer")
    document = it.call("GET", f"{it.game}/access").json
    assert {name: document[name] for name in ("role", "owner_id", "account_id", "guest_id", "version")} == {
        "role": "viewer",
        "owner_id": str(owner.account_id),
        "account_id": str(it.account_id),
        "guest_id": None,
        "version": 0,
    }
    assert document["invitation_id"] == it.told["invitation_id"]
    assert document["sign_in"]


def test_what_a_recorder_enters_is_entered_by_its_own_account(served: Served) -> None:
    owner = served.owner()
    it = sharer(owner)
    sent = it.call("POST", f"{it.game}/actions", {"actions": [play("up1", 7)]}, X_Device="my phone")
    assert sent.status_code == 200
    (entry,) = owner.call("GET", f"{owner.game}/log").json["items"]
    assert entry["by"] == {"account_id": str(it.account_id), "device": "my phone"}


def test_a_recorder_s_account_takes_back_no_confirmed_result(served: Served) -> None:
    owner = served.owner()
    it = sharer(owner)
    confirm = action("confirm")
    sent = {"actions": [play("up1", 7), action("block"), confirm]}
    assert it.call("POST", f"{it.game}/actions", sent).status_code == 200
    undo = {"actions": [action("undo", target=confirm["id"])]}
    assert is_refused(it.call("POST", f"{it.game}/actions", undo), 403, "role_insufficient")
    assert owner.call("POST", f"{owner.game}/actions", undo).status_code == 200


def test_the_owner_s_plan_counts_for_what_needs_plus(served: Served) -> None:
    """The account that the game is shared with has none, or has one that does not matter."""
    story = {"device": "cellar phone", "base_version": 0, "actions": [play("up1", 7)]}
    it = sharer(served.owner())
    assert it.call("POST", f"{it.game}/sync", story).status_code == 200


def test_withdrawing_the_invitation_ends_the_share_at_once(served: Served) -> None:
    owner = served.owner()
    it, other = sharer(owner), sharer(owner)
    assert it.call("GET", it.game).status_code == 200
    owner.revoke(it.told["invitation_id"])
    for path in ("", "/log", "/access"):
        assert is_refused(it.call("GET", it.game + path), 404, "not_found")
    refused = it.call("POST", f"{it.game}/actions", {"actions": [play("up1", 7)]})
    assert is_refused(refused, 404, "not_found")
    assert it.listed() == {}
    assert other.call("GET", other.game).status_code == 200


def test_a_share_outlasts_the_end_of_its_invitation_and_not_its_withdrawal(served: Served) -> None:
    owner = served.owner()
    it = sharer(owner, expires_in=60)
    served.clock.turn(days=2)
    assert it.call("GET", it.game).status_code == 200
    assert owner.listed()[0]["status"] == "expired"
    owner.revoke(it.told["invitation_id"])
    assert is_refused(it.call("GET", it.game), 404, "not_found")


def test_leaving_ends_the_share_at_once_and_is_told(served: Served) -> None:
    owner = served.owner()
    it = sharer(owner)
    served.clock.turn(seconds=1)
    assert it.leaves().status_code == 204
    assert is_refused(it.leaves(), 404, "not_found")
    assert it.listed() == {}
    (told,) = told_ends(served, owner.game_id)
    assert (told["kind"], told["id"]) == ("share", str(it.account_id))
    assert owner.listed()[0]["guests"] == 0


def test_whoever_left_may_come_back_by_the_invitation(served: Served) -> None:
    owner = served.owner()
    code = owner.invite()["code"]
    it = joined(served, code)
    it.leaves()
    assert it.accepts(code)["shared"] is True
    assert it.call("GET", it.game).status_code == 200


def test_neither_the_owner_nor_a_guest_has_anything_to_leave(served: Served) -> None:
    owner = served.owner()
    guest = owner.guest()
    for call in (owner.call, guest.call):
        assert is_refused(call("DELETE", f"{owner.game}/access"), 409, "not_shared")
    assert is_refused(served.owner().call("DELETE", f"{owner.game}/access"), 404, "not_found")
    assert guest.call("GET", guest.game).status_code == 200


def test_a_game_in_the_bin_is_gone_for_accounts_too_until_it_is_restored(served: Served) -> None:
    owner = served.owner()
    it = sharer(owner)
    owner.call("DELETE", owner.game)
    assert is_refused(it.call("GET", it.game), 404, "not_found")
    assert it.listed() == it.listed("?bin=true") == {}
    owner.call("POST", f"{owner.game}/restore")
    assert it.listed() == {owner.game_id: "recorder"}


def test_the_list_has_own_and_shared_games_in_one_order_page_by_page(served: Served) -> None:
    me = served.owner()
    made = [me.game_id]
    for number in range(6):
        served.clock.turn(seconds=1)
        if number % 2:
            made.append(me.call("POST", "/v1/games", GAME).json["id"])
        else:
            owner = served.owner()
            made.append(owner.game_id)
            joined(served, owner.invite("viewer")["code"], me.account_id)
    pages, cursor = [], ""
    while cursor is not None:
        page = me.call("GET", f"/v1/games?limit=2{cursor}").json
        pages += [(game["id"], game["access"]["role"]) for game in page["items"]]
        cursor = page["next_cursor"] and f"&cursor={page['next_cursor']}"
    roles = ["owner", "viewer", "owner", "viewer", "owner", "viewer", "owner"]
    assert pages == list(zip(made, roles, strict=True))[::-1]
    assert len(me.call("GET", "/v1/games?status=playing").json["items"]) == 7
    assert me.call("GET", "/v1/games?status=finished").json["items"] == []


def test_accounts_and_guests_together_are_as_many_as_an_invitation_takes(served: Served) -> None:
    owner = served.owner()
    code = owner.invite()["code"]
    it = joined(served, code)
    for _ in range(GUESTS_LIMIT - 1):
        accepted(served, code)
    token, _ = served.token(uuid4())
    for refused in (
        accept(served, code),
        served.call("POST", "/v1/invitations/accept", {"code": code}, token),
    ):
        assert is_refused(refused, 409, "too_many_guests")
    assert it.accepts(code) == it.told
    it.leaves()
    assert accept(served, code).status_code == 200


def test_accepting_while_the_invitation_is_withdrawn_leaves_no_share(served: Served) -> None:
    owner, world = served.owner(), served.world
    invitation = owner.invite()
    token, _ = served.token(uuid4())
    body = {"code": invitation["code"]}
    game = "SELECT id FROM games WHERE id = :id FOR UPDATE"
    with world.held(game, id=owner.game_id) as lock, ThreadPoolExecutor(2) as pool:
        withdrawn = pool.submit(owner.revoke, invitation["id"])
        eventually(lambda: len(world.waiting("test-sessions")) == 1, "the withdrawal waits for the game")
        asked = pool.submit(served.call, "POST", "/v1/invitations/accept", body, token)
        eventually(lambda: len(world.waiting("test-sessions")) == 2, "so does the account")
        lock.rollback()
        assert withdrawn.result(30).status_code == 204
        assert asked.result(30).status_code in (200, 410)
    assert world.count("shares", UUID(owner.game_id)) == 0


def told_ends(served: Served, game_id: str) -> list[dict[str, str]]:
    """The ends of access that were told of the game."""
    told = served.world.events(UUID(game_id))
    return [event.data for event in told if event.type == "sessions.access.ended"]
