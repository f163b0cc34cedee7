"""One HTTP exchange with the gateway: pooled connections, explicit timeouts, no repetition, no redirects."""

import json
from collections.abc import Iterator, Mapping
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

Query = Mapping[str, str | int | bool | None]


def path(*segments: str | int) -> str:
    """The path of `segments` below `/v1`, each quoted."""
    return "/v1/" + "/".join(quote(str(segment), safe="") for segment in segments)


@dataclass(frozen=True, slots=True)
class Request:
    """One call; `repeatable` when carrying it out twice has the effect of once.

    Query values that are None are left out.
    """

    method: str
    path: str
    query: Query = field(default_factory=dict)
    body: Any = None
    accept: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = False

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


class Transport:
    """Sends single requests to the gateway at `url` (http or https, a path prefix is kept)."""

    def __init__(
        self,
        url: str,
        *,
        language: str | None = None,
        connect_timeout_s: float = CONNECT_TIMEOUT_S,
        read_timeout_s: float = READ_TIMEOUT_S,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            raise ValueError(f"not the address of a gateway: {url}")
        self.url = url.rstrip("/")
        self._headers = {"User-Agent": "ninety-eight-client"}
        if language:
            self._headers["Accept-Language"] = language
        self._timeout = urllib3.Timeout(connect=connect_timeout_s, read=read_timeout_s)
        self._pool = urllib3.PoolManager(maxsize=POOLED_CONNECTIONS)

    def send(self, request: Request, access_token: str | None) -> Answer:
        """Send once and read the whole answer; raises `NoGateway` or `Lost`."""
        try:
            response = self._open(request, access_token)
            return Answer(self.url, response.status, response.headers, response.data)
        except HTTPError as error:
            raise self._failure(error) from error

    def lines(self, request: Request, access_token: str | None) -> "Answer | Iterator[bytes]":
        """The lines of a streamed answer as they come, or the whole answer when it is not a 200.

        The iterator raises `Lost` when the stream breaks off.
        """
        try:
            response = self._open(request, access_token, preload_content=False)
            if response.status != 200:
                return Answer(self.url, response.status, response.headers, response.data)
        except HTTPError as error:
            raise self._failure(error) from error
        return self._lines_of(response)

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
            timeout=self._timeout,
            retries=False,
            redirect=False,
            preload_content=preload_content,
        )

    def _lines_of(self, response: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
        rest = b""
        try:
            # Whole lines reach the caller even when what follows them breaks off.
            while chunk := response.read1(65536):
                *whole, rest = (rest + chunk).split(b"\n")
                yield from whole
            if rest:
                yield rest
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
