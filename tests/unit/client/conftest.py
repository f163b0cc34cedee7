"""A scripted peer, clients for it, and the command line pointed at it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gateway.client import MemoryTokens, NinetyEight, Patience, Tokens
from gateway.client.cli import main
from gateway.client.home import Home
from tests.unit.client import documents as a
from tests.unit.client import peer as peers
from tests.unit.client.command import Ninety8
from tests.unit.client.peer import Peer

QUICK = Patience(lost_s=5.0, unreachable_s=0.0, first_pause_s=0.001, longest_pause_s=0.01)


@pytest.fixture
def peer() -> Iterator[Peer]:
    with peers.running() as started:
        yield started


@pytest.fixture
def client(peer: Peer) -> Iterator[NinetyEight]:
    """A client that is signed in and repeats quickly."""
    tokens = MemoryTokens(Tokens("access-1", "refresh-1"))
    with NinetyEight(peer.url, tokens=tokens, patience=QUICK, read_timeout_s=5) as made:
        yield made


@pytest.fixture
def home(peer: Peer, tmp_path: Path) -> Home:
    """Signed in as Ana, with a game in use."""
    made = Home(tmp_path)
    made.tokens(peer.url).save(Tokens("access-1", "refresh-1"))
    made.remember_account(peer.url, "acc")
    made.use_game(peer.url, a.GAME_ID)
    return made


@pytest.fixture
def ninety8(peer: Peer, home: Home) -> Ninety8:
    """`ninety8("show")` runs that command in this process."""

    def run(*words: str, stdin: str = "", **env: str) -> Result:
        environment = {"NINETY8_HOME": str(home.directory), "NINETY8_URL": peer.url, **env}
        return CliRunner().invoke(main, words, input=stdin, env=environment, prog_name="ninety8")

    return run
