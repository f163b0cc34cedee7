"""Who may do what with a game: its owner all, a recorder add to the log, a viewer read."""

from enum import Enum, auto


class Right(Enum):
    """What a route asks for."""

    READ = auto()
    RECORD = auto()
    OWN = auto()


PLUS = "plus"  # the plan that opens what several devices need
FREE = "free"
OPERATOR = "operator"  # the role of an account that sees figures over all accounts
OWNER, RECORDER, VIEWER = "owner", "recorder", "viewer"
INVITED = (RECORDER, VIEWER)
RIGHTS = {
    OWNER: frozenset(Right),
    RECORDER: frozenset({Right.READ, Right.RECORD}),
    VIEWER: frozenset({Right.READ}),
}
