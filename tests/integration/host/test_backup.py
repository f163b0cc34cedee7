"""Backups on real servers: what is written comes back whole, and nothing else is ever touched."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import psycopg
import pytest

from infra.backup.archive import BadArchive, Manifest
from infra.backup.work import StillInUse, put_back, write
from tests.support.embedded import ScratchDatabase

CHECKOUT = Path(__file__).resolve().parents[3]


class Stores:
    """Databases like the services', a folder of keys, and what is in them."""

    def __init__(self, make: ScratchDatabase, folder: Path) -> None:
        self.roles = {name: make(name) for name in ("sessions", "accounts")}
        self.urls = {name: urls[f"{name}_owner"] for name, urls in self.roles.items()}
        self.keys, self.backups = folder / "keys", folder / "backups"
        self.keys.mkdir()
        self.backups.mkdir()

    def fill(self, text: str) -> None:
        for name, url in self.urls.items():
            with psycopg.connect(url) as connection:
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS kept (id bigint GENERATED ALWAYS AS IDENTITY, said text)"
                )
                connection.execute(f"GRANT SELECT ON kept TO {name}")
                connection.execute("INSERT INTO kept (said) VALUES (%s)", (text,))
        (self.keys / "0001.json").write_text(text)

    def back_up(self) -> Path:
        return write(self.urls, self.keys, self.backups)

    def restore(self, archive: Path) -> Manifest:
        with archive.open("rb") as source:
            return put_back(source, self.urls, self.keys, self.backups)

    def said(self) -> list[str]:
        """What the runtime roles read, which proves their rights too."""
        found = []
        for name in self.urls:
            with psycopg.connect(self.roles[name][name]) as connection:
                found += [row[0] for row in connection.execute("SELECT said FROM kept ORDER BY id")]
        return [*found, (self.keys / "0001.json").read_text()]


@pytest.fixture
def stores(scratch_database: ScratchDatabase, tmp_path: Path) -> Stores:
    return Stores(scratch_database, tmp_path)


def test_what_was_written_comes_back_and_later_things_are_gone(stores: Stores) -> None:
    stores.fill("then")
    archive = stores.back_up()
    stores.fill("later")
    with psycopg.connect(stores.urls["sessions"]) as connection:
        connection.execute("CREATE TABLE newer (id int)")
    stores.restore(archive)
    assert stores.said() == ["then", "then", "then"]
    with psycopg.connect(stores.urls["sessions"]) as connection:
        assert connection.execute("SELECT to_regclass('newer')").fetchone() == (None,)
        assert connection.execute("INSERT INTO kept (said) VALUES ('more') RETURNING id").fetchone() == (2,)


def test_an_archive_is_readable_by_its_owner_only_and_leaves_nothing_beside_it(stores: Stores) -> None:
    stores.fill("then")
    archive = stores.back_up()
    assert archive.stat().st_mode & 0o777 == 0o600
    assert list(stores.backups.iterdir()) == [archive]
    with tarfile.open(archive) as members:
        assert set(members.getnames()) == {
            "manifest.json",
            "sessions.dump",
            "accounts.dump",
            "keys/0001.json",
        }


@pytest.mark.parametrize("kept_share", [0.0, 0.3, 0.5])
def test_a_damaged_archive_changes_nothing(stores: Stores, kept_share: float) -> None:
    stores.fill("then")
    archive = stores.back_up()
    stores.fill("later")
    content = archive.read_bytes()
    archive.write_bytes(content[: int(len(content) * kept_share)])
    with pytest.raises(BadArchive):
        stores.restore(archive)
    assert stores.said() == ["then", "later", "then", "later", "later"]


def test_a_changed_byte_is_noticed(stores: Stores) -> None:
    stores.fill("then")
    archive = stores.back_up()
    content = bytearray(archive.read_bytes())
    content[content.index(b"PGDMP") + 40] ^= 1
    archive.write_bytes(content)
    with pytest.raises(BadArchive, match="damaged"):
        stores.restore(archive)


def test_a_system_that_still_runs_is_left_alone(stores: Stores) -> None:
    stores.fill("then")
    archive = stores.back_up()
    with psycopg.connect(stores.roles["accounts"]["accounts"]), pytest.raises(StillInUse, match="accounts"):
        stores.restore(archive)
    assert stores.said() == ["then", "then", "then"]


def test_the_commands_work_on_a_data_directory_that_nobody_uses(data: Path) -> None:
    def backup(*arguments: str, answer: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "infra.backup", *arguments],
            cwd=CHECKOUT,
            env=os.environ | {"DATA_DIR": str(data)},
            input=answer,
            capture_output=True,
            text=True,
            check=False,
        )

    assert backup("write").returncode == 0
    (archive,) = (data / "backups").glob("ninety-eight-*.tar")
    refused = backup("restore", str(archive), answer="yes\n")
    assert refused.returncode == 1
    assert "nothing was changed" in refused.stderr
    restored = backup("restore", str(archive), answer="restore\n")
    assert restored.returncode == 0, restored.stderr
    assert list((data / "backups").glob("before-restore-*.tar"))
    assert backup("restore", str(archive), "--yes").returncode == 0
