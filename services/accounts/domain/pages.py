"""Where a page of a list begins and which things it takes."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Place:
    """Behind the thing made at `created_at` with `id`: holds still while others are added."""

    created_at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class Filter:
    """True: only those; False: without those; None: whether or not."""

    archived: bool | None = False
    merged: bool | None = False
