"""Access tokens (RFC 9068) out of the keys on disk, and the key set that verifies them."""

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from joserfc import jwt

from services.accounts.adapters.keys import REREAD_S, KeyFolder, SigningKey
from services.accounts.domain.account import Account
from services.accounts.domain.moments import seconds
from shared.web.tokens import ALGORITHM, TYPE


class Signer:
    """Signs with the key whose turn it is; looks into the folder once a minute."""

    def __init__(
        self, keys: KeyFolder, *, issuer: str, audience: str, token_s: int, clock: Callable[[], float]
    ) -> None:
        self.token_s = token_s
        self._keys = keys
        self._issuer = issuer
        self._audience = audience
        self._clock = clock
        self._lock = threading.Lock()
        self._current: tuple[float, SigningKey] | None = None

    def access_token(self, account: Account, family_id: UUID, issued_at: datetime, token_id: UUID) -> str:
        """A token for `account`, valid `token_s` seconds; raises `NoKeys`."""
        key = self._key()
        at = seconds(issued_at)
        claims: dict[str, Any] = {
            "iss": self._issuer,
            "aud": self._audience,
            "sub": str(account.id),
            "iat": at,
            "exp": at + self.token_s,
            "jti": str(token_id),
            "plan": account.plan,
            "family": str(family_id),
        }
        if account.role is not None:
            claims["role"] = account.role
        header = {"alg": ALGORITHM, "typ": TYPE, "kid": key.kid}
        return jwt.encode(header, claims, key.key, algorithms=[ALGORITHM])

    def key_set(self) -> dict[str, Any]:
        """The public keys as a JWK set; raises `NoKeys`."""
        keys = self._keys.published(self._clock())
        return {"keys": [key.key.as_dict(private=False) for key in keys]}

    def is_ready(self) -> bool:
        """Whether there is a key to sign with."""
        try:
            self._key()
        except OSError:
            return False
        return True

    def _key(self) -> SigningKey:
        now = self._clock()
        with self._lock:
            if self._current is None or now - self._current[0] > REREAD_S:
                self._current = (now, self._keys.signing(now))
            return self._current[1]
