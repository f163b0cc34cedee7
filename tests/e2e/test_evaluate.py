"""The vectors through `evaluate` at the gateway, without an account, and the limit on asking too much."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.api import Api, Json, Reply, patiently, sign_up
from tests.support.system import System
from tests.support.waiting import until
from tests.vectors.cases import Case, check_step, named, public, walks

PATH = "/v1/rulesets/the-game/evaluate"
CASES = [pytest.param(case, id=case.name) for case in (*named(), *walks())]
NOTHING: Json = {"options": {"players": 1}, "actions": []}
PER_S = 50
BURST = 200


@pytest.fixture(scope="module")
def guest(system: System) -> Api:
    return Api(system.url)


@pytest.mark.parametrize("case", CASES)
def test_each_step_is_answered_as_the_vector_expects(guest: Api, case: Case) -> None:
    body = {"options": case.options, "actions": case.actions}
    answer = patiently(lambda: guest.post(f"{PATH}?tables=true", body))
    assert answer.status == 200, answer.body
    evaluation = answer.json
    assert public(evaluation["start"]) == case.start
    for step, outcome in zip(case.steps, evaluation["outcomes"], strict=True):
        check_step(step, outcome, outcome["table"])
    assert public(evaluation["table"]) == (case.steps[-1]["expect"]["state"] if case.steps else case.start)


def test_without_tables_the_same_is_answered_with_the_last_table_alone(guest: Api) -> None:
    case = max(named(), key=lambda found: len(found.steps))
    body = {"options": case.options, "actions": case.actions}
    brief = patiently(lambda: guest.post(PATH, body)).json
    whole = patiently(lambda: guest.post(f"{PATH}?tables=true", body)).json
    without = [{key: value for key, value in one.items() if key != "table"} for one in whole["outcomes"]]
    assert brief == whole | {"outcomes": without}


def test_evaluations_beyond_the_limit_are_told_when_to_come_back(guest: Api) -> None:
    """200 at once and 50 a second for an address, signed in or not, whatever it says about itself."""
    signed_in = sign_up(guest.url)
    assert patiently(lambda: guest.post(PATH, NOTHING)).status == 200

    def ask(number: int) -> Reply:
        api = signed_in if number % 2 else guest
        return api.post(PATH, NOTHING, X_Forwarded_For=f"10.1.{number % 256}.1")

    began = time.monotonic()
    refused: list[Reply] = []
    served = 0
    with ThreadPoolExecutor(8) as threads:
        while not refused:
            answers = list(threads.map(ask, range(100)))
            refused = [answer for answer in answers if answer.status == 429]
            served += sum(answer.status == 200 for answer in answers)
            assert time.monotonic() - began < 60, "this machine is too slow to exceed the limit"
    took_s = time.monotonic() - began
    assert {answer.code for answer in refused} == {"too_many_requests"}
    assert served <= BURST + PER_S * (took_s + 1)
    for answer in refused:
        assert 1 <= int(answer.headers["Retry-After"]) == answer.json["retry_after"] <= 5
    assert guest.get("/v1/rulesets").status == 200, "everything else goes on"
    until(lambda: guest.post(PATH, NOTHING).status == 200, 10, "it is served again")


def test_a_variant_that_is_not_covered_is_refused_by_name(guest: Api) -> None:
    def refusal(name: str) -> str:
        return patiently(lambda: guest.post(f"/v1/rulesets/{name}/evaluate", NOTHING)).code

    for name in ("on-fire", "extreme", "quick-and-easy", "face-to-face"):
        assert refusal(name) == "variant_not_covered"
    assert refusal("whist") == "not_found"
