"""Ten thousand finished games: what is told about them is what an analyst computes from the export."""

import csv
import io
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
import urllib3
from pyarrow import parquet

from gateway.client import NinetyEight
from gateway.client.exporting import Export
from gateway.client.results import FORMATS
from tests.e2e.terminal import Terminal
from tests.support.api import PASSWORD, Api, Json, action
from tests.support.duck import ask
from tests.support.people import Person
from tests.support.recomputing import GROUPINGS, recomputed, told
from tests.support.results import Finished, load
from tests.support.simulated import Simulated, simulated
from tests.support.system import EmbeddedSystem, System
from tests.support.waiting import until

LOADED, PLAYED = 10_000, 200  # the first part that is simulated is played
COUNTED_S = 120.0
AT_ONCE_EACH = 2  # exports of one account in a process
SOON_S = 10.0
BEGIN = datetime(2025, 9, 20, 22, tzinfo=UTC)
HOSTILE = ("=1+1", "+SUM(A1)", "-2", "@x", 'Zoë "the ace"; =2', "a\\b", "O'Neil, Ana")
GROUPED = [by for count in range(len(GROUPINGS) + 1) for by in combinations(GROUPINGS, count)]


@dataclass(frozen=True)
class Archive:
    """Somebody with all these games, as simulated, and what they take away of them as Parquet."""

    person: Person
    api: Api
    games: Sequence[Simulated]
    played: dict[str, Simulated]
    parquet: Path


@pytest.fixture(scope="module")
def archive(system: System, tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """The games: those that are loaded, only into the embedded system, and those played for real."""
    person = Person(system.url)
    system.run("services.accounts", "operator", "grant", person.email)
    api = person.signs_in().api
    saved = [api.post("/v1/players", {"name": f"Saved {number}"}).json["id"] for number in range(6)]
    parts = simulated(LOADED + PLAYED if isinstance(system, EmbeddedSystem) else PLAYED, "results")
    chance = random.Random("results")
    games = next(parts)[:PLAYED]
    with ThreadPoolExecutor(8) as pool:
        playing = [pool.submit(play, api, game, saved) for game in games]
        for part in parts:
            assert isinstance(system, EmbeddedSystem), "nothing is loaded into containers"
            stored = [finished(UUID(person.account["id"]), game, saved, chance) for game in part]
            load(system.variable("SESSIONS_OWNER_DATABASE_URL"), stored)
            games += part
    played = {it.result(): game for it, game in zip(playing, games, strict=False)}
    until(lambda: stats(api)[0]["games"] == len(games), COUNTED_S, "all games are counted")
    file = tmp_path_factory.mktemp("results") / "all.parquet"
    file.write_bytes(take(api, "parquet"))
    return Archive(person, api, games, played, file)


def seats(game: Simulated, saved: Sequence[str], chance: random.Random) -> list[tuple[str, str | None]]:
    """Who sat there: some saved players, some with names of their own that mean no good."""
    sitting = chance.sample(saved, game.options.players)
    names = chance.choices(HOSTILE, k=game.options.players)
    return [
        (f"Saved {saved.index(one)}", one) if chance.random() < 0.7 else (name, None)
        for one, name in zip(sitting, names, strict=True)
    ]


def finished(account_id: UUID, game: Simulated, saved: Sequence[str], chance: random.Random) -> Finished:
    return Finished(
        account_id,
        game.summary,
        BEGIN + timedelta(seconds=chance.randrange(400 * 86_400), microseconds=chance.randrange(10**6)),
        timedelta(seconds=chance.randrange(60, 1_800)),
        tuple((name, UUID(one) if one else None) for name, one in seats(game, saved, chance)),
    )


def play(api: Api, game: Simulated, saved: Sequence[str]) -> str:
    """Play a game through the API, as few batches as it takes; its id."""
    chance = random.Random(game.actions[0]["id"])
    places = [{"player_id": one} if one else {"name": name} for name, one in seats(game, saved, chance)]
    options = {"difficulty": game.options.difficulty, "reduced_hand": game.options.reduced_hand}
    made = api.post("/v1/games", {"ruleset": "the-game", "options": options, "players": places})
    assert made.status == 201, made.body
    for first in range(0, len(game.actions), 200):
        batch = {"actions": game.actions[first : first + 200]}
        answer = api.post(f"/v1/games/{made.json['id']}/actions", batch)
        assert answer.status == 200, answer.body
    assert answer.json["game"]["result"]["remaining"] == game.summary["remaining"]
    return str(made.json["id"])


def stats(api: Api, query: str = "", path: str = "/v1/stats") -> list[Json]:
    answer = api.get(path + query)
    assert answer.status == 200, answer.body
    return list(answer.json["items"])


def take(api: Api, name: str, query: str = "", path: str = "/v1/results") -> bytes:
    answer = api.get(path + query, Accept=FORMATS[name].media_type)
    assert answer.status == 200, answer.body
    return answer.body


def test_every_statistic_is_what_duckdb_computes_from_the_export(archive: Archive) -> None:
    for by in GROUPED:
        query = f"?by={','.join(by)}" if by else ""
        assert told(stats(archive.api, query), by) == recomputed(archive.parquet, by), by


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("from=2025-10-31&to=2026-03-01", "day BETWEEN '2025-10-31' AND '2026-03-01'"),
        ("from=2026-02-28", "day >= '2026-02-28'"),
        ("to=2025-12-31", "day <= '2025-12-31'"),
        ("players=3&difficulty=expert", "players = 3 AND difficulty = 'expert'"),
        ("reduced_hand=true&from=2026-01-15&to=2026-01-15", "reduced_hand AND day = '2026-01-15'"),
    ],
)
def test_so_is_every_statistic_of_some_of_the_games(archive: Archive, query: str, where: str) -> None:
    day = "CAST(confirmed_at AT TIME ZONE 'UTC' AS date)"
    for by in ((), ("month", "players"), ("player", "reduced_hand")):
        grouped = f"&by={','.join(by)}" if by else ""
        found = told(stats(archive.api, f"?{query}{grouped}"), by)
        computed = recomputed(archive.parquet, by, where.replace("day", day))
        assert {key: item for key, item in found.items() if item["games"]} == computed


