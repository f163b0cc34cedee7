"""The whole table at the command line: inviting, joining without an account, watching, leaving."""

import json
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest

from tests.e2e.terminal import Terminal
from tests.support.system import System

Machine = Callable[[], Terminal]


@pytest.fixture
def machine(system: System, tmp_path: Path) -> Machine:
    """`machine()` is another machine, nobody signed in."""
    return lambda: Terminal(system.url, tmp_path / uuid4().hex)


@pytest.fixture
def owner(machine: Machine, system: System) -> Terminal:
    """The machine of somebody with Plus, a game of Ana and Ben in use."""
    terminal = machine().sign_up()
    (code,) = system.run("services.accounts", "plus", "codes", "1").split()
    terminal("plus", "redeem", code)
    terminal("new", "Ana", "Ben")
    return terminal


def invited(owner: Terminal, role: str = "recorder") -> tuple[str, str]:
    """The id and the code of a new invitation."""
    made = owner.read("invite", "--role", role)
    return made["id"], made["code"]


def test_everybody_at_the_table_sees_what_anybody_enters(owner: Terminal, machine: Machine) -> None:
    guest = machine()
    link = next(line for line in owner("invite").splitlines() if line.startswith("Link: "))
    joined = guest("join", f" {link.removeprefix('Link: ')} ", "--device", "Ben's phone")
    assert "Joined as recorder" in joined
    assert "Ana, Ben · version 0" in joined
    with owner.running("watch") as watching, guest.running("watch") as also:
        watching.shows("Watching: you, guest (Ben's phone) as recorder.")
        also.shows("Watching: the owner, you (Ben's phone) as recorder.")
        guest("play", "up1", "17")
        watching.shows("   1  Ana lays 17 on up1.  · guest (Ben's phone)")
        watching.shows("up1 ↑17  up2 ↑1  down1 ↓100  down2 ↓100  · deck 84 · 97 left")
        also.shows("   1  Ana lays 17 on up1.  · you (Ben's phone)")
        owner("play", "down2", "80")
        also.shows("   2  Ana lays 80 on down2.  · the owner")
        owner("undo")
        also.shows("   3  Undone: 80 on down2. Ana takes 80 back from down2.  · the owner")
        assert also.interrupt() == 0
        watching.shows("Watching: you.")
        assert watching.interrupt() == 0
        assert watching.out.endswith(
            "No longer watching. `ninety8 watch` goes on, `ninety8 show` shows the table.\n"
        )
        assert watching.err == ""
    assert owner("log").splitlines()[0] == "   1  17 on up1 · guest (Ben's phone)"


def test_watching_from_the_start_tells_the_whole_game(owner: Terminal) -> None:
    owner("play", "up1", "17", "down2", "80")
    for word in ("draw", "end", "block", "confirm"):
        owner(word)
    with owner.running("watch", "--from-start") as watching:
        watching.shows("The game is over. Lost: 96 cards left.")
        sentences = [line for line in watching.out.splitlines() if "· you" in line]
        assert sentences == [
            "   1  Ana lays 17 on up1.  · you",
            "   2  Ana lays 80 on down2.  · you",
            "   3  Ana draws 2 cards.  · you",
            "   4  The turn ends. Next: Ben.  · you",
            "   5  Ben cannot lay enough.  · you",
            "   6  The result is confirmed.  · you",
        ]
        owner("undo")
        watching.shows("   7  Undone: result confirmed.")
        watching.shows("Blocked with 96 cards left: confirm the result, or undo.")


def test_for_a_script_each_event_is_a_line_of_json(owner: Terminal) -> None:
    owner("play", "up1", "17")
    with owner.running("watch", "--json", "--from-start", "--table") as watching:
        watching.shows('"event": "presence"')
        owner("play", "up1", "18")
        watching.shows('"seq": 2')
        assert watching.interrupt() == 0
        documents = [json.loads(line) for line in watching.out.splitlines()]
        assert watching.err == ""
    entries = [it for it in documents if it["event"] == "entry"]
    assert [it["entry"]["seq"] for it in entries] == [1, 2]
    assert [it["table"]["piles"]["up1"]["top"] for it in entries] == [17, 18]


