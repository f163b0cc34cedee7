"""Calls as resources make them: repeated while that is safe, signed in, refusals raised as `ApiProblem`."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from gateway.client.patience import Patience
from gateway.client.problems import Lost, NoGateway, UnexpectedAnswer
from gateway.client.tokens import Tokens, TokenStore
from gateway.client.transport import Answer, Pieces, Request, Transport, lines, path

NDJSON = "application/x-ndjson"
# Both say with Retry-After that nothing was applied.
_COME_BACK = frozenset({429, 503})
# A server on the way lost the one behind it; it cannot say whether anything was applied.
_LOST_BEHIND = frozenset({502, 503, 504})
# The 401 that says nothing about the token.
_CREDENTIALS_REFUSED = "bad_credentials"

Got = TypeVar("Got", bound="Answer | Pieces")


class Calls:
    """Performs requests against one gateway for one person; safe to share between threads."""

    def __init__(
        self,
        transport: Transport,
        store: TokenStore,
        patience: Patience,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.store = store
        self.url = transport.url
        self._transport = transport
        self._patience = patience
        self._clock = clock
        self._sleep = sleep
        self._has_met = False

    def document(self, request: Request) -> Any:
        """The JSON answer to `request`, made as the signed-in person; raises any `ClientError`."""
        return self.answer(request).document()

    def guest_document(self, request: Request) -> Any:
        """The JSON answer to `request`, made without a token."""
        return _accepted(self.guest_answer(request)).document()

    def guest_body(self, request: Request) -> bytes:
        """The bytes of the answer to `request`, made without a token."""
        return _accepted(self.guest_answer(request)).body

    def guest_answer(self, request: Request) -> Answer:
        """The whole answer to `request`, made without a token, whatever its status."""
        return self._patiently(request, None, self._transport.send)

    def answer(self, request: Request) -> Answer:
        """The whole answer (2xx or 304) to `request`, made as the signed-in person."""
        return _accepted(self._as_person(request, self._transport.send))

    def take_away(self, request: Request) -> None:
        """Make a request that leaves nothing, as the signed-in person; raises any `ClientError`.

        `not_found` says that it is done, once an answer was lost that may have said so.
        """
        may_be_done = False

        def send(request: Request, access_token: str | None) -> Answer:
            nonlocal may_be_done
            try:
                answer = self._transport.send(request, access_token)
            except Lost:
                may_be_done = True
                raise
            # A gateway that lost the service behind it asks to come back too, so that says nothing here.
            may_be_done = may_be_done or answer.status in _LOST_BEHIND
            return answer

        answer = self._as_person(request, send)
        if not (may_be_done and answer.status == 404 and answer.problem().code == "not_found"):
            _accepted(answer)

    def entries(self, request: Request, after: Callable[[int], Request]) -> Iterator[Any]:
        """The documents of an NDJSON answer; a broken stream is taken up again by `after(last seq)`."""
        while True:
            last = None
            try:
                for line in lines(self.stream(request)):
                    document = self._parsed(line)
                    last = int(document["seq"])
                    yield document
                return
            except Lost:
                if last is None:
                    raise
                request = after(last)

    def stream(self, request: Request) -> Pieces:
        """The pieces of a streamed answer as they come, raising `Lost` where it breaks off."""
        answer = self._as_person(request, self._transport.stream)
        if isinstance(answer, Answer):
            raise answer.problem()
        return answer

    def signed_in(self, answer: Mapping[str, Any]) -> None:
        """Keep the tokens of an answer to sign-up or sign-in."""
        tokens = self._tokens_in(answer)
        with self.store.exclusively():
            self.store.save(tokens)

    def signed_out(self) -> None:
        """Forget the tokens."""
        with self.store.exclusively():
            self.store.forget()

    def renew(self) -> bool:
        """Exchange the refresh token now; False when nobody is signed in (any more)."""
        tokens = self.store.read()
        return tokens is not None and self._renewed(tokens) is not None

    def _parsed(self, line: bytes) -> Any:
        try:
            return json.loads(line)
        except ValueError as error:
            # Without a length or chunks, a stream that breaks off shows only as half a line.
            raise Lost(self.url, "the stream broke off") from error

    def _as_person(self, request: Request, send: Callable[[Request, str | None], Got]) -> Got:
        tokens = self.store.read()
        got = self._patiently(request, tokens, send)
        if tokens is None or not _token_refused(got):
            return got
        renewed = self._renewed(tokens)
        return got if renewed is None else self._patiently(request, renewed, send)

    def _renewed(self, stale: Tokens) -> Tokens | None:
        """Tokens newer than `stale`, perhaps fetched by another thread or process; None when signed out."""
        with self.store.exclusively():
            stored = self.store.read()
            if stored is None or stored != stale:
                return stored
            if stale.refresh_token is None:
                return None
            body = {"refresh_token": stale.refresh_token}
            request = Request("POST", path("auth", "tokens", "refresh"), body=body, repeatable=True)
            answer = self.guest_answer(request)
            if answer.status == 401:
                self.store.forget()
                return None
            fresh = self._tokens_in(_accepted(answer).document())
            self.store.save(fresh)
            return fresh

    def _tokens_in(self, document: Any) -> Tokens:
        try:
            return Tokens.of(document)
        except (KeyError, TypeError) as error:
            raise UnexpectedAnswer(self.url, 200, "there are no tokens in it") from error

    def _patiently(
        self, request: Request, tokens: Tokens | None, send: Callable[[Request, str | None], Got]
    ) -> Got:
        started = self._clock()
        attempt = 0
        while True:
            attempt += 1
            try:
                got = send(request, tokens.access_token if tokens else None)
                self._has_met = True
            except (NoGateway, Lost) as failure:
                self._has_met = self._has_met or isinstance(failure, Lost)
                pause_s = self._pause_after_failure(request, failure, attempt, self._clock() - started)
                if pause_s is None:
                    raise
            else:
                pause_s = self._pause_after_answer(request, got, attempt, self._clock() - started)
                if pause_s is None:
                    return got
            self._sleep(pause_s)

    def _pause_after_failure(
        self, request: Request, failure: NoGateway | Lost, attempt: int, elapsed_s: float
    ) -> float | None:
        if isinstance(failure, Lost) and not request.repeatable:
            return None
        # A gateway that was there before is expected back.
        limit_s = self._patience.lost_s if self._has_met else self._patience.unreachable_s
        return self._patience.pause_s(attempt, elapsed_s, limit_s)

    def _pause_after_answer(
        self, request: Request, got: object, attempt: int, elapsed_s: float
    ) -> float | None:
        if not isinstance(got, Answer) or not _worth_repeating(request, got):
            return None
        return self._patience.pause_s(attempt, elapsed_s, self._patience.lost_s, got.retry_after_s())


def _worth_repeating(request: Request, answer: Answer) -> bool:
    if answer.status in _COME_BACK and answer.retry_after_s() is not None:
        return True
    return request.repeatable and answer.status in _LOST_BEHIND


def _token_refused(got: object) -> bool:
    if not isinstance(got, Answer) or got.status != 401:
        return False
    return got.problem().code != _CREDENTIALS_REFUSED


def _accepted(answer: Answer) -> Answer:
    if answer.status in (200, 201, 202, 204, 304):
        return answer
    if answer.status < 400:
        raise UnexpectedAnswer(answer.url, answer.status, "not an answer of Ninety-Eight")
    raise answer.problem()