def test_the_histogram_is_the_simulator_s_own_distribution(archive: Archive) -> None:
    remaining = Counter(game.summary["remaining"] for game in archive.games)
    assert stats(archive.api)[0]["histogram"] == [remaining[left] for left in range(99)]
    for item in stats(archive.api, "?by=players,difficulty,reduced_hand"):
        options = (item["players"], item["difficulty"], item["reduced_hand"])
        alike = Counter(
            game.summary["remaining"]
            for game in archive.games
            if (game.options.players, game.options.difficulty, game.options.reduced_hand) == options
        )
        assert item["histogram"] == [alike[left] for left in range(99)]


def test_games_played_for_real_are_summed_up_as_they_went(archive: Archive) -> None:
    rows = {row["game_id"]: row for row in parquet.read_table(archive.parquet).to_pylist()}
    assert archive.played.keys() <= rows.keys()
    for game_id, game in archive.played.items():
        row, summary = rows[game_id], dict(game.summary)
        back = summary.pop("back_tens")
        assert {pile: row[f"back_tens_{pile}"] for pile in back} == back
        assert {name: row[name] for name in summary} == summary
        assert row["plays"] == sum(row["plays_per_turn"])
        assert 0 <= row["duration_s"] < COUNTED_S


def test_a_spreadsheet_gets_the_same_games_and_runs_none_of_their_names(
    archive: Archive, tmp_path: Path
) -> None:
    file = tmp_path / "all.csv"
    file.write_bytes(take(archive.api, "csv"))
    with file.open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [row["game_id"] for row in rows] == [
        game_id for (game_id,) in ask(f"SELECT game_id FROM '{archive.parquet}'").fetchall()
    ]
    assert not [row for row in rows if row["players_names"].startswith(tuple("=+-@"))]
    assert sum(map(int, (row["remaining"] for row in rows))) == sum(
        game.summary["remaining"] for game in archive.games
    )
    alike = "players, difficulty, reduced_hand, remaining, turns, duration_s, len(players_names) > 0"
    from_csv = ask(f"SELECT {alike} FROM '{file}' ORDER BY ALL").fetchall()
    assert from_csv == ask(f"SELECT {alike} FROM '{archive.parquet}' ORDER BY ALL").fetchall()


def test_lines_are_the_pages_and_go_on_anywhere(archive: Archive) -> None:
    whole = take(archive.api, "ndjson")
    lines = whole.splitlines(keepends=True)
    assert len(lines) == len(archive.games)
    cursor = archive.api.get("/v1/results?limit=150").json["next_cursor"]
    assert b"".join(lines[:150]) + take(archive.api, "ndjson", f"?cursor={cursor}") == whole


def test_operators_see_the_same_of_all_accounts_and_nobody_s_name(archive: Archive, tmp_path: Path) -> None:
    file = tmp_path / "everybody.parquet"

    def agrees() -> bool:
        """Whatever other tests have finished is counted by now."""
        before = stats(archive.api, path="/v1/ops/stats")
        file.write_bytes(take(archive.api, "parquet", path="/v1/ops/results"))
        return told(before, ()) == recomputed(file, ())

    until(agrees, SOON_S, "the export has the games that are counted")
    by = ("players", "difficulty", "reduced_hand", "month")
    query = f"?by={','.join(by)}"
    assert told(stats(archive.api, query, "/v1/ops/stats"), by) == recomputed(file, by)
    table = parquet.read_table(file)
    assert not {"game_id", "account_id", "player_ids", "players_names"} & set(table.column_names)
    values = {str(value) for row in table.to_pylist() for value in row.values()}
    own = (archive.person.account["id"], *archive.played)
    assert not values & {*own, *(one.replace("-", "") for one in own)}
    refused = archive.api.get(f"{query},player".join(("/v1/ops/stats", "")))
    assert refused.code == "validation_failed"


