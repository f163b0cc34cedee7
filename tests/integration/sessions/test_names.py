"""The names on seats: they follow the saved players of accounts, which answers and tells over the bus."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest

from services.sessions.adapters.players import Player, Players
from services.sessions.application.games import Games, SeatRequest
from shared.web.problems import Problem
from tests.integration.accounts.world import Person
from tests.integration.accounts.world import World as Accounts
from tests.integration.sessions.running import running
from tests.integration.sessions.world import Table, World, eventually, seat_names


@pytest.fixture
def ana(accounts: Accounts) -> Person:
    return accounts.sign_up()


@pytest.fixture
def listening(world: World) -> Iterator[World]:
    """Sessions that hears of changes."""
    with running(world.consumer().run):
        yield world


def saved(person: Person, *names: str) -> list[UUID]:
    return [UUID(person.player(name)["id"]) for name in names]


def change(person: Person, method: str, path: str, body: object = None) -> None:
    answer = person.call(method, f"/v1/players/{path}", body)
    assert answer.status_code < 300, answer.text


def shows(table: Table, *names: str) -> None:
    eventually(lambda: seat_names(table) == list(names), f"the seats show {names}")


def test_seats_take_the_names_of_saved_players(world: World, ana: Person) -> None:
    players = saved(ana, "Ana", "Ben")
    table = world.game_of(UUID(ana.id), players)
    assert seat_names(table) == ["Ana", "Ben"]
    assert [seat.player_id for seat in table.game.seats] == players


def test_another_account_s_player_takes_no_seat(world: World, accounts: Accounts, ana: Person) -> None:
    (hers,) = saved(ana, "Ana")
    with pytest.raises(Problem) as caught:
        world.game_of(UUID(accounts.sign_up().id), [hers])
    assert caught.value.code == "player_unknown"
    assert caught.value.extra["errors"] == {"json": {"players": {"0": ["Not one of your saved players."]}}}


def test_one_player_takes_one_seat_also_after_a_merge(world: World, ana: Person) -> None:
    one, other = saved(ana, "Ana", "Anna")
    change(ana, "POST", f"{other}/merge", {"into": str(one)})
    for players in ([one, one], [one, other]):
        with pytest.raises(Problem) as caught:
            world.game_of(UUID(ana.id), players)
        assert caught.value.code == "validation_failed"


def test_a_rename_reaches_every_game_of_the_player(listening: World, ana: Person) -> None:
    one, other = saved(ana, "Ana", "Ben")
    tables = [listening.game_of(UUID(ana.id), seats) for seats in ([one, other], [one], [other])]
    before = [table.game.updated_at for table in tables]
    change(ana, "PATCH", str(one), {"name": "Anna"})
    shows(tables[0], "Anna", "Ben")
    shows(tables[1], "Anna")
    assert seat_names(tables[2]) == ["Ben"]
    after = [table.game.updated_at for table in tables]
    assert [now > then for now, then in zip(after, before, strict=True)] == [True, True, False]


def test_a_merged_player_counts_as_the_other_one_until_they_are_parted(listening: World, ana: Person) -> None:
    one, other = saved(ana, "Ana", "Ben")
    table = listening.game_of(UUID(ana.id), [one, other])
    third = saved(ana, "Cleo")[0]
    change(ana, "POST", f"{other}/merge", {"into": str(third)})
    shows(table, "Ana", "Cleo")
    assert [seat.player_id for seat in table.game.seats] == [one, third]
    change(ana, "PATCH", str(third), {"name": "Chloe"})
    shows(table, "Ana", "Chloe")
    change(ana, "POST", f"{other}/unmerge")
    shows(table, "Ana", "Ben")
    assert [seat.player_id for seat in table.game.seats] == [one, other]


def test_a_deleted_account_s_games_keep_no_name(listening: World, ana: Person) -> None:
    table = listening.game_of(UUID(ana.id), saved(ana, "Ana", "Ben"))
    assert ana.call("DELETE", "/v1/me", {"password": "correct horse battery"}).status_code == 204
    shows(table, "", "")
    assert [(seat.saved_id, seat.player_id) for seat in table.game.seats] == [(None, None)] * 2


def test_a_rename_while_a_game_is_made_is_not_missed(listening: World, ana: Person) -> None:
    """The name has been read for the new game, which is not stored yet, when the player is renamed."""
    (player,) = saved(ana, "Ana")
    asked, go_on = threading.Event(), threading.Event()

    class Slow(Players):
        """Accounts, who answer, and an answer that takes its time."""

        def named(self, account_id: UUID, player_ids: Sequence[UUID]) -> dict[UUID, Player]:
            found = listening.players.named(account_id, player_ids)
            asked.set()
            go_on.wait(30)
            return found

    games = Games(listening.web, listening.statements, listening.rules, Slow(None))  # type: ignore[arg-type]
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(games.create, UUID(ana.id), {}, "the-game", {}, [SeatRequest(player)], uuid4())
        assert asked.wait(30)
        told = len(_told(listening))
        change(ana, "PATCH", str(player), {"name": "Anna"})
        eventually(lambda: listening.waiting("test-sessions") or len(_told(listening)) > told)
        go_on.set()
        game = made.result(30)
    shows(Table(listening, UUID(ana.id), game.id), "Anna")


def _told(world: World) -> list[object]:
    return world.rows("SELECT event_id FROM inbox WHERE consumer = 'sessions'")
