"""Exports into a file: whole or not there, and gone on from where they broke off."""

import json
import os
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.client import ApiProblem, Lost, NinetyEight
from gateway.client.exporting import GONE_ON_WITHIN_S, Export
from gateway.client.results import FORMATS
from tests.unit.client.command import Ninety8
from tests.unit.client.figures import group
from tests.unit.client.peer import Behaviour, Peer, Received, answers, breaks_off, drops, refuses

NAMES = ("Ana", "Zoë, \N{SHRUG}", 'the "ace"', "b\\n")
CURSORS = [f"A{number:031}" for number in range(8)]
HEAD = "\ufeffgame_id,players_names,cursor\n"
LINES = {
    "csv": [
        f'g{n},"{NAMES[n % 4].replace(chr(34), chr(34) * 2)}",{cursor}\n' for n, cursor in enumerate(CURSORS)
    ],
    "ndjson": [
        json.dumps(
            {"game_id": f"g{n}", "players_names": [NAMES[n % 4]], "cursor": cursor}, ensure_ascii=False
        )
        + "\n"
        for n, cursor in enumerate(CURSORS)
    ],
}
WHOLE = {"csv": (HEAD + "".join(LINES["csv"])).encode(), "ndjson": "".join(LINES["ndjson"]).encode()}
RESUMABLE = pytest.mark.parametrize("name", ["csv", "ndjson"])


def serve(name: str, request: Received) -> Behaviour:
    """The rest of the file after the cursor that is asked for, as sessions gives it."""
    assert request.headers["Accept"] == FORMATS[name].media_type
    cursor = parse_qs(urlsplit(request.path).query).get("cursor")
    rest = WHOLE[name]
    if cursor:
        rest = "".join(LINES[name][CURSORS.index(cursor[0]) + 1 :]).encode()
    return answers(200, rest, content_type=FORMATS[name].media_type)


def export(client: NinetyEight, folder: Path, name: str, **which: int) -> Export:
    return Export(client.results, folder / f"results.{name}", FORMATS[name], which)  # type: ignore[arg-type]


@RESUMABLE
def test_a_file_appears_when_it_is_whole_for_its_owner_alone(
    peer: Peer, client: NinetyEight, tmp_path: Path, name: str
) -> None:
    peer.rule = lambda request: serve(name, request)
    heard: list[tuple[int, int]] = []
    written = export(client, tmp_path, name).run(lambda *how_far: heard.append(how_far))
    assert [file.name for file in tmp_path.iterdir()] == [written.file.name]
    assert written.file.read_bytes() == WHOLE[name]
    assert (written.rows, written.size) == (8, len(WHOLE[name]))
    assert heard[-1] == (8, len(WHOLE[name]))
    assert written.file.stat().st_mode & 0o777 == 0o600


@RESUMABLE
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(cuts=st.lists(st.integers(0, 700), max_size=4))
def test_wherever_and_however_often_it_breaks_off_the_file_is_the_same(
    peer: Peer, client: NinetyEight, tmp_path: Path, name: str, cuts: list[int]
) -> None:
    """Also where the command is ended in between: each cut is met by whoever runs then."""
    left = list(cuts)

    def rule(request: Received) -> Behaviour:
        behaves = serve(name, request)
        if not left:
            return behaves
        cursor = parse_qs(urlsplit(request.path).query).get("cursor")
        rest = WHOLE[name] if not cursor else "".join(LINES[name][CURSORS.index(cursor[0]) + 1 :]).encode()
        return breaks_off(rest[: left.pop()], content_type=FORMATS[name].media_type)

    peer.rule = rule
    for _ in range(len(cuts) + 1):
        try:
            written = export(client, tmp_path, name).run()
            break
        except Lost:
            continue
    assert written.file.read_bytes() == WHOLE[name]
    assert written.rows == 8
    assert [file.name for file in tmp_path.iterdir()] == [written.file.name]
    written.file.unlink()


@RESUMABLE
def test_half_a_line_at_the_end_counts_as_broken_off(
    peer: Peer, client: NinetyEight, tmp_path: Path, name: str
) -> None:
    peer.rule = lambda request: serve(name, request)
    peer.script += [answers(200, WHOLE[name][:-5], content_type=FORMATS[name].media_type)]
    assert export(client, tmp_path, name).run().file.read_bytes() == WHOLE[name]
    assert CURSORS[6] in peer.received[1].path


def test_what_comes_no_further_is_lost_and_what_came_stays(
    peer: Peer, client: NinetyEight, tmp_path: Path
) -> None:
    cut = breaks_off(WHOLE["csv"][:-30], content_type="text/csv")
    peer.script += [cut]
    peer.rule = lambda request: drops
    taking = export(client, tmp_path, "csv")
    with pytest.raises(Lost):
        taking.run()
    assert taking.part.exists()
    assert not (tmp_path / "results.csv").exists()
    peer.rule = lambda request: serve("csv", request)
    assert export(client, tmp_path, "csv").run().file.read_bytes() == WHOLE["csv"]
    assert CURSORS[6] in peer.received[-1].path


