"""What a text typed by a person may hold, whatever it is for."""

import unicodedata

# Controls (NUL is refused by PostgreSQL) and halves of surrogate pairs (not text at all).
_REFUSED = frozenset({"Cc", "Cs"})


def is_clean(text: str) -> bool:
    """Whether `text` is free of control characters and lone surrogates."""
    return not any(unicodedata.category(character) in _REFUSED for character in text)
