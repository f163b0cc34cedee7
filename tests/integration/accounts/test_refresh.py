"""Refresh tokens: rotation, grace, reuse, expiry."""

import pytest
from sqlalchemy import select

from services.accounts.adapters.tables import families, refresh_tokens
from services.accounts.application.tokens import REFRESHES
from tests.integration.accounts.world import Person, World, at_once, is_refused, refresh


def test_a_refresh_gives_fresh_tokens_of_the_same_sign_in(world: World, anna: Person) -> None:
    answer = refresh(world, anna.refresh)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert set(answer.json) == {"access_token", "refresh_token", "token_type", "expires_in"}
    assert answer.json["refresh_token"] != anna.refresh
    anna.take(answer.json)
    assert anna.call("GET", "/v1/me").status_code == 200


def test_the_token_before_works_a_minute_more_and_breaks_nothing(world: World, anna: Person) -> None:
    first = anna.refresh
    lost = refresh(world, first).json["refresh_token"]
    world.clock.turn(seconds=60)
    again = refresh(world, first)
    assert again.status_code == 200
    for token in (again.json["refresh_token"], lost):
        assert refresh(world, token).status_code == 200


def test_after_a_minute_the_token_before_ends_the_sign_in(world: World, anna: Person) -> None:
    first = anna.refresh
    newest = refresh(world, first).json
    world.clock.turn(seconds=61)
    assert is_refused(refresh(world, first), 401, "bad_refresh_token")
    assert is_refused(refresh(world, newest["refresh_token"]), 401, "bad_refresh_token")
    assert is_refused(world.call("GET", "/v1/me", token=newest["access_token"]), 401, "unauthenticated")


def test_an_older_token_ends_the_sign_in_and_no_other(world: World, anna: Person) -> None:
    elsewhere = anna.sign_in().json["refresh_token"]
    oldest = anna.refresh
    for _ in range(2):
        anna.take(refresh(world, anna.refresh).json)
    assert is_refused(refresh(world, oldest), 401, "bad_refresh_token")
    assert is_refused(refresh(world, anna.refresh), 401, "bad_refresh_token")
    assert is_refused(anna.call("GET", "/v1/me"), 401, "unauthenticated")
    assert refresh(world, elsewhere).status_code == 200


def test_doubled_refreshes_at_once_all_get_tokens_that_work(world: World, anna: Person) -> None:
    for _ in range(3):
        answers = at_once(*[lambda: refresh(world, anna.refresh)] * 6)
        assert {answer.status_code for answer in answers} == {200}
        for answer in answers:
            assert world.call("GET", "/v1/me", token=answer.json["access_token"]).status_code == 200
        anna.take(answers[-1].json)
        world.clock.turn(minutes=10)


def test_sixty_days_slide_with_every_use(world: World, anna: Person) -> None:
    for _ in range(3):
        world.clock.turn(days=59)
        anna.take(refresh(world, anna.refresh).json)
    world.clock.turn(days=60)
    assert is_refused(refresh(world, anna.refresh), 401, "bad_refresh_token")
    assert anna.sign_in().status_code == 200


@pytest.mark.parametrize("token", ["unknown", "x" * 256, "ünknown", " "])
def test_a_token_never_issued_is_refused(world: World, token: str) -> None:
    assert is_refused(refresh(world, token), 401, "bad_refresh_token")


@pytest.mark.parametrize("token", ["", 5, None, "x" * 257, ["x"], "a\u0000b"])
def test_what_cannot_be_a_token_is_not_valid(world: World, token: object) -> None:
    answer = world.call("POST", "/v1/auth/tokens/refresh", {"refresh_token": token})
    assert is_refused(answer, 422, "validation_failed")


def test_no_token_is_kept_as_it_is_and_old_ones_are_forgotten(world: World, anna: Person) -> None:
    world.clock.turn(days=59)
    anna.take(refresh(world, anna.refresh).json)
    world.clock.turn(days=2)
    anna.take(refresh(world, anna.refresh).json)
    with world.engine.connect() as connection:
        statement = select(refresh_tokens.c.token_hash).join(families).where(families.c.account_id == anna.id)
        kept = list(connection.execute(statement).scalars())
    assert len(kept) == 2
    assert all(len(value) == 32 and anna.refresh.encode() not in bytes(value) for value in kept)


def test_a_later_sign_in_forgets_what_ended_long_ago(world: World, anna: Person) -> None:
    anna.call("DELETE", "/v1/auth/tokens")
    world.clock.turn(days=31)
    anna.take(anna.sign_in().json)
    assert len(anna.call("GET", "/v1/me/export").json["sign_ins"]) == 1


def test_a_sign_in_is_refreshed_at_most_thirty_times_in_a_quarter_of_an_hour(
    world: World, anna: Person
) -> None:
    elsewhere = anna.sign_in().json["refresh_token"]
    before = anna.refresh
    for _ in range(REFRESHES.times):
        before = anna.refresh
        anna.take(refresh(world, before).json)
    for token in (anna.refresh, before):
        answer = refresh(world, token)
        assert is_refused(answer, 429, "too_many_requests")
        assert answer.headers["Retry-After"] == "900"
    assert refresh(world, elsewhere).status_code == 200
    assert anna.call("GET", "/v1/me").status_code == 200
    world.clock.turn(minutes=15)
    assert refresh(world, anna.refresh).status_code == 200


def test_repetitions_count_as_refreshes(world: World, anna: Person) -> None:
    answers = [refresh(world, anna.refresh).status_code for _ in range(REFRESHES.times + 1)]
    assert answers == [200] * REFRESHES.times + [429]


def test_a_reused_token_ends_a_sign_in_that_has_been_refreshed_too_often(world: World, anna: Person) -> None:
    oldest = anna.refresh
    for _ in range(REFRESHES.times):
        anna.take(refresh(world, anna.refresh).json)
    assert is_refused(refresh(world, oldest), 401, "bad_refresh_token")
    assert is_refused(refresh(world, anna.refresh), 401, "bad_refresh_token")
