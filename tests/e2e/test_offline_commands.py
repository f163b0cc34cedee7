"""The cellar bar at the command line: recording without a network, bringing it in, settling what differs."""

import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from tests.e2e.terminal import NINETY8, PASSWORD, Terminal
from tests.support.system import System
from tests.support.waiting import until

Machine = Callable[[], Terminal]


@pytest.fixture
def machine(system: System, tmp_path: Path) -> Machine:
    """`machine()` is another machine, nobody signed in."""
    return lambda: Terminal(system.url, tmp_path / uuid4().hex)


def with_plus(terminal: Terminal, system: System) -> Terminal:
    (code,) = system.run("services.accounts", "plus", "codes", "1").split()
    terminal("plus", "redeem", code)
    return terminal


@pytest.fixture
def phone(machine: Machine, system: System) -> Terminal:
    """The machine that goes down to the cellar: its owner has Plus, a game of Ana and Ben is in use."""
    terminal = with_plus(machine().sign_up(), system)
    terminal("new", "Ana", "Ben")
    return terminal


@pytest.fixture
def other(phone: Terminal, machine: Machine) -> Terminal:
    """Another machine of the same person, on the same game."""
    terminal = machine()
    terminal.sign_in(phone.email)
    terminal("use", phone.read("show")["id"])
    return terminal


def tops(terminal: Terminal) -> dict[str, int]:
    return {name: pile["top"] for name, pile in terminal.read("show")["table"]["piles"].items()}


def away(terminal: Terminal) -> Terminal:
    """The same machine where nothing answers."""
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        url = f"http://127.0.0.1:{reserved.getsockname()[1]}"
    home = terminal.home.parent / uuid4().hex
    home.mkdir(mode=0o700)
    for file in terminal.home.glob("*.json"):
        (home / file.name).write_text(file.read_text().replace(terminal.url, url))
    return Terminal(url, home, terminal.email)


def conflict_of(terminal: Terminal) -> str:
    (found,) = terminal.read("conflicts")["items"]
    conflict_id: str = found["id"]
    return conflict_id


def test_without_a_gateway_a_play_leads_to_recording_it(phone: Terminal) -> None:
    phone("play", "up1", "17")
    cellar = away(phone)
    for words in (("play", "up1", "20"), ("draw",), ("end",)):
        told = cellar.run(*words, code=3).stderr
        assert "ninety8 offline play" in told
        assert "ninety8 sync" in told
    assert "ninety8 offline" not in cellar.run("show", code=3).stderr
    told = cellar("offline", "play", "up1", "20")
    assert "Recorded on this machine, not checked yet: 20 on up1." in told
    assert "up1 ↑     17" in cellar("offline", "show")
    told = cellar.run("sync", code=3).stderr
    assert "Not sent: 1 entry recorded offline, kept on this machine." in told
    assert "20 on up1" in cellar("offline", "show")


def test_what_was_recorded_in_the_cellar_comes_into_the_game(phone: Terminal, other: Terminal) -> None:
    phone("play", "up1", "17")
    told = phone("offline", "play", "down2", "80")
    assert "Recorded on this machine, not checked yet: 80 on down2." in told
    assert "It follows version 1" in told
    phone("offline", "draw")
    assert "Not sent yet: 3 entries." in phone("offline", "end")
    shown = phone("offline", "show")
    assert "up1 ↑     17" in shown
    assert "   1  80 on down2" in shown
    assert other.read("show")["version"] == 1

    refused = phone.refused("play", "up1", "20")
    assert "3 entries recorded offline on this machine come before this" in refused
    assert "ninety8 sync" in refused

    told = phone("sync")
    assert "Sent: 3 entries." in told
    assert "   1  80 on down2: in the game" in told
    assert "The game is at version 4." in told
    assert other.read("show")["version"] == 4
    assert "Nothing is waiting here" in phone("sync")
    phone("play", "up1", "20")


def test_one_refused_entry_holds_up_nothing_else_and_is_parked(phone: Terminal) -> None:
    phone("offline", "play", "up1", "17")
    phone("offline", "play", "up1", "12")
    phone("offline", "play", "down2", "80")
    told = phone("sync")
    assert "   2  12 on up1: refused (illegal_play)" in told
    assert "This card does not fit this pile" in told
    assert "1 of them changed nothing and are parked" in told
    assert tops(phone) == {"up1": 17, "up2": 1, "down1": 100, "down2": 80}
    (parked,) = phone.read("parked")["items"]
    assert "12 on up1  (illegal_play)" in phone("parked")
    phone("unpark", parked["action_id"][-12:])
    assert "Nothing is parked" in phone("parked")


def test_two_stories_that_fit_are_joined_and_the_proof_is_told(phone: Terminal, other: Terminal) -> None:
    phone("offline", "play", "up1", "17")
    other("play", "down2", "80")
    done = phone.run("sync")
    assert "the two stories are being compared" in done.stderr
    assert "joined: both stories fit together" in done.stdout
    assert "Nothing was lost: 0 cards in both, 1 only in the shared game, 1 only on the device" in done.stdout
    assert tops(phone) == tops(other) == {"up1": 17, "up2": 1, "down1": 100, "down2": 80}
    log = other("log")
    assert "two stories joined" in log
    assert "80 on down2  [counts by entry 2]" in log
    assert "Nothing is recorded offline" in phone("offline", "show")


