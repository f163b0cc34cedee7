"""Two things at once about a shared game: whichever comes first, what is true in the end is the same."""

from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from uuid import UUID

from tests.integration.sessions.ledgers import job
from tests.integration.sessions.running import running
from tests.integration.sessions.served import GAME, Answer, Owner, Served, is_refused
from tests.integration.sessions.sharers import Sharer, counted, joined, sharer
from tests.integration.sessions.world import World, eventually
from tests.support.api import action, play

HOLD = "SELECT id FROM games WHERE id = :id FOR UPDATE"
SESSIONS = "test-sessions"  # what serves and what follows events, one engine in these tests


def finish(it: Sharer, game_id: str) -> Answer:
    over = [play("up1", 7), action("block"), action("confirm")]
    return it.call("POST", f"/v1/games/{game_id}/actions", {"actions": over})


def two_games(served: Served) -> tuple[Owner, Sharer, str]:
    """An owner with two games, both shared with somebody; the id of the second one."""
    owner = served.owner()
    it = sharer(owner)
    second: str = owner.call("POST", "/v1/games", GAME).json["id"]
    invited = owner.call("POST", f"/v1/games/{second}/invitations", {"role": "recorder"})
    it.accepts(invited.json["code"])
    return owner, it, second


def is_over_or_waits(world: World, asked: Future[Answer], others: int) -> bool:
    return asked.done() or len(world.waiting(SESSIONS)) > others


def test_a_game_that_is_finished_while_an_account_is_deleted_counts_for_those_who_keep_it(
    served: Served,
) -> None:
    world = served.world
    for is_owner in (True, False):
        owner, it, second = two_games(served)
        gone, stays = (owner.account_id, it) if is_owner else (it.account_id, owner)
        by = it if is_owner else Sharer(served, owner.account_id, owner.token, it.told, owner.call)
        with running(world.consumer().run), ThreadPoolExecutor(1) as pool:
            with world.held(HOLD, id=second) as lock:
                told = world.hear("accounts.account.deleted", gone)
                eventually(lambda: world.waiting(SESSIONS), "the deletion waits for the second game")
                asked = pool.submit(finish, by, owner.game_id)
                eventually(lambda asked=asked: is_over_or_waits(world, asked, 1), "the first is finished")  # type: ignore[misc]
                job(world).sweep()
                lock.rollback()
            assert asked.result(30).status_code == 200
            eventually(lambda told=told: world.is_handled(told))  # type: ignore[misc]
        assert counted(world, gone) == []
        assert counted(world, stays.account_id) == [owner.game_id]


def test_leaving_ends_what_another_invitation_has_just_given(served: Served) -> None:
    """Streams know since when they may see the game: what ends them is later, whoever asked first."""
    owner, world = served.owner(), served.world
    it = sharer(owner, "viewer")
    more = owner.invite("recorder")["code"]
    with world.held(HOLD, id=owner.game_id) as lock, ThreadPoolExecutor(2) as pool:
        accepted = pool.submit(it.accepts, more)
        eventually(lambda: len(world.waiting(SESSIONS)) == 1, "the invitation waits for the game")
        left = pool.submit(it.leaves)
        eventually(lambda: len(world.waiting(SESSIONS)) == 2, "so does who leaves")
        served.clock.turn(seconds=10)
        lock.rollback()
        assert accepted.result(30)["role"] == "recorder"
        assert left.result(30).status_code == 204
    given, ended = ends(world, owner.game_id)
    assert given < ended


def test_an_upgrade_by_a_process_whose_clock_is_behind_is_later_all_the_same(served: Served) -> None:
    owner, world = served.owner(), served.world
    it = sharer(owner, "viewer")
    more = owner.invite("recorder")["code"]
    before = it.call("GET", f"{it.game}/access").json["joined_at"]
    served.clock.turn(seconds=-5)
    it.accepts(more)
    assert it.call("GET", f"{it.game}/access").json["joined_at"] > before
    served.clock.turn(seconds=-5)
    it.leaves()
    first, second = ends(world, owner.game_id)
    assert datetime.fromisoformat(before) < first < second


def test_an_invitation_that_waits_for_the_deletion_of_its_owner_is_over_then(served: Served) -> None:
    owner, world = served.owner(), served.world
    code = owner.invite()["code"]
    token, _ = served.token(served.owner().account_id)
    for sent in (None, token):
        with world.held(HOLD, id=owner.game_id) as lock, ThreadPoolExecutor(1) as pool:
            asked = pool.submit(served.call, "POST", "/v1/invitations/accept", {"code": code}, sent)
            eventually(lambda: world.waiting(SESSIONS), "it waits for the game")
            world.rows(
                "INSERT INTO people (account_id, deleted_at) VALUES (:id, now())"
                " ON CONFLICT (account_id) DO UPDATE SET deleted_at = now() RETURNING 1",
                id=owner.account_id,
            )
            lock.rollback()
            assert is_refused(asked.result(30), 410, "invitation_ended")
    assert world.count("shares", UUID(owner.game_id)) == 0


def test_the_next_page_is_there_although_the_last_game_of_the_page_before_is_not(served: Served) -> None:
    me = served.owner()
    owners = []
    for _ in range(3):
        served.clock.turn(seconds=1)
        owners.append(served.owner())
        joined(served, owners[-1].invite("viewer")["code"], me.account_id)
    page = me.call("GET", "/v1/games?limit=1").json
    assert [game["id"] for game in page["items"]] == [owners[2].game_id]
    owners[2].revoke(owners[2].listed()[0]["id"])
    rest = me.call("GET", f"/v1/games?cursor={page['next_cursor']}").json
    assert [game["id"] for game in rest["items"]] == [owners[1].game_id, owners[0].game_id, me.game_id]


def test_a_game_is_new_to_whom_it_has_just_been_shared_with(served: Served) -> None:
    """Who asks only for what has changed since finds it, however old it is."""
    owner = served.owner()
    served.clock.turn(days=1)
    since = served.clock.now.isoformat().replace("+00:00", "Z")
    served.clock.turn(seconds=1)
    it = sharer(owner)
    assert it.listed(f"?updated_after={since}") == {owner.game_id: "recorder"}
    assert owner.call("GET", f"/v1/games?updated_after={since}").json["items"] == []


def ends(world: World, game_id: str) -> list[datetime]:
    """The moments before which shares of the game have ended, as they were told."""
    told = world.events(UUID(game_id))
    found = [event.data for event in told if event.type == "sessions.access.ended"]
    return [datetime.fromisoformat(data["before"]) for data in found]
