"""axe finds nothing on any screen, in light and dark; what is touched is large enough; nothing is cut off."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.support.browser import COMPUTER, PHONE, TABLET, Screen
from tests.support.system import EmbeddedSystem
from tests.support.world import World, new_world, plus_code

TARGET_PX = 44
WIDTH = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
SMALL = """() => [...document.querySelectorAll("button, a[href], input, select, summary")]
  .filter((it) => it.checkVisibility() && !/checkbox|radio/.test(it.type))
  .map((it) => ({ box: it.getBoundingClientRect(), text: it.outerHTML.slice(0, 80) }))
  .filter(({ box }) => box.width > 1 && (box.height < 43.5 || box.width < 43.5))
  .map(({ box, text }) => `${Math.round(box.width)}x${Math.round(box.height)} ${text}`)"""


@pytest.fixture(scope="module")
def world(embedded: EmbeddedSystem) -> World:
    return new_world(embedded.url, plus_code(embedded))


def check(screen: Screen, where: str) -> None:
    """Nothing on the screen is in anybody's way."""
    found = Axe().run(screen.page)
    assert found.violations_count == 0, f"{where}: {found.generate_report()}"
    assert screen.page.evaluate(SMALL) == [], where
    wide, shown = screen.page.evaluate(WIDTH)
    assert wide <= shown, f"{where} is {wide} px wide"


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", [PHONE, TABLET, COMPUTER], ids=["phone", "tablet", "computer"])
def test_nothing_is_in_anybodys_way(
    screens: Screens, world: World, size: tuple[int, int], theme: str
) -> None:
    screen = screens(size, theme=theme)
    for path in ("/", "/sign-in", "/reset", "/guide", "/join", "/settings"):
        screen.open(path)
        check(screen, path)
    screen.sign_in(world.email)
    game = f"/games/{world.game_id}"
    paths = ["/", "/games", "/new", "/players", "/settings", "/stats", "/conflicts"]
    paths += [
        f"{game}/replay",
        f"{game}/cards",
        f"{game}/share",
        f"{game}/adopt",
        f"/conflicts/{world.conflict_id}",
        "/nothing",
    ]
    for path in paths:
        screen.page.goto(screen.url + path) if path != "/nothing" else screen.open("/games/nothing")
        screen.see("h1")
        check(screen, path)
    screen.open(game)
    screen.see(".connection.live")
    check(screen, "table")
    screen.pile("up2").click()
    check(screen, "pad")


@pytest.mark.parametrize("language", ["de", "sl", "fr"])
def test_long_words_and_large_text_fit_a_small_phone(screens: Screens, world: World, language: str) -> None:
    screen = screens((320, 640), language=language)
    screen.open()
    screen.page.evaluate(
        """() => localStorage.setItem("ninety-eight.preferences", JSON.stringify({ size: "huge" }))"""
    )
    screen.sign_in(world.email)
    for path in ("/", "/new", "/settings", f"/games/{world.game_id}", f"/conflicts/{world.conflict_id}"):
        screen.open(path)
        wide, shown = screen.page.evaluate(WIDTH)
        assert wide <= shown, f"{path} is {wide} px wide"
        assert screen.page.locator("html").get_attribute("lang") == language
    screen.open(f"/games/{world.game_id}")
    screen.pile("up2").click()
    keys = screen.see(".keys")
    assert keys.evaluate("(it) => it.scrollWidth <= it.clientWidth"), "the pad is wider than the screen"
    wide, shown = screen.page.evaluate(WIDTH)
    assert wide <= shown


@pytest.mark.parametrize("size", [(740, 360), (568, 320)], ids=["phone", "small"])
def test_a_phone_that_is_turned_shows_the_whole_table(screens: Screens, size: tuple[int, int]) -> None:
    screen = screens(size)
    screen.sign_up()
    screen.begin("Ana", "Ben")
    for name in ("up1", "up2", "down1", "down2"):
        expect(screen.pile(name)).to_be_in_viewport(ratio=1)
    for part in (".undo", ".bar-owed button"):
        expect(screen.see(part)).to_be_in_viewport(ratio=1)
    screen.pile("down1").click()
    shown = screen.see(".key[data-key='99']")
    expect(shown).to_be_in_viewport(ratio=1)
    for part in (".pile[data-key=down2]", ".undo", ".pad-bottom button", ".pad-top button"):
        expect(screen.see(part)).to_be_in_viewport(ratio=1)
    check(screen, "pad of a phone that is turned")


def test_the_focus_stays_at_the_table_and_what_happens_is_said(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    screen.begin("Ana", "Ben")
    for card in (20, 30):
        screen.pile("up1").focus()
        screen.page.keyboard.press("Enter")
        screen.see(f".key[data-key='{card}']").focus()
        screen.page.keyboard.press("Enter")
        expect(screen.pile("up1")).to_be_focused()
        screen.settled()
    screen.see(".next:has-text('Draw')").focus()
    screen.page.keyboard.press("Enter")
    expect(screen.see(".next:has-text('End the turn')")).to_be_focused()
    screen.page.keyboard.press("Enter")
    expect(screen.see("h1")).to_be_focused()
    screen.lay("up1", 25)
    expect(screen.page.locator("#assertive")).to_contain_text("does not fit this pile")
    screen.context.set_offline(True)
    expect(screen.page.locator("#polite")).to_contain_text("No network")


def test_a_double_tap_does_one_thing(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    screen.begin("Ana", "Ben")
    for card in (20, 30):
        screen.lay("up1", card)
        screen.settled()
    screen.see(".next:has-text('Draw')").dblclick()
    screen.see(".table[data-version='3']")
    expect(screen.see(".next")).to_have_text("End the turn")
    screen.see(".undo").dblclick()
    screen.see(".table[data-version='4']")
    expect(screen.see(".undo")).to_contain_text("30 on rising 1")


def test_the_arrows_on_the_pad_follow_its_columns(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    screen.begin("Ana")
    screen.pile("up1").click()
    keys = screen.see(".keys")
    for columns in (7, 5):
        keys.evaluate(f"(it) => (it.style.gridTemplateColumns = 'repeat({columns}, 1fr)')")
        keys.locator("[data-key='20']").focus()
        screen.page.keyboard.press("ArrowDown")
        expect(keys.locator(f"[data-key='{20 + columns}']")).to_be_focused()
        screen.page.keyboard.press("ArrowLeft")
        expect(keys.locator(f"[data-key='{19 + columns}']")).to_be_focused()
