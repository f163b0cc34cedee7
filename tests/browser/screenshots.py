"""Every screen in light and dark, at three widths and in the longest languages: `make screenshots`."""

import sys
from pathlib import Path

from playwright.sync_api import Browser, Route

from tests.replay.recording import read_all
from tests.support.api import Api, Json, action, play, send
from tests.support.browser import COMPUTER, PHONE, TABLET, Screen, chromium
from tests.support.guests import invite
from tests.support.system import EmbeddedSystem, remove, scratch_folder
from tests.support.world import World, new_world, plus_code

FOLDER = Path("build/screenshots")
SIZES = (PHONE, TABLET, COMPUTER)
SIDEWAYS = (740, 360)
LONG = ("de", "fr", "sl")
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
        for language in LONG:
            Album(browser, url, world, PHONE, "dark", language).fill(finished)
        Album(browser, url, world, SIDEWAYS, "light").lie_sideways()


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
    """The pictures at one size in one light and one language."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        world: World,
        size: tuple[int, int],
        theme: str,
        language: str = "en",
    ) -> None:
        self.world = world
        self.size = size
        self.name = f"{size[0]}-{theme}" if language == "en" else f"{size[0]}-{language}"
        self._browser = browser
        self._url = url
        self._theme = theme
        self._language = language
        self.screen = self._bring()

    def _bring(self) -> Screen:
        """A device on which nobody has been yet."""
        return Screen(self._browser, self._url, self.size, theme=self._theme, language=self._language)

    def fill(self, finished: list[str]) -> None:
        """Take them in the order in which a person comes by."""
        self._stranger()
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
        self._opened()
        self.screen.close()
        self._guest()
        self._invited()

    def lie_sideways(self) -> None:
        """The table on a phone that is turned."""
        self.screen.sign_in(self.world.email)
        self.screen.open(f"/games/{table_of_five(self.world.api)['id']}")
        self.screen.see(".connection.live")
        self._shoot("table")
        self.screen.pile("down2").click()
        self._shoot("pad-falling")
        self.screen.close()

    def _stranger(self) -> None:
        """What somebody sees who was never here, until the first game."""
        screen, page = self.screen, self.screen.page
        self._open("welcome", "/")
        self._open("guide", "/guide")
        self._open("join", "/join")
        self._open("reset", "/reset")
        self._open("sign-in", "/sign-in")
        page.fill("[name=email]", self.world.email)
        page.fill("[name=password]", "not the password")
        page.click("button[type=submit]")
        screen.see(".problem")
        self._shoot("sign-in-wrong")
        screen.sign_up()
        self._shoot("new-first")
        for name in ("Ana", "Ben"):
            page.fill("#new-name", name)
            page.press("#new-name", "Enter")
            screen.see(f".person:has-text('{name}')")
        page.click("button.big")
        screen.see(".dialog-text > p:not(:empty)")
        self._shoot("who-starts")
        page.keyboard.press("Escape")
        self._open("home-none", "/")
        self._open("stats-none", "/stats")
        page.evaluate("localStorage.removeItem('ninety-eight.session')")

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
        screen.settled()
        self._shoot("draw")
        screen.pile("down2").click()
        self._shoot("pad-uncertain")
        page.keyboard.press("Escape")
        screen.next()
        screen.see(".next[data-key=end_turn]")
        screen.context.set_offline(True)
        screen.next()
        screen.see(".strip.waiting")
        screen.lay("up1", 60)
        self._shoot("offline")
        screen.context.set_offline(False)
        page.click(".table-bar .icon-button:last-child")
        self._shoot("menu")
        page.locator("dialog .danger").click()
        self._shoot("bin")
        page.keyboard.press("Escape")
        screen.settled()
        page.click(".bar-owed button")
        self._shoot("block")
        page.click("dialog .danger")
        screen.see(".strip.warning")
        self._shoot("blocked")

    def _opened(self) -> None:
        """What of the pages is seen only after a tap."""
        screen, page = self.screen, self.screen.page
        screen.open(f"/games/{self.world.game_id}/share")
        page.locator("main > .button").click()
        screen.see(".qr")
        self._shoot("share-made")
        screen.open("/settings")
        page.locator("main").wait_for()
        for folded in page.locator("summary").all():
            folded.click()
        self._shoot("settings-open")
        screen.open("/players")
        page.locator(".card button").first.click()
        self._shoot("player")
        page.keyboard.press("Escape")
        page.route("**/v1/games?*", _cut_short)
        screen.open("/games")
        screen.see("main > .button")
        self._shoot("games-more")

    def _guest(self) -> None:
        """Somebody without an account who may only look, and what they find on the front page afterwards."""
        self.screen = self._bring()
        game = table_of_five(self.world.api)
        self.screen.page.goto(
            f"{self.screen.url}/join#{invite(self.world.api, game['id'], 'viewer')['code']}"
        )
        self.screen.see(".connection.live")
        self._shoot("viewer")
        self._open("welcome-guest", "/")
        self.screen.close()

    def _invited(self) -> None:
        """Somebody with an account of their own, without Plus, who was invited."""
        self.screen = self._bring()
        screen, page = self.screen, self.screen.page
        screen.sign_up()
        game = table_of_five(self.world.api)
        page.goto(f"{screen.url}/join#{invite(self.world.api, game['id'])['code']}")
        screen.see(".connection.live")
        self._shoot("shared")
        page.click(".table-bar .icon-button:last-child")
        page.locator("dialog .danger").click()
        self._shoot("leave")
        page.keyboard.press("Escape")
        self._open("home-shared", "/")
        screen.open("/new")
        own = screen.begin("Ana")
        screen.open(f"/games/{own}/share")
        page.locator("main > .button").click()
        screen.see(".strip.warning")
        self._shoot("share-plus")
        screen.close()

    def _open(self, name: str, path: str) -> None:
        self.screen.open(path)
        if self.screen.page.locator(".table").count():
            self.screen.see(".connection.live")
        elif "/games/" not in path:
            self.screen.page.wait_for_load_state("networkidle")
        self._shoot(name)

    def _shoot(self, name: str) -> None:
        """Pages are shown whole, on a screen as long as they are; the table has to fit as it is."""
        page = self.screen.page
        width, height = self.size
        if not page.locator(".table, dialog[open]").count():
            whole = page.evaluate("document.documentElement.scrollHeight")
            page.set_viewport_size({"width": width, "height": max(height, whole)})
        page.screenshot(path=FOLDER / f"{name}-{self.name}.png")
        page.set_viewport_size({"width": width, "height": height})


def _cut_short(route: Route) -> None:
    """A list of games that is longer than one answer."""
    answer = route.fetch()
    told = answer.json()
    route.fulfill(response=answer, json=told | {"items": told["items"][:3], "next_cursor": "more"})


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
