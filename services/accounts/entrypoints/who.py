"""The ids that a verified token speaks of."""

from uuid import UUID

from shared.web.bearer import identity


def account_id() -> UUID:
    """Of the account that is signed in."""
    return UUID(identity().account_id)


def family_id() -> UUID:
    """Of the sign-in that the token belongs to."""
    return UUID(identity().family)
