"""The files of the web client, read once: each with its type, and one version for all of them together."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import orjson

from gateway.slimming import slimmed

WEB = Path(__file__).parent / "web"
FOLDERS = ("css", "icons", "js", "lang")
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
# Addresses that the client shows something for; the rest of an address is for the client to read.
SCREENS = (
    "conflicts",
    "games",
    "guide",
    "join",
    "new",
    "players",
    "reset",
    "settings",
    "sign-in",
    "stats",
)
_SHELL = ("index.html", "manifest.webmanifest", "sw.js")
_VERSION = b"{{version}}"
_KEPT = b"{{kept}}"
_SHOWN = b"{{screens}}"
# What a language needs is fetched when somebody speaks it.
_ON_DEMAND = ("lang/",)


@dataclass(frozen=True, slots=True)
class ClientFiles:
    """`shell` are the files with an address of their own, `files` those below `/app/<version>/`, by name."""

    version: str
    shell: Mapping[str, bytes]
    files: Mapping[str, bytes]


def read(folder: Path = WEB) -> ClientFiles:
    """All files below `folder`; the version is another one as soon as a byte in any of them is."""
    files = {
        path.relative_to(folder).as_posix(): slimmed(path.name, path.read_bytes())
        for name in FOLDERS
        for path in sorted((folder / name).rglob("*"))
        if path.suffix in MEDIA_TYPES
    }
    shell = {name: slimmed(name, (folder / name).read_bytes()) for name in _SHELL}
    version = _version({**files, **shell})
    kept = [name for name in files if not name.startswith(_ON_DEMAND)]
    values = {
        _VERSION: version.encode(),
        _KEPT: orjson.dumps(_by_place(["lang/en.json", *kept])),
        _SHOWN: orjson.dumps(["", *SCREENS]),
    }
    return ClientFiles(version, {name: _filled(text, values) for name, text in shell.items()}, files)


def media_type(name: str) -> str:
    """The type of the file `name`."""
    return MEDIA_TYPES[Path(name).suffix]


def _by_place(names: list[str]) -> dict[str, str]:
    """What stands for `*` in each kind of name, such as `css/*.css`."""
    found: dict[str, list[str]] = {}
    for path in map(PurePosixPath, names):
        found.setdefault(f"{path.parent}/*{path.suffix}", []).append(path.stem)
    return {place: " ".join(stems) for place, stems in found.items()}


def _version(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(f"{name} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()[:12]


def _filled(text: bytes, values: Mapping[bytes, bytes]) -> bytes:
    for name, value in values.items():
        text = text.replace(name, value)
    return text
