"""`NinetyEight`: the public API of one gateway, one attribute per resource."""

from functools import partial
from types import TracebackType
from typing import Self

from gateway.client.accounts import Accounts
from gateway.client.auth import Auth
from gateway.client.calls import Calls
from gateway.client.conflicts import Conflicts
from gateway.client.games import Games
from gateway.client.invitations import Invitations
from gateway.client.patience import Patience
from gateway.client.players import Players
from gateway.client.results import Results
from gateway.client.rulesets import Rulesets
from gateway.client.stats import Statistics
from gateway.client.system import System
from gateway.client.tokens import MemoryTokens, Tokens, TokenStore
from gateway.client.transport import CONNECT_TIMEOUT_S, READ_TIMEOUT_S, Transport

DEFAULT_URL = "http://127.0.0.1:8098"


class NinetyEight:
    """A client for the gateway at `url`, for one person; safe to share between threads.

    `tokens` is called back with every change of the tokens (default: kept in memory). Refused calls
    raise `ApiProblem`, unanswered ones `NoGateway` or `Lost` after `patience` has run out. `language`
    (`en`, `es`, …) is that of the problems' details; `device` is the name that others see beside what
    this client enters. A malformed `url` or `device` raises ValueError.
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        tokens: TokenStore | None = None,
        language: str | None = None,
        device: str | None = None,
        patience: Patience | None = None,
        connect_timeout_s: float = CONNECT_TIMEOUT_S,
        read_timeout_s: float = READ_TIMEOUT_S,
    ) -> None:
        self._alike = partial(
            NinetyEight,
            url,
            language=language,
            patience=patience,
            connect_timeout_s=connect_timeout_s,
            read_timeout_s=read_timeout_s,
        )
        self._device = device
        self._transport = Transport(
            url,
            language=language,
            device=device,
            connect_timeout_s=connect_timeout_s,
            read_timeout_s=read_timeout_s,
        )
        self.url = self._transport.url
        self.tokens: TokenStore = MemoryTokens() if tokens is None else tokens
        calls = Calls(self._transport, self.tokens, patience or Patience())
        self.accounts = Accounts(calls)
        self.auth = Auth(calls)
        self.players = Players(calls)
        self.rulesets = Rulesets(calls)
        self.games = Games(calls)
        self.invitations = Invitations(calls)
        self.conflicts = Conflicts(calls)
        self.stats = Statistics(calls)
        self.results = Results(calls)
        self.system = System(calls)

    def as_guest(self, access_token: str, *, device: str | None = None) -> "NinetyEight":
        """A client of the same gateway with a guest's token, which is good for one game and never renewed."""
        return self._alike(tokens=MemoryTokens(Tokens(access_token)), device=device or self._device)

    def close(self) -> None:
        """Close the pooled connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
