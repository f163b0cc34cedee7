"""Ledger and cells as they are, and as they must be: plainly recomputed from the games there are."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from services.sessions.adapters import log_store
from services.sessions.adapters.figure_tables import result_cells, results
from services.sessions.application.counting import Counting
from tests.integration.sessions.world import Table, World
from tests.support.api import Json, action

Row = dict[str, Any]
NOBODY = UUID(int=0)
HALF_AN_HOUR = timedelta(minutes=30)


def job(world: World) -> Counting:
    """A worker of its own."""
    return Counting(world.web, world.statements, world.rules)


def finish(table: Table) -> Json:
    """Declare the block and confirm; returns the confirmation, to be undone."""
    confirm = action("confirm")
    assert table.send(action("block"), confirm).refusal is None
    return confirm


def due(world: World) -> int:
    (row,) = world.rows("SELECT count(*) FROM results_due")
    return int(row[0])


def ledger(world: World, *tables: Table) -> list[Row]:
    """The whole ledger, or what it has of these games."""
    with world.statements.connect() as connection:
        rows = [dict(row._mapping) for row in connection.execute(results.select())]
    games = {table.id for table in tables}
    return [row for row in rows if not games or row["game_id"] in games]


def assert_exact(world: World) -> None:
    """Nothing is due, the ledger has what the games say, and the cells have what the ledger says."""
    assert due(world) == 0
    found = ledger(world)
    assert by_key(found) == by_key(recounted(world))
    assert_cells_fit(world, found)


def assert_cells_fit(world: World, rows: Iterable[Row]) -> None:
    with world.statements.connect() as connection:
        stored = [dict(row._mapping) for row in connection.execute(result_cells.select())]
    assert {_key(cell): _sums(cell) for cell in stored} == _summed_up(rows)
    assert len(stored) == len({_key(cell) for cell in stored})


def by_key(rows: Iterable[Row]) -> dict[tuple[UUID, UUID], Row]:
    return {(row["account_id"], row["game_id"]): row for row in rows}


def recounted(world: World) -> list[Row]:
    """The ledger as it must be, from what the games say now, each asked of rules anew."""
    games = world.rows(
        "SELECT g.id, g.account_id, p.deleted_at, ("
        " SELECT array_agg(s.account_id ORDER BY s.joined_at, s.account_id) FROM shares s"
        " WHERE s.game_id = g.id) AS shared_with"
        " FROM games g LEFT JOIN people p USING (account_id) WHERE g.binned_at IS NULL"
    )
    rows = []
    for game in games:
        row = _row(Table(world, game.account_id, game.id))
        owners = [game.account_id] if game.deleted_at is None else []
        rows += [] if row is None else _for_each(row, owners, game.shared_with or [])
    return rows


def _for_each(row: Row, owners: list[UUID], others: list[UUID]) -> list[Row]:
    """The row of the first who has the game, which all accounts together count, and those of the others."""
    players = {"player_ids": row["player_ids"] if owners else []}
    rows = [row | players | {"account_id": it} for it in owners]
    rows += [row | {"player_ids": [], "account_id": it} for it in others]
    return [it | {"counts_for_all": number == 0} for number, it in enumerate(rows)]


def _row(table: Table) -> Row | None:
    game = table.game
    if game.head.result is None:
        return None
    with table.world.statements.connect() as connection:
        actions = log_store.log_actions(connection, table.id, game.head.version)
    told = table.world.rules.fold(game, actions).summary
    assert told is not None
    confirmed_at = datetime.fromisoformat(str(game.head.result["confirmed_at"]))
    took = times(entry for entry in table.log() if entry["recorded_at"] <= confirmed_at)
    return {
        **{name: value for name, value in told.items() if name != "back_tens"},
        "account_id": table.account_id,
        "game_id": table.id,
        "counts_for_all": True,
        "version": game.head.version,
        "confirmed_at": confirmed_at,
        "day": confirmed_at.astimezone(UTC).date(),
        "duration_s": took.played_s,
        "pauses_s": took.pauses_s,
        "player_ids": sorted({seat.player_id for seat in game.seats if seat.player_id}),
        "plays": sum(told["plays_per_turn"]),
        "back_tens": sum(told["back_tens"].values()),
        "back_tens_by_pile": told["back_tens"],
    }


@dataclass(frozen=True, slots=True)
class Took:
    played_s: int
    pauses_s: int


def times(log: Iterable[Json]) -> Took:
    """How long a game took by its log, in whole seconds."""
    played = pauses = timedelta()
    latest: datetime | None = None
    for entry in log:
        at, recorded_at = entry["at"], entry["recorded_at"]
        moment = at if at and recorded_at - timedelta(days=30) <= at <= recorded_at else recorded_at
        if latest is not None and moment > latest:
            played += moment - latest if moment - latest <= HALF_AN_HOUR else timedelta()
            pauses += moment - latest if moment - latest > HALF_AN_HOUR else timedelta()
        latest = max(latest or moment, moment)
    return Took(played // timedelta(seconds=1), pauses // timedelta(seconds=1))


def _summed_up(rows: Iterable[Row]) -> dict[Any, Counter[Any]]:
    """By cell: games, games by the number left, and sums."""
    found: dict[Any, Counter[Any]] = {}
    for row in rows:
        day: date = row["day"]
        whose = [(row["account_id"], player_id) for player_id in (NOBODY, *row["player_ids"])]
        whose += [(NOBODY, NOBODY)] if row["counts_for_all"] else []
        for account_id, player_id in whose:
            for period in (("all", date.min), ("month", day.replace(day=1)), ("day", day)):
                options = (row["players"], row["difficulty"], row["reduced_hand"])
                cell = found.setdefault((account_id, player_id, *period, *options), Counter())
                cell.update({"games": 1, row["remaining"]: 1})
                cell.update({name: row[name] for name in ("turns", "back_tens", "duration_s")})
    return found


def _key(cell: Row) -> Any:
    return tuple(cell[column.name] for column in result_cells.primary_key)


def _sums(cell: Row) -> Counter[Any]:
    sums: Counter[Any] = Counter({name: cell[name] for name in ("games", "turns", "back_tens", "duration_s")})
    left: Decimal = cell["counts"]
    digits = f"{int(left):0792d}"
    for number in range(99):
        end = len(digits) - 8 * number
        if count := int(digits[end - 8 : end]):
            sums[number] = count
    return sums
