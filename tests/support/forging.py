"""Access tokens that no service may take: forged without the key, or signed with it and wrong."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

Claims = dict[str, Any]


def packed(data: bytes | Mapping[str, Any]) -> str:
    """`data` in URL-safe base64 without padding, an object as JSON first."""
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unpacked(text: str) -> bytes:
    """What `packed` was given."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def signed(key: Ed25519PrivateKey, header: Mapping[str, Any], claims: Claims) -> str:
    """A compact JWS over `claims`."""
    content = f"{packed(header)}.{packed(claims)}"
    return f"{content}.{packed(key.sign(content.encode()))}"


class Forger:
    """Knows a genuine token and the public key, but not the private one; `victim` is somebody's account."""

    def __init__(self, genuine: str, public_key: Mapping[str, Any], victim: str) -> None:
        self.genuine = genuine
        self._header, self._payload, self._signature = genuine.split(".")
        self.header: dict[str, Any] = json.loads(unpacked(self._header))
        self.claims: Claims = json.loads(unpacked(self._payload))
        self._public_key = public_key
        self._victim = victim
        self._own_key = Ed25519PrivateKey.generate()

    def tokens(self) -> dict[str, str]:
        """Forged tokens by what is wrong with them."""
        return self._tampered() | self._unsigned() | self._by_public_key() | self._by_own_key()

    def _tampered(self) -> dict[str, str]:
        signature = bytearray(unpacked(self._signature))
        signature[0] ^= 1
        elsewhere = packed(self.claims | {"sub": self._victim})
        forever = packed(self.claims | {"exp": self.claims["exp"] + 10**6})
        as_operator = packed(self.claims | {"role": "operator"})
        start = f"{self._header}.{self._payload}"
        return {
            "broken signature": f"{start}.{packed(bytes(signature))}",
            "no signature": f"{start}.",
            "two parts": start,
            "five parts": f"{self.genuine}.{self._payload}.{self._signature}",
            "another subject": f"{self._header}.{elsewhere}.{self._signature}",
            "a longer life": f"{self._header}.{forever}.{self._signature}",
            "another role": f"{self._header}.{as_operator}.{self._signature}",
            "no token at all": "open sesame",
            "dots": "..",
        }

    def _unsigned(self) -> dict[str, str]:
        found = {}
        for name in ("none", "None", "NONE", "nOnE"):
            header = packed(self.header | {"alg": name})
            found[f"alg {name}"] = f"{header}.{self._payload}."
            found[f"alg {name} with a signature"] = f"{header}.{self._payload}.{self._signature}"
        return found

    def _by_public_key(self) -> dict[str, str]:
        """The public key taken for a shared secret, in every form in which somebody might keep it."""
        x = str(self._public_key["x"])
        raw = unpacked(x)
        public = Ed25519PublicKey.from_public_bytes(raw)
        pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        secrets = {
            "bytes": raw,
            "base64": x.encode(),
            "JWK": json.dumps(self._public_key).encode(),
            "PEM": pem,
        }
        return {
            f"{name} with the public key as {form}": self._hmac(name, algorithm, secret)
            for name, algorithm in (("HS256", hashlib.sha256), ("HS512", hashlib.sha512))
            for form, secret in secrets.items()
        }

    def _hmac(self, name: str, algorithm: Callable[..., Any], secret: bytes) -> str:
        content = f"{packed(self.header | {'alg': name})}.{self._payload}"
        return f"{content}.{packed(hmac.new(secret, content.encode(), algorithm).digest())}"

    def _by_own_key(self) -> dict[str, str]:
        public = self._own_key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        own = {"kty": "OKP", "crv": "Ed25519", "x": packed(public), "kid": "mine"}
        headers: dict[str, dict[str, Any]] = {
            "another key under the same id": self.header,
            "another key under an id of its own": self.header | {"kid": "mine"},
            "another key under no id": {k: v for k, v in self.header.items() if k != "kid"},
            "a key in the header": self.header | {"jwk": own, "kid": "mine"},
            "a key at an address": self.header | {"jku": "http://127.0.0.1:9/keys", "kid": "mine"},
            "EdDSA": self.header | {"alg": "EdDSA"},
        }
        return {name: signed(self._own_key, header, self.claims) for name, header in headers.items()}


class Insider:
    """Holds the newest key of `folder`, with which accounts signed `genuine`."""

    def __init__(self, folder: Path, genuine: str) -> None:
        document = json.loads(max(folder.glob("*.json")).read_text(encoding="utf-8"))
        self._key = Ed25519PrivateKey.from_private_bytes(unpacked(document["d"]))
        header, claims, _ = genuine.split(".")
        self._header: dict[str, Any] = json.loads(unpacked(header))
        self._claims: Claims = json.loads(unpacked(claims))

    def copy(self, **claims: Any) -> str:
        """The genuine token signed anew, with other `claims` if given: as good as the original."""
        return signed(self._key, self._header, self._claims | claims)

    def tokens(self) -> dict[str, str]:
        """Tokens with a genuine signature by what is wrong with them."""
        now = time.time()
        headers: dict[str, dict[str, Any]] = {
            "typ JWT": {"typ": "JWT"},
            "typ of another kind": {"typ": "rt+jwt"},
            "alg EdDSA": {"alg": "EdDSA"},
            "crit nobody knows": {"crit": ["x"], "x": True},
        }
        said: dict[str, Claims] = {
            "expired": {"iat": now - 1000, "exp": now - 100},
            "expires as text": {"exp": "never"},
            "another issuer": {"iss": "somebody"},
            "another audience": {"aud": "somebody"},
            "issued in the future": {"iat": now + 1000, "exp": now + 2000},
            "not valid yet": {"nbf": now + 1000},
        }
        missing = ("exp", "iat", "iss", "aud", "sub")
        return (
            {name: signed(self._key, self._header | other, self._claims) for name, other in headers.items()}
            | {name: signed(self._key, self._header, self._claims | other) for name, other in said.items()}
            | {f"no {name}": signed(self._key, self._header, without(self._claims, name)) for name in missing}
            | {"no typ": signed(self._key, without(self._header, "typ"), self._claims)}
        )


def without(mapping: Mapping[str, Any], name: str) -> dict[str, Any]:
    """`mapping` without the entry `name`."""
    return {key: value for key, value in mapping.items() if key != name}
