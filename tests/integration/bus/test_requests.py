"""Asking another service over the bus: one answer each, in time or not at all, whatever breaks."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from infra.host.valkey import ValkeyServer
from shared.bus.requests import NoAnswer, Requests
from shared.bus.responder import Responder
from tests.integration.bus.conftest import StartProgram
from tests.integration.bus.world import World, running
from tests.support.waiting import until

STREAM = "rules.requests"
GROUP = "rules"
Json = dict[str, Any]
Answering = Callable[..., AbstractContextManager[threading.Event]]


@pytest.fixture
def requests(world: World) -> Iterator[Requests]:
    found = Requests(world.url, STREAM, "sessions")
    yield found
    found.close()


@pytest.fixture
def answering(world: World, empty_valkey: ValkeyServer) -> Answering:
    """`with answering(handle)`: a responder; without `handle` it answers what it was asked."""

    @contextmanager
    def answer(handle: Callable[[Any], Json] = lambda body: {"asked": body}) -> Iterator[threading.Event]:
        with running(Responder(empty_valkey.url("rules"), STREAM, GROUP, handle).run) as stop:
            yield stop

    return answer


def is_tidy(world: World) -> bool:
    """Whether no request is left anywhere."""
    return bool(world.redis.xlen(STREAM) == 0) and world.pending(GROUP, STREAM) == 0


def outcome(requests: Requests, n: int, timeout_s: float = 1.0) -> Any:
    try:
        return requests.ask({"n": n}, timeout_s)["asked"]["n"]
    except NoAnswer:
        return None


def test_each_of_many_threads_gets_its_own_answer(
    world: World, requests: Requests, answering: Answering
) -> None:
    with answering(), ThreadPoolExecutor(64) as threads:
        answers = list(threads.map(lambda n: requests.ask({"n": n}, 10), range(2_000)))
    assert answers == [{"asked": {"n": n}} for n in range(2_000)]
    assert is_tidy(world)


def test_without_a_responder_there_is_no_answer_by_the_deadline(requests: Requests) -> None:
    started_s = time.monotonic()
    with pytest.raises(NoAnswer, match="within"):
        requests.ask({}, 0.2)
    assert 0.2 <= time.monotonic() - started_s < 1


def test_an_expired_request_is_dropped_unread(world: World, requests: Requests, answering: Answering) -> None:
    handled: list[int] = []

    def handle(body: Json) -> Json:
        handled.append(body["n"])
        return {"asked": body}

    assert outcome(requests, 1, 0.1) is None
    assert world.redis.xlen(STREAM) == 1
    with answering(handle):
        assert outcome(requests, 2, 5) == 2
        until(lambda: is_tidy(world))
    assert handled == [2]


def test_a_handler_that_raises_is_an_internal_error_and_the_next_request_works(
    requests: Requests, answering: Answering
) -> None:
    def handle(body: Json) -> Json:
        return {"ratio": 1 // body["n"]}

    with answering(handle):
        assert requests.ask({"n": 0}, 5) == {"error": {"code": "internal_error"}}
        assert requests.ask({"n": 1}, 5) == {"ratio": 1}


@pytest.mark.parametrize(
    "fields",
    [
        {"nothing": "here"},
        {"cid": "1", "reply_to": "replies.x", "deadline": "soon", "body": "{}"},
        {"cid": "1", "reply_to": "sessions.events", "deadline": "99999999999999", "body": "{}"},
        {"cid": "1", "reply_to": "replies.x", "deadline": "99999999999999", "body": "{"},
    ],
)
def test_garbage_on_the_request_stream_stops_nothing(
    world: World, requests: Requests, answering: Answering, fields: dict[str, str]
) -> None:
    world.redis.xadd(STREAM, fields)
    with answering():
        assert outcome(requests, 1, 5) == 1
        until(lambda: is_tidy(world))
    assert not world.redis.exists("sessions.events")


def test_a_second_reply_to_the_same_request_reaches_nobody(world: World, requests: Requests) -> None:
    def answer_twice() -> None:
        last = "0"
        for _ in range(2):
            ((entry_id, fields),) = until(lambda: world.redis.xrange(STREAM, min=f"({last}"))  # noqa: B023
            for text in (fields[b"body"], b'{"late": true}'):
                world.redis.xadd(fields[b"reply_to"], {"cid": fields[b"cid"], "body": text})
            last = entry_id.decode()

    answering = threading.Thread(target=answer_twice)
    answering.start()
    assert requests.ask({"n": 1}, 5) == {"n": 1}
    assert requests.ask({"n": 2}, 5) == {"n": 2}
    answering.join()


def test_a_request_read_by_a_killed_responder_is_answered_by_another(
    world: World, requests: Requests, start: StartProgram, answering: Answering, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    gate.touch()
    first = start("respond", str(gate))
    answers: list[Json] = []
    asking = threading.Thread(target=lambda: answers.append(requests.ask({"n": 5}, 30)))
    asking.start()
    until(lambda: world.pending(GROUP, STREAM) == 1)
    first.kill()
    with answering():
        asking.join()
    assert answers == [{"asked": {"n": 5}}]
    assert is_tidy(world)


def test_a_request_left_by_a_killed_responder_is_dropped_after_its_deadline(
    world: World, requests: Requests, start: StartProgram, answering: Answering, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    gate.touch()
    first = start("respond", str(gate))
    until(lambda: world.redis.exists(STREAM), what="the responder has made its group")
    asking = threading.Thread(target=lambda: outcome(requests, 5, 1.0))
    asking.start()
    until(lambda: world.pending(GROUP, STREAM) == 1)
    first.kill()
    asking.join()
    handled: list[Json] = []

    def handle(body: Json) -> Json:
        handled.append(body)
        return {}

    with answering(handle):
        until(lambda: is_tidy(world))
    assert handled == []


def test_a_stopping_responder_answers_what_it_has_read(
    world: World, requests: Requests, answering: Answering
) -> None:
    gate = threading.Event()

    def handle(body: Json) -> Json:
        assert gate.wait(10)
        return {"asked": body}

    with answering(handle) as stop, ThreadPoolExecutor(10) as threads:
        until(lambda: world.redis.exists(STREAM))
        asked = [threads.submit(requests.ask, {"n": n}, 10) for n in range(10)]
        until(lambda: world.pending(GROUP, STREAM) > 0)
        read = world.pending(GROUP, STREAM)
        stop.set()
        gate.set()
        until(lambda: sum(it.done() for it in asked) == read)
        with answering():
            assert [it.result()["asked"]["n"] for it in asked] == list(range(10))


def test_two_responders_share_the_requests(requests: Requests, answering: Answering) -> None:
    both_at_work = threading.Barrier(2)

    def handle(body: Json) -> Json:
        both_at_work.wait(10)
        return {}

    with answering(handle), answering(handle), ThreadPoolExecutor(2) as threads:
        assert list(threads.map(lambda n: requests.ask({"n": n}, 10), range(2))) == [{}, {}]


def test_too_many_waiting_requests_are_refused_at_once(world: World) -> None:
    requests = Requests(world.url, STREAM, "sessions", max_waiting=2)
    with ThreadPoolExecutor(2) as threads:
        waiting = [threads.submit(outcome, requests, n, 1.0) for n in range(2)]
        until(lambda: world.redis.xlen(STREAM) == 2)
        with pytest.raises(NoAnswer, match="waiting for an answer already"):
            requests.ask({}, 10)
    assert [it.result() for it in waiting] == [None, None]
    requests.close()


def test_a_forked_child_asks_on_its_own(start: StartProgram, answering: Answering) -> None:
    with answering():
        assert start("fork").process.wait(20) == 0


def test_reply_streams_die_with_their_process(world: World, requests: Requests, answering: Answering) -> None:
    with answering():
        assert outcome(requests, 1, 5) == 1
    (stream,) = world.redis.keys("replies.sessions.*")
    assert 0 < world.redis.ttl(stream) <= 60
    requests.close()
    assert 0 < world.redis.ttl(stream) <= 5


def test_replies_that_were_read_do_not_pile_up(
    world: World, requests: Requests, answering: Answering
) -> None:
    with answering():

        def only_the_latest_replies_are_kept() -> bool:
            for n in range(50):
                assert outcome(requests, n, 5) == n
            (stream,) = world.redis.keys("replies.sessions.*")
            return 0 < int(world.redis.xlen(stream)) < 50

        until(only_the_latest_replies_are_kept)


def test_requests_that_nobody_answers_do_not_pile_up(world: World, requests: Requests) -> None:
    world.redis.xadd(STREAM, {"cid": "old"}, id="1000-0")
    for n in range(150):
        world.redis.xadd(STREAM, {"cid": "old"}, id=f"2000-{n}")
    assert outcome(requests, 1, 0.1) is None
    until(lambda: world.redis.xlen(STREAM) < 150)


def test_after_close_nothing_is_answered(requests: Requests, answering: Answering) -> None:
    with answering():
        assert outcome(requests, 1, 5) == 1
        requests.close()
        with pytest.raises(NoAnswer, match="closed"):
            requests.ask({}, 5)


def test_closing_ends_the_wait_of_others(world: World, requests: Requests) -> None:
    started_s = time.monotonic()
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(outcome, requests, 1, 30)
        until(lambda: world.redis.xlen(STREAM) == 1)
        requests.close()
        assert waiting.result() is None
    assert time.monotonic() - started_s < 5


def test_asking_for_longer_than_a_minute_is_a_mistake(requests: Requests) -> None:
    with pytest.raises(ValueError, match="60"):
        requests.ask({}, 61)


def _break_and_ask(requests: Requests, breaking: Callable[[], None]) -> None:
    """Ask from eight threads while something breaks: all are told in time, and at last all are answered."""
    stop = threading.Event()
    wrong: list[Any] = []

    def keep_asking(worker: int) -> None:
        n = worker
        while not stop.is_set():
            n += 8
            started_s = time.monotonic()
            if outcome(requests, n, 0.5) not in (n, None) or time.monotonic() - started_s > 1.5:
                wrong.append(n)

    threads = [threading.Thread(target=keep_asking, args=(worker,)) for worker in range(8)]
    for thread in threads:
        thread.start()
    breaking()
    until(lambda: all(outcome(requests, n, 0.5) == n for n in range(20)), what="answers come again")
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert outcome(requests, 1, 5) == 1


def test_asking_survives_a_killed_redis(
    requests: Requests, answering: Answering, valkey_server: ValkeyServer
) -> None:
    def kill() -> None:
        valkey_server.kill()
        assert outcome(requests, 1, 0.3) is None
        valkey_server.restart()

    with answering():
        _break_and_ask(requests, kill)


def test_a_request_waits_for_a_redis_that_comes_back_in_time(
    world: World, requests: Requests, answering: Answering, valkey_server: ValkeyServer
) -> None:
    with answering(), ThreadPoolExecutor(1) as threads:
        assert outcome(requests, 1, 5) == 1
        valkey_server.kill()
        waiting = threads.submit(outcome, requests, 2, 20)
        valkey_server.restart()
        assert waiting.result() == 2


def test_asking_survives_a_flush(world: World, requests: Requests, answering: Answering) -> None:
    with answering():
        _break_and_ask(requests, world.redis.flushall)


def test_asking_survives_a_pause(world: World, requests: Requests, answering: Answering) -> None:
    def pause() -> None:
        world.redis.execute_command("CLIENT", "PAUSE", 1_000, "ALL")

    with answering():
        _break_and_ask(requests, pause)


def test_asking_survives_a_redis_that_hangs_longer_than_sockets_wait(
    requests: Requests, answering: Answering, valkey_server: ValkeyServer
) -> None:
    def hang() -> None:
        valkey_server.pause()
        assert outcome(requests, 1, 6.5) is None
        valkey_server.resume()

    with answering():
        _break_and_ask(requests, hang)
