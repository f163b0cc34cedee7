"""The vectors through `POST /v1/rulesets/the-game/evaluate`, each case as one log."""

import pytest
from flask.testing import FlaskClient

from services.rules.bootstrap import web_app
from tests.vectors.cases import Case, check_step, named, public, walks


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return web_app().test_client()


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in (*named(), *walks())])
def test_each_step_is_answered_as_expected(client: FlaskClient, case: Case) -> None:
    answer = client.post(
        "/v1/rulesets/the-game/evaluate?tables=true",
        json={"options": case.options, "actions": case.actions},
    )
    assert answer.status_code == 200, answer.text
    evaluation = answer.get_json()
    assert public(evaluation["start"]) == case.start
    for step, outcome in zip(case.steps, evaluation["outcomes"], strict=True):
        check_step(step, outcome, outcome["table"])
    final = case.steps[-1]["expect"]["state"] if case.steps else case.start
    assert public(evaluation["table"]) == final
