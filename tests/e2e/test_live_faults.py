"""The live view while parts die, servers forget and connections break: nobody misses or repeats an entry."""

import os
import random
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.e2e.breaking import api, breakable, follower, inside
from tests.support.api import Api, Json, action, new_game, play, send, sign_up, whole_log
from tests.support.audit import replay
from tests.support.copies import LogCopy, facts
from tests.support.faults import RECOVERY_S
from tests.support.inside import Inside
from tests.support.moves import bring_back, next_action, take_back, whole_turn
from tests.support.playing import Patient
from tests.support.streams import Connection, Cut, Frame, Listener
from tests.support.system import EmbeddedSystem
from tests.support.thorough import thorough

__all__ = ["api", "breakable", "follower", "inside"]

LISTENERS = 4
SHUTDOWN_S = 3.0
STREAMING = ("gateway-live", "gateway-web")
IDLE = 8
PROMPT_S = 1.0


def play_on(api: Api, game: Json, count: int, seed: int = 98) -> Json:
    """Play until the game has `count` more entries, whatever breaks; the game then."""
    chance, patient, goal = random.Random(seed), Patient(api), game["version"] + count
    while game["version"] < goal:
        luck = chance.random()
        if luck < 0.1 and game["undo"]:
            actions = [take_back(game)]
        elif luck < 0.15 and game["redo"]:
            actions = [bring_back(game)]
        else:
            actions = whole_turn(game, chance) if luck < 0.6 else [next_action(game, chance)]
        body = {"actions": actions, "expected_version": game["version"]}
        answer = patient.call("POST", f"/v1/games/{game['id']}/actions", body)
        assert answer.status == 200, answer.body
        game = answer.json["game"]
    return game


class Table:
    """A game that is played in the background while `copies` are kept of it."""

    def __init__(self, api: Api, stack: ExitStack) -> None:
        self.api = api
        self.game = new_game(api, 3)
        self.copies = [
            stack.enter_context(LogCopy(api, self.game, f"listener {number}")) for number in range(LISTENERS)
        ]
        self._pool = stack.enter_context(ThreadPoolExecutor(1))

    @contextmanager
    def playing(self, count: int) -> Iterator[None]:
        """Inside the block the game goes on, from its first entries on; `count` are made in all."""
        playing = self._pool.submit(play_on, self.api, self.game, count)
        self.wait_for(min(5, count // 4) + self.game["version"])
        yield
        self.game = playing.result(RECOVERY_S)

    def wait_for(self, version: int) -> None:
        for copy in self.copies:
            copy.wait_for(version, RECOVERY_S)

    def check(self) -> None:
        """Every copy comes to be exactly the log, with the table after each entry."""
        log = whole_log(self.api, self.game["id"])
        tables = replay(self.api, self.game, log)
        self.wait_for(len(log))
        for copy in self.copies:
            assert facts(copy.entries) == facts(log)
            assert copy.tables == tables


@pytest.fixture
def table(inside: Inside, api: Api) -> Iterator[Table]:
    with ExitStack() as stack:
        yield Table(api, stack)


@pytest.mark.parametrize("part", ["gateway-live", "sessions-relay", "valkey", "gateway-web", "sessions-web"])
def test_listeners_that_resume_have_exactly_the_log_when_a_part_is_killed_in_the_middle_of_a_game(
    inside: Inside, table: Table, part: str
) -> None:
    with table.playing(60):
        inside.kill(part)
    table.check()
    if part in STREAMING:
        assert min(copy.connections for copy in table.copies) > 1, "each stream was cut"
    with table.playing(5):
        pass
    table.check()


def test_listeners_miss_nothing_when_redis_forgets_everything_again_and_again(
    inside: Inside, table: Table
) -> None:
    for _ in range(3):
        with table.playing(20):
            inside.flush()
        table.check()
    assert {copy.connections for copy in table.copies} == {1}, "and no stream had to end for it"


@pytest.mark.parametrize("part", ["gateway-live", "sessions-relay", "valkey"])
def test_listeners_miss_nothing_while_a_part_is_frozen(inside: Inside, table: Table, part: str) -> None:
    inside.system.pause(part)
    try:
        held = table.game["version"]
        sent = {"actions": [play("up1", 9)]}
        answer = table.api.post(f"/v1/games/{table.game['id']}/actions", sent)
        assert answer.status in (200, 503)
    finally:
        inside.system.resume(part)
    table.game = Patient(table.api).call("POST", f"/v1/games/{table.game['id']}/actions", sent).json["game"]
    table.wait_for(held + 1)
    table.check()


@pytest.mark.parametrize("part", ["gateway-live", "gateway-web"])
def test_a_part_that_ends_in_order_tells_its_listeners_when_to_come_back(
    inside: Inside, api: Api, part: str
) -> None:
    game = new_game(api)
    restarts = inside.system.restarts(part)
    with ExitStack() as stack:
        listeners = [stack.enter_context(Listener(api, game)) for _ in range(LISTENERS)]
        began_s = time.monotonic()
        os.kill(inside.system.pid(part), signal.SIGTERM)
        for listener in listeners:
            told = listener.wait_over()
            assert listener.over_at_s - began_s < SHUTDOWN_S
            if part == "gateway-live":
                assert told is not None
                assert told["code"] == "service_unavailable"
                assert 500 <= (listener.connection.parser.retry_ms or 0) <= 2500
    inside.wait_restarted(part, restarts)


def test_without_the_live_process_a_listener_is_told_to_come_back_and_all_else_works(
    inside: Inside, api: Api
) -> None:
    game = new_game(api)
    inside.system.pause("gateway-live")
    try:
        with Connection(api, game["id"]) as connection:
            assert connection.refused is not None
            assert (connection.refused.status, connection.refused.code) == (503, "service_unavailable")
            assert int(connection.refused.headers["Retry-After"]) >= 1
        assert send(api, game, [play("up1", 9)]).status == 200
    finally:
        inside.system.resume("gateway-live")


@thorough(30)
@given(
    steps=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 12_000)), min_size=1, max_size=10),
    seed=st.integers(0, 1000),
)
def test_a_stream_cut_anywhere_and_resumed_is_the_log(
    breakable: EmbeddedSystem, shared_api: Api, steps: list[tuple[int, int]], seed: int
) -> None:
    """Each step: so many entries are made, then the stream is read for so many bytes and cut."""
    begun = game = new_game(shared_api, 2)
    seen: list[Json] = []
    for entries, bytes_read in steps:
        if entries:
            game = play_on(shared_api, game, entries, seed)
        seen += told(shared_api, begun["id"], len(seen), game["version"], bytes_read)
    seen += told(shared_api, begun["id"], len(seen), game["version"], None)
    log = whole_log(shared_api, begun["id"])
    assert facts([data["entry"] for data in seen]) == facts(log)
    assert [data["table"] for data in seen] == replay(shared_api, begun, log)[1:]


