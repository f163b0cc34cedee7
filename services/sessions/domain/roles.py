"""Who may do what with a game: its owner all, a recorder add to the log, a viewer read."""

from enum import Enum, auto


class Right(Enum):
    """What a route asks for."""

    READ = auto()
    RECORD = auto()
    OWN = auto()


OWNER, RECORDER, VIEWER = "owner", "recorder", "viewer"
INVITED = (RECORDER, VIEWER)
RIGHTS = {
    OWNER: frozenset(Right),
    RECORDER: frozenset({Right.READ, Right.RECORD}),
    VIEWER: frozenset({Right.READ}),
}
