"""The files of the command line: who may read them, and what happens when two commands use them at once."""

import multiprocessing
import stat
from pathlib import Path

import pytest

from gateway.client.home import Home, HomeUnusable, home_dir
from gateway.client.tokens import Tokens

URL = "http://127.0.0.1:8098"
OTHER = "https://ninety-eight.example"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_the_owner_may_read_the_credentials(home: Home) -> None:
    home.tokens(URL).save(Tokens("a", "r"))
    assert mode(home.directory / "credentials.json") == 0o600
    assert mode(home.directory) == 0o700


def test_tokens_are_kept_apart_by_gateway(home: Home) -> None:
    home.tokens(URL).save(Tokens("a1", "r1"))
    home.tokens(OTHER).save(Tokens("a2", "r2"))
    assert home.tokens(URL).read() == Tokens("a1", "r1")
    home.tokens(URL).forget()
    assert home.tokens(URL).read() is None
    assert home.tokens(OTHER).read() == Tokens("a2", "r2")


def test_a_home_that_is_not_there_holds_nothing_and_is_not_made_by_reading(home: Home) -> None:
    assert home.tokens(URL).read() is None
    assert home.current_game(URL) is None
    home.tokens(URL).forget()
    assert not home.directory.exists()


def test_each_account_has_its_own_game_in_use(home: Home) -> None:
    home.remember_account(URL, "ana")
    home.use_game(URL, "g1")
    home.remember_account(URL, "ben")
    assert home.current_game(URL) is None
    home.use_game(URL, "g2")
    home.remember_account(URL, "ana")
    assert home.current_game(URL) == "g1"
    assert home.current_game(OTHER) is None


def test_a_game_used_without_an_account_is_in_use_until_an_account_uses_another(home: Home) -> None:
    home.use_game(URL, "joined")
    assert home.current_game(URL) == "joined"
    home.remember_account(URL, "ana")
    assert home.current_game(URL) == "joined"
    home.use_game(URL, "g1")
    assert home.current_game(URL) == "g1"
    home.put_aside("g1")
    assert home.current_game(URL) == "joined"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"http://127.0.0.1:8098": {"access_token": "a"}}'])
def test_spoilt_credentials_are_told_and_not_overwritten(home: Home, content: str) -> None:
    home.make()
    (home.directory / "credentials.json").write_text(content)
    with pytest.raises(HomeUnusable, match=r"credentials\.json"):
        home.tokens(URL).read()
    assert (home.directory / "credentials.json").read_text() == content


def test_a_home_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HomeUnusable):
        Home(tmp_path / "file" / "home").tokens(URL).save(Tokens("a", "r"))


def test_the_home_is_where_the_environment_says() -> None:
    assert home_dir({"NINETY8_HOME": "/somewhere"}) == Path("/somewhere")
    assert home_dir({}) == Path.home() / ".config" / "ninety-eight"


def count_up(directory: Path, times: int) -> None:
    tokens = Home(directory).tokens(URL)
    for _ in range(times):
        with tokens.exclusively():
            read = tokens.read()
            assert read is not None
            tokens.save(Tokens(str(int(read.access_token) + 1), "r"))


def test_processes_that_read_and_save_exclusively_lose_nothing(home: Home) -> None:
    home.tokens(URL).save(Tokens("0", "r"))
    spawn = multiprocessing.get_context("fork")
    processes = [spawn.Process(target=count_up, args=(home.directory, 50)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
        assert process.exitcode == 0
    assert home.tokens(URL).read() == Tokens("150", "r")
    assert sorted(path.name for path in home.directory.iterdir()) == ["credentials.json", "credentials.lock"]