@pytest.fixture(scope="module")
def shared_api(breakable: EmbeddedSystem) -> Api:
    return sign_up(breakable.url)


def told(api: Api, game_id: str, last_id: int, version: int, bytes_read: int | None) -> list[Json]:
    """The entries of one connection that is cut after `bytes_read`, or when it has told up to `version`."""
    found: list[Json] = []
    with Connection(api, game_id, last_id=last_id or None) as connection:
        assert connection.refused is None
        left = 10**9 if bytes_read is None else bytes_read
        while left > 0 and last_id + len(found) < version:
            data = connection.read(min(left, 4096))
            assert data, "the stream goes on"
            left -= len(data)
            found += entries_of(connection.parser.feed(data))
    return found


def test_listeners_that_read_nothing_cost_the_others_nothing_and_resume_to_the_whole_log(
    inside: Inside, api: Api
) -> None:
    game = new_game(api, 1)
    with ExitStack() as stack:
        idle = [stack.enter_context(Connection(api, game["id"], buffer=4096)) for _ in range(IDLE)]
        reading = stack.enter_context(Listener(api, game))
        version = 0
        for _ in range(8):
            version = flood(api, game, version, 200)
            reading.wait_for(version)
        assert reading.seqs == list(range(1, version + 1))
        for _ in range(20):
            [sent] = [play("up1", 50)] if version % 2 == 0 else [action("undo")]
            began_s = time.monotonic()
            assert send(api, game, [sent]).status == 200
            version += 1
            reading.wait_for(version)
            assert reading.of("entry")[-1].at_s - began_s < PROMPT_S
        log = whole_log(api, game["id"])
        for connection in idle:
            seen = rest_of(connection, version)
            seen += told(api, game["id"], len(seen), version, None)
            assert facts([data["entry"] for data in seen]) == facts(log)


def flood(api: Api, game: Json, version: int, count: int) -> int:
    """Make many entries at once; the version then."""
    pairs = [(play("up1", 50), action("undo")) for _ in range(count // 2)]
    answer = send(api, game, [one for pair in pairs for one in pair])
    assert answer.status == 200, answer.body
    assert answer.json["version"] == version + count
    return version + count


def rest_of(connection: Connection, version: int) -> list[Json]:
    """What a listener finds that only now begins to read: up to `version`, or to where it was cut."""
    found: list[Json] = []
    try:
        for frame in connection.frames():
            if frame.event == "entry":
                found.append(frame.json)
            if frame.event == "end":
                assert frame.json["code"] == "too_slow"
            if len(found) == version:
                break
    except Cut:
        pass
    return found


def entries_of(frames: Sequence[Frame]) -> list[Json]:
    return [frame.json for frame in frames if frame.event == "entry"]
