"""Accounts that are deleted: what becomes of the games they shared, and of those shared with them."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

from services.sessions.adapters import names
from services.sessions.application.purge import sweep
from tests.integration.sessions.served import Owner, Served, is_refused
from tests.integration.sessions.sharers import Sharer, deleted, sharer
from tests.integration.sessions.world import LONG_AGO, World, eventually, now
from tests.support.api import action, play

TABLES = ("games", "entries", "seats", "invitations", "guests", "shares")


def is_there(world: World, game_id: str) -> bool:
    """Whether the game is, after a sweep."""
    sweep(world.purge, now())
    return world.count("games", UUID(game_id)) == 1


def left_to(served: Served, role: str = "recorder") -> tuple[Owner, Sharer]:
    """A game whose owner is gone, and who has it."""
    owner = served.owner()
    it = sharer(owner, role)
    assert it.call("GET", it.game).status_code == 200
    if role == "recorder":
        it.call("POST", f"{it.game}/actions", {"actions": [play("up1", 7)]})
    deleted(served.world, owner.account_id)
    return owner, it


def orphaned(world: World, owner_id: UUID) -> int:
    """How often it was told that the owner's games may have nobody left."""
    return sum(event.type == "sessions.games.orphaned" for event in world.events(owner_id))


def test_a_shared_game_stays_for_the_others_without_its_names(served: Served) -> None:
    owner, it = left_to(served)
    assert is_there(served.world, owner.game_id)
    document = it.call("GET", it.game).json
    assert [seat["name"] for seat in document["players"]] == ["", ""]
    assert document["version"] == 1
    assert it.call("GET", f"{it.game}/log").json["items"][0]["by"]["account_id"] == str(it.account_id)
    assert it.listed() == {owner.game_id: "recorder"}
    assert it.listed(f"?updated_after={document['created_at']}") == {owner.game_id: "recorder"}


def test_what_is_shared_with_nobody_goes_with_its_owner(served: Served) -> None:
    owner = served.owner()
    guest, it = owner.guest(), sharer(owner)
    it.leaves()
    deleted(served.world, owner.account_id)
    assert not is_there(served.world, owner.game_id)
    assert is_refused(guest.call("GET", guest.game), 401, "unauthenticated")
    for table in TABLES:
        assert served.world.count(table, UUID(owner.game_id)) == 0


def test_guests_and_invitations_end_with_the_owner_while_accounts_stay(served: Served) -> None:
    owner = served.owner()
    code = owner.invite()["code"]
    guest, it, late = owner.guest(), sharer(owner), served.owner()
    deleted(served.world, owner.account_id)
    assert is_refused(guest.call("GET", guest.game), 404, "not_found")
    for token in (None, late.token, it.token):
        answer = served.call("POST", "/v1/invitations/accept", {"code": code}, token)
        assert is_refused(answer, 410, "invitation_ended")
    assert it.call("GET", it.game).status_code == 200


def test_without_an_owner_a_recorder_finishes_the_game_and_nobody_does_what_its_owner_could(
    served: Served,
) -> None:
    _, it = left_to(served)
    confirm = action("confirm")
    sent = {"actions": [action("undo"), play("up1", 8), action("block"), confirm]}
    assert it.call("POST", f"{it.game}/actions", sent).status_code == 200
    undo = {"actions": [action("undo", target=confirm["id"])]}
    assert is_refused(it.call("POST", f"{it.game}/actions", undo), 403, "role_insufficient")
    for method, path, body in (
        ("DELETE", "", None),
        ("POST", "/invitations", {"role": "viewer"}),
        ("POST", "/rewind", {"to_version": 0, "expected_version": 0}),
    ):
        assert is_refused(it.call(method, it.game + path, body), 403, "role_insufficient")


