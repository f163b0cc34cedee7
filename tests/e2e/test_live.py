"""The live view at the gateway: whoever may see a game sees each entry at once, and resumes without a gap."""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from urllib.parse import quote

import pytest

from tests.support.api import Api, Json, action, new_game, play, send, sign_up, whole_log
from tests.support.copies import facts
from tests.support.crowd import Crowd
from tests.support.guests import invite, join, owner_with_plus
from tests.support.moves import next_action
from tests.support.people import Person
from tests.support.soak import LISTENERS
from tests.support.streams import COMMENT, Connection, Listener
from tests.support.system import System
from tests.support.waiting import until

COMMENT_S = 7.0
STREAMS_PER_ACCOUNT = 400


@pytest.fixture
def api(system: System) -> Api:
    return sign_up(system.url)


@pytest.fixture(scope="module")
def owner(system: System) -> Person:
    return owner_with_plus(system)


def played(api: Api, entries: int) -> Json:
    """A game with that many entries, one card after another."""
    game = new_game(api, 1)
    for seq in range(entries):
        assert send(api, game, [play("up1", 10 + seq)]).status == 200
    return game


def test_what_one_device_enters_every_stream_tells_with_the_table_as_it_was(api: Api) -> None:
    game = new_game(api)
    with Listener(api, game) as one, Listener(api, game) as other:
        for sent in (play("up1", 10), play("down1", 90), action("draw"), action("end_turn")):
            assert send(api, game, [sent]).status == 200
        assert send(api, game, [play("up1", 20), play("up2", 30), action("draw")]).status == 200
        told = one.wait_for(7)
        assert other.wait_for(7) == told
    assert facts([data["entry"] for data in told]) == facts(whole_log(api, game["id"]))
    for data in told:
        then = api.get(f"/v1/games/{game['id']}?at={data['entry']['seq']}").json
        assert (data["table"], data["result"]) == (then["table"], then["result"])
        assert set(data) == {"entry", "table", "result"}


@pytest.mark.parametrize("sent", ["Küche", "K%C3%BCche"], ids=["as it is", "percent-encoded"])
def test_a_device_may_have_a_name_in_any_script(api: Api, sent: str) -> None:
    game = new_game(api)
    path = f"/v1/games/{game['id']}/actions"
    named = {"X_Device": sent.encode().decode("latin-1")}
    assert api.call("POST", path, {"actions": [play("up1", 10)]}, **named).status == 200
    assert whole_log(api, game["id"])[0]["by"]["device"] == "Küche"


def test_a_stream_has_the_form_that_browsers_proxies_and_clients_expect(api: Api) -> None:
    with Listener(api, played(api, 1)) as listener:
        listener.wait_for(1)
        response = listener.connection.response
        assert response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert "no-store" in response.headers["Cache-Control"]
        assert response.headers["X-Request-Id"]
        assert listener.connection.parser.retry_ms == 1000
        assert listener.frames[0].event == COMMENT
        assert all(frame.id is None for frame in listener.frames if frame.event != "entry")


def test_a_stream_starts_after_last_event_id_or_after_and_from_the_start_without_either(api: Api) -> None:
    game = played(api, 6)
    starts: dict[int, list[Json]] = {
        1: [{}, {"after": 0}, {"last_id": 0}],
        3: [{"last_id": 2, "after": 5}],
        4: [{"last_id": 3}],
        5: [{"after": 4}],
    }
    for first, how in [(first, how) for first, ways in starts.items() for how in ways]:
        with Listener(api, game, **how) as listener:
            listener.wait_for(6)
            assert listener.seqs == list(range(first, 7)), how
    with Listener(api, game, last_id=6) as listener:
        assert send(api, game, [play("down2", 50)]).status == 200
        listener.wait_for(7)
        assert listener.seqs == [7], "what was there before is not told again"


@pytest.mark.parametrize("given", ["x", "-1", "1.5", "0x1", "1e3", "3", "9" * 400, "null", "1,2", "1;"])
def test_a_position_that_is_none_in_this_log_is_refused(api: Api, given: str) -> None:
    game = played(api, 2)
    is_refused(api, game, last_id=given)
    is_refused(api, game, after=quote(given))


@pytest.mark.parametrize("given", ["²", "1é", "0" * 5000], ids=["a digit", "a letter", "long"])
def test_a_position_that_can_hardly_be_read_is_refused_too(api: Api, given: str) -> None:
    """Taken for none it would tell everything anew."""
    game = played(api, 2)
    is_refused(api, game, last_id=given.encode().decode("latin-1"))
    is_refused(api, game, after=quote(given))


def is_refused(api: Api, game: Json, **how: str) -> None:
    with Connection(api, game["id"], **how) as connection:
        assert connection.refused is not None, how
        assert (connection.refused.status, connection.refused.code) == (422, "validation_failed")


def test_what_a_stream_does_not_know_in_the_query_is_refused(api: Api) -> None:
    game = new_game(api)
    for query in ("since=1", "after=0&limit=3", "token=x"):
        answer = api.get(f"/v1/games/{game['id']}/live?{query}")
        assert (answer.status, answer.code) == (422, "validation_failed"), query


