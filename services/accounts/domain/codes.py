"""One-time codes that people type: Crockford's base 32 in four groups, 80 bits."""

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 16
RANDOM_BYTES = 10
_GROUP = 4
_LOOKALIKES = str.maketrans("OIL", "011")


def written(random: bytes) -> str:
    """`random` (10 bytes) as `XXXX-XXXX-XXXX-XXXX`."""
    number = int.from_bytes(random[:RANDOM_BYTES])
    characters = "".join(ALPHABET[number >> shift & 31] for shift in range(5 * (LENGTH - 1), -1, -5))
    return "-".join(characters[at : at + _GROUP] for at in range(0, LENGTH, _GROUP))


def canonical(typed: str) -> str | None:
    """What `typed` means, without dashes, blanks and lookalikes; None when no code reads like that."""
    characters = "".join(typed.split()).replace("-", "").upper().translate(_LOOKALIKES)
    well_formed = len(characters) == LENGTH and all(character in ALPHABET for character in characters)
    return characters if well_formed else None