def test_another_question_goes_on_from_nothing_of_this_one(
    peer: Peer, client: NinetyEight, tmp_path: Path
) -> None:
    taking = export(client, tmp_path, "csv")
    taking.part.write_bytes(WHOLE["csv"][:-30])
    other = export(client, tmp_path, "csv", players=2)
    peer.rule = lambda request: serve("csv", request)
    other.run()
    assert [request.path for request in peer.received] == ["/v1/results?players=2"]
    assert taking.part.exists()


@RESUMABLE
def test_what_came_long_ago_is_not_gone_on_from(
    peer: Peer, client: NinetyEight, tmp_path: Path, name: str
) -> None:
    """Games that ended since would be missing above it."""
    peer.rule = lambda request: serve(name, request)
    for age_s, is_gone_on in ((GONE_ON_WITHIN_S - 60, True), (GONE_ON_WITHIN_S + 60, False)):
        taking = export(client, tmp_path, name)
        taking.part.write_bytes(WHOLE[name][:-5])
        then = time.time() - age_s
        os.utime(taking.part, (then, then))
        assert taking.run().file.read_bytes() == WHOLE[name]
        assert ("cursor" in peer.received[-1].path) is is_gone_on


def test_a_csv_of_nothing_has_its_head(peer: Peer, client: NinetyEight, tmp_path: Path) -> None:
    peer.script += [answers(200, HEAD.encode(), content_type="text/csv")]
    written = export(client, tmp_path, "csv").run()
    assert (written.rows, written.file.read_text(encoding="utf-8")) == (0, HEAD)


def test_parquet_begins_anew(peer: Peer, client: NinetyEight, tmp_path: Path) -> None:
    media_type = FORMATS["parquet"].media_type
    peer.script += [breaks_off(b"PAR1half", content_type=media_type)]
    with pytest.raises(Lost):
        export(client, tmp_path, "parquet").run()
    peer.script += [answers(200, b"PAR1", content_type=media_type)]
    written = export(client, tmp_path, "parquet").run()
    assert (written.file.read_bytes(), written.rows) == (b"PAR1", None)
    assert {request.path for request in peer.received} == {"/v1/results"}


def test_a_refusal_is_told_and_leaves_no_file(peer: Peer, client: NinetyEight, tmp_path: Path) -> None:
    peer.script += [refuses(403, "operator_required")]
    taking = Export(client.results, tmp_path / "all.csv", FORMATS["csv"], {}, of_all=True)
    with pytest.raises(ApiProblem, match="operator_required"):
        taking.run()
    assert not (tmp_path / "all.csv").exists()
    assert peer.received[0].path == "/v1/ops/results"


def test_the_command_writes_a_file_and_says_what_is_in_it(
    peer: Peer, ninety8: Ninety8, tmp_path: Path
) -> None:
    file = tmp_path / "mine.csv"

    def rule(request: Received) -> Behaviour:
        is_stats = request.path.startswith("/v1/stats")
        return answers(200, {"items": [group((1,) * 8)]}) if is_stats else serve("csv", request)

    peer.rule = rule
    told = ninety8("export", "-o", str(file), "--from", "2026-05-01")
    assert told.stdout == f"Written to {file}: 8 games, {len(WHOLE['csv'])} bytes.\n"
    assert file.read_bytes() == WHOLE["csv"]
    assert peer.received[-1].path == "/v1/results?from=2026-05-01"
    document = json.loads(ninety8("--json", "export", "-o", str(file)).stdout)
    assert (document["format"], document["games"]) == ("csv", 8)


def test_the_command_says_how_to_go_on_when_the_gateway_is_lost(
    peer: Peer, ninety8: Ninety8, tmp_path: Path
) -> None:
    peer.script += [answers(200, {"items": [group()]})]
    peer.rule = lambda request: breaks_off(WHOLE["ndjson"][:100], content_type=FORMATS["ndjson"].media_type)
    lost = ninety8("export", "--format", "ndjson", "-o", str(tmp_path / "mine.ndjson"))
    assert lost.exit_code == 3
    assert ".part; the same command again goes on from there, within 15 minutes." in lost.stderr


def test_a_folder_that_is_not_there_is_named(peer: Peer, ninety8: Ninety8, tmp_path: Path) -> None:
    peer.script += [answers(200, {"items": [group()]})]
    failed = ninety8("export", "-o", str(tmp_path / "nowhere" / "mine.csv"))
    assert failed.exit_code == 1
    assert "cannot be written" in failed.stderr