def diverged(phone: Terminal, other: Terminal) -> str:
    """The same card on two piles: one question; the id of the conflict."""
    phone("offline", "play", "up2", "12", "--device", "cellar")
    phone("offline", "play", "down1", "90")
    other("play", "up1", "12", "--device", "kitchen")
    phone("sync", "--device", "cellar")
    return conflict_of(other)


def test_one_card_on_two_piles_is_a_question_to_the_table(
    phone: Terminal, other: Terminal, machine: Machine
) -> None:
    conflict = diverged(phone, other)
    shown = other("conflict", conflict[-12:])
    assert "waits for a decision" in shown
    assert "last by you (kitchen)" in shown
    assert "On the offline device, last by you (cellar)" in shown
    assert "12 on up1" in shown
    assert "12 on up2" in shown
    assert "Look at the table:" in shown
    for choice in ("cloud", "device", "table"):
        assert f"ninety8 decide {conflict[-12:]} {choice}" in shown
    # The open conflict does not stop play, and a phone that asks again gets the same answer.
    assert conflict in phone("sync")

    missing = other.run("decide", conflict, "table", code=2).stderr
    assert "--up2" in missing
    decided = other("decide", conflict, "device")
    assert "the offline device's story stands" in decided
    assert tops(phone) == tops(other) == {"up1": 1, "up2": 12, "down1": 90, "down2": 100}
    assert "Decided in entry" in phone("sync")
    assert "Nothing is waiting here" in phone("sync")
    assert "conflict decided for the offline device" in other("log")

    third = machine()
    third.sign_in(phone.email)
    reopened = third.read("reopen", conflict, "cloud")
    third("use", reopened["id"])
    assert tops(third)["up1"] == 12
    other("undo")
    assert tops(other) == {"up1": 12, "up2": 1, "down1": 100, "down2": 100}
    assert "waits for a decision" in other("conflicts")


def test_the_table_decides_with_only_what_differs_said(phone: Terminal, other: Terminal) -> None:
    conflict = diverged(phone, other)
    told = other.run("decide", conflict, "table", "--up1", "1", "--up2", "12", code=2).stderr
    assert "Look at the table and say also" in told
    other("decide", conflict, "table", "--up1", "1", "--up2", "12", "--down1", "90", "--hands", "5,7")
    assert tops(phone) == {"up1": 1, "up2": 12, "down1": 90, "down2": 100}


def test_a_decision_about_what_is_no_longer_so_is_not_made(phone: Terminal, other: Terminal) -> None:
    conflict = diverged(phone, other)
    other("conflict", conflict)
    phone("conflict", conflict)
    other("play", "down2", "70")
    refused = phone.run("decide", conflict, "device", code=1)
    assert "The game went on since you looked, so nothing is decided yet." in refused.stdout
    assert "70 on down2" in refused.stderr
    assert "70 on down2" in refused.stdout
    assert "Decided: " in phone("decide", conflict, "device")


def test_recording_goes_on_while_the_question_is_open(phone: Terminal, other: Terminal) -> None:
    conflict = diverged(phone, other)
    phone("offline", "play", "down2", "60")
    told = phone("sync")
    assert conflict in told
    assert "60 on down2" in other("conflict", conflict)
    other("decide", conflict, "device")
    assert tops(phone)["down2"] == 60


def test_a_machine_that_died_before_the_answer_gets_the_same_answer(phone: Terminal, other: Terminal) -> None:
    phone("offline", "play", "up1", "17", "down2", "80")
    (journal,) = phone.home.glob("journal-*.ndjson")
    kept = journal.read_bytes()
    phone("sync")
    journal.write_bytes(kept)
    told = phone("sync")
    assert "   1  17 on up1: was there already" in told
    assert other.read("show")["version"] == 2
    assert other.read("conflicts")["items"] == []


