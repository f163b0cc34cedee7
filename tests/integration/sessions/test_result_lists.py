"""Finished games as pages of JSON: which, in which order, and for whom."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from services.sessions.domain.place import Place
from shared.contracts.result_columns import CURSOR, Audience, columns
from tests.integration.sessions.served import Served, is_refused
from tests.integration.sessions.taking import Taker, counted, some, taker
from tests.support.api import Json
from tests.support.results import CONFIRMED_AT, Finished, summary


def pages(who: Taker, query: str, path: str = "/v1/results") -> Iterator[list[Json]]:
    """Every page, by the cursors."""
    cursor: str | None = ""
    while cursor is not None:
        page = who.ask(f"?{query}{cursor and f'&cursor={cursor}'}", path).json
        yield page["items"]
        cursor = page["next_cursor"]


def test_a_finished_game_is_listed_with_all_its_figures(served: Served) -> None:
    who, player = taker(served), uuid4()
    (game,) = counted(
        served,
        [Finished(who.account_id, summary(), seats=(("Ana", player), ('Zoë \\ "=1"', None)))],
    )
    (item,) = who.items()
    assert item == {
        "game_id": str(game.id),
        "confirmed_at": "2026-05-01T18:30:00.123456Z",
        "players": 2,
        "difficulty": "normal",
        "reduced_hand": False,
        "first_seat": 0,
        "outcome": "loss",
        "remaining": 4,
        "rating": "excellent",
        "turns": 3,
        "plays": 94,
        "plays_per_turn": [40, 50, 4],
        "back_tens": 6,
        "back_tens_up1": 2,
        "back_tens_up2": 0,
        "back_tens_down1": 1,
        "back_tens_down2": 3,
        "largest_jump": 31,
        "control": "full",
        "deck": 0,
        "hands": [1, 3],
        "blocked_by": 1,
        "duration_s": 1500,
        "pauses_s": 0,
        "version": 2,
        "rules_version": "1",
        "player_ids": [str(player)],
        "players_names": ["Ana", 'Zoë \\ "=1"'],
        "cursor": Place(game.confirmed_at, game.id).cursor(),
    }
    assert list(item) == [column.name for column in (*columns(Audience.OWNER), CURSOR)]


def test_nobody_else_s_games_are_listed_and_an_empty_list_is_one(served: Served) -> None:
    who, other = taker(served), taker(served)
    counted(served, some(who.account_id, 3))
    assert other.ask().json == {"items": [], "next_cursor": None}


def test_pages_hold_every_game_once_newest_first(served: Served) -> None:
    who = taker(served)
    games = some(who.account_id, 9)
    alike = [Finished(who.account_id, summary(), CONFIRMED_AT) for _ in range(8)]
    in_order = [str(game.id) for game in counted(served, games + alike)]
    for limit in (1, 2, 5, 16, 17, 200):
        found = list(pages(who, f"limit={limit}"))
        assert [item["game_id"] for page in found for item in page] == in_order
        assert [len(page) for page in found[:-1]] == [limit] * (len(found) - 1)


def test_days_are_whole_ones_in_utc_and_both_are_included(served: Served) -> None:
    who = taker(served)
    last = datetime(2026, 3, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    moments = [last - timedelta(days=1), last, last + timedelta(microseconds=1)]
    counted(served, [Finished(who.account_id, summary(), moment) for moment in moments])
    found = {
        query: [item["confirmed_at"][:10] for item in who.items(query)]
        for query in (
            "?from=2026-03-31",
            "?to=2026-03-31",
            "?from=2026-03-31&to=2026-03-31",
            "?from=2026-04-02",
        )
    }
    assert list(found.values()) == [
        ["2026-04-01", "2026-03-31"],
        ["2026-03-31", "2026-03-30"],
        ["2026-03-31"],
        [],
    ]


def test_filters_narrow_each_other(served: Served) -> None:
    who, player = taker(served), uuid4()
    counted(
        served,
        [
            Finished(who.account_id, summary(players=players, difficulty=difficulty, reduced_hand=reduced))
            for players in (1, 2)
            for difficulty in ("normal", "expert")
            for reduced in (False, True)
        ]
        + [Finished(who.account_id, summary(players=5), seats=(("Ana", player),))],
    )
    counts = {
        query: len(who.items(f"?{query}"))
        for query in (
            "players=1",
            "difficulty=expert",
            "reduced_hand=true",
            "players=2&difficulty=expert&reduced_hand=false",
            "players=4",
            f"player_id={player}",
            f"player_id={uuid4()}",
        )
    }
    assert list(counts.values()) == [4, 4, 4, 1, 0, 1, 0]


@pytest.mark.parametrize(
    "query",
    [
        "from=yesterday",
        "from=2026-05-02&to=2026-05-01",
        "players=0",
        "reduced_hand=perhaps",
        "limit=0",
        "limit=201",
        "cursor=x",
        f"cursor={'_' * 32}",
        f"cursor={'A' * 31}",
        "player_id=somebody",
        "by=month",
    ],
)
def test_what_makes_no_sense_is_refused(served: Served, query: str) -> None:
    is_refused(taker(served).ask(f"?{query}"), 422, "validation_failed")


def test_a_guest_s_token_lists_nothing(served: Served) -> None:
    guest = served.owner().guest()
    is_refused(guest.call("GET", "/v1/results"), 403, "role_insufficient")


def test_the_list_of_all_accounts_is_for_operators(served: Served) -> None:
    is_refused(taker(served).ask(path="/v1/ops/results"), 403, "operator_required")
    is_refused(served.owner().guest().call("GET", "/v1/ops/results"), 403, "role_insufficient")


def test_operators_see_all_games_and_of_nobody_who_it_is(served: Served) -> None:
    operator, one, other, player = taker(served, "operator"), taker(served), taker(served), uuid4()
    day = CONFIRMED_AT + timedelta(days=400)
    games = some(one.account_id, 5, day) + some(other.account_id, 6, day)
    games += [Finished(one.account_id, summary(), day, seats=(("Rosalind", player),))]
    counted(served, games)
    query = f"from={day.date()}&to={day.date()}"
    listed = [item for page in pages(operator, f"{query}&limit=4", "/v1/ops/results") for item in page]
    assert len(listed) == len(games)
    assert list(listed[0]) == [column.name for column in (*columns(Audience.OPERATOR), CURSOR)]
    assert len({item["game_hash"] for item in listed}) == len(games)
    assert sorted(
        map([item["account_hash"] for item in listed].count, {it["account_hash"] for it in listed})
    ) == [6, 6]
    answer = operator.ask(f"?{query}", "/v1/ops/results")
    hidden = [player, one.account_id, other.account_id, *(game.id for game in games)]
    assert not [one for one in hidden if str(one).encode() in answer.data]
    assert b"Rosalind" not in answer.data
    places = {Place.of(item["cursor"]).id for item in listed}
    assert not places & set(hidden)
    is_refused(operator.ask(f"?player_id={player}", "/v1/ops/results"), 422, "validation_failed")


def test_what_stands_for_an_account_is_its_hmac(served: Served) -> None:
    import hmac

    operator, one = taker(served, "operator"), taker(served)
    day = CONFIRMED_AT + timedelta(days=500)
    (game,) = counted(served, some(one.account_id, 1, day))
    (item,) = operator.items(f"?from={day.date()}&to={day.date()}", "/v1/ops/results")
    (row,) = served.world.rows("SELECT key FROM result_key")

    def hashed(kind: bytes, identifier: UUID) -> str:
        return hmac.digest(bytes(row.key), kind + b":" + identifier.bytes, "sha256")[:16].hex()

    assert item["game_hash"] == hashed(b"game", game.id)
    assert item["account_hash"] == hashed(b"account", one.account_id)
