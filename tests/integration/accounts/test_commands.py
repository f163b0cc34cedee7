"""The command line, as operators run it: its own process, settings from the environment."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest

from infra.host.ports import free_port
from services.accounts.adapters import accounts
from shared.settings import CHECKOUT
from tests.integration.accounts.world import Person, World, is_refused

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(world: World, tmp_path: Path) -> Run:
    """`run("plus", "grant", email)` against the world's database."""

    def call(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        given = {
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(tmp_path),
            "ACCOUNTS_DATABASE_URL": world.config.database_url,
            "ACCOUNTS_KEYS_DIR": str(world.config.keys_dir),
        }
        return subprocess.run(
            [sys.executable, "-m", "services.accounts", *arguments],
            cwd=CHECKOUT,
            env={name: value for name, value in (given | environment).items() if value},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return call


def test_plus_is_granted_and_revoked_by_address(run: Run, anna: Person) -> None:
    for verb, words, plan in (
        ("grant", "has the plan plus now", "plus"),
        ("grant", "had the plan plus already", "plus"),
        ("revoke", "has the plan free now", "free"),
    ):
        done = run("plus", verb, anna.email.upper())
        assert (done.returncode, done.stderr) == (0, "")
        assert words in done.stdout
        assert anna.call("GET", "/v1/me").json["plan"] == plan


def test_an_operator_is_made_and_unmade_by_address(run: Run, world: World, anna: Person) -> None:
    for verb, words, role in (
        ("grant", "is an operator from the next sign-in or refresh on", "operator"),
        ("grant", "was an operator already", "operator"),
        ("revoke", "is no operator any more", None),
        ("revoke", "was no operator", None),
    ):
        done = run("operator", verb, anna.email.upper())
        assert (done.returncode, done.stderr) == (0, "")
        assert words in done.stdout
        with world.engine.connect() as connection:
            found = accounts.find(connection, UUID(anna.id))
        assert found is not None
        assert found.role == role


def test_codes_are_printed_one_a_line_and_work(run: Run, anna: Person) -> None:
    codes = run("plus", "codes", "3").stdout.splitlines()
    assert len(set(codes)) == 3
    for code in codes:
        assert [len(group) for group in code.split("-")] == [4, 4, 4, 4]
    assert anna.call("POST", "/v1/me/plus", {"code": codes[0]}).status_code == 200


def test_a_reset_link_is_printed_and_its_code_works(run: Run, world: World, anna: Person) -> None:
    done = run("password", "reset", anna.email, PUBLIC_URL="https://table.example/")
    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    assert lines["link"] == f"https://table.example/reset#{lines['code']}"
    assert len(lines["code"]) == 43
    body = {"code": lines["code"], "password": "another password"}
    assert world.call("POST", "/v1/auth/password-reset", body).status_code == 204
    assert anna.sign_in("another password").status_code == 200
    assert is_refused(world.call("POST", "/v1/auth/password-reset", body), 422, "link_expired")


@pytest.mark.parametrize("command", [("plus", "grant"), ("operator", "grant"), ("password", "reset")])
def test_an_unknown_address_is_said_to_be_so(run: Run, command: tuple[str, str]) -> None:
    done = run(*command, "nobody@example.org")
    assert (done.returncode, done.stdout) == (1, "")
    assert "There is no account with the e-mail nobody@example.org." in done.stderr


@pytest.mark.parametrize(
    "command", [("plus", "grant", "a@b"), ("plus", "codes", "1"), ("password", "reset", "a@b")]
)
def test_servers_that_do_not_run_are_named_with_what_to_do(run: Run, command: tuple[str, ...]) -> None:
    nowhere = f"postgresql://accounts:secret-word@127.0.0.1:{free_port()}/accounts"
    for url in ("", nowhere):
        done = run(*command, ACCOUNTS_DATABASE_URL=url)
        assert done.returncode == 1
        assert "make run" in done.stderr
        assert "Traceback" not in done.stderr
        assert "secret-word" not in done.stderr + done.stdout


def test_the_servers_of_a_running_host_are_found_by_what_it_wrote_down(
    run: Run, world: World, anna: Person, tmp_path: Path
) -> None:
    written = tmp_path / "run" / "environment.json"
    written.parent.mkdir()
    written.write_text(json.dumps({"ACCOUNTS_DATABASE_URL": world.config.database_url}))
    assert run("plus", "grant", anna.email, ACCOUNTS_DATABASE_URL="").returncode == 0
    assert anna.call("GET", "/v1/me").json["plan"] == "plus"


@pytest.mark.parametrize("count", ["0", "10001"])
def test_a_count_that_makes_no_sense_is_refused(run: Run, count: str) -> None:
    done = run("plus", "codes", count)
    assert done.returncode == 2
    assert done.stdout == ""


def test_a_rotated_key_is_published_and_tokens_go_on_working(run: Run, world: World, anna: Person) -> None:
    before = world.call("GET", "/.well-known/jwks.json").json["keys"]
    done = run("keys", "rotate")
    assert done.returncode == 0
    after = world.call("GET", "/.well-known/jwks.json").json["keys"]
    assert after[0] == before[0]
    assert after[1]["kid"] in done.stdout
    assert anna.call("GET", "/v1/me").status_code == 200


def test_a_folder_of_keys_that_cannot_be_is_said_to_be_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run("keys", "rotate", ACCOUNTS_KEYS_DIR=str(tmp_path / "file" / "keys"))
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_that_is_not_migrated_is_said_to_be_so(
    run: Run, scratch_database: Callable[[str], dict[str, str]]
) -> None:
    urls = scratch_database("accounts")
    done = run("plus", "codes", "1", ACCOUNTS_DATABASE_URL=urls["accounts"])
    assert done.returncode == 1
    assert "services.accounts migrate" in done.stderr
    for _ in range(2):
        migrated = run("migrate", ACCOUNTS_OWNER_DATABASE_URL=urls["accounts_owner"])
        assert (migrated.returncode, migrated.stdout) == (0, "accounts: database at revision 0002\n")
    assert run("plus", "codes", "1", ACCOUNTS_DATABASE_URL=urls["accounts"]).returncode == 0
