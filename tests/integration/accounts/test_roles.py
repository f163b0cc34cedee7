"""The role operator: in the tokens made after it is granted, and in none that counts once it is revoked."""

import base64
import json
from typing import Any

from services.accounts.application import roles
from services.accounts.domain.roles import OPERATOR
from tests.integration.accounts.world import Person, World, refresh


def role(token: str) -> Any:
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))).get("role")


def test_a_granted_role_is_in_the_next_token_and_ends_none(world: World, anna: Person) -> None:
    assert role(anna.access) is None
    assert roles.set_role(world.parts, anna.email, OPERATOR) is True
    assert anna.call("GET", "/v1/me").status_code == 200
    anna.take(refresh(world, anna.refresh).json)
    assert role(anna.access) == "operator"
    assert roles.set_role(world.parts, anna.email, OPERATOR) is False


def test_a_revoked_role_is_in_no_token_that_counts_and_nobody_is_signed_out(
    world: World, anna: Person
) -> None:
    roles.set_role(world.parts, anna.email, OPERATOR)
    anna.take(refresh(world, anna.refresh).json)
    assert roles.set_role(world.parts, anna.email, None) is True
    assert anna.call("GET", "/v1/me").status_code == 401
    kind, data = world.events(anna.id)[-1]
    assert (kind, set(data)) == ("accounts.tokens.revoked", {"account_id", "before"})
    anna.take(refresh(world, anna.refresh).json)
    assert role(anna.access) is None
    assert anna.call("GET", "/v1/me").status_code == 200
    assert roles.set_role(world.parts, anna.email, None) is False


def test_nobody_without_an_account_gets_a_role(world: World) -> None:
    assert roles.set_role(world.parts, "nobody@example.org", OPERATOR) is None
