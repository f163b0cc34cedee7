"""What codes and tokens of invitations look like, and the form in which they are stored."""

import re
import secrets
from hashlib import sha256

GUEST = "guest_"
_CODE = re.compile(r"[A-Za-z0-9_-]{43}")


def new_secret() -> str:
    """256 random bits in base64url: 43 characters."""
    return secrets.token_urlsafe(32)


def is_code(text: str) -> bool:
    """Whether `text` can be the code of an invitation at all."""
    return _CODE.fullmatch(text) is not None


def hashed(secret: str) -> bytes:
    """The SHA-256 by which `secret` is found again; enough for what nobody can guess."""
    return sha256(secret.encode()).digest()
