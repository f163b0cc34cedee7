"""Signing up."""

from typing import Any
from uuid import uuid4

import pytest

from tests.integration.accounts.world import PASSWORD, World, at_once, is_refused


def body(email: str, **fields: Any) -> dict[str, Any]:
    return {"email": email, "password": PASSWORD, **fields}


def test_a_new_person_gets_an_account_and_tokens_that_work(world: World) -> None:
    answer = world.call(
        "POST", "/v1/accounts", body("  Anna@Example.ORG ", display_name=" Anna ", locale="pt-BR")
    )
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    account = answer.json["account"]
    assert account["email"] == "Anna@Example.ORG"
    assert (account["display_name"], account["locale"], account["plan"]) == ("Anna", "pt", "free")
    assert answer.json["token_type"] == "Bearer"
    assert answer.json["expires_in"] == 900
    me = world.call("GET", "/v1/me", token=answer.json["access_token"])
    assert me.json == account
    assert [kind for kind, _ in world.events(account["id"])] == ["accounts.account.created"]


@pytest.mark.parametrize("again", ["berta@example.org", "BERTA@example.org", " Berta@EXAMPLE.org  "])
def test_an_address_is_taken_however_it_is_written(world: World, again: str) -> None:
    world.call("POST", "/v1/accounts", body("Berta@example.org"))
    assert is_refused(world.call("POST", "/v1/accounts", body(again)), 409, "email_taken")


def test_of_two_sign_ups_with_one_address_at_once_one_wins(world: World) -> None:
    wanted = body("twice@example.org")
    answers = at_once(*[lambda: world.call("POST", "/v1/accounts", wanted)] * 6)
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409, 409]


@pytest.mark.parametrize(
    "wrong",
    [
        {"email": "nobody"},
        {"email": "a@b@c"},
        {"email": "a b@example.org"},
        {"email": "@example.org"},
        {"email": "anna@"},
        {"email": "a\u0000@example.org"},
        {"email": 5},
        {"email": None},
        {"email": "a@" + "x" * 260},
        {"password": "ninechars"},
        {"password": "x" * 257},
        {"password": 1234567890},
        {"display_name": ""},
        {"display_name": "   "},
        {"display_name": "x" * 61},
        {"display_name": "a\u0007b"},
        {"locale": "xx"},
        {"locale": "english"},
        {"locale": 1},
        {"plan": "plus"},
        {"id": "0192f3f0-0000-7000-8000-000000000000"},
    ],
)
def test_what_is_not_valid_is_refused_and_makes_no_account(world: World, wrong: dict[str, Any]) -> None:
    email = f"{uuid4().hex}@example.org"
    answer = world.call("POST", "/v1/accounts", body(email) | wrong)
    assert is_refused(answer, 422, "validation_failed")
    assert next(iter(wrong)) in answer.json["errors"]["json"]
    probe = world.call("POST", "/v1/auth/tokens", body(email))
    assert is_refused(probe, 401, "bad_credentials")


def test_ten_and_256_characters_of_any_kind_are_passwords(world: World) -> None:
    for number, password in enumerate(["          ", "漢" * 10, "🎲" * 256, "tab\tnew\nNUL\u0000"]):
        person = world.sign_up(f"any{number}@example.org", password=password)
        assert person.sign_in(password).status_code == 200


def test_an_accent_is_the_same_however_a_keyboard_composes_it(world: World) -> None:
    person = world.sign_up(password="caf\u00e9 caf\u00e9 caf\u00e9")
    assert person.sign_in("cafe\u0301 cafe\u0301 cafe\u0301").status_code == 200


def test_three_hundred_sign_ups_an_hour_are_enough_for_one_address(world: World) -> None:
    limit = world.parts.policy.sign_ups
    assert (limit.times, limit.window_s) == (300, 3600)
    crowd = {"X-Forwarded-For": "6.6.6.6, 198.51.100.7"}
    for _ in range(limit.times):
        # Refused for another reason, and counted all the same: asking which addresses exist is limited too.
        world.call("POST", "/v1/accounts", body("berta@example.org"), headers=crowd)
    answer = world.call("POST", "/v1/accounts", body("late@example.org"), headers=crowd)
    assert is_refused(answer, 429, "too_many_requests")
    assert 3500 < int(answer.headers["Retry-After"]) <= 3600
    elsewhere = {"X-Forwarded-For": "198.51.100.7, 203.0.113.9"}
    assert world.call("POST", "/v1/accounts", body("a1@example.org"), headers=elsewhere).status_code == 201
    world.clock.turn(hours=1)
    assert world.call("POST", "/v1/accounts", body("late@example.org"), headers=crowd).status_code == 201


def test_sign_ups_of_one_ipv6_household_count_together(world: World) -> None:
    for number in range(world.parts.policy.sign_ups.times):
        headers = {"X-Forwarded-For": f"2001:db8:1:2::{number:x}"}
        world.call("POST", "/v1/accounts", body("berta@example.org"), headers=headers)
    at_home, elsewhere = ({"X-Forwarded-For": f"2001:db8:1:{net}:a:b:c:d"} for net in (2, 3))
    late = world.call("POST", "/v1/accounts", body("a2@example.org"), headers=at_home)
    assert is_refused(late, 429, "too_many_requests")
    assert world.call("POST", "/v1/accounts", body("a3@example.org"), headers=elsewhere).status_code == 201
