"""The plan: granted, revoked, redeemed; told in order and carried by tokens."""

import base64
import json
from datetime import datetime
from typing import Any

import pytest

from services.accounts.application import plans
from tests.integration.accounts.world import Answer, Person, World, at_once, is_refused, refresh


def redeem(person: Person, code: Any) -> Answer:
    return person.call("POST", "/v1/me/plus", {"code": code})


def claims(token: str) -> dict[str, Any]:
    payload = token.split(".")[1]
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    return found


def test_a_code_gives_plus_once(world: World, anna: Person) -> None:
    (code,) = plans.make_codes(world.parts, 1)
    answer = redeem(anna, code)
    assert answer.status_code == 200
    assert answer.json["plan"] == "plus"
    assert anna.call("GET", "/v1/me").json["plan"] == "plus"
    assert is_refused(redeem(anna, code), 409, "code_used")
    assert is_refused(redeem(world.sign_up(), code), 409, "code_used")
    kind, data = world.events(anna.id)[-1]
    assert kind == "accounts.plan.changed"
    assert data == {"account_id": anna.id, "plan": "plus", "changed_at": answer.json["changed_at"]}


def test_a_code_may_be_typed_carelessly(world: World, anna: Person) -> None:
    (code,) = plans.make_codes(world.parts, 1)
    careless = f" {code.lower().replace('-', ' ').replace('0', 'o').replace('1', 'l')} "
    assert redeem(anna, careless).status_code == 200


def test_two_people_redeem_one_code_at_once_and_one_gets_it(world: World) -> None:
    (code,) = plans.make_codes(world.parts, 1)
    people = [world.sign_up() for _ in range(4)]
    answers = at_once(*[lambda person=person: redeem(person, code) for person in people])
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]


def test_one_person_redeems_one_code_twice_at_once(world: World, anna: Person) -> None:
    (code,) = plans.make_codes(world.parts, 1)
    answers = at_once(*[lambda: redeem(anna, code)] * 4)
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert [kind for kind, _ in world.events(anna.id)].count("accounts.plan.changed") == 1


def test_codes_cannot_be_guessed_for_long(world: World, anna: Person) -> None:
    for number in range(10):
        assert is_refused(redeem(anna, f"0000-0000-0000-{number:04}"), 422, "code_unknown")
    (code,) = plans.make_codes(world.parts, 1)
    answer = redeem(anna, code)
    assert is_refused(answer, 429, "too_many_requests")
    assert int(answer.headers["Retry-After"]) == 900
    world.clock.turn(minutes=15)
    anna.take(refresh(world, anna.refresh).json)
    assert redeem(anna, code).status_code == 200


@pytest.mark.parametrize("code", ["hello", "0000", "UUUU-UUUU-UUUU-UUUU", "ü" * 16])
def test_what_reads_like_no_code_is_unknown(anna: Person, code: str) -> None:
    assert is_refused(redeem(anna, code), 422, "code_unknown")


@pytest.mark.parametrize("code", ["", None, 5, "x" * 65, ["x"]])
def test_what_cannot_be_a_code_is_not_valid(anna: Person, code: object) -> None:
    assert is_refused(redeem(anna, code), 422, "validation_failed")


def test_tokens_carry_the_plan_of_their_moment(world: World, anna: Person) -> None:
    assert claims(anna.access)["plan"] == "free"
    assert plans.set_plan(world.parts, f" {anna.email.upper()}", "plus") is True
    anna.take(refresh(world, anna.refresh).json)
    assert claims(anna.access)["plan"] == "plus"
    assert plans.set_plan(world.parts, anna.email, "free") is True
    assert claims(anna.sign_in().json["access_token"])["plan"] == "free"


def test_a_revocation_wins_over_older_tokens_and_loses_to_newer_ones(world: World, anna: Person) -> None:
    """The clock stands still: who compares `iat` with `changed_at` still knows which came first."""
    for plan in ("plus", "free", "plus", "free"):
        older = claims(anna.access)["iat"]
        assert plans.set_plan(world.parts, anna.email, plan) is True
        anna.take(refresh(world, anna.refresh).json)
        changed_at = datetime.fromisoformat(world.events(anna.id)[-1][1]["changed_at"]).timestamp()
        assert older < changed_at <= claims(anna.access)["iat"]
        assert claims(anna.access)["plan"] == plan
    moments = [data["changed_at"] for kind, data in world.events(anna.id) if kind == "accounts.plan.changed"]
    assert len(moments) == 4
    assert moments == sorted(set(moments))


def test_the_same_plan_again_changes_nothing(world: World, anna: Person) -> None:
    assert plans.set_plan(world.parts, anna.email, "free") is False
    assert [kind for kind, _ in world.events(anna.id)] == ["accounts.account.created"]
    assert plans.set_plan(world.parts, "nobody@example.org", "plus") is None


def test_a_code_for_somebody_who_has_plus_is_used_and_changes_nothing(world: World, anna: Person) -> None:
    plans.set_plan(world.parts, anna.email, "plus")
    since = anna.call("GET", "/v1/me/export").json["account"]["plan_changed_at"]
    (code,) = plans.make_codes(world.parts, 1)
    assert redeem(anna, code).json == {"plan": "plus", "changed_at": since}
    assert is_refused(redeem(anna, code), 409, "code_used")
