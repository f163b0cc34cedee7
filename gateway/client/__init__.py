"""The Python client: every call of the public API, and nothing but the public API."""

from gateway.client import actions
from gateway.client.live import EntrySeen, LiveEvent, PresenceSeen
from gateway.client.ninety_eight import NinetyEight
from gateway.client.patience import NO_PATIENCE, Patience
from gateway.client.problems import ApiProblem, ClientError, Lost, NoGateway, UnexpectedAnswer, Unreachable
from gateway.client.tokens import MemoryTokens, Tokens, TokenStore

__all__ = [
    "NO_PATIENCE",
    "ApiProblem",
    "ClientError",
    "EntrySeen",
    "LiveEvent",
    "Lost",
    "MemoryTokens",
    "NinetyEight",
    "NoGateway",
    "Patience",
    "PresenceSeen",
    "TokenStore",
    "Tokens",
    "UnexpectedAnswer",
    "Unreachable",
    "actions",
]
