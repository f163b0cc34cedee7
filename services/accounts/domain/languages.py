"""The languages people may choose, and which of them a language tag means."""

import re

LANGUAGES = ("en", "es", "it", "pt", "fr", "de", "sl")
# What follows the language (a country, a script) makes no difference here.
PATTERN = rf"^({'|'.join(LANGUAGES)})([-_][A-Za-z0-9]{{1,8}})*$"
_TAG = re.compile(PATTERN, re.ASCII | re.IGNORECASE)


def match(tag: str) -> str | None:
    """The language of ours that `tag` (BCP 47, as browsers send it: `pt-BR`) means, or None."""
    found = _TAG.fullmatch(tag)
    return found[1].lower() if found else None
