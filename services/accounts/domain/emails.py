"""E-mail addresses: judged by their shape alone, one key for every way of writing the same one."""

import re
import unicodedata

from services.accounts.domain.text import CONTROLS

MAX_LENGTH = 254
# One @ between two parts without blanks; what else an address may hold only its server knows.
_PART = rf"[^@\s{CONTROLS}]"
_SHAPE = f"{_PART}{{1,64}}@{_PART}{{1,253}}"
_ADDRESS = re.compile(_SHAPE)
# The same for a document, where what is typed may have blanks around it.
PATTERN = rf"^\s*{_SHAPE}\s*$"


def is_address(text: str) -> bool:
    """Whether `text`, trimmed, has the shape of an address. Nothing is looked up."""
    address = text.strip()
    return len(address) <= MAX_LENGTH and _ADDRESS.fullmatch(address) is not None


def key(address: str) -> str:
    """What is unique among accounts: `address` trimmed, without case, composed (NFC)."""
    return unicodedata.normalize("NFC", address.strip().casefold())
