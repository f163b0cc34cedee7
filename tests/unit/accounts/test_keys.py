"""Signing keys on disk: made once, private, rotated without a gap."""

import json
import multiprocessing
import stat
from pathlib import Path

import pytest

from services.accounts.adapters.keys import KeyFolder, NoKeys

NOW = 1_800_000_000.0
PUBLISH_FIRST_S = 900.0
TOKEN_S = 900.0


def folder(path: Path) -> KeyFolder:
    return KeyFolder(path, publish_first_s=PUBLISH_FIRST_S, token_s=TOKEN_S)


def start(path: Path, barrier: object, seen: object) -> None:
    barrier.wait(30)  # type: ignore[attr-defined]
    keys = folder(path)
    keys.ensure(NOW)
    seen.put(keys.signing(NOW).kid)  # type: ignore[attr-defined]


def test_processes_that_start_together_make_one_key(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    barrier, seen = context.Barrier(6), context.Queue()
    processes = [context.Process(target=start, args=(tmp_path / "keys", barrier, seen)) for _ in range(6)]
    for process in processes:
        process.start()
    kids = {seen.get(timeout=30) for _ in processes}
    for process in processes:
        process.join(30)
    assert len(kids) == 1
    assert len(list((tmp_path / "keys").glob("*.json"))) == 1


def test_keys_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    keys = folder(tmp_path / "keys")
    keys.ensure(NOW)
    keys.rotate(NOW)
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700
    files = list((tmp_path / "keys").glob("*.json"))
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_a_second_start_keeps_the_key(tmp_path: Path) -> None:
    folder(tmp_path).ensure(NOW)
    first = folder(tmp_path).signing(NOW)
    folder(tmp_path).ensure(NOW + 10)
    assert folder(tmp_path).signing(NOW + 10).kid == first.kid


def test_without_a_key_there_is_nothing_to_sign_with_or_publish(tmp_path: Path) -> None:
    for ask in (folder(tmp_path / "none").signing, folder(tmp_path / "none").published):
        with pytest.raises(NoKeys):
            ask(NOW)


def test_a_new_key_is_published_before_it_signs_and_the_old_one_as_long_as_its_tokens_live(
    tmp_path: Path,
) -> None:
    keys = folder(tmp_path)
    keys.ensure(NOW)
    old, new = keys.signing(NOW), keys.rotate(NOW + 10_000)
    signs_from = NOW + 10_000 + PUBLISH_FIRST_S
    for at in (NOW + 10_000, signs_from - 1):
        assert keys.signing(at).kid == old.kid
        assert [key.kid for key in keys.published(at)] == [old.kid, new.kid]
    assert keys.signing(signs_from).kid == new.kid
    assert [key.kid for key in keys.published(signs_from + TOKEN_S)] == [old.kid, new.kid]
    assert [key.kid for key in keys.published(signs_from + 2 * TOKEN_S)] == [new.kid]


def test_a_key_rotated_in_right_after_the_first_waits_too(tmp_path: Path) -> None:
    keys = folder(tmp_path)
    keys.ensure(NOW)
    first = keys.signing(NOW)
    keys.rotate(NOW + 1)
    assert keys.signing(NOW + 2).kid == first.kid
    assert len(keys.published(NOW + 2)) == 2


def test_a_rotation_deletes_what_is_no_longer_published_and_numbers_go_on(tmp_path: Path) -> None:
    keys = folder(tmp_path)
    keys.ensure(NOW)
    for round_ in range(1, 4):
        keys.rotate(NOW + round_ * 100_000)
    names = sorted(file.name for file in tmp_path.glob("*.json"))
    assert names == ["0003.json", "0004.json"]
    assert json.loads((tmp_path / "0004.json").read_text())["kty"] == "OKP"


def test_a_draft_of_a_killed_rotation_is_in_nobodys_way(tmp_path: Path) -> None:
    keys = folder(tmp_path)
    keys.ensure(NOW)
    (tmp_path / "0002.draft").write_text('{"half')
    new = keys.rotate(NOW)
    assert [key.kid for key in keys.published(NOW)][-1] == new.kid
