"""One HTTP exchange with the gateway: pooled connections, explicit timeouts, no repetition, no redirects."""

import json
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import urllib3
from urllib3.exceptions import ConnectTimeoutError, HTTPError, SSLError

from gateway.client.problems import ApiProblem, Lost, NoGateway, UnexpectedAnswer

CONNECT_TIMEOUT_S = 3.0
READ_TIMEOUT_S = 15.0
POOLED_CONNECTIONS = 16
JSON = "application/json"
LONGEST_DEVICE_NAME = 64
_ASCII = " !\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"

Pieces = Generator[bytes, None, None]
Query = Mapping[str, str | int | bool | None]


def path(*segments: str | int) -> str:
    """The path of `segments` below `/v1`, each quoted."""
    return "/v1/" + "/".join(quote(str(segment), safe="") for segment in segments)


def is_address(url: str) -> bool:
    """Whether `url` may be a gateway's: http or https, a host, no user's name."""
    parts = urlsplit(url)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None


def checked_device(name: str) -> str:
    """`name` without spaces around it; raises ValueError."""
    if not name.isprintable() or not 0 < len(name.strip()) <= LONGEST_DEVICE_NAME:
        raise ValueError(f"not a device's name (1 to {LONGEST_DEVICE_NAME} characters): {name!r}")
    return name.strip()


def device_header(name: str) -> dict[str, str]:
    """The header that names the device: percent-encoded UTF-8, for headers carry ASCII only."""
    return {"X-Device": quote(checked_device(name), safe=_ASCII)}


@dataclass(frozen=True, slots=True)
class Request:
    """One call; `repeatable` when carrying it out twice has the effect of once.

    Query values that are None are left out; without a `read_timeout_s` the transport's own counts.
    """

    method: str
    path: str
    query: Query = field(default_factory=dict)
    body: Any = None
    accept: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = False
    read_timeout_s: float | None = None

    def target(self) -> str:
        wanted = {name: _text(value) for name, value in self.query.items() if value is not None}
        return f"{self.path}?{urlencode(wanted)}" if wanted else self.path


def _text(value: str | int | bool | None) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer, whatever its status."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    def document(self) -> Any:
        """The JSON body, None when there is none; raises `UnexpectedAnswer` when it is something else."""
        if not self.body:
            return None
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise UnexpectedAnswer(self.url, self.status, "the body is not JSON") from error

    def retry_after_s(self) -> float | None:
        try:
            return max(0.0, float(self.headers.get("Retry-After", "")))
        except ValueError:
            return None

    def problem(self) -> ApiProblem:
        """This answer as the refusal it is; raises `UnexpectedAnswer` when it is no problem document."""
        document = self.document()
        if self.status < 400 or not isinstance(document, dict) or not isinstance(document.get("code"), str):
            raise UnexpectedAnswer(self.url, self.status, "not an answer of Ninety-Eight")
        completed = {
            "status": self.status,
            "request_id": self.headers.get("X-Request-Id", ""),
        } | document
        return ApiProblem(completed, self.retry_after_s())


def lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of a stream; whole ones are given out even when what follows them breaks off."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
    if rest:
        yield rest


class Transport:
    """Sends single requests to the gateway at `url` (http or https, a path prefix is kept).

    `device` is the name that others see beside what is sent; at most 64 printable characters.
    """

    def __init__(
        self,
        url: str,
        *,
        language: str | None = None,
        device: str | None = None,
        connect_timeout_s: float = CONNECT_TIMEOUT_S,
        read_timeout_s: float = READ_TIMEOUT_S,
    ) -> None:
        if not is_address(url):
            raise ValueError(f"not the address of a gateway: {url}")
        self.url = url.rstrip("/")
        self._headers = {"User-Agent": "ninety-eight-client"}
        if language:
            self._headers["Accept-Language"] = language
        if device:
            self._headers |= device_header(device)
        self._timeout = urllib3.Timeout(connect=connect_timeout_s, read=read_timeout_s)
        self._pool = urllib3.PoolManager(maxsize=POOLED_CONNECTIONS)

    def send(self, request: Request, access_token: str | None) -> Answer:
        """Send once and read the whole answer; raises `NoGateway` or `Lost`."""
        try:
            response = self._open(request, access_token)
            return Answer(self.url, response.status, response.headers, response.data)
        except HTTPError as error:
            raise self._failure(error) from error

    def stream(self, request: Request, access_token: str | None) -> Answer | Pieces:
        """The pieces of a streamed answer as they come, or the whole answer when it is not a 200.

        The iterator raises `Lost` when the stream breaks off.
        """
        try:
            response = self._open(request, access_token, preload_content=False)
            if response.status != 200:
                return Answer(self.url, response.status, response.headers, response.data)
        except HTTPError as error:
            raise self._failure(error) from error
        return self._pieces(response)

    def close(self) -> None:
        self._pool.clear()

    def _open(
        self, request: Request, access_token: str | None, *, preload_content: bool = True
    ) -> urllib3.BaseHTTPResponse:
        headers = {**self._headers, "Accept": request.accept, **request.headers}
        body = None
        if request.body is not None:
            headers["Content-Type"] = JSON
            body = json.dumps(request.body).encode()
        if access_token is not None:
            headers["Authorization"] = f"Bearer {access_token}"
        return self._pool.request(
            request.method,
            self.url + request.target(),
            body=body,
            headers=headers,
            timeout=self._timeout_of(request),
            retries=False,
            redirect=False,
            preload_content=preload_content,
        )

    def _timeout_of(self, request: Request) -> urllib3.Timeout:
        if request.read_timeout_s is None:
            return self._timeout
        return urllib3.Timeout(connect=self._timeout.connect_timeout, read=request.read_timeout_s)

    def _pieces(self, response: urllib3.BaseHTTPResponse) -> Pieces:
        try:
            while piece := response.read1(65536):
                yield piece
        except HTTPError as error:
            raise self._failure(error) from error
        finally:
            # An iterator given up early leaves unread data behind, so the connection cannot be used again.
            response.close()
            response.release_conn()

    def _failure(self, error: HTTPError) -> NoGateway | Lost:
        if isinstance(error, ConnectTimeoutError):
            return NoGateway(self.url, "nothing accepts a connection there")
        if isinstance(error, SSLError):
            return NoGateway(self.url, "no secure connection came about")
        return Lost(self.url, "the connection broke or no answer came in time")
