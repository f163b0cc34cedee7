"""Several devices tap at one game at once, on connections that double, lose and reorder what they carry."""

import os
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from uuid import uuid4

import pytest

from infra.host.ports import free_port
from tests.support.api import Api, Json, action, new_game, play, send, sign_up, whole_log
from tests.support.audit import Exchange, audit, replay
from tests.support.moves import next_action, odd_action, take_back, whole_turn
from tests.support.system import CHECKOUT, EmbeddedSystem, System, is_ready
from tests.support.unreliable import Unreliable, at_once
from tests.support.waiting import until

TAPS = 25


@pytest.fixture
def api(system: System) -> Api:
    return sign_up(system.url)


@pytest.fixture(scope="module")
def second_process(system: System) -> Iterator[str]:
    """Another web process of sessions on the same database, by its address."""
    if not isinstance(system, EmbeddedSystem):
        pytest.skip("a second process is started beside the embedded system only")
    port = free_port()
    environment = os.environ | {"DATA_DIR": str(system.data), "PORT": str(port)}
    with (system.data / "log" / "sessions-web-2.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "services.sessions", "web"],
            cwd=CHECKOUT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    url = f"http://127.0.0.1:{port}"
    until(lambda: is_ready(url), 60, "the second process is ready")
    yield url
    process.terminate()
    process.wait(20)


class Device:
    """One client that taps what makes sense to it, and now and then something odd."""

    def __init__(self, api: Api, game: Json, seed: int) -> None:
        self.chance = random.Random(seed)
        self.game = game
        self.line = Unreliable(api, game["id"], self.chance)

    def tap(self) -> None:
        """Do one thing by the table it saw last; every answer brings a newer one."""
        if self.chance.random() < 0.15:
            several = [{"actions": [odd_action(self.game, self.chance)]} for _ in range(3)]
            self.line.send_all(several)
            return
        reply = self.line.send(self._body())
        newer = reply.json.get("game") or self.line.look()
        if newer["version"] >= self.game["version"]:
            self.game = newer

    def _body(self) -> Json:
        match self.chance.randrange(4):
            case 0:
                actions = [next_action(self.game, self.chance)]
            case 1:
                actions = whole_turn(self.game, self.chance)
            case 2:
                actions = [odd_action(self.game, self.chance)]
            case _:
                actions = [take_back(self.game), next_action(self.game, self.chance)]
        body: Json = {"actions": actions}
        if self.chance.random() < 0.4:
            body["expected_version"] = self.game["version"]
        return body


def tap_all_at_once(devices: Sequence[Device]) -> None:
    """Every device taps in a thread of its own; the first error of one is raised here."""
    gate = threading.Barrier(len(devices))

    def run(device: Device) -> None:
        gate.wait(30)
        for _ in range(TAPS):
            device.tap()
        device.line.deliver_late()

    with ThreadPoolExecutor(len(devices)) as pool:
        for done in [pool.submit(run, device) for device in devices]:
            done.result()


def check(api: Api, game_id: str, exchanges: Sequence[Exchange]) -> list[Json]:
    """Audit the game as it stands; returns its log."""

    def snapshot() -> tuple[Json, list[Json]] | None:
        # A request whose sender hung up may still be under way.
        game, log = api.get(f"/v1/games/{game_id}").json, whole_log(api, game_id)
        return (game, log) if game["version"] == len(log) else None

    found = until(snapshot, what="the game stands still for a moment")
    assert found is not None
    game, log = found
    audit(game, log, replay(api, game, log), exchanges)
    return log


@pytest.mark.parametrize(("devices", "seed"), [(2, 1), (2, 2), (8, 3), (8, 4)])
def test_devices_that_tap_at_once_leave_every_accepted_action_in_the_log_exactly_once(
    api: Api, devices: int, seed: int
) -> None:
    game = new_game(api, 3)
    at_table = [Device(api, game, 100 * seed + number) for number in range(devices)]
    tap_all_at_once(at_table)
    heard = [exchange for device in at_table for exchange in device.line.heard]
    log = check(api, game["id"], heard)
    verdicts = Counter(o["verdict"] for e in heard for o in e.reply.json.get("outcomes", []))
    assert len(log) > TAPS
    assert {"accepted", "duplicate", "rejected"} <= set(verdicts)
    assert any(exchange.reply.status == 409 for exchange in heard), "somebody missed something"


@pytest.mark.parametrize("devices", [2, 8])
def test_of_undo_taps_with_one_target_at_the_same_moment_one_takes_one_thing_back(
    api: Api, devices: int
) -> None:
    game = new_game(api, 1)
    for _ in range(5):
        laid = [play("up1", 20), play("up1", 30)]
        assert send(api, game, laid).status == 200
        taps = [action("undo", target=laid[1]["id"]) for _ in range(devices)]
        answers = at_once(*(partial(send, api, game, [tap]) for tap in taps))
        assert sorted(answer.status for answer in answers) == [200] + [422] * (devices - 1)
        assert {answer.code for answer in answers if answer.status != 200} == {"undo_target_mismatch"}
        assert api.get(f"/v1/games/{game['id']}").json["table"]["piles"]["up1"]["top"] == 20
        assert send(api, game, [action("undo", target=laid[0]["id"])]).status == 200
    log = whole_log(api, game["id"])
    assert len(log) == 5 * 4
    assert not any(entry["effective"] for entry in log)


def test_of_eight_that_expect_the_same_version_one_is_taken_and_the_others_learn_what_they_missed(
    api: Api,
) -> None:
    game = new_game(api, 1)
    exchanges = []
    for version in range(5):
        bodies = [
            {"actions": [play("up1", 10 + 8 * version + number)], "expected_version": version}
            for number in range(8)
        ]
        path = f"/v1/games/{game['id']}/actions"
        answers = at_once(*(partial(api.post, path, body) for body in bodies))
        assert sorted(answer.status for answer in answers) == [200] + [409] * 7
        for answer in answers:
            if answer.status == 409:
                assert answer.json["version"] == version + 1
                assert [entry["seq"] for entry in answer.json["missed"]] == [version + 1]
        exchanges += [Exchange(body, answer) for body, answer in zip(bodies, answers, strict=True)]
    assert len(check(api, game["id"], exchanges)) == 5


def test_a_batch_sent_many_times_at_once_is_applied_once(api: Api) -> None:
    game = new_game(api, 2)
    body = {
        "actions": [play("up1", 10), play("down1", 90), action("draw"), action("end_turn")],
        "expected_version": 0,
    }
    answers = at_once(*[partial(api.post, f"/v1/games/{game['id']}/actions", body)] * 8)
    assert [answer.status for answer in answers] == [200] * 8
    verdicts = Counter(outcome["verdict"] for answer in answers for outcome in answer.json["outcomes"])
    assert verdicts == {"accepted": 4, "duplicate": 28}
    assert len(check(api, game["id"], [Exchange(body, answer) for answer in answers])) == 4


def test_the_same_action_sent_to_two_processes_at_once_is_in_the_log_once(
    api: Api, second_process: str
) -> None:
    other = Api(second_process, api.token)
    game = new_game(api, 1)
    exchanges = []
    laid = [play("up1", card) for card in range(10, 25)]
    sent = [it for one in laid for it in (one, action("undo", target=one["id"]))]
    for one in sent:
        body: Json = {"actions": [one]}
        path = f"/v1/games/{game['id']}/actions"
        answers = at_once(*(partial(way.post, path, body) for way in (api, other)))
        verdicts = sorted(answer.json["outcomes"][0]["verdict"] for answer in answers)
        assert verdicts == ["accepted", "duplicate"]
        exchanges += [Exchange(body, answer) for answer in answers]
    assert len(check(api, game["id"], exchanges)) == 30


def test_devices_spread_over_two_processes_lose_nothing(api: Api, second_process: str) -> None:
    game = new_game(api, 3)
    ways = [api, Api(second_process, api.token)]
    at_table = [Device(ways[number % 2], game, 900 + number) for number in range(8)]
    tap_all_at_once(at_table)
    heard = [exchange for device in at_table for exchange in device.line.heard]
    assert len(check(api, game["id"], heard)) > TAPS


def test_a_game_asked_for_many_times_at_once_is_made_once(api: Api, second_process: str) -> None:
    other = Api(second_process, api.token)
    body = {"id": str(uuid4()), "ruleset": "the-game", "players": [{"name": "Ana"}, {"name": "Ben"}]}
    ways = [api, other] * 4
    answers = at_once(*(partial(way.post, "/v1/games", body) for way in ways))
    assert [answer.status for answer in answers] == [201] * 8
    assert len({answer.body for answer in answers}) == 1
    assert len(api.get("/v1/games").json["items"]) == 1


def test_games_asked_for_at_once_with_one_id_and_other_bodies_are_one_game(
    api: Api, second_process: str
) -> None:
    other = Api(second_process, api.token)
    game_id = str(uuid4())
    bodies = [
        {"id": game_id, "ruleset": "the-game", "players": [{"name": f"P{number}"}]} for number in range(8)
    ]
    ways = zip([api, other] * 4, bodies, strict=True)
    answers = at_once(*(partial(way.post, "/v1/games", body) for way, body in ways))
    assert sorted(answer.status for answer in answers) == [201] + [409] * 7
    assert {answer.code for answer in answers if answer.status == 409} == {"id_taken"}
