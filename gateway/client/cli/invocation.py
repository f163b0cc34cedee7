"""One run of the command line: which gateway, as whom, and how answers are shown."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import click
from rich.console import Console, RenderableType

from gateway.client.home import Home, home_dir
from gateway.client.ninety_eight import DEFAULT_URL, NinetyEight
from gateway.client.problems import ApiProblem
from gateway.client.rendering.refusals import refusal
from gateway.client.rendering.sentences import seat_names

PIPED_WIDTH = 120


@dataclass
class Invocation:
    """Filled by the global options while they are parsed."""

    url: str = DEFAULT_URL
    as_json: bool = False
    language: str | None = None
    home: Home = field(default_factory=lambda: Home(home_dir(os.environ)))
    names: Sequence[str] = ()
    """The players by seat, where a command knows them, for telling what was missed."""

    @cached_property
    def client(self) -> NinetyEight:
        """The client with the tokens of whoever is signed in at this gateway."""
        return NinetyEight(self.url, tokens=self.home.tokens(self.url), language=self.language)

    def guest(self) -> NinetyEight:
        """A client that keeps its tokens to itself."""
        return NinetyEight(self.url, language=self.language)

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
        for line in refusal(problem, names):
            click.echo(line, err=True)