def test_who_is_no_operator_sees_figures_of_their_own_only(system: System, archive: Archive) -> None:
    stranger = Person(system.url).api
    for path in ("/v1/ops/stats", "/v1/ops/results"):
        assert stranger.get(path).code == "operator_required"
    assert stats(stranger)[0]["games"] == 0
    assert take(stranger, "ndjson") == b""
    assert stranger.get("/v1/results").json == {"items": [], "next_cursor": None}


@pytest.fixture
def ninety8(system: System, archive: Archive, tmp_path: Path) -> Terminal:
    return Terminal(system.url, tmp_path / "home").sign_in(archive.person.email, PASSWORD)


def test_the_command_line_tells_figures_and_takes_games_away(
    archive: Archive, ninety8: Terminal, tmp_path: Path
) -> None:
    shown = ninety8("stats")
    assert str(len(archive.games)) in shown
    assert "█" in shown
    assert "excellent" in ninety8("stats", "--by", "players,difficulty")
    for name in FORMATS:
        file = tmp_path / f"mine.{name}"
        assert str(file) in ninety8("export", "--format", name, "-o", str(file))
        if name == "parquet":
            assert parquet.read_table(file).equals(parquet.read_table(archive.parquet))
        else:
            assert file.read_bytes() == take(archive.api, name)


@pytest.fixture
def client(system: System, archive: Archive) -> Iterator[NinetyEight]:
    with NinetyEight(system.url) as found:
        found.auth.sign_in(archive.person.email, PASSWORD)
        yield found


def test_an_export_survives_the_loss_of_its_service(
    system: System, archive: Archive, client: NinetyEight, tmp_path: Path
) -> None:
    killed: list[int] = []

    def heard(rows: int, size: int) -> None:
        if rows > 100 and not killed:
            killed.append(rows)
            system.kill("sessions-web")

    file = tmp_path / "all.ndjson"
    taken = Export(client.results, file, FORMATS["ndjson"], {}).run(heard)
    system.wait_ready()
    assert killed
    assert taken.rows == len(archive.games)
    assert file.read_bytes() == take(archive.api, "ndjson")


def test_whoever_leaves_in_the_middle_takes_their_query_with_them(system: System, archive: Archive) -> None:
    """More often than an account may take at once; of the embedded system the database is asked, too."""
    headers = {"Authorization": f"Bearer {archive.api.token}", "Accept": FORMATS["ndjson"].media_type}
    for _ in range(AT_ONCE_EACH + 1):
        answer = urllib3.PoolManager().request(
            "GET", f"{system.url}/v1/results", headers=headers, preload_content=False
        )
        assert answer.read(1_000)
        answer.close()
        until(lambda: _may_export(archive.api), SOON_S, "the place of who left is free")
    if not isinstance(system, EmbeddedSystem):
        return
    url = system.variable("SESSIONS_OWNER_DATABASE_URL")
    running = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'COPY %'"

    def is_over() -> bool:
        with psycopg.connect(url) as connection:
            row = connection.execute(running).fetchone()
        return row == (0,)

    until(is_over, SOON_S, "no query is left")


def _may_export(api: Api) -> bool:
    answer = api.get("/v1/results", Accept=FORMATS["ndjson"].media_type)
    assert answer.status == 200 or answer.code == "exports_busy", answer.body
    return answer.status == 200


def test_a_reopened_game_is_taken_out_and_counts_once_when_it_ends_again(system: System) -> None:
    api = Person(system.url).api
    ((game,),) = simulated(1, "reopened")
    game_id = play(api, game, _players(api))
    counted(api, 1)
    actions = f"/v1/games/{game_id}/actions"
    assert api.post(actions, {"actions": [action("undo", target=game.actions[-1]["id"])]}).status == 200
    counted(api, 0)
    assert take(api, "ndjson") == b""
    assert api.post(actions, {"actions": [action("confirm")]}).status == 200
    counted(api, 1)
    assert len(list(csv.DictReader(io.StringIO(take(api, "csv").decode("utf-8-sig"))))) == 1


def counted(api: Api, games: int) -> None:
    until(lambda: stats(api)[0]["games"] == games, SOON_S, f"{games} games are counted")


def _players(api: Api) -> list[str]:
    return [api.post("/v1/players", {"name": f"Saved {number}"}).json["id"] for number in range(5)]