def test_head_tells_what_get_would_and_sends_nothing(api: Api) -> None:
    game = new_game(api)
    answer = api.call("HEAD", f"/v1/games/{game['id']}/live")
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert Api(api.url).call("HEAD", f"/v1/games/{game['id']}/live").status == 401


def test_undo_redo_result_and_reopening_are_entries_like_any_other(api: Api) -> None:
    game = new_game(api, 1)
    laid = play("up1", 50)
    sent = [laid, action("undo", target=laid["id"]), action("redo", target=laid["id"])]
    block, confirm = action("block"), action("confirm")
    sent += [action("undo", target=laid["id"]), block, confirm, action("undo", target=confirm["id"])]
    with Listener(api, game) as listener:
        for one in sent:
            assert send(api, game, [one]).status == 200
        told = listener.wait_for(len(sent))
    assert [data["entry"]["action"] for data in told] == sent
    assert [data["table"]["piles"]["up1"]["top"] for data in told[:4]] == [50, 1, 50, 1]
    assert [data["table"]["status"] for data in told[4:]] == ["blocked", "finished", "blocked"]
    assert [data["result"] is None for data in told] == [True] * 5 + [False, True]
    assert told[5]["result"] == api.get(f"/v1/games/{game['id']}?at=6").json["result"]


def test_one_account_may_listen_many_times_over_and_to_several_games(api: Api) -> None:
    games = [new_game(api, 1), new_game(api, 1)]
    with ExitStack() as stack:
        listeners = [stack.enter_context(Listener(api, games[number % 2])) for number in range(30)]
        for seq, game in enumerate(games):
            assert send(api, game, [play("up1", 20 + seq)]).status == 200
        for number, listener in enumerate(listeners):
            told = listener.wait_for(1)
            assert [data["entry"]["action"]["card"] for data in told] == [20 + number % 2]


def devices(listener: Listener) -> dict[str | None, int]:
    """Streams by device as the last presence told."""
    told = listener.of("presence")
    return {one["device"]: one["streams"] for one in told[-1].json["devices"]} if told else {}


def test_presence_shows_devices_as_they_come_and_go(api: Api) -> None:
    game = new_game(api)
    me = api.get("/v1/me").json["id"]
    with Listener(api, game, device="phone") as phone:
        phone.wait(lambda: devices(phone) == {"phone": 1})
        assert phone.of("presence")[-1].json["devices"] == [
            {"device": "phone", "account_id": me, "guest_id": None, "role": "owner", "streams": 1}
        ]
        with Listener(api, game, device="tablet") as tablet:
            phone.wait(lambda: devices(phone) == {"phone": 1, "tablet": 1})
            tablet.wait(lambda: devices(tablet) == {"phone": 1, "tablet": 1})
            with Listener(api, game, device="tablet"), Listener(api, game):
                phone.wait(lambda: devices(phone) == {"phone": 1, "tablet": 2, None: 1})
            phone.wait(lambda: devices(phone) == {"phone": 1, "tablet": 1})
        phone.wait(lambda: devices(phone) == {"phone": 1})


def test_presence_tells_guests_from_the_owner(system: System, owner: Person) -> None:
    game = new_game(owner.api)
    guest = join(system.url, invite(owner.api, game["id"], "recorder"))
    with Listener(owner.api, game, device="phone") as phone, Listener(guest.api, game, device="tablet"):
        phone.wait(lambda: devices(phone) == {"phone": 1, "tablet": 1})
        listed = phone.of("presence")[-1].json["devices"]
        assert {
            "device": "tablet",
            "account_id": None,
            "guest_id": guest.guest_id,
            "role": "recorder",
            "streams": 1,
        } in listed


def test_a_silent_stream_says_at_least_every_seven_seconds_that_it_lives(api: Api) -> None:
    with Listener(api, new_game(api)) as listener:
        listener.wait(lambda: len(listener.of(COMMENT)) >= 4, 4 * COMMENT_S)
        times = [frame.at_s for frame in listener.frames]
        assert max(after - before for before, after in pairwise(times)) < COMMENT_S


def test_everyone_in_a_crowd_of_idle_listeners_is_told_everything(system: System) -> None:
    owners = [sign_up(system.url) for _ in range(-(-LISTENERS // STREAMS_PER_ACCOUNT))]
    games = [new_game(api, 2) for api in owners]
    places = [
        (owners[number % len(owners)], games[number % len(owners)]["id"]) for number in range(LISTENERS)
    ]
    with Crowd(places) as crowd, ThreadPoolExecutor(len(owners)) as pool:
        versions = list(pool.map(play_some, owners, games))
        expected = [list(range(1, versions[number % len(owners)] + 1)) for number in range(LISTENERS)]
        until(lambda: crowd.lost or crowd.seen == expected, 60, "everybody has everything")
        assert crowd.seen == expected
        assert not crowd.lost


def play_some(api: Api, game: Json) -> int:
    """Play the first forty entries or so of a game; its version then."""
    chance = random.Random(game["id"])
    while game["version"] < 40:
        answer = send(api, game, [next_action(game, chance)])
        assert answer.status == 200, answer.body
        game = answer.json["game"]
    return game["version"]
