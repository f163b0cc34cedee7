"""`GET /v1/stats` and `/v1/ops/stats` against plain recomputations of the same games."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any, cast
from uuid import UUID, uuid4

import pytest

from infra.host.postgres import PostgresServer
from infra.postgres.roles import SESSIONS
from services.sessions import bootstrap
from services.sessions.application.statistics import BESIDE_BYTES, Statistics
from services.sessions.domain.questions import GROUPINGS, Question
from tests.integration.sessions.conftest import migrated
from tests.integration.sessions.ledgers import due, finish, job
from tests.integration.sessions.served import Answer, Served, is_refused
from tests.integration.sessions.world import World
from tests.support.api import Json, action
from tests.support.embedded import Urls
from tests.support.results import Finished, load, summary

PLAYERS = [UUID(int=number) for number in (1, 2, 3)]
NAMES = dict(zip(PLAYERS, ("Ana", "Ben", "Zoë"), strict=True))
OWNER, OTHER = uuid4(), uuid4()
GAMES = 300
Matches = Callable[[Finished], bool]


@pytest.fixture(scope="module")
def urls(postgres_server: PostgresServer) -> Urls:
    """A database of this module's own: figures over all accounts are looked at."""
    return migrated(postgres_server, SESSIONS, bootstrap.MIGRATIONS)


@pytest.fixture(scope="module")
def games(urls: Urls) -> list[Finished]:
    """Games of two accounts around the ends of months and of a leap February."""
    chance = Random(98)
    made = [_game(chance) for _ in range(GAMES)]
    load(urls["sessions_owner"], made)
    return made


def _game(chance: Random) -> Finished:
    owner, players = chance.choice([OWNER, OWNER, OTHER]), chance.randint(1, 3)
    seats = chance.sample(PLAYERS, players) if owner == OWNER else [None] * players
    left = chance.choice([0, chance.randint(1, 9), chance.randint(10, 98)])
    confirmed_at = datetime(2024, 1, 30, tzinfo=UTC) + timedelta(
        days=chance.randint(0, 92), seconds=chance.choice([0, 86_399, chance.randint(0, 86_399)])
    )
    return Finished(
        owner,
        summary(
            players=players,
            difficulty=chance.choice(["normal", "expert"]),
            reduced_hand=chance.random() < 0.3,
            remaining=left,
            turns=chance.randint(1, 60),
            back_tens={"up1": chance.randint(0, 3), "up2": 0, "down1": chance.randint(0, 2), "down2": 0},
        ),
        confirmed_at,
        timedelta(seconds=chance.randint(0, 1800)),
        tuple((NAMES.get(seat, "Guest") if seat else "Guest", seat) for seat in seats),
    )


@pytest.fixture
def counted(world: World, games: list[Finished]) -> list[Finished]:
    """The games, of which nothing is due."""
    job(world).sweep()
    assert due(world) == 0
    return games


def asked(served: Served, query: str, account_id: UUID = OWNER) -> list[Json]:
    answer = _ask(served, f"/v1/stats{query}", account_id)
    assert answer.status_code == 200, answer.data
    return cast("list[Json]", answer.json["items"])


def _ask(served: Served, path: str, account_id: UUID = OWNER, role: str | None = None) -> Answer:
    return served.call("GET", path, None, served.token(account_id, role=role)[0])


