"""Every error code, driven into the one body that all refusals have, in seven languages."""

import json
from pathlib import Path

import pytest

from shared.contracts import problems
from shared.contracts.problems import CODES, LANGUAGES, details
from tests.e2e.refusing import OF_THE_RULES, OUT_OF_REACH, WAYS
from tests.support.api import Api, new_game, play, send, sign_up, whole_log
from tests.support.system import System

CATALOGUES = Path(problems.__file__).parent / "problems"
BODY = {"type", "title", "status", "detail", "code", "request_id"}
# What a refusal may say besides, to help its reader go on.
FURTHER = {
    "errors",
    "retry_after",
    "version",
    "missed",
    "outcomes",
    "index",
    "action_id",
    "game",
}


def test_every_code_is_driven_by_a_test_or_out_of_reach() -> None:
    assert set(WAYS) | set(OUT_OF_REACH) == set(CODES)
    assert not set(WAYS) & set(OUT_OF_REACH)


@pytest.mark.parametrize("code", WAYS)
def test_every_code_comes_in_the_same_body(system: System, code: str) -> None:
    answer = WAYS[code](system)
    assert answer.code == code
    assert answer.status == CODES[code].status
    assert answer.json["title"] == CODES[code].title
    assert answer.json["detail"] == CODES[code].detail
    assert answer.headers["Content-Language"] == "en"
    assert BODY <= answer.json.keys() <= BODY | FURTHER
    assert None not in answer.json.values()


@pytest.mark.parametrize("code", ["too_many_requests", "service_unavailable"])
def test_who_is_to_come_back_is_told_when(system: System, code: str) -> None:
    answer = WAYS[code](system)
    assert int(answer.headers["Retry-After"]) == answer.json["retry_after"] >= 1


@pytest.mark.parametrize("code", [*OF_THE_RULES, "action_id_reused"])
def test_a_refused_action_is_answered_with_its_place_the_outcomes_and_the_game(
    system: System, code: str
) -> None:
    document = WAYS[code](system).json
    assert document["outcomes"][-1] == {
        "action_id": document["action_id"],
        "verdict": "rejected",
        "code": code,
        "instructions": [],
        "warnings": [],
    }
    assert len(document["outcomes"]) == document["index"] + 1
    assert document["version"] == document["game"]["version"]


def test_with_the_rules_away_nothing_is_stored_and_the_same_request_works_later(system: System) -> None:
    api = sign_up(system.url)
    game = new_game(api)
    laid = play("up1", 7)
    system.pause("rules-respond")
    try:
        answer = send(api, game, [laid])
        assert answer.code == "service_unavailable"
        assert whole_log(api, game["id"]) == []
    finally:
        system.resume("rules-respond")
        system.wait_ready()
    again = send(api, game, [laid])
    assert again.json["outcomes"][0]["verdict"] == "accepted"
    assert len(whole_log(api, game["id"])) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_says_what_to_do_in_the_language_asked_for(system: System, language: str) -> None:
    """The edge, and each of the services behind it."""
    api = sign_up(system.url)
    asked = {"Accept_Language": f"xx, {language}-XX;q=0.8, en;q=0.1"}
    absent = "/v1/games/01234567-89ab-7def-8123-456789abcdef"
    answers = [
        (api.call("PUT", "/v1/games", {}, **asked), "method_not_allowed"),
        (api.get(absent, **asked), "not_found"),
        (api.get("/v1/players/01234567-89ab-7def-8123-456789abcdef", **asked), "not_found"),
        (api.post("/v1/rulesets/on-fire/evaluate", {"options": {}, "actions": []}, **asked), None),
        (Api(system.url).get("/v1/me", **asked), "unauthenticated"),
    ]
    for answer, code in answers:
        assert code in (None, answer.code)
        assert answer.json["detail"] == details(language)[answer.code]
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize("wanted", ["", "xx", "*", "de;q=0, xx", "en-GB", "\u00e4", "x" * 3000, ";;,,q="])
def test_a_language_that_is_none_of_ours_gets_english(system: System, wanted: str) -> None:
    answer = sign_up(system.url).get(f"/v1/games/{'0' * 8}", Accept_Language=wanted)
    assert answer.json["detail"] == details("en")["not_found"]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_code_has_a_text_of_its_own_in_every_language(language: str) -> None:
    catalogue = json.loads((CATALOGUES / f"{language}.json").read_text(encoding="utf-8"))
    assert catalogue.keys() == CODES.keys()
    english = details("en")
    assert [code for code, text in catalogue.items() if text == english[code] or not text.strip()] == []


def test_every_code_has_its_page_in_every_language(system: System) -> None:
    api = Api(system.url)
    index = api.get("/problems").json
    assert {item["code"] for item in index["items"]} == set(CODES)
    for code, entry in CODES.items():
        for language in LANGUAGES:
            answer = api.get(f"/problems/{code}", Accept_Language=language)
            assert answer.json == {
                "type": f"/problems/{code}",
                "code": code,
                "status": entry.status,
                "title": entry.title,
                "detail": details(language)[code],
            }
        page = api.get(f"/problems/{code}", Accept="text/html")
        assert page.headers["Content-Type"].startswith("text/html")
        assert code.encode() in page.body
    assert api.get("/problems/no_such_code").code == "not_found"