def test_without_an_owner_there_is_no_plan_for_what_needs_plus(served: Served) -> None:
    """Its conflicts could be decided by nobody."""
    _, it = left_to(served)
    story = {"device": "cellar phone", "base_version": 1, "actions": [play("up1", 9)]}
    # What is known of an account is kept for a moment.
    eventually(lambda: it.call("POST", f"{it.game}/sync", story).status_code == 403)
    assert is_refused(it.call("POST", f"{it.game}/sync", story), 403, "plus_required")


def test_a_viewer_of_a_game_without_an_owner_still_only_views(served: Served) -> None:
    _, it = left_to(served, "viewer")
    refused = it.call("POST", f"{it.game}/actions", {"actions": [play("up1", 7)]})
    assert is_refused(refused, 403, "role_insufficient")


def test_the_last_one_to_leave_a_game_without_an_owner_leaves_it_to_the_purge(served: Served) -> None:
    owner = served.owner()
    first, last = sharer(owner), sharer(owner, "viewer")
    deleted(served.world, owner.account_id)
    assert first.leaves().status_code == 204
    assert orphaned(served.world, owner.account_id) == 1
    assert is_there(served.world, owner.game_id)
    assert last.leaves().status_code == 204
    assert orphaned(served.world, owner.account_id) == 2
    assert not is_there(served.world, owner.game_id)


def test_the_last_one_who_is_deleted_takes_the_game_with_them(served: Served) -> None:
    owner, it = left_to(served)
    other = served.owner()
    deleted(served.world, it.account_id)
    assert not is_there(served.world, owner.game_id)
    assert is_there(served.world, other.game_id)


def test_a_deleted_account_loses_its_shares_and_the_games_stay_their_owners(served: Served) -> None:
    owner = served.owner()
    it, other = sharer(owner), sharer(owner)
    deleted(served.world, it.account_id)
    assert is_there(served.world, owner.game_id)
    assert owner.call("GET", owner.game).json["players"][0]["name"] == "Ana"
    assert other.listed() == {owner.game_id: "recorder"}
    rows = served.world.rows("SELECT account_id FROM shares WHERE game_id = :id", id=owner.game_id)
    assert [row.account_id for row in rows] == [other.account_id]


def test_what_the_owner_had_put_into_the_bin_goes_with_them(served: Served) -> None:
    """Nobody else could take it out again."""
    owner = served.owner()
    sharer(owner)
    owner.call("DELETE", owner.game)
    deleted(served.world, owner.account_id)
    assert not is_there(served.world, owner.game_id)


def test_a_purged_game_leaves_no_share_and_no_news_of_one(served: Served) -> None:
    owner = served.owner()
    it, kept = sharer(owner), sharer(served.owner())
    sharer(owner).leaves()
    served.clock.turn(seconds=-LONG_AGO.total_seconds())
    owner.call("DELETE", owner.game)
    served.clock.turn(seconds=LONG_AGO.total_seconds())
    assert not is_there(served.world, owner.game_id)
    for table in TABLES:
        assert served.world.count(table, UUID(owner.game_id)) == 0
    assert [event.type for event in served.world.events(UUID(owner.game_id))] == ["sessions.game.purged"]
    assert is_refused(it.call("GET", it.game), 404, "not_found")
    assert kept.call("GET", kept.game).status_code == 200


def test_an_account_that_is_just_being_deleted_gets_no_share_that_outlives_it(served: Served) -> None:
    """Whichever of the two comes first, the other one sees it."""
    owner, late = served.owner(), served.owner()
    code = owner.invite()["code"]
    world = served.world
    with world.web.connect() as deleting, ThreadPoolExecutor(1) as pool:
        names.hold(deleting, late.account_id, to_change=True)
        asked = pool.submit(served.call, "POST", "/v1/invitations/accept", {"code": code}, late.token)
        eventually(lambda: world.waiting("test-sessions"), "the account waits for its deletion")
        world.rows(
            "INSERT INTO people (account_id, deleted_at) VALUES (:id, now()) RETURNING 1", id=late.account_id
        )
        deleting.rollback()
        assert is_refused(asked.result(30), 401, "unauthenticated")
    assert world.count("shares", UUID(owner.game_id)) == 0
