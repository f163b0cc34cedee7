"""The file of what was recorded offline: on the disk, the owner's alone, whole after any crash."""

import json
import multiprocessing
import stat
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.client import actions
from gateway.client.contract import Game
from gateway.client.home import Home, HomeUnusable
from gateway.client.journal import Journal
from tests.unit.client import documents as a

URL = "http://127.0.0.1:8098"
BASE = cast("Game", a.game(version=3))


def journal_in(folder: Path, url: str = URL) -> Journal:
    return Journal(Home(folder), url, a.GAME_ID)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    found = journal_in(tmp_path / "home")
    with found.exclusively():
        found.begin(BASE)
    return found


def cards(journal: Journal) -> list[Any]:
    found = journal.read()
    assert found is not None
    return [it.get("card") for it in found.actions]


def test_what_is_recorded_is_read_back_in_order(journal: Journal) -> None:
    journal.record([actions.play("up1", 17), actions.play("up1", 18)])
    journal.record([actions.play("down1", 90)])
    assert cards(journal) == [17, 18, 90]
    assert (found := journal.read()) is not None
    assert found.base == BASE


def test_only_the_owner_may_read_it(journal: Journal) -> None:
    for file in journal.file.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_each_gateway_has_a_journal_of_its_own(journal: Journal) -> None:
    assert journal_in(journal.file.parent, URL + "/elsewhere").read() is None


def test_recording_only_ever_adds(journal: Journal) -> None:
    before = journal.file.read_bytes()
    journal.record([actions.draw()])
    assert journal.file.read_bytes().startswith(before)


@given(cut=st.integers(1, 60))
def test_a_line_cut_off_by_a_crash_costs_nothing_but_itself(
    cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    journal = journal_in(tmp_path_factory.mktemp("home"))
    journal.begin(BASE)
    journal.record([actions.play("up1", 17)])
    journal.record([actions.play("up1", 18)])
    whole = journal.file.read_bytes()
    journal.file.write_bytes(whole[:-cut])
    journal.record([actions.play("up1", 19)])
    found = journal.read()
    assert found is not None
    # Without its end of the line alone, the entry is there.
    assert (cards(journal), found.torn) == (([17, 18, 19], 0) if cut == 1 else ([17, 19], 1))


def test_a_journal_put_aside_is_kept_and_a_given_up_one_never_replaced(journal: Journal) -> None:
    sent = journal.put_aside("sent")
    assert journal.read() is None
    assert json.loads(sent.read_text())["base"]["version"] == 3
    names = set()
    for _ in range(3):
        journal.begin(BASE)
        names.add(journal.put_aside("discarded"))
    assert len(names) == 3
    assert all(name.exists() for name in names)


@pytest.mark.parametrize(
    "text", ['{"base": 1}\n', '{"action": {"type": "draw"}}\n', '{"base": [], "x": 1}\n']
)
def test_a_spoilt_journal_is_told_and_left_alone(journal: Journal, text: str) -> None:
    journal.file.write_text(text)
    with pytest.raises(HomeUnusable, match="Move it away"):
        journal.read()
    assert journal.file.read_text() == text


def test_where_nothing_can_be_written_nothing_is_said_to_be_recorded(journal: Journal) -> None:
    journal.file.unlink()
    journal.file.mkdir()
    with pytest.raises(HomeUnusable, match="nothing recorded"):
        journal.record([actions.draw()])


def record_many(folder: Path, first: int) -> None:
    journal = journal_in(folder)
    for card in range(first, first + 20):
        with journal.exclusively():
            journal.record([actions.play("up1", card)])


def test_commands_at_once_lose_nothing_of_each_other(journal: Journal) -> None:
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=record_many, args=(journal.file.parent, first)) for first in (2, 22, 42)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
        assert process.exitcode == 0
    assert sorted(cards(journal)) == list(range(2, 62))
