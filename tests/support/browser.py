"""A phone, tablet or computer with the web client on it, as somebody at the table uses it, in Chromium."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from tests.support.api import PASSWORD, Json

PHONE = (360, 740)
TABLET = (768, 1024)
COMPUTER = (1280, 800)
PILE_KEYS = {"up1": "q", "up2": "w", "down1": "a", "down2": "s"}
# A name of this machine that is not `localhost`: pages there are plain HTTP, as on a phone in the same room.
ELSEWHERE = "table.test"
ARGUMENTS = ["--no-sandbox", f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1"]
# On a busy machine a page may take that long; what is quick enough is measured elsewhere.
PATIENCE_MS = 20_000
HARMLESS = re.compile(r"Failed to load resource|Service Worker registration blocked")


def chromium_path() -> str:
    """Where Chromium is; where it is not the test is skipped, or fails if REQUIRE_BROWSER says so."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        assert not os.environ.get("REQUIRE_BROWSER"), "Chromium is not installed (apt-get install chromium)"
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running Chromium without a window."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        yield browser
        browser.close()


class Screen:
    """One browser with a storage of its own that shows the client at `url`; `troubles` must stay empty."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        size: tuple[int, int] = PHONE,
        *,
        language: str = "en",
        theme: str = "dark",
        worker: bool = False,
    ) -> None:
        width, height = size
        self.url = url
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=size != COMPUTER,
            locale=language,
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce",
            service_workers="allow" if worker else "block",
        )
        self.context.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        self.troubles: list[str] = []
        self.page: Page = self.another_tab()

    def another_tab(self) -> Page:
        """A second page on the same device."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._hear)
        return page

    def _hear(self, message: object) -> None:
        text = str(getattr(message, "text", ""))
        if getattr(message, "type", "") == "error" and not HARMLESS.search(text):
            self.troubles.append(text)

    def close(self) -> None:
        """Put the device away."""
        self.context.close()

    def open(self, path: str = "/") -> None:
        """Go to an address of the client and wait until it shows something."""
        self.page.goto(self.url + path)
        expect(self.page.locator("h1").first).to_be_visible()

    def see(self, selector: str) -> Locator:
        """What is on the screen now, or comes within a moment."""
        found = self.page.locator(selector).first
        expect(found).to_be_visible()
        return found

    def gone(self, selector: str) -> None:
        """Wait until it is no longer on the screen."""
        expect(self.page.locator(selector)).to_have_count(0)

    def until(self, condition: str) -> None:
        """Wait until an async function of the page gives true."""
        self.page.evaluate(
            f"""async () => {{ const asked = {condition}; const end = Date.now() + 30_000;
              while (!(await asked())) {{
                if (Date.now() > end) throw new Error("that never came to be");
                await new Promise((go) => setTimeout(go, 100)); }} }}"""
        )

    def sign_up(self) -> str:
        """A new person from the front page on; their address."""
        email = f"{uuid4().hex}@example.org"
        self.open()
        self.page.fill("[name=email]", email)
        self.page.fill("[name=password]", PASSWORD)
        self.page.click("button[type=submit]")
        self.see("#new-name")
        return email

    def sign_in(self, email: str) -> None:
        """A person who has an account."""
        self.open("/sign-in")
        self.page.fill("[name=email]", email)
        self.page.fill("[name=password]", PASSWORD)
        self.page.click("button[type=submit]")
        self.see("nav.places")

    def sit_down(self, email: str, game_id: str) -> None:
        """The same person on this device too, at a game of theirs, hearing what others enter."""
        self.sign_in(email)
        self.open(f"/games/{game_id}")
        self.see(".connection.live")

    def begin(self, *names: str, first: int = 0) -> str:
        """A new game of these people, from the screen for it; its id."""
        for name in names:
            self.page.fill("#new-name", name)
            self.page.press("#new-name", "Enter")
            self.see(f".person[aria-pressed=true]:has-text('{name}')")
        self.page.click("button.big")
        if len(names) > 1:
            self.page.locator("dialog .dialog-choices button").nth(first).click()
        self.see(".pile")
        self.see(".connection.live")
        return self.page.url.rpartition("/")[2]

    def pile(self, name: str) -> Locator:
        """A pile of the table."""
        return self.page.locator(f".pile[data-key={name}]")

    def lay(self, pile: str, card: int | None = None) -> None:
        """Two taps: the pile, the number; one more for the group's word where the table cannot know."""
        self.pile(pile).click()
        if card is None:
            self.page.click(".pad-bottom button")
            self.page.click("dialog .primary")
        else:
            key = self.see(f".key[data-key='{card}']")
            is_uncertain = "uncertain" in (key.get_attribute("class") or "")
            key.click()
            if is_uncertain:
                self.page.click("dialog .primary")

    def next(self) -> None:
        """The one button that comes next."""
        self.see(".next").click()

    def settled(self) -> None:
        """Wait until everything entered is confirmed."""
        self.gone(".pile.pending")
        self.gone(".strip.waiting")

    def do(self, action: Json) -> None:
        """Enter an action of a log by touch."""
        match action["type"]:
            case "play":
                self.lay(action["pile"], action.get("card"))
            case "block":
                self.page.click(".bar-owed button")
                self.page.click("dialog .danger")
            case "undo":
                self.page.click(".undo")
            case "redo":
                self.page.click(".redo")
            case _:
                self.next()

    def type(self, action: Json) -> None:
        """Enter an action of a log by keyboard alone."""
        press = self.page.keyboard.press
        match action["type"]:
            case "play" if action.get("card"):
                for digit in str(action["card"]):
                    press(digit)
                press(PILE_KEYS[action["pile"]])
            case "block":
                press("b")
                self.see("dialog")
                press("Enter")
            case "undo":
                press("u")
            case "redo":
                press("y")
            case _:
                press("n")
