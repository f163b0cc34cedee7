"""Access tokens: verified by every service itself, with the public keys of accounts."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog
import urllib3
from joserfc import jwt
from joserfc.errors import InvalidClaimError, JoseError
from joserfc.jwk import KeySet

ALGORITHM = "Ed25519"
TYPE = "at+jwt"
REFRESH_S = 300
UNKNOWN_KID_PAUSE_S = 60
CLOCK_SKEW_S = 5
CACHE_SIZE = 10_000
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a verified token speaks for, in which `role` if any. Times are seconds since the epoch, UTC."""

    account_id: str
    plan: str
    issued_at: float
    expires_at: float
    family: str
    role: str | None = None


class Unverified(Exception):
    """The token is missing, malformed, expired, forged or of another kind."""


class NoKeys(Exception):
    """The keys could not be fetched yet: nothing can be said about any token."""


class _Claims(jwt.JWTClaimsRegistry):
    """`iat` has milliseconds and comes from another machine's clock, which may be ahead of this one's."""

    def validate_iat(self, value: object) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidClaimError("iat", "not a number")
        if not value <= self.now + 1 + CLOCK_SKEW_S:
            raise InvalidClaimError("iat", "in the future")


class Verifier:
    """Verifies access tokens (RFC 9068, EdDSA over Ed25519 only); results are kept until they expire.

    `fetch` returns a JWK set as a dict and may raise `OSError` or `urllib3` errors; it is called in the
    background and, for an unknown key id, at most once a minute in the foreground.
    """

    def __init__(
        self,
        fetch: Callable[[], dict[str, Any]],
        issuer: str,
        audience: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._fetch = fetch
        self._claims = _Claims(
            now=lambda: int(clock()),
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": audience},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
        )
        self._clock = clock
        self._keys: KeySet | None = None
        self._kids: frozenset[str] = frozenset()
        self._fetched_at = float("-inf")
        self._tried_at = float("-inf")
        self._lock = threading.Lock()
        self._seen: dict[str, Identity] = {}

    @property
    def ready(self) -> bool:
        """Whether keys are known; fetches them when they are not."""
        self._refresh_if_old()
        return self._keys is not None

    def verify(self, token: str) -> Identity:
        """The identity behind `token`; raises `Unverified`, or `NoKeys` before any could be fetched."""
        known = self._seen.get(token)
        if known is not None:
            if known.expires_at > self._clock():
                return known
            self._seen.pop(token, None)
            raise Unverified("expired")
        identity = self._decode(token)
        if len(self._seen) >= CACHE_SIZE:
            self._seen.clear()
        self._seen[token] = identity
        return identity

    def _decode(self, token: str) -> Identity:
        self._refresh_if_old()
        if self._keys is None:
            raise NoKeys
        try:
            decoded = self._decode_with_keys(token)
            if decoded.header.get("typ") != TYPE:
                raise Unverified("type")
            self._claims.validate(decoded.claims)
            claims = decoded.claims
            return Identity(
                str(claims["sub"]),
                str(claims.get("plan", "free")),
                float(claims["iat"]),
                float(claims["exp"]),
                str(claims.get("family", "")),
                str(claims["role"]) if claims.get("role") else None,
            )
        except (JoseError, ValueError, TypeError, KeyError, RecursionError) as error:
            raise Unverified(type(error).__name__) from error

    def _decode_with_keys(self, token: str) -> jwt.Token:
        assert self._keys is not None
        try:
            return jwt.decode(token, self._keys, algorithms=[ALGORITHM])
        except (JoseError, ValueError, RecursionError):
            if not self._refresh(UNKNOWN_KID_PAUSE_S):
                raise
            return jwt.decode(token, self._keys, algorithms=[ALGORITHM])

    def _refresh_if_old(self) -> None:
        if self._keys is None:
            self._refresh(1)
        elif (
            self._clock() - self._fetched_at > REFRESH_S
            and self._clock() - self._tried_at > UNKNOWN_KID_PAUSE_S
        ):
            self._tried_at = self._clock()
            threading.Thread(target=self._refresh, args=(0,), daemon=True, name="jwks").start()

    def _refresh(self, pause_s: float) -> bool:
        """Fetch the keys unless that was tried within `pause_s`; whether new keys arrived."""
        with self._lock:
            if pause_s and self._clock() - max(self._tried_at, self._fetched_at) < pause_s:
                return False
            self._tried_at = self._clock()
            try:
                document = self._fetch()
            except (OSError, urllib3.exceptions.HTTPError, ValueError) as error:
                log.warning("jwks_unavailable", error=type(error).__name__)
                return False
            kids = frozenset(str(key.get("kid")) for key in document["keys"])
            changed = kids != self._kids
            self._keys = KeySet.import_key_set(document)  # type: ignore[arg-type]
            self._kids = kids
            self._fetched_at = self._clock()
            return changed


def fetch_from(url: str, timeout_s: float = 2.0) -> Callable[[], dict[str, Any]]:
    """A `fetch` for `Verifier` that reads the JWK set at `url`."""
    pool = urllib3.PoolManager(maxsize=1, retries=False, timeout=timeout_s)

    def fetch() -> dict[str, Any]:
        answer = pool.request("GET", url)
        if answer.status != 200:
            raise OSError(f"JWKS answered {answer.status}")
        document: dict[str, Any] = answer.json()
        return document

    return fetch
