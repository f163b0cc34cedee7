"""Signing in, right, wrong and too often."""

import time
from dataclasses import replace
from statistics import median

import pytest

from services.accounts import bootstrap
from services.accounts.adapters import accounts
from services.accounts.adapters.hasher import WAITING, Hasher
from tests.integration.accounts.world import Person, World, at_once, is_refused

WRONG = "wrong horse battery"


def test_the_right_password_gives_tokens_of_a_new_sign_in(anna: Person) -> None:
    answer = anna.sign_in()
    assert answer.status_code == 200
    assert set(answer.json) == {"access_token", "refresh_token", "token_type", "expires_in"}
    assert answer.headers["Cache-Control"] == "no-store"
    assert anna.call("GET", "/v1/me").status_code == 200
    anna.take(answer.json)
    assert anna.call("GET", "/v1/me").status_code == 200


def test_an_unknown_address_and_a_wrong_password_get_the_same_answer(world: World, anna: Person) -> None:
    wrong = anna.sign_in(WRONG).json
    unknown = world.call("POST", "/v1/auth/tokens", {"email": "nobody@example.org", "password": WRONG}).json
    assert wrong | {"request_id": ""} == unknown | {"request_id": ""}
    assert wrong["code"] == "bad_credentials"


def test_an_unknown_address_takes_as_long_as_a_wrong_password(world: World) -> None:
    slow = Hasher(memory_kib=8_192, passes=3, lanes=1, slots=1, wait_s=5)
    parts = replace(world.parts, hasher=slow)
    app = bootstrap.app_of(parts, world.config)
    client = app.test_client()
    person = replace(world, app=app, parts=parts).sign_up()

    def took_s(email: str, attempt: int) -> float:
        headers = {"X-Forwarded-For": f"198.51.100.{attempt}"}
        begun = time.perf_counter()
        client.post("/v1/auth/tokens", json={"email": email, "password": WRONG}, headers=headers)
        return time.perf_counter() - begun

    pairs = [(took_s(person.email, attempt), took_s("nobody@example.org", attempt)) for attempt in range(15)]
    known, unknown = (median(times) for times in zip(*pairs, strict=True))
    assert 0.6 < unknown / known < 1.6


def test_after_ten_failures_even_the_right_password_waits(world: World, anna: Person) -> None:
    for _ in range(10):
        assert is_refused(anna.sign_in(WRONG), 401, "bad_credentials")
    for password in (WRONG, "correct horse battery"):
        answer = anna.sign_in(password)
        assert is_refused(answer, 429, "too_many_requests")
        assert answer.json["retry_after"] == int(answer.headers["Retry-After"]) == 900
    world.clock.turn(minutes=15)
    assert anna.sign_in().status_code == 200


def test_failures_count_for_one_address_and_one_email_together(world: World, anna: Person) -> None:
    here = {"X-Forwarded-For": "203.0.113.1"}
    for _ in range(10):
        anna.sign_in(WRONG, headers=here)
    assert anna.sign_in(headers=here).status_code == 429
    assert anna.sign_in(headers={"X-Forwarded-For": "203.0.113.2"}).status_code == 200
    assert world.sign_up().sign_in(headers=here).status_code == 200


def test_an_unknown_address_runs_into_the_same_limit(world: World) -> None:
    body = {"email": "ghost@example.org", "password": WRONG}
    answers = [world.call("POST", "/v1/auth/tokens", body).status_code for _ in range(11)]
    assert answers == [401] * 10 + [429]


def test_guessing_at_once_gains_at_most_what_is_being_hashed(world: World, anna: Person) -> None:
    roomy = with_hasher(world, slots=2, waiting=24)
    answers = at_once(*[lambda: anna.at(roomy).sign_in(WRONG)] * 24)
    refused = [answer.status_code for answer in answers]
    assert set(refused) == {401, 429}
    assert refused.count(401) < 10 + world.config.argon2_slots


def test_the_right_password_many_times_at_once_is_never_too_many(world: World, anna: Person) -> None:
    most = world.config.argon2_slots + WAITING
    assert {answer.status_code for answer in at_once(*[anna.sign_in] * most)} == {200}


def test_a_password_is_hashed_again_when_the_parameters_have_changed(world: World, anna: Person) -> None:
    stronger = Hasher(memory_kib=16, passes=2, lanes=1, slots=2, wait_s=5)
    parts = replace(world.parts, hasher=stronger)
    later = anna.at(replace(world, app=bootstrap.app_of(parts, world.config)))
    assert later.sign_in(WRONG).status_code == 401
    assert "m=8,t=1" in stored_hash(world, anna)
    assert later.sign_in().status_code == 200
    assert "m=16,t=2" in stored_hash(world, anna)
    assert later.sign_in().status_code == 200
    assert anna.call("GET", "/v1/me").status_code == 200


def stored_hash(world: World, person: Person) -> str:
    with world.engine.connect() as connection:
        account = accounts.find_by_email(connection, person.email)
    assert account is not None
    return account.password_hash


@pytest.mark.parametrize(
    "body", [{}, {"email": "a@b"}, {"email": "a@b", "password": 5}, {"email": "a@b", "password": ""}, [], "x"]
)
def test_credentials_of_the_wrong_kind_are_not_valid(world: World, body: object) -> None:
    assert is_refused(world.call("POST", "/v1/auth/tokens", body), 422, "validation_failed")


def test_no_room_to_hash_is_a_503_that_says_when_to_come_back(world: World) -> None:
    full = with_hasher(world, slots=1, waiting=0)
    body = {"email": "a@example.org", "password": WRONG}
    with full.parts.hasher.slot():
        answer = full.call("POST", "/v1/auth/tokens", body)
    assert is_refused(answer, 503, "service_unavailable")
    assert answer.headers["Retry-After"] == "2"
    assert full.call("POST", "/v1/auth/tokens", body).status_code == 401


def test_who_has_guessed_too_often_takes_no_room_to_hash(world: World, anna: Person) -> None:
    for _ in range(10):
        anna.sign_in(WRONG)
    full = with_hasher(world, slots=1, waiting=0)
    with full.parts.hasher.slot():
        assert is_refused(anna.at(full).sign_in(), 429, "too_many_requests")
        assert is_refused(world.sign_up().at(full).sign_in(), 503, "service_unavailable")


def test_failures_from_one_ipv6_household_count_together(world: World, anna: Person) -> None:
    for number in range(10):
        anna.sign_in(WRONG, headers={"X-Forwarded-For": f"2001:db8:1:2::{number}"})
    at_home, elsewhere = ({"X-Forwarded-For": f"2001:db8:1:{net}:a:b:c:d"} for net in (2, 3))
    assert is_refused(anna.sign_in(headers=at_home), 429, "too_many_requests")
    assert anna.sign_in(headers=elsewhere).status_code == 200


def with_hasher(world: World, slots: int, waiting: int) -> World:
    hasher = Hasher(memory_kib=8, passes=1, lanes=1, slots=slots, wait_s=5, waiting=waiting)
    parts = replace(world.parts, hasher=hasher)
    return replace(world, parts=parts, app=bootstrap.app_of(parts, world.config))
