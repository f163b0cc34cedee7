"""Signing out, here and everywhere."""

from datetime import datetime

import pytest

from services.accounts.domain.moments import seconds
from tests.integration.accounts.world import Person, World, is_refused, refresh


def test_signing_out_here_ends_this_sign_in_at_once_and_no_other(world: World, anna: Person) -> None:
    elsewhere = anna.sign_in().json
    assert anna.call("DELETE", "/v1/auth/tokens").status_code == 204
    assert is_refused(anna.call("GET", "/v1/me"), 401, "unauthenticated")
    assert is_refused(refresh(world, anna.refresh), 401, "bad_refresh_token")
    assert world.call("GET", "/v1/me", token=elsewhere["access_token"]).status_code == 200
    assert refresh(world, elsewhere["refresh_token"]).status_code == 200
    kind, data = world.events(anna.id)[-1]
    assert kind == "accounts.sign_in.ended"
    assert data == {"account_id": anna.id, "family": claims(world, anna.access)["family"]}
    assert "accounts.tokens.revoked" not in [kind for kind, _ in world.events(anna.id)]


def test_signing_out_everywhere_ends_every_token_and_is_told(world: World, anna: Person) -> None:
    elsewhere = anna.sign_in().json
    assert anna.call("DELETE", "/v1/auth/tokens?everywhere=true").status_code == 204
    for tokens in ({"access_token": anna.access, "refresh_token": anna.refresh}, elsewhere):
        answer = world.call("GET", "/v1/me", token=tokens["access_token"])
        assert is_refused(answer, 401, "unauthenticated")
        assert is_refused(refresh(world, tokens["refresh_token"]), 401, "bad_refresh_token")
    kind, data = world.events(anna.id)[-1]
    assert kind == "accounts.tokens.revoked"
    assert set(data) == {"account_id", "before"}


def test_a_token_of_the_same_millisecond_is_denied_before_and_good_after(world: World, anna: Person) -> None:
    """The clock stands still: old token, sign-out and new token share one millisecond."""
    old = claims(world, anna.access)
    anna.call("DELETE", "/v1/auth/tokens?everywhere=true")
    before = datetime.fromisoformat(world.events(anna.id)[-1][1]["before"]).timestamp()
    anna.take(anna.sign_in().json)
    new = claims(world, anna.access)
    assert old["iat"] < before <= new["iat"] < old["iat"] + 0.01
    assert anna.call("GET", "/v1/me").status_code == 200


def test_a_cut_comes_after_tokens_of_a_process_whose_clock_is_ahead(world: World, anna: Person) -> None:
    world.clock.turn(seconds=3)
    ahead = anna.sign_in().json["access_token"]
    world.clock.turn(seconds=-3)
    anna.call("DELETE", "/v1/auth/tokens?everywhere=true")
    before = datetime.fromisoformat(world.events(anna.id)[-1][1]["before"]).timestamp()
    assert claims(world, ahead)["iat"] < before
    anna.take(anna.sign_in().json)
    assert claims(world, anna.access)["iat"] >= before
    assert anna.call("GET", "/v1/me").status_code == 200


@pytest.mark.parametrize("value", ["perhaps", "2", ""])
def test_everywhere_is_yes_or_no(anna: Person, value: str) -> None:
    answer = anna.call("DELETE", f"/v1/auth/tokens?everywhere={value}")
    assert is_refused(answer, 422, "validation_failed")


def claims(world: World, token: str) -> dict[str, float]:
    from base64 import urlsafe_b64decode
    from json import loads

    payload = token.split(".")[1]
    found: dict[str, float] = loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    assert found["iat"] == seconds(datetime.fromtimestamp(found["iat"], tz=world.clock().tzinfo))
    return found
