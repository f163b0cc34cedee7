"""Access tokens: what they say, who accepts them, and every route's answer to a bad one."""

import base64
import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from joserfc import jwt
from joserfc.jwk import OKPKey

from services.accounts import bootstrap
from shared.web.openapi import document
from shared.web.tokens import Verifier
from tests.integration.accounts.world import Person, World, is_refused


def encoded(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


def decoded(part: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return found


def test_a_token_says_who_until_when_and_with_which_plan(world: World, anna: Person) -> None:
    header, payload, _ = map(str, anna.access.split("."))
    keys = world.call("GET", "/.well-known/jwks.json").json["keys"]
    assert decoded(header) == {"alg": "Ed25519", "typ": "at+jwt", "kid": keys[0]["kid"]}
    claims = decoded(payload)
    assert set(claims) == {"iss", "aud", "sub", "iat", "exp", "jti", "plan", "family"}
    assert (claims["iss"], claims["aud"], claims["sub"]) == ("ninety-eight", "ninety-eight", anna.id)
    assert claims["plan"] == "free"
    assert claims["exp"] - claims["iat"] == pytest.approx(900)
    assert datetime.fromtimestamp(claims["iat"], UTC) == world.clock()


def test_the_published_keys_are_public_cachable_and_verify(world: World, anna: Person) -> None:
    answer = world.call("GET", "/.well-known/jwks.json")
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    (key,) = answer.json["keys"]
    assert set(key) == {"kty", "crv", "x", "kid", "use", "alg"}
    other_service = Verifier(lambda: answer.json, "ninety-eight", "ninety-eight")
    assert other_service.verify(anna.access).account_id == anna.id


def test_a_token_is_good_for_fifteen_minutes(world: World, anna: Person) -> None:
    world.clock.turn(seconds=898)
    assert anna.call("GET", "/v1/me").status_code == 200
    world.clock.turn(seconds=2)
    assert is_refused(anna.call("GET", "/v1/me"), 401, "unauthenticated")


@pytest.fixture
def bad_tokens(world: World, anna: Person) -> dict[str, str]:
    """Tokens that no route may take, by what is wrong with them."""
    header, payload, signature = anna.access.split(".")
    stranger = OKPKey.generate_key("Ed25519", private=True)
    ours = bootstrap.key_folder(world.config).signing(world.clock().timestamp())

    def signed(key: Any = ours.key, typ: str = "at+jwt", kid: str = ours.kid, **claims: Any) -> str:
        head = {"alg": "Ed25519", "typ": typ, "kid": kid}
        return jwt.encode(head, decoded(payload) | claims, key, algorithms=["Ed25519"])

    now = world.clock().timestamp()
    return {
        "forged": signed(stranger),
        "unknown key": signed(stranger, kid="somebody"),
        "none": f"{encoded(decoded(header) | {'alg': 'none'})}.{payload}.",
        "none, kept signature": f"{encoded(decoded(header) | {'alg': 'none'})}.{payload}.{signature}",
        "changed": f"{header}.{encoded(decoded(payload) | {'plan': 'plus'})}.{signature}",
        "expired": signed(iat=now - 1000, exp=now - 100),
        "from the future": signed(iat=now + 100),
        "another issuer": signed(iss="elsewhere"),
        "another audience": signed(aud="elsewhere"),
        "another kind": signed(typ="JWT"),
        "without end": jwt.encode(
            {"alg": "Ed25519", "typ": "at+jwt", "kid": ours.kid},
            {name: value for name, value in decoded(payload).items() if name != "exp"},
            ours.key,
            algorithms=["Ed25519"],
        ),
        "no such account": signed(sub=str(uuid4())),
        "no such sign-in": signed(family=str(uuid4())),
        "not an id": signed(sub="anna"),
        "cut off": signed(iat=now - 1, exp=now + 800),
        "not a token": "abc",
        "deeply nested": f"{base64.urlsafe_b64encode(b'[' * 3000).decode()}.{payload}.{signature}",
        "a refresh token": anna.refresh,
    }


def protected(world: World) -> list[tuple[str, str]]:
    """Method and path of every operation that wants a token."""
    found = []
    for path, operations in document(world.app)["paths"].items():
        for method, operation in operations.items():
            if isinstance(operation, dict) and operation.get("security"):
                found.append((method.upper(), path.replace("{player_id}", str(uuid4()))))
    return found


def test_every_route_but_signing_in_wants_a_token(world: World) -> None:
    open_to_all = set()
    for path, operations in document(world.app)["paths"].items():
        open_to_all |= {path for it in operations.values() if isinstance(it, dict) and not it.get("security")}
    assert open_to_all == {
        "/v1/accounts",
        "/v1/auth/tokens",
        "/v1/auth/tokens/refresh",
        "/v1/auth/password-reset",
        "/.well-known/jwks.json",
    }
    assert len(protected(world)) == 14


def test_no_route_takes_a_bad_token(world: World, bad_tokens: dict[str, str]) -> None:
    for method, path in protected(world):
        assert is_refused(world.call(method, path), 401, "unauthenticated")
        for token in bad_tokens.values():
            answer = world.call(method, path, token=token)
            assert is_refused(answer, 401, "unauthenticated")
            assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("scheme", ["Basic {}", "{}", "Bearer", "Bearer ", "bearer\t"])
def test_another_scheme_is_no_sign_in(world: World, anna: Person, scheme: str) -> None:
    headers = {"Authorization": scheme.format(anna.access)}
    assert is_refused(world.call("GET", "/v1/me", headers=headers), 401, "unauthenticated")
