"""Identifiers: UUIDv7 (RFC 9562), made here in Python so that one exists before it is stored."""

from uuid import UUID

import uuid_utils.compat


def new_id() -> UUID:
    """A fresh UUIDv7: unique, and ordered by the millisecond it was made in."""
    return uuid_utils.compat.uuid7()
