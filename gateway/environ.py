"""A request as a WSGI environ: the form in which the edge and its pages read one."""

import io
from typing import Any
from urllib.parse import quote_from_bytes, unquote_to_bytes

from aiohttp.web import BaseRequest

_BARE = {"CONTENT_TYPE", "CONTENT_LENGTH"}  # no HTTP_ before them, and never a list
_KEYS: dict[bytes, str] = {}
_KEYS_LIMIT = 1000
_ASCII = bytes(range(128))


def environ_of(request: BaseRequest) -> dict[str, Any]:
    """`request` without its body. Of what has no place in an environ it keeps the safe half: a header with
    an underscore, which would pass for the one with a hyphen, is left out, what is not ASCII is
    percent-encoded byte by byte, and one that comes twice is one list.
    """
    environ = environ_for(request.method, request.raw_path, request.remote or "")
    for name, value in request.raw_headers:
        key = _key(name)
        if not key:
            continue
        text = value.decode("ascii") if value.isascii() else quote_from_bytes(value, safe=_ASCII)
        if key in environ:
            if key not in _BARE:
                environ[key] += f";{text}" if key == "HTTP_COOKIE" else f",{text}"
        else:
            environ[key] = text
    return environ


def environ_for(method: str, target: str, remote: str) -> dict[str, Any]:
    """`target` asked for with `method`, without headers and without a body."""
    path, _, query = _origin_form(target).partition("?")
    if "%" in path or not path.isascii():
        path = unquote_to_bytes(_bytes(path)).decode("latin-1")
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query if query.isascii() else _bytes(query).decode("latin-1"),
        "REMOTE_ADDR": remote,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(),
    }


def _origin_form(target: str) -> str:
    """`target` from its path on: a proxy may be sent an address in full."""
    target = target.partition("#")[0]
    if target.startswith("/"):
        return target
    _, separator, rest = target.partition("://")
    return "/" + rest.partition("/")[2] if separator else target


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _key(name: bytes) -> str:
    """The key of a header; empty for one that is left out."""
    key = _KEYS.get(name)
    if key is None:
        key = "" if b"_" in name else name.decode("latin-1").upper().replace("-", "_")
        if key and key not in _BARE:
            key = f"HTTP_{key}"
        if len(_KEYS) < _KEYS_LIMIT:
            _KEYS[name] = key
    return key
