"""Every screen in light and dark at three widths, as pictures to look at: `make screenshots`."""

import sys
from pathlib import Path

from playwright.sync_api import Browser

from tests.replay.recording import read_all
from tests.support.api import Api, Json, action, play, send
from tests.support.browser import COMPUTER, PHONE, TABLET, Screen, chromium
from tests.support.system import EmbeddedSystem, remove, scratch_folder
from tests.support.world import World, new_world, plus_code

FOLDER = Path("build/screenshots")
SIZES = (PHONE, TABLET, COMPUTER)
FINISHED = ("blocked-counted", "blocked-excellent", "won-expert", "partial", "partial-won")


def main() -> None:
    """Take them all, of a system of its own or of the one at the address given."""
    if len(sys.argv) > 1:
        world = new_world(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
        return take(sys.argv[1], world)
    folder = scratch_folder()
    system = EmbeddedSystem(folder)
    system.start()
    try:
        take(system.url, new_world(system.url, plus_code(system)))
    finally:
        system.stop()
        remove(folder)
    return None


def take(url: str, world: World) -> None:
    """All screens of `world` into `build/screenshots`."""
    finished = [finish(world.api, name) for name in FINISHED]
    FOLDER.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for size in SIZES:
            for theme in ("dark", "light"):
                Album(browser, url, world, size, theme).fill(finished)


def finish(api: Api, name: str) -> str:
    """The id of a finished game, as it was recorded."""
    recorded = next(it for it in read_all() if it.name == name)
    options = {key: value for key, value in recorded.options.items() if key != "players"}
    names = ("Ana", "Ben", "Carla", "Dejan", "Élodie-Marguerite")[: recorded.options["players"]]
    game = api.post(
        "/v1/games",
        {"ruleset": "the-game", "options": options, "players": [{"name": it} for it in names]},
    ).json
    for start in range(0, len(recorded.actions), 200):
        answer = send(api, game, recorded.actions[start : start + 200])
        assert answer.status == 200, answer.body
    return str(game["id"])


class Album:
    """The pictures at one size in one light."""

    def __init__(self, browser: Browser, url: str, world: World, size: tuple[int, int], theme: str) -> None:
        self.world = world
        self.size = size
        self.name = f"{size[0]}-{theme}"
        self.screen = Screen(browser, url, size, theme=theme)

    def fill(self, finished: list[str]) -> None:
        """Take them in the order in which a person comes by."""
        self._open("welcome", "/")
        self._open("guide", "/guide")
        self._open("join", "/join")
        self._open("sign-in", "/sign-in")
        self.screen.sign_in(self.world.email)
        self._table()
        game_id = self.world.game_id
        pages = {
            "home": "/",
            "games": "/games",
            "new": "/new",
            "players": "/players",
            "settings": "/settings",
            "stats": "/stats",
            "replay": f"/games/{finished[0]}/replay",
            "cards": f"/games/{game_id}/cards",
            "result": f"/games/{finished[0]}",
            "result-won": f"/games/{finished[2]}",
            "share": f"/games/{game_id}/share",
            "adopt": f"/games/{game_id}/adopt",
            "conflicts": "/conflicts",
            "conflict": f"/conflicts/{self.world.conflict_id}",
            "lost": "/games/nothing",
        }
        for name, path in pages.items():
            self._open(name, path)
        self.screen.open(f"/games/{game_id}/share")
        self.screen.page.locator("main > .button").click()
        self.screen.see(".qr")
        self._shoot("share-made")
        self.screen.close()

    def _table(self) -> None:
        """The table of a game of five in its moments."""
        screen, page = self.screen, self.screen.page
        game = table_of_five(self.world.api)
        screen.open(f"/games/{game['id']}")
        screen.see(".connection.live")
        self._shoot("table")
        screen.pile("up1").click()
        self._shoot("pad-rising")
        screen.pile("down2").click()
        self._shoot("pad-falling")
        page.click(".pad-bottom button")
        self._shoot("agree")
        page.click("dialog .primary")
        screen.settled()
        screen.lay("down1", 99)
        screen.see(".strip.error")
        self._shoot("refused")
        screen.lay("up2", 40)
        screen.see(".next")
        self._shoot("draw")
        screen.pile("down2").click()
        self._shoot("pad-uncertain")
        page.keyboard.press("Escape")
        screen.next()
        screen.see("text=End the turn")
        screen.context.set_offline(True)
        screen.next()
        screen.see(".strip.waiting")
        screen.lay("up1", 60)
        self._shoot("offline")
        screen.context.set_offline(False)
        page.click(".table-bar .icon-button:last-child")
        self._shoot("menu")
        page.keyboard.press("Escape")
        screen.settled()
        page.click(".bar-owed button")
        self._shoot("block")
        page.click("dialog .danger")
        screen.see(".strip.warning")
        self._shoot("blocked")

    def _open(self, name: str, path: str) -> None:
        self.screen.open(path)
        self.screen.page.wait_for_load_state("networkidle") if "/games/" not in path else None
        self._shoot(name)

    def _shoot(self, name: str) -> None:
        # Full pages are for reading; the table has to fit on the screen as it is.
        is_page = self.screen.page.locator(".table").count() == 0
        self.screen.page.screenshot(path=FOLDER / f"{name}-{self.name}.png", full_page=is_page)


def table_of_five(api: Api) -> Json:
    """A game of five with a turn behind it."""
    names = [{"name": it} for it in ("Ana", "Benjamin", "Carla", "Dejan", "Élodie-Marguerite")]
    game: Json = api.post("/v1/games", {"ruleset": "the-game", "players": names}).json
    turn = [play("up1", 12), play("down1", 90), play("up2", 33), action("draw"), action("end_turn")]
    answer = send(api, game, turn)
    assert answer.status == 200, answer.body
    return game


if __name__ == "__main__":
    main()
