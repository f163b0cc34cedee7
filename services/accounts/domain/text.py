"""What a text typed by a person may hold, whatever it is for."""

import re

# PostgreSQL takes no NUL, no screen shows the other controls; half a surrogate pair is no text at all.
CONTROLS = r"\u0000-\u001f\u007f-\u009f"
CLEAN = f"^[^{CONTROLS}]*$"
NOT_BLANK = rf"^[^{CONTROLS}]*[^\s{CONTROLS}][^{CONTROLS}]*$"
_REFUSED = re.compile(rf"[{CONTROLS}\ud800-\udfff]")


def is_clean(text: str) -> bool:
    """Whether `text` is free of control characters and lone surrogates."""
    return _REFUSED.search(text) is None
