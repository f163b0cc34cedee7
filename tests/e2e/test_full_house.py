"""Many tables at once: each waits its turn, none is turned away."""

from concurrent.futures import ThreadPoolExecutor

from tests.support.api import Api, Json, new_game, play, send, sign_up
from tests.support.system import System

TABLES = 64


def test_sixty_four_tables_that_play_at_once_are_refused_nothing(system: System) -> None:
    api = sign_up(system.url)
    with ThreadPoolExecutor(TABLES) as pool:
        games = list(pool.map(lambda _: new_game(api), range(TABLES)))
        for card in (20, 30, 40):

            def lay(game: Json, card: int = card) -> int:
                return send(Api(system.url, api.token), game, [play("up1", card)]).status

            assert set(pool.map(lay, games)) == {200}
