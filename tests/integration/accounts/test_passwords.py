"""Changing a password, and resetting one with an operator's link."""

from typing import Any

import pytest

from services.accounts.application import passwords
from tests.integration.accounts.world import PASSWORD, Answer, Person, World, at_once, is_refused, refresh

NEW = "a brand new password"
WRONG = "wrong horse battery"


def change(person: Person, current: str = PASSWORD, new: str = NEW) -> Answer:
    return person.call("POST", "/v1/me/password", {"current_password": current, "new_password": new})


def test_a_changed_password_ends_every_other_token_and_answers_new_ones(world: World, anna: Person) -> None:
    elsewhere = anna.sign_in().json
    answer = change(anna)
    assert answer.status_code == 200
    for access, token in (
        (anna.access, anna.refresh),
        (elsewhere["access_token"], elsewhere["refresh_token"]),
    ):
        assert is_refused(world.call("GET", "/v1/me", token=access), 401, "unauthenticated")
        assert is_refused(refresh(world, token), 401, "bad_refresh_token")
    anna.take(answer.json)
    assert anna.call("GET", "/v1/me").status_code == 200
    assert refresh(world, anna.refresh).status_code == 200
    assert is_refused(anna.sign_in(), 401, "bad_credentials")
    assert anna.sign_in(NEW).status_code == 200
    assert [kind for kind, _ in world.events(anna.id)] == [
        "accounts.account.created",
        "accounts.tokens.revoked",
    ]


def test_a_wrong_current_password_changes_nothing(anna: Person) -> None:
    assert is_refused(change(anna, current=WRONG), 403, "wrong_password")
    assert anna.call("GET", "/v1/me").status_code == 200
    assert anna.sign_in().status_code == 200


def test_a_stolen_token_cannot_guess_the_password_for_long(world: World, anna: Person) -> None:
    for _ in range(5):
        assert is_refused(change(anna, current=WRONG), 403, "wrong_password")
        assert is_refused(anna.call("DELETE", "/v1/me", {"password": WRONG}), 403, "wrong_password")
    answer = change(anna)
    assert is_refused(answer, 429, "too_many_requests")
    assert int(answer.headers["Retry-After"]) == 900
    assert anna.sign_in().status_code == 200


def test_of_two_changes_at_once_one_wins(anna: Person) -> None:
    answers = at_once(*[lambda new=f"{NEW} {number}": change(anna, new=new) for number in range(4)])
    codes = sorted(answer.status_code for answer in answers)
    assert codes[0] == 200
    assert set(codes[1:]) <= {401, 403}
    works = [anna.sign_in(f"{NEW} {number}").status_code for number in range(4)]
    assert works.count(200) == 1


@pytest.mark.parametrize("new", ["too short", "x" * 257, None, 5])
def test_the_policy_holds_for_new_passwords(world: World, anna: Person, new: object) -> None:
    answer = anna.call("POST", "/v1/me/password", {"current_password": PASSWORD, "new_password": new})
    assert is_refused(answer, 422, "validation_failed")
    reset = world.call("POST", "/v1/auth/password-reset", {"code": "x", "password": new})
    assert is_refused(reset, 422, "validation_failed")


def reset(world: World, code: str | None, password: str = NEW, **options: Any) -> Answer:
    return world.call("POST", "/v1/auth/password-reset", {"code": code, "password": password}, **options)


def test_a_reset_link_sets_the_password_once_and_ends_every_token(world: World, anna: Person) -> None:
    code = passwords.offer_reset(world.parts, anna.email.upper())
    assert reset(world, code).status_code == 204
    assert is_refused(anna.call("GET", "/v1/me"), 401, "unauthenticated")
    assert is_refused(refresh(world, anna.refresh), 401, "bad_refresh_token")
    assert is_refused(anna.sign_in(), 401, "bad_credentials")
    assert anna.sign_in(NEW).status_code == 200
    assert is_refused(reset(world, code), 422, "link_expired")
    assert world.events(anna.id)[-1][0] == "accounts.tokens.revoked"


def test_a_reset_link_used_twice_at_once_works_once(world: World, anna: Person) -> None:
    code = passwords.offer_reset(world.parts, anna.email)
    answers = at_once(*[lambda: reset(world, code)] * 4)
    assert sorted(answer.status_code for answer in answers) == [204, 422, 422, 422]


def test_a_reset_link_is_good_for_an_hour(world: World, anna: Person) -> None:
    code = passwords.offer_reset(world.parts, anna.email)
    world.clock.turn(hours=1)
    assert is_refused(reset(world, code), 422, "link_expired")


def test_a_newer_link_or_a_changed_password_ends_the_older_link(world: World, anna: Person) -> None:
    first = passwords.offer_reset(world.parts, anna.email)
    second = passwords.offer_reset(world.parts, anna.email)
    assert is_refused(reset(world, first), 422, "link_expired")
    anna.take(change(anna).json)
    assert is_refused(reset(world, second), 422, "link_expired")


def test_a_reset_lets_those_in_who_had_guessed_too_often(world: World, anna: Person) -> None:
    for _ in range(11):
        anna.sign_in(WRONG)
    code = passwords.offer_reset(world.parts, anna.email)
    assert reset(world, code).status_code == 204
    assert anna.sign_in(NEW).status_code == 200


def test_a_code_nobody_made_is_refused(world: World) -> None:
    assert is_refused(reset(world, "no-such-code"), 422, "link_expired")


def test_nobody_gets_a_link_for_an_unknown_address(world: World) -> None:
    assert passwords.offer_reset(world.parts, "nobody@example.org") is None