def keys_of(game: Finished, by: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The groups that a game is in."""
    of_game = game.summary | {"month": f"{game.confirmed_at:%Y-%m}"}
    persons = [player for _, player in game.seats if player] if "player" in by else [None]
    for player in persons:
        found = of_game | ({"player": (NAMES[player], str(player))} if player else {})
        yield tuple(found[name] for name in by)


def expected(games: Iterable[Finished], by: Sequence[str]) -> list[tuple[Any, Json]]:
    groups: dict[tuple[Any, ...], list[Finished]] = {}
    for game in games:
        for key in keys_of(game, by):
            groups.setdefault(key, []).append(game)
    return [(key, figures(groups[key])) for key in sorted(groups)]


def figures(games: Sequence[Finished]) -> Json:
    """What statistics tell of these games, the intervals apart."""
    count = len(games)
    left = sorted(game.summary["remaining"] for game in games)
    return {
        "games": count,
        "wins": left.count(0),
        "win_rate": left.count(0) / count,
        "excellent": sum(number < 10 for number in left),
        "excellent_rate": sum(number < 10 for number in left) / count,
        "mean_remaining": sum(left) / count,
        "quantiles": {
            f"q{percent:02}": next(
                number
                for place, number in enumerate(left, 1)
                if Fraction(place, count) >= Fraction(percent, 100)
            )
            for percent in (5, 25, 50, 75, 95)
        },
        "histogram": [left.count(number) for number in range(99)],
        "mean_turns": sum(game.summary["turns"] for game in games) / count,
        "back_tens": sum(sum(game.summary["back_tens"].values()) for game in games) / count,
        "mean_duration_s": sum(game.lasted // timedelta(seconds=1) for game in games) / count,
    }


def told(items: Iterable[Json], by: Sequence[str]) -> list[tuple[Any, Json]]:
    """What was answered in the form of `expected`; whatever else an item has is taken out and looked at."""
    found = []
    for item in items:
        for name in ("win_rate_interval", "excellent_rate_interval"):
            low, high = item.pop(name)
            assert low <= item[name.removesuffix("_interval")] <= high
        interval = item.pop("mean_remaining_interval")
        assert (interval is None) == (item["games"] == 1)
        if interval:
            assert interval[0] <= item["mean_remaining"] <= interval[1]
        if "player" in by:
            item["player"] = (item.pop("name"), item.pop("player_id"))
        found.append((tuple(item.pop(name) for name in by), item))
    return found


GROUPED = [by for count in range(len(GROUPINGS) + 1) for by in combinations(GROUPINGS, count)]
RANGES = [
    (None, None),
    (date(2024, 2, 1), date(2024, 3, 31)),
    (date(2024, 1, 31), date(2024, 4, 1)),
    (date(2024, 2, 2), None),
    (None, date(2024, 2, 28)),
    (date(2024, 2, 29), date(2024, 2, 29)),
]


def grouped(by: Sequence[str]) -> list[str]:
    """How a question says what it groups by: not at all, if by nothing."""
    return [f"by={','.join(by)}"] if by else []


@pytest.mark.parametrize("by", GROUPED, ids=lambda by: ",".join(by) or "nothing")
def test_every_combination_of_groupings_equals_a_recomputation(
    served: Served, counted: list[Finished], by: tuple[str, ...]
) -> None:
    mine = [game for game in counted if game.account_id == OWNER]
    for first, last in RANGES:
        within = [
            game
            for game in mine
            if (first is None or game.confirmed_at.date() >= first)
            and (last is None or game.confirmed_at.date() <= last)
        ]
        limits = [f"from={first}"] * bool(first) + [f"to={last}"] * bool(last)
        items = asked(served, "?" + "&".join([*grouped(by), *limits]))
        assert told(items, by) == expected(within, by)


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("players=2", lambda game: game.summary["players"] == 2),
        ("difficulty=expert", lambda game: game.summary["difficulty"] == "expert"),
        ("reduced_hand=true", lambda game: game.summary["reduced_hand"]),
        ("players=3&reduced_hand=false", lambda game: _three(game) and not game.summary["reduced_hand"]),
        (f"player_id={PLAYERS[1]}", lambda game: PLAYERS[1] in [player for _, player in game.seats]),
    ],
)
def test_filters_take_the_games_they_name(
    served: Served, counted: list[Finished], query: str, matches: Matches
) -> None:
    mine = [game for game in counted if game.account_id == OWNER and matches(game)]
    assert told(asked(served, f"?{query}&by=month"), ["month"]) == expected(mine, ["month"])
    since = [game for game in mine if game.confirmed_at.date() >= date(2024, 2, 15)]
    assert told(asked(served, f"?{query}&from=2024-02-15"), []) == expected(since, [])


def _three(game: Finished) -> bool:
    return bool(game.summary["players"] == 3)


def test_grouped_by_player_and_of_one_player_there_is_that_one(
    served: Served, counted: list[Finished]
) -> None:
    (item,) = asked(served, f"?by=player&player_id={PLAYERS[0]}")
    assert (item["name"], item["player_id"]) == ("Ana", str(PLAYERS[0]))
    assert item["games"] == sum(PLAYERS[0] in [player for _, player in game.seats] for game in counted)


@pytest.mark.parametrize("by", [by for by in GROUPED if "player" not in by], ids=",".join)
def test_an_operator_sees_the_games_of_all_accounts_each_once(
    served: Served, counted: list[Finished], by: tuple[str, ...]
) -> None:
    answer = _ask(served, f"/v1/ops/stats?{'&'.join(grouped(by))}", uuid4(), "operator")
    assert answer.status_code == 200, answer.data
    assert told(answer.json["items"], by) == expected(counted, by)


def test_over_all_accounts_nothing_is_told_of_players(served: Served, counted: list[Finished]) -> None:
    refused = _ask(served, "/v1/ops/stats?by=month,player", role="operator")
    assert is_refused(refused, 422, "validation_failed")
    assert "not grouped by player" in refused.json["errors"]["query"]["by"][0]
    one = _ask(served, f"/v1/ops/stats?player_id={PLAYERS[0]}", role="operator")
    assert is_refused(one, 422, "validation_failed")


def test_who_is_no_operator_is_told_so(served: Served) -> None:
    assert is_refused(_ask(served, "/v1/ops/stats"), 403, "operator_required")
    assert is_refused(_ask(served, "/v1/ops/stats", role="king"), 403, "operator_required")
    assert is_refused(served.call("GET", "/v1/ops/stats"), 401, "unauthenticated")
    guest = served.owner().guest()
    for path in ("/v1/stats", "/v1/ops/stats"):
        assert is_refused(guest.call("GET", path), 403, "role_insufficient")


def test_without_games_there_is_one_row_of_zeros_and_nulls_and_no_group(served: Served) -> None:
    nobody = uuid4()
    for query in ("", "?from=2024-02-03&to=2024-05-01&players=2", f"?player_id={PLAYERS[0]}"):
        (item,) = asked(served, query, nobody)
        assert item.pop("quantiles") == dict.fromkeys(("q05", "q25", "q50", "q75", "q95"))
        assert item.pop("histogram") == [0] * 99
        zeros = [item.pop(name) for name in ("games", "wins", "excellent")]
        assert zeros == [0, 0, 0]
        assert set(item.values()) == {None}
    for by in GROUPINGS:
        assert asked(served, f"?by={by}", nobody) == []


def test_nobody_sees_the_games_of_others_by_their_players(served: Served, counted: list[Finished]) -> None:
    assert asked(served, f"?player_id={PLAYERS[0]}", OTHER)[0]["games"] == 0
    assert asked(served, f"?player_id={UUID(int=0)}")[0]["games"] == 0
    assert asked(served, f"?by=player&player_id={UUID(int=0)}") == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("by=", "by"),
        ("by=colour", "by"),
        ("by=players,players", "by"),
        ("from=2024-02-30", "from"),
        ("from=2024-02-01T00:00:00Z", "from"),
        ("from=2024-03-01&to=2024-02-29", "to"),
        ("to=yesterday", "to"),
        ("players=0", "players"),
        ("players=1.5", "players"),
        ("reduced_hand=perhaps", "reduced_hand"),
        ("difficulty=", "difficulty"),
        ("player_id=1", "player_id"),
        ("limit=5", "limit"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(served: Served, query: str, field: str) -> None:
    answer = _ask(served, f"/v1/stats?{query}")
    assert is_refused(answer, 422, "validation_failed")
    assert field in answer.json["errors"]["query"]


def test_days_at_both_ends_of_the_calendar_can_be_asked_for(served: Served, counted: list[Finished]) -> None:
    whole = asked(served, "")
    assert asked(served, "?from=0001-01-01&to=9999-12-31") == whole
    assert asked(served, "?from=9999-12-31")[0]["games"] == 0


def test_an_answer_is_new_as_soon_as_a_game_is_counted_and_given_again_while_none_is(
    world: World, served: Served
) -> None:
    statistics = Statistics(world.statements)
    table = world.new_game()
    question = Question(("players",))
    assert statistics.of_account(table.account_id, question) == b'{"items":[]}'
    confirm = finish(table)
    job(world).sweep()
    first = statistics.of_account(table.account_id, question)
    assert b'"games":1' in first
    assert statistics.of_account(table.account_id, question) is first
    assert Statistics(world.statements).of_account(table.account_id, question) == first
    table.send(action("undo", target=confirm["id"]))
    job(world).sweep()
    assert statistics.of_account(table.account_id, question) == b'{"items":[]}'


def test_only_so_many_answers_are_kept(world: World, counted: list[Finished]) -> None:
    first = Statistics(world.statements).of_account(OWNER, Question())
    statistics = Statistics(world.statements, kept_bytes=len(first) + BESIDE_BYTES + 10)
    first = statistics.of_account(OWNER, Question())
    assert statistics.of_account(OWNER, Question()) is first
    statistics.of_account(OWNER, Question(options=(("players", 2),)))
    assert statistics.of_account(OWNER, Question()) == first
    assert statistics.of_account(OWNER, Question()) is not first
    few = Statistics(world.statements, kept_bytes=3 * BESIDE_BYTES)
    empty = [Question(by=("players",), options=(("players", number),)) for number in range(90, 99)]
    answers = [few.of_account(OWNER, question) for question in empty]
    assert few.of_account(OWNER, empty[-1]) is answers[-1]
    assert few.of_account(OWNER, empty[0]) is not answers[0]
    whole = Statistics(world.statements, kept_bytes=10)
    assert whole.of_account(OWNER, Question()) == whole.of_account(OWNER, Question()) == first


def test_a_renamed_player_has_the_new_name_at_the_next_look(world: World, served: Served) -> None:
    """Once the job has seen that the game's seats are others."""
    games = [Finished(uuid4(), summary(players=1), seats=(("Old", player := uuid4()),))]
    load(world.urls["sessions_owner"], games)
    job(world).sweep()
    assert asked(served, "?by=player", games[0].account_id)[0]["name"] == "Old"
    world.rows("UPDATE seats SET name = 'New' WHERE player_id = :id RETURNING seat", id=player)
    world.rows("INSERT INTO results_due (game_id) VALUES (:id) RETURNING id", id=games[0].id)
    job(world).sweep()
    assert asked(served, "?by=player", games[0].account_id)[0]["name"] == "New"