def test_watching_goes_on_after_the_live_part_was_killed(owner: Terminal, system: System) -> None:
    with owner.running("watch") as watching:
        watching.shows("Watching: you.")
        system.kill("gateway-live")
        watching.shows("Connection lost, coming back …")
        owner("play", "up1", "17")
        watching.shows("Back.", 60)
        watching.shows("   1  Ana lays 17 on up1.")
        assert watching.err.count("Connection lost") == 1
    system.wait_ready()


def test_whoever_may_only_watch_is_told_so(owner: Terminal, machine: Machine) -> None:
    viewer = machine()
    viewer("join", invited(owner, "viewer")[1])
    assert "Ana, Ben" in viewer("show")
    for words in (("play", "up1", "17"), ("undo",), ("bin",), ("invite",), ("invitations",)):
        assert "Refused (role_insufficient)" in viewer.refused(*words)
    assert owner.read("show")["version"] == 0


def test_a_withdrawn_invitation_ends_at_once(owner: Terminal, machine: Machine) -> None:
    invitation, code = invited(owner)
    guest = machine()
    guest("join", code)
    with guest.running("watch") as watching:
        watching.shows("Watching: ")
        owner("revoke", invitation[-12:])
        watching.shows("your invitation to this game has ended")
        assert watching.process.wait(15) == 1
    assert "ask for a new one" in guest.refused("play", "up1", "17")
    assert "Ended: " in guest("games")
    assert "Refused (invitation_ended)" in machine().refused("join", code)
    assert [(it["status"], it["guests"]) for it in owner.read("invitations")["items"]] == [("revoked", 1)]
    guest("leave")
    assert "sign-in" in guest.refused("show")


def test_an_account_joins_beside_its_own_games_and_leaves(owner: Terminal, machine: Machine) -> None:
    other = machine().sign_up()
    own = other.read("new", "Cid")["id"]
    joined = other.read("join", invited(owner)[1])["game_id"]
    other("play", "up1", "17")
    listed = other.read("games")
    assert {it["id"]: it["access"]["role"] for it in listed["items"]} == {own: "owner", joined: "recorder"}
    assert listed["joined"] == []
    assert "recorder" in other("games")
    owner("play", "down2", "80")
    assert other("log").splitlines() == ["   1  17 on up1 · you", "   2  80 on down2"]
    assert owner("log").splitlines()[0].startswith("   1  17 on up1 · account ")
    other("leave")
    assert "Refused (not_found)" in other.refused("show", "--game", joined)
    other("use", own)
    assert "Cid" in other("show")


def test_a_guest_who_records_does_so_still_after_joining_to_watch_with_an_account(
    owner: Terminal, machine: Machine
) -> None:
    other = machine().sign_up()
    other("join", invited(owner)[1], "--as-guest")
    invitation, code = invited(owner, "viewer")
    assert "On this machine you stay a guest as recorder" in other("join", code)
    other("play", "up1", "17")
    owner("revoke", invitation)
    other("play", "up1", "18")
    other("leave")
    assert "Refused (not_found)" in other.refused("show", "--game", owner.read("show")["id"])


def test_a_game_whose_invitation_was_withdrawn_is_put_out_of_use(owner: Terminal, machine: Machine) -> None:
    other = machine().sign_up()
    invitation, code = invited(owner)
    other("join", code)
    owner("revoke", invitation)
    assert "not among yours any more" in other("leave")
    assert "No game is in use" in other.refused("show")


def test_one_s_own_game_needs_no_guest_s_token(owner: Terminal) -> None:
    assert "a game of your own" in owner("join", invited(owner)[1])
    owner("play", "up1", "17")
    assert "guest" not in owner("log")


def test_without_plus_nobody_is_invited(machine: Machine) -> None:
    ninety8 = machine().sign_up()
    ninety8("new", "Ana")
    refused = ninety8.refused("invite")
    assert "Refused (plus_required)" in refused
    assert "ninety8 plus redeem" in refused
    assert "Nobody is invited" in ninety8("invitations")


def test_no_file_of_a_guest_can_be_read_by_others(owner: Terminal, machine: Machine) -> None:
    guest = machine()
    code = invited(owner)[1]
    guest("join", code)
    files = [guest.home, *guest.home.iterdir()]
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)
    assert all(code not in file.read_text() for file in files[1:])


@pytest.mark.parametrize("code", ["nonsense", "x" * 43, "-h" + "x" * 41])
def test_a_code_that_nobody_gave_joins_nothing(machine: Machine, code: str) -> None:
    assert "Refused (invitation_unknown)" in machine().refused("join", code)
