"""How many taps it takes to begin, and how long a card waits from the tap to its confirmation on screen."""

from collections.abc import Iterator
from uuid import uuid4

from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.support.api import PASSWORD
from tests.support.browser import PHONE, Screen
from tests.support.guests import invite, owner_with_plus
from tests.support.system import EmbeddedSystem

MOST_MS = 150
PLAYS = 40
EVENINGS = 3
# Taps a number and waits, without asking the driver in between, until the mark is gone.
CONFIRMED_MS = """([pile, card]) => new Promise((resolve) => {
  document.querySelector(`.pile[data-key=${pile}]`).click();
  const began = performance.now();
  document.querySelector(`.key[data-key="${card}"]`).click();
  const top = document.querySelector(`.pile[data-key=${pile}].pending .pile-top`);
  const shown = top?.textContent === String(card);
  const look = () => {
    if (!document.querySelector(".pile.pending")) resolve([shown, performance.now() - began]);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})"""


def test_a_card_is_shown_at_once_and_confirmed_before_anybody_waits(screens: Screens) -> None:
    """The best of a few evenings: what else the machine does meanwhile only ever makes it slower."""
    best_ms = min(_until_quick(screens))
    assert best_ms <= MOST_MS


def _until_quick(screens: Screens) -> Iterator[float]:
    """The time of 19 in 20 cards, evening by evening, until one was quick enough."""
    for _ in range(EVENINGS):
        times_ms = sorted(_evening_ms(screens(PHONE)))
        p95_ms = times_ms[int(len(times_ms) * 0.95) - 1]
        print(f"tap to confirmed: p50 {times_ms[len(times_ms) // 2]:.0f} ms, p95 {p95_ms:.0f} ms")
        yield p95_ms
        if p95_ms <= MOST_MS:
            return


def _evening_ms(screen: Screen) -> Iterator[float]:
    screen.sign_up()
    screen.begin("Ana")
    card = 1
    for _ in range(PLAYS // 2):
        for pile in ("up1", "up2"):
            card += 1
            is_shown, time_ms = screen.page.evaluate(CONFIRMED_MS, [pile, card])
            assert is_shown
            yield time_ms
        screen.next()
        screen.see(".next:has-text('End the turn')")
        screen.next()
        screen.see(".bar-owed")


class Thumb:
    """One thumb on a phone: it counts its taps and finds everything without scrolling."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.taps = 0

    def tap(self, selector: str) -> None:
        """What is tapped has to be whole on the screen."""
        found = self.screen.see(selector)
        expect(found).to_be_in_viewport(ratio=1)
        found.tap()
        self.taps += 1

    def type(self, text: str, into: str) -> None:
        """The field has the focus by now."""
        expect(self.screen.see(into)).to_be_focused()
        self.screen.page.keyboard.type(text)
        self.screen.page.keyboard.press("Enter")

    def lay_first_card(self) -> None:
        self.tap(".pile[data-key=up1]")
        self.tap(".key[data-key='7']")
        self.screen.settled()
        expect(self.screen.pile("up1").locator(".pile-top")).to_have_text("7")


def test_a_stranger_has_confirmed_a_card_after_six_taps(screens: Screens) -> None:
    screen = screens(PHONE)
    thumb = Thumb(screen)
    screen.open()
    thumb.tap("[name=email]")
    thumb.type(f"{uuid4().hex}@example.org", "[name=email]")
    thumb.type(PASSWORD, "[name=password]")
    screen.see("text=Names in the order you sit")
    for name in ("Ana", "Ben", "Carla"):
        thumb.type(name, "#new-name")
        screen.see(f".person:has-text('{name}')")
    thumb.tap("button.big")
    screen.see("dialog >> text=6 cards each")
    thumb.tap("dialog button:has-text('Ben')")
    expect(screen.see("h1")).to_have_text("Ben’s turn")
    thumb.lay_first_card()
    assert thumb.taps <= 6


def test_a_known_group_and_a_second_device_are_at_the_table_after_three_taps(screens: Screens) -> None:
    phone, other = Thumb(screens(PHONE)), Thumb(screens(PHONE))
    email = phone.screen.sign_up()
    phone.screen.begin("Ana", "Ben")
    phone.screen.open()
    phone.tap("button.group")
    phone.tap("dialog button:has-text('Ben')")
    expect(phone.screen.see("h1")).to_have_text("Ben’s turn")
    assert phone.taps <= 3
    other.screen.open()
    other.tap("a[href='/sign-in']")
    other.type(email, "[name=email]")
    other.type(PASSWORD, "[name=password]")
    other.tap(".game-link")
    expect(other.screen.see("h1")).to_have_text("Ben’s turn")
    assert other.taps <= 3


def test_whoever_forgot_the_account_gets_in_from_the_front_page(screens: Screens) -> None:
    screen = screens(PHONE)
    email = screen.sign_up()
    again = screens(PHONE)
    again.open()
    again.page.fill("[name=email]", email)
    again.page.fill("[name=password]", f"not {PASSWORD}")
    again.page.click("button[type=submit]")
    expect(again.see(".problem")).to_contain_text("Sign in instead")
    again.page.click("[aria-label^='Show']")
    expect(again.see("[name=password]")).to_have_attribute("type", "text")
    again.page.fill("[name=password]", PASSWORD)
    again.page.click("button[type=submit]")
    again.see("nav.places")
    assert again.page.url == f"{again.url}/"


def test_a_guest_lays_a_card_after_two_taps_and_finds_the_game_again(
    screens: Screens, embedded: EmbeddedSystem
) -> None:
    owner = owner_with_plus(embedded)
    players = [{"name": "Ana"}, {"name": "Ben"}]
    game = owner.api.post("/v1/games", {"ruleset": "the-game", "players": players}).json
    thumb = Thumb(screens(PHONE))
    thumb.screen.page.goto(f"{embedded.url}/join#{invite(owner.api, game['id'])['code']}")
    thumb.screen.see(".connection.live")
    thumb.lay_first_card()
    assert thumb.taps <= 2
    thumb.screen.open()
    thumb.tap(".card a:has-text('Ana and Ben')")
    expect(thumb.screen.pile("up1").locator(".pile-top")).to_have_text("7")
