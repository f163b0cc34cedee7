"""How often something may be tried."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """`times` within `window_s` seconds, counted from the first; `kind` names what is counted."""

    kind: str
    times: int
    window_s: int
