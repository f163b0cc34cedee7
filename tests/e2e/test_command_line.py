"""The command line as people use it: real commands, one after the other, against the running system."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest

from tests.e2e.terminal import PASSWORD, Terminal
from tests.support.system import System
from tests.vectors.cases import named


@pytest.fixture
def terminal(system: System, tmp_path: Path) -> Callable[[], Terminal]:
    """`terminal()` is another machine, nobody signed in."""
    return lambda: Terminal(system.url, tmp_path / uuid4().hex)


@pytest.fixture
def ninety8(terminal: Callable[[], Terminal]) -> Terminal:
    """A machine where somebody has just signed up."""
    return terminal().sign_up()


def test_a_first_game_by_hand(ninety8: Terminal) -> None:
    ninety8("players", "add", "Ana", "--colour", "#cc3300")
    started = ninety8("new", "ana", "Ben", "--first", "Ben")
    assert "Ana, Ben · version 0" in started
    assert "Ben lays at least 2 cards." in started

    assert "Refused (minimum_not_played)" in ninety8.refused("draw")
    assert ninety8("play", "up1", "17").splitlines() == [
        "Ben lays 17 on up1.",
        "up1 ↑17  up2 ↑1  down1 ↓100  down2 ↓100",
        "Ben lays at least 1 more card.",
    ]
    refused = ninety8.refused("play", "up1", "12")
    assert "Refused (illegal_play)" in refused
    assert "ninety8 show" in refused
    assert "draws 2 cards: `ninety8 draw`" in ninety8("play", "down2", "80")

    assert "Ben takes 80 back from down2." in ninety8("undo")
    assert "Ben lays 80 on down2." not in ninety8("redo")
    assert ninety8.read("show")["table"]["piles"]["down2"]["top"] == 80

    assert "Ben draws 2 cards." in ninety8("draw")
    assert "Next: Ana." in ninety8("end")
    shown = ninety8("show")
    assert "Ana, Ben · version 6" in shown
    assert "up1 ↑     17  7, 18-79, 81-99" in shown
    assert "Last instruction: Next: Ana." in shown
    assert "Hands: Ana 7 · Ben 7" in shown
    assert "up1 ↑      1" in ninety8("show", "--at", "0")

    assert ninety8("log").splitlines() == [
        "   1  17 on up1",
        "   2  80 on down2",
        "   3  undo (Ben took 80 back)",
        "   4  redo",
        "   5  draw (Ben drew 2)",
        "   6  end of the turn (next Ana)",
    ]
    assert [json.loads(line)["seq"] for line in ninety8("log", "--ndjson", "--after", "4").splitlines()] == [
        5,
        6,
    ]

    blocked = ninety8("block")
    assert "Blocked with 96 cards left" in blocked
    assert "Warning" in blocked
    assert "ninety8 confirm" in ninety8.refused("play", "up1", "20")
    assert "The game is over. Lost: 96 cards left." in ninety8("confirm")
    assert "Refused (game_over)" in ninety8.refused("draw")
    assert "finished" in ninety8("games")
    ninety8("undo")
    assert ninety8.read("show")["result"] is None


def test_several_cards_in_one_command_stop_at_the_first_that_does_not_fit(ninety8: Terminal) -> None:
    ninety8("new", "Ana", "Ben")
    done = ninety8.run("play", "up1", "30", "up1", "20", "up1", "5", "up1", "40", code=1)
    assert done.stdout == "Ana lays 30 on up1.\nAna lays 20 on up1.\n"
    assert "illegal_play" in done.stderr
    assert ninety8.read("show")["version"] == 2


def test_a_card_without_its_value_needs_a_look_at_the_pile(ninety8: Terminal) -> None:
    ninety8("new", "Ana")
    assert "--confirmed" in ninety8.refused("play", "up1", "--hidden")
    assert "a card without its value on up1" in ninety8("play", "up1", "--hidden", "--confirm")
    assert "confirmation_required" in ninety8.refused("play", "up1", "30")
    ninety8("play", "up1", "30", "--confirmed")
    shown = ninety8("show")
    assert "not everything can be checked" in shown
    assert "up1 ↑     30" in shown


def test_a_device_that_expects_another_moment_is_told_what_it_missed(
    ninety8: Terminal, terminal: Callable[[], Terminal]
) -> None:
    game = ninety8.read("new", "Ana", "Ben")
    other = terminal().sign_in(ninety8.email)
    other("use", game["id"][-12:])
    other("play", "up1", "17")
    refused = ninety8.refused("play", "up1", "20", "--expect", "0")
    assert "Refused (version_conflict)" in refused
    assert "   1  17 on up1" in refused
    ninety8("play", "up1", "20", "--expect", "1")


@pytest.mark.parametrize("words", [(), ("--turns", "--recording", "won-3-normal")])
def test_the_demonstration_wins_and_leaves_nothing_behind(ninety8: Terminal, words: tuple[str, ...]) -> None:
    shown = ninety8("demo", *words)
    assert "The game is over. Won: no card left." in shown
    assert ninety8.read("whoami")["email"] == ninety8.email
    assert ninety8.read("games")["items"] == []


def test_a_demonstration_kept_can_be_looked_at(terminal: Callable[[], Terminal]) -> None:
    ninety8 = terminal()
    kept = ninety8.read("demo", "--keep", "--turns")
    assert kept["game"]["result"] | {"confirmed_at": ""} == {
        "outcome": "win", "remaining": 0, "rating": "perfect", "confirmed_at": "",
    }  # fmt: skip
    ninety8.sign_in(kept["account"]["email"], kept["account"]["password"])
    ninety8("use", kept["game"]["id"])
    assert "Won: no card left." in ninety8("show")
    assert len(ninety8("log").splitlines()) == kept["actions"]


def test_without_a_sign_in_the_way_to_one_is_told(terminal: Callable[[], Terminal]) -> None:
    ninety8 = terminal()
    refused = ninety8.refused("whoami")
    assert "Refused (unauthenticated)" in refused
    assert "ninety8 sign-in" in refused
    assert "Refused (bad_credentials)" in ninety8.refused(
        "sign-in", "nobody@example.org", "--password-stdin", stdin="wrong password\n"
    )


def test_signing_out_here_leaves_the_other_device_in(
    ninety8: Terminal, terminal: Callable[[], Terminal]
) -> None:
    other = terminal().sign_in(ninety8.email)
    ninety8("sign-out")
    assert "unauthenticated" in ninety8.refused("whoami")
    assert other.email != ninety8.email
    assert other.read("whoami")["email"] == ninety8.email


def test_signing_out_everywhere_ends_the_other_device_too(
    ninety8: Terminal, terminal: Callable[[], Terminal]
) -> None:
    other = terminal().sign_in(ninety8.email)
    assert "Signed out everywhere." in ninety8("sign-out", "--everywhere")
    assert "unauthenticated" in other.refused("whoami")
    assert ninety8.sign_in(ninety8.email).read("whoami")["email"] == ninety8.email


def test_commands_that_meet_an_old_token_at_once_all_stay_signed_in(ninety8: Terminal) -> None:
    credentials = json.loads((ninety8.home / "credentials.json").read_text())
    credentials[ninety8.url]["access_token"] = "out of date"
    (ninety8.home / "credentials.json").write_text(json.dumps(credentials))
    with ThreadPoolExecutor(4) as threads:
        for account in threads.map(lambda _: ninety8.read("whoami"), range(4)):
            assert account["email"] == ninety8.email
    assert json.loads((ninety8.home / "credentials.json").read_text()) != credentials


def test_a_play_while_the_rules_are_away_is_repeated_until_they_are_back(
    ninety8: Terminal, system: System
) -> None:
    ninety8("new", "Ana")
    system.kill("rules-respond")
    ninety8("play", "up1", "17")
    system.wait_ready()
    assert ninety8.read("show")["version"] == 1


def test_a_changed_password_is_the_only_one(ninety8: Terminal) -> None:
    new = "another horse battery"
    wrong = f"not this password\n{new}\n"
    assert "Refused (wrong_password)" in ninety8.refused("password", "--password-stdin", stdin=wrong)
    ninety8("password", "--password-stdin", stdin=f"{PASSWORD}\n{new}\n")
    ninety8("whoami")
    assert "bad_credentials" in ninety8.refused(
        "sign-in", ninety8.email, "--password-stdin", stdin=PASSWORD + "\n"
    )
    ninety8.sign_in(ninety8.email, new)


def test_a_forgotten_password_is_set_with_the_link_of_an_operator(ninety8: Terminal, system: System) -> None:
    printed = system.run("services.accounts", "password", "reset", ninety8.email)
    link = next(line.removeprefix("link: ") for line in printed.splitlines() if line.startswith("link: "))
    new = "another horse battery"
    ninety8("reset-password", "--password-stdin", stdin=f"{link}\n{new}\n")
    ninety8.sign_in(ninety8.email, new)
    used = ninety8.refused("reset-password", "--password-stdin", stdin=f"{link}\n{new}\n")
    assert "Refused (link_expired)" in used


def test_saved_players_keep_their_games_through_everything(ninety8: Terminal) -> None:
    for name in ("Ana", "Ben", "Benny"):
        ninety8("players", "add", name)
    ninety8("players", "rename", "Ana", "Ann")
    ninety8("new", "ann", "benny")
    assert "Benny is Ben from now on." in ninety8("players", "merge", "Benny", "Ben")
    assert len(ninety8.read("games", "--player", "Ann")["items"]) == 1
    assert "Refused (merge_impossible)" in ninety8.refused("players", "merge", "Ben", "Ben")
    ninety8("players", "unmerge", "Benny")
    assert "Refused (not_merged)" in ninety8.refused("players", "unmerge", "Benny")
    ninety8("players", "archive", "Ann")
    assert "Ann" not in ninety8("players", "list")
    assert "archived" in ninety8("players", "list", "--all")
    ninety8("players", "restore", "Ann")
    listed = ninety8("players", "list")
    assert all(name in listed for name in ("Ann", "Ben", "Benny"))


def test_a_game_goes_into_the_bin_and_comes_back(ninety8: Terminal) -> None:
    game = ninety8.read("new", "Ana")["id"]
    ninety8("bin")
    assert ninety8.read("games")["items"] == []
    assert [binned["id"] for binned in ninety8.read("games", "--bin")["items"]] == [game]
    assert "Refused (game_in_bin)" in ninety8.refused("play", "up1", "17")
    assert "in the bin" in ninety8("show")
    ninety8("restore", game[-12:])
    ninety8("play", "up1", "17")


def test_a_game_of_somebody_else_s_is_not_there(ninety8: Terminal, terminal: Callable[[], Terminal]) -> None:
    game = ninety8.read("new", "Ana")["id"]
    stranger = terminal().sign_up()
    for words in (("use", game), ("show", "--game", game), ("log", "--game", game), ("bin", game)):
        assert "Refused (not_found)" in stranger.refused(*words)


def test_a_code_for_plus_works_once(
    ninety8: Terminal, terminal: Callable[[], Terminal], system: System
) -> None:
    (code,) = system.run("services.accounts", "plus", "codes", "1").split()
    assert "plus" in ninety8("plus", "redeem", code)
    assert ninety8.read("whoami")["plan"] == "plus"
    assert "Refused (code_used)" in terminal().sign_up().refused("plus", "redeem", code)


def test_the_export_holds_the_account_s_own_data(ninety8: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    ninety8("my-data", "--output", str(file))
    assert ninety8.email in file.read_text()
    assert PASSWORD not in file.read_text()


def test_a_deleted_account_is_gone_at_once(ninety8: Terminal) -> None:
    wrong = ninety8.refused("delete-account", "--password-stdin", stdin="not this password\n")
    assert "Refused (wrong_password)" in wrong
    ninety8("delete-account", "--password-stdin", stdin=PASSWORD + "\n")
    assert "unauthenticated" in ninety8.refused("whoami")
    assert "bad_credentials" in ninety8.refused(
        "sign-in", ninety8.email, "--password-stdin", stdin=PASSWORD + "\n"
    )


def test_a_log_is_judged_without_an_account(terminal: Callable[[], Terminal], tmp_path: Path) -> None:
    case = next(case for case in named() if case.name == "won-2-expert")
    file = tmp_path / "log.json"
    file.write_text(json.dumps({"options": case.options, "actions": case.actions}))
    shown = terminal()("evaluate", str(file))
    assert f"{len(case.actions)} actions: {len(case.actions)} accepted, 0 refused." in shown
    file.write_text(
        json.dumps({"options": case.options, "actions": [{"type": "play", "pile": "up1", "card": 1}]})
    )
    assert "refused (card_out_of_range)" in terminal().run("evaluate", str(file), code=1).stdout


def test_the_gateway_speaks_the_language_asked_for(ninety8: Terminal) -> None:
    ninety8("new", "Ana")
    english = ninety8.refused("draw")
    for language in ("es", "it", "pt", "fr", "de", "sl"):
        told = ninety8.refused("draw", "--lang", language)
        assert told.startswith("Refused (minimum_not_played)")
        assert told.splitlines()[0] != english.splitlines()[0]


def test_no_file_of_the_command_line_can_be_read_by_others(ninety8: Terminal) -> None:
    ninety8("new", "Ana")
    files = [ninety8.home, *ninety8.home.iterdir()]
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)
    assert all(PASSWORD not in file.read_text() for file in files[1:])


def test_a_mistyped_address_says_that_nobody_is_there(ninety8: Terminal) -> None:
    done = ninety8.run("whoami", "--url", "http://127.0.0.1:9", code=3)
    assert "make run" in done.stderr
