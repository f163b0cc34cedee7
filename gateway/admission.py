"""Whether a request comes in at all: the limits of the public contract."""

import math
from typing import Protocol

from gateway.allowances import Allowances
from gateway.routes import Allowance
from gateway.visitors import Visitor
from shared.web.addresses import network
from shared.web.problems import Problem

CREDENTIALS_LIMIT = 50_000


class SharedByAddress(Protocol):
    """An allowance per address."""

    def take(self, key: str) -> float: ...

    def wait_s(self, key: str) -> float: ...


class Admission:
    """Requests count per token, evaluations and requests without a token per address.

    A token that no service has accepted yet must not bring an allowance of its own, or inventing tokens
    would be a way around the limits: it counts for its address, until a service accepts it. Codes of
    invitations count per address as well, but only those that are none: a whole table may join at once.
    """

    def __init__(self, requests: Allowances, evaluations: SharedByAddress, guesses: SharedByAddress) -> None:
        self._requests = requests
        self._evaluations = evaluations
        self._guesses = guesses
        self._accepted: set[int] = set()

    def admit(self, visitor: Visitor, allowance: Allowance) -> None:
        """Count the request; raises `Problem` `too_many_requests`."""
        if allowance is Allowance.EVALUATIONS:
            _refuse_for(self._evaluations.take(network(visitor.address)))
            return
        by_token = visitor.credential in self._accepted
        _refuse_for(self._requests.take(visitor.credential if by_token else network(visitor.address)))
        if allowance is Allowance.GUESSES:
            _refuse_for(self._guesses.wait_s(network(visitor.address)))

    def accepted(self, visitor: Visitor) -> None:
        """A service did what was asked with the visitor's token, so it is a valid one."""
        if visitor.credential is None or visitor.credential in self._accepted:
            return
        if len(self._accepted) >= CREDENTIALS_LIMIT:
            self._accepted.clear()
        self._accepted.add(visitor.credential)
        self._requests.take(visitor.credential)

    def guessed(self, visitor: Visitor) -> None:
        """The visitor's code was none; raises `Problem` `too_many_requests`, so that nobody learns more from
        guessing many at once.
        """
        _refuse_for(self._guesses.take(network(visitor.address)))


def _refuse_for(wait_s: float) -> None:
    if wait_s:
        raise Problem("too_many_requests", retry_after=max(1, math.ceil(wait_s)))
