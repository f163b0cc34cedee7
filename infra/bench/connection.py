"""A keep-alive HTTP/1.1 connection that costs the load generator little."""

import asyncio
from types import TracebackType
from typing import Any, Self

import orjson


class Connection:
    """One connection to a server on loopback; one request at a time."""

    def __init__(self, host: str, port: int, token: str | None = None) -> None:
        self._address = (host, port)
        self.token = token
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._streams is not None:
            self._streams[1].close()

    async def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and JSON body of one exchange; a closed connection raises `ConnectionError`."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(*self._address)
        reader, writer = self._streams
        content = b"" if body is None else orjson.dumps(body)
        head = [f"{method} {path} HTTP/1.1", f"Host: {self._address[0]}", f"Content-Length: {len(content)}"]
        if content:
            head.append("Content-Type: application/json")
        if self.token:
            head.append(f"Authorization: Bearer {self.token}")
        writer.write("\r\n".join([*head, "", ""]).encode() + content)
        try:
            answer = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError as error:
            raise ConnectionError("closed by the server") from error
        lines = answer.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        payload = await reader.readexactly(int(headers.get("content-length", 0)))
        return int(lines[0].split()[1]), orjson.loads(payload) if payload else None
