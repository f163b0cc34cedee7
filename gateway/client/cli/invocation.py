"""One run of the command line: which gateway, as whom, and how answers are shown."""

import json
import os
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import click
from rich.console import Console, RenderableType

from gateway.client.contract import Game
from gateway.client.home import Home, HomeUnusable, home_dir
from gateway.client.joined import Joined, JoinedGames
from gateway.client.journal import Journal
from gateway.client.ninety_eight import DEFAULT_URL, NinetyEight
from gateway.client.problems import ApiProblem
from gateway.client.rendering.authors import NOBODY, Viewpoint
from gateway.client.rendering.refusals import refusal
from gateway.client.rendering.sentences import seat_names
from gateway.client.seen import Seen
from gateway.client.sharing import Role, allows_more

PIPED_WIDTH = 120


@dataclass
class Invocation:
    """Filled by the global options while they are parsed."""

    url: str = DEFAULT_URL
    has_url: bool = False
    """Whether the address was given, so that no link may name another."""
    device: str | None = None
    as_json: bool = False
    language: str | None = None
    home: Home = field(default_factory=lambda: Home(home_dir(os.environ)))
    names: Sequence[str] = ()
    """The players by seat, where a command knows them, for telling what was missed."""

    reader: Viewpoint = NOBODY
    """Who reads about the game, where a command knows that, for telling who entered what was missed."""

    is_guest: bool = False
    """Whether what is asked is asked as a guest of a game."""
    _clients: dict[str, NinetyEight] = field(default_factory=dict)

    @cached_property
    def client(self) -> NinetyEight:
        """The client with the tokens of whoever is signed in at this gateway."""
        tokens = self.home.tokens(self.url)
        return NinetyEight(self.url, tokens=tokens, language=self.language, device=self.device)

    def guest(self) -> NinetyEight:
        """A client that keeps its tokens to itself."""
        return NinetyEight(self.url, language=self.language)

    @property
    def joined(self) -> JoinedGames:
        """The games joined as a guest at this gateway."""
        return JoinedGames(self.home, self.url)

    @property
    def seen(self) -> Seen:
        """What this machine last saw at this gateway."""
        return Seen(self.home, self.url)

    def saw(self, game: Game | None) -> None:
        """Remember a game for when there is no network; an answer that came is not spoilt by a full disk."""
        if game is not None:
            with suppress(HomeUnusable):
                self.seen.saw_game(game)

    def journal(self, game_id: str) -> Journal:
        """What was recorded here of a game without a network."""
        return Journal(self.home, self.url, game_id)

    def viewpoint(self, game_id: str) -> Viewpoint:
        """Who reads about a game, as an account and as a guest, and whose it is, which is asked."""
        access = self.client_at(game_id).games.access(game_id)
        account_id, guest_id = access["account_id"], access["guest_id"]
        if account_id is None and self.client.tokens.read() is not None:
            account_id = self.home.account_id(self.url)
        if guest_id is None and (joined := self.joined.get(game_id)) is not None:
            guest_id = joined.guest_id
        return Viewpoint(account_id, guest_id, access["owner_id"])

    def client_at(self, game_id: str) -> NinetyEight:
        """The client for one game: the guest's who joined it, unless whoever is signed in may do as much."""
        if game_id not in self._clients:
            self._clients[game_id] = self._client_at(game_id)
        return self._clients[game_id]

    def _client_at(self, game_id: str) -> NinetyEight:
        joined = self.joined.get(game_id)
        if joined is None:
            return self.client
        role = self.role_in(game_id)
        if role is not None and not self.is_worth_more(joined, role):
            return self.client
        self.is_guest = True
        return self.as_guest(joined)

    def is_worth_more(self, joined: Joined, role: str) -> bool:
        """Whether a guest's token allows more than `role` does: one that has ended allows nothing."""
        if not allows_more(joined.role, role):
            return False
        return role_of(self.as_guest(joined), joined.game_id) is not None

    def as_guest(self, joined: Joined) -> NinetyEight:
        """A client with the guest's token of a game that was joined."""
        return self.client.as_guest(joined.access_token, device=self.device or joined.device)

    def role_in(self, game_id: str) -> Role | None:
        """What whoever is signed in is in the game; None where nobody is, or the account has it not."""
        return None if self.client.tokens.read() is None else role_of(self.client, game_id)

    def answer(self, document: Any, *parts: RenderableType) -> None:
        """Print `document` for machines or `parts` for people, as asked for."""
        if self.as_json:
            click.echo(json.dumps(document))
        else:
            self.tell(*parts)

    def tell(self, *parts: RenderableType) -> None:
        """Print lines and tables for people; nothing under `--json`."""
        if self.as_json:
            return
        for part in parts:
            if isinstance(part, str):
                click.echo(part)
            else:
                self.console().print(part)

    def console(self) -> Console:
        """Where tables go; as wide as the terminal, wide enough for an id in a pipe."""
        return Console(width=None if sys.stdout.isatty() else PIPED_WIDTH, highlight=False)

    def refuse(self, problem: ApiProblem) -> None:
        """Print a refusal on the error output."""
        if self.as_json:
            click.echo(json.dumps(problem.document), err=True)
            return
        names = seat_names(problem.game) if problem.game else self.names
        for line in refusal(problem, names, self.reader, as_guest=self.is_guest):
            click.echo(line, err=True)


def role_of(client: NinetyEight, game_id: str, nothing: Collection[int] = (401, 404)) -> Role | None:
    """What the client's token allows with a game; None where the answer has a status that means `nothing`."""
    try:
        return client.games.access(game_id)["role"]
    except ApiProblem as problem:
        if problem.status in nothing:
            return None
        raise
