"""The columns of a finished game's figures: names, kinds and meaning, as lists and exports give them."""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a value is; the texts say how each format writes it."""

    ID = "a UUID as text"
    HASH = "32 hexadecimal digits"
    CURSOR = "32 characters that mean nothing to anybody else"
    TEXT = "text"
    TIME = "a moment in UTC, to the microsecond"
    FLAG = "true or false"
    SMALL = "a whole number of 16 bits"
    COUNT = "a whole number of 32 bits"
    SMALLS = "a list of whole numbers of 16 bits"
    TEXTS = "a list of texts"


class Audience(Enum):
    """Who gets to see a column."""

    ALL = "everybody"
    OWNER = "whose games they are"
    OPERATOR = "operators, who see the games of all accounts and no names"


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of a finished game; `key` is its name inside a figure that is kept as several."""

    name: str
    kind: Kind
    about: str
    is_nullable: bool = False
    audience: Audience = Audience.ALL
    part_of: str = ""
    key: str = ""


def _of_pile(pile: str) -> Column:
    about = f"steps of ten back on the pile {pile}"
    return Column(f"back_tens_{pile}", Kind.SMALL, about, part_of="back_tens_by_pile", key=pile)


COLUMNS = (
    Column("game_id", Kind.ID, "the game", audience=Audience.OWNER),
    Column(
        "game_hash", Kind.HASH, "stands for the game; the same in every export", audience=Audience.OPERATOR
    ),
    Column("account_hash", Kind.HASH, "stands for the account it belongs to", audience=Audience.OPERATOR),
    Column("confirmed_at", Kind.TIME, "when its result was confirmed"),
    Column("players", Kind.SMALL, "how many played, 1 to 5"),
    Column("difficulty", Kind.TEXT, "`normal` or `expert`"),
    Column("reduced_hand", Kind.FLAG, "whether hands had one card fewer"),
    Column("first_seat", Kind.SMALL, "the seat that started, from 0"),
    Column("outcome", Kind.TEXT, "`win` or `loss`"),
    Column("remaining", Kind.SMALL, "cards not laid, 0 to 98; 0 is the win"),
    Column("rating", Kind.TEXT, "`perfect` (0 left), `excellent` (1 to 9) or `counted`"),
    Column("turns", Kind.COUNT, "turns in which a card was laid, or the block declared"),
    Column("plays", Kind.COUNT, "cards laid in them; 98 less `remaining`, but after an adopted table"),
    Column("plays_per_turn", Kind.SMALLS, "cards laid in each of these turns, in order"),
    Column("back_tens", Kind.SMALL, "steps of ten back, on all piles"),
    *map(_of_pile, ("up1", "up2", "down1", "down2")),
    Column(
        "largest_jump",
        Kind.SMALL,
        "largest distance of a card from the one below it that was no step of ten back; null where no two"
        " are known",
        is_nullable=True,
    ),
    Column("control", Kind.TEXT, "`full`, or `partial` where a card was laid without its value"),
    Column("deck", Kind.SMALL, "cards of `remaining` still to draw"),
    Column("hands", Kind.SMALLS, "cards of `remaining` in hand, by seat"),
    Column(
        "blocked_by", Kind.SMALL, "the seat that declared the block; null when all were out", is_nullable=True
    ),
    Column("duration_s", Kind.COUNT, "seconds from first to confirming entry, without the pauses"),
    Column("pauses_s", Kind.COUNT, "seconds in pauses of over 30 minutes, left out of `duration_s`"),
    Column("version", Kind.COUNT, "the game's version that these figures are of"),
    Column("rules_version", Kind.TEXT, "the version of the rules it was summed up by"),
    Column(
        "player_ids",
        Kind.TEXTS,
        "the saved players who sat there, each once, as they are merged today",
        audience=Audience.OWNER,
    ),
    Column("players_names", Kind.TEXTS, "the names at the table today, by seat", audience=Audience.OWNER),
)
CURSOR = Column("cursor", Kind.CURSOR, "the place of the row: `?cursor=` goes on after it; not in Parquet")


def columns(audience: Audience) -> tuple[Column, ...]:
    """The columns that `audience` gets to see, in order; the cursor comes after them."""
    return tuple(column for column in COLUMNS if column.audience in (Audience.ALL, audience))
