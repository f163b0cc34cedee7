"""The password policy: 10 to 256 characters, no other rule."""

import unicodedata

MIN_LENGTH = 10
MAX_LENGTH = 256


def composed(password: str) -> str:
    """The form that is hashed (NFC, as RFC 8265 has it): keyboards compose the same accents differently."""
    return unicodedata.normalize("NFC", password)