def test_killed_while_it_sends_the_command_loses_nothing(phone: Terminal, system: System) -> None:
    phone("offline", "play", "up1", "17", "down2", "80")
    system.pause("sessions-web")
    try:
        sending = subprocess.Popen(
            [NINETY8, "sync"],
            env=os.environ | {"NINETY8_HOME": str(phone.home), "NINETY8_URL": phone.url},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        (journal,) = phone.home.glob("journal-*.ndjson")
        until(lambda: '"device"' in journal.read_text(), 15, "the branch is on its way")
        sending.send_signal(signal.SIGKILL)
        sending.wait()
    finally:
        system.resume("sessions-web")
    system.wait_ready()
    phone("sync")
    assert phone.read("show")["version"] == 2


def test_without_plus_entries_go_in_one_by_one_where_nothing_was_missed(machine: Machine) -> None:
    ninety8 = machine().sign_up()
    ninety8("new", "Ana", "Ben")
    ninety8("offline", "play", "up1", "17", "up1", "12", "down2", "80")
    told = ninety8("sync")
    assert "   2  12 on up1: refused (illegal_play)" in told
    assert "look at the table and enter what really happened" in told
    assert tops(ninety8) == {"up1": 17, "up2": 1, "down1": 100, "down2": 80}


def test_without_plus_what_was_missed_is_told_and_the_entries_stay(machine: Machine, system: System) -> None:
    ninety8 = machine().sign_up()
    game = ninety8.read("new", "Ana", "Ben")["id"]
    second = machine().sign_in(ninety8.email)
    second("use", game)
    ninety8("offline", "play", "up1", "17")
    second("play", "down2", "80")
    told = ninety8.refused("sync")
    assert "Not sent: 1 entry recorded offline, kept on this machine." in told
    assert "80 on down2" in told
    assert "ninety8 plus redeem" in told
    assert "17 on up1" in ninety8("offline", "show")
    with_plus(ninety8, system)
    assert "Nothing was lost" in ninety8("sync")


def test_what_is_given_up_is_kept_under_another_name(phone: Terminal) -> None:
    phone("offline", "play", "up1", "17")
    told = phone("offline", "discard", "--yes")
    assert "Given up: 1 entry." in told
    (aside,) = phone.home.glob("*.discarded")
    assert '"card": 17' in aside.read_text()
    assert "Nothing is waiting here" in phone("sync")


def test_a_guest_who_records_brings_a_branch_in_too(phone: Terminal, machine: Machine) -> None:
    guest = machine()
    guest("join", phone.read("invite")["code"], "--device", "Ben's phone")
    guest("offline", "play", "up1", "17")
    phone("play", "down2", "80")
    assert "Nothing was lost" in guest("sync")
    viewer = machine()
    viewer("join", phone.read("invite", "--role", "viewer")["code"])
    assert "to watch it" in viewer.refused("offline", "play", "up1", "20")


def test_the_table_is_taken_as_it_lies_and_undo_brings_the_record_back(phone: Terminal) -> None:
    phone("play", "up1", "17")
    before = phone.read("show")["table"]
    with phone.running("watch") as watching:
        watching.shows("Watching: you.")
        told = phone(
            "adopt", "--up1", "23", "--down1", "?", "--deck", "80", "--hands", "7,6", "--seat", "ben"
        )
        assert "The game goes on from what the table shows." in told
        watching.shows("The game goes on from what the table shows. Next: Ben.")
        assert watching.interrupt() == 0
    assert tops(phone)["up1"] == 23
    assert phone.read("show")["table"]["active_seat"] == 1
    impossible = phone.refused("adopt", "--deck", "98")
    assert "Refused (table_impossible)" in impossible
    phone("undo")
    assert phone.read("show")["table"] == before
    assert "the table taken as it lies" in phone("log")


def test_going_back_to_an_earlier_moment_is_an_entry_like_any_other(phone: Terminal) -> None:
    phone("play", "up1", "17", "down2", "80")
    assert "as it was at version 1" in phone("rewind", "1")
    assert tops(phone) == {"up1": 17, "up2": 1, "down1": 100, "down2": 100}
    assert "back to version 1" in phone("log")
    phone("undo")
    assert tops(phone)["down2"] == 80
    assert "Refused (validation_failed)" in phone.refused("rewind", "99")


def test_a_card_laid_without_its_value_is_named_later(phone: Terminal) -> None:
    phone("play", "up1", "--hidden", "--confirmed")
    phone("play", "up1", "--hidden", "--confirmed")
    assert "say --entry N" in phone.refused("identify", "17")
    assert "it was 17" in phone("identify", "17", "--entry", "1")
    refused = phone.refused("identify", "3")
    assert "Refused (illegal_play)" in refused
    assert "With 3 in entry 2 these would not fit:" in refused
    phone("identify", "20")
    assert tops(phone)["up1"] == 20
    assert "a card laid without its value named: 20" in phone("log")


def test_without_plus_corrections_are_refused_and_nothing_changes(machine: Machine) -> None:
    ninety8 = machine().sign_up()
    ninety8("new", "Ana")
    ninety8("play", "up1", "--hidden", "--confirmed")
    for words in (("adopt", "--up1", "20"), ("rewind", "0"), ("identify", "17")):
        assert "Refused (plus_required)" in ninety8.refused(*words)
    assert ninety8.read("show")["version"] == 1
    assert "No game is told in two ways." in ninety8("conflicts")


def test_no_file_of_the_cellar_can_be_read_by_others(phone: Terminal) -> None:
    phone("offline", "play", "up1", "17")
    files = [phone.home, *phone.home.iterdir()]
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)
    assert all(PASSWORD not in file.read_text() for file in files[1:])
    for file in phone.home.glob("journal-*.ndjson"):
        assert [json.loads(line) for line in file.read_text().splitlines()]
