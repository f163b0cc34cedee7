"""Playing on without a network: nothing is lost, everything is sent in order and once."""

from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.support.browser import PHONE, Screen


def three_turns(screen: Screen, first_card: int) -> None:
    """Three turns of two cards, each drawn for and ended, as far as this device can know."""
    for turn in range(3):
        card = first_card + turn * 10
        screen.lay("up1", card)
        screen.lay("down1", 100 - card)
        screen.next()
        screen.see(".next:has-text('End the turn')")
        screen.next()
        screen.see(".bar-owed")


def test_three_turns_without_a_network_and_a_reload_in_between(screens: Screens) -> None:
    screen = screens(PHONE, worker=True)
    screen.sign_up()
    game_id = screen.begin("Ana", "Ben")
    screen.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    screen.page.reload()  # from here on the shell comes from the device
    screen.see(".connection.live")
    screen.context.set_offline(True)
    three_turns(screen, 10)
    expect(screen.see(".strip.waiting")).to_contain_text("12 entries not checked yet")
    screen.page.reload()
    expect(screen.see(".strip.waiting")).to_contain_text("12 entries not checked yet")
    expect(screen.pile("up1").locator(".pile-top")).to_have_text("30")
    screen.context.set_offline(False)
    screen.gone(".strip.waiting")
    screen.see(".table[data-version='12']")
    expect(screen.pile("up1")).to_have_class("pile up")
    assert game_id in screen.page.url


def test_a_refused_entry_is_shown_with_its_reason_and_the_others_go_on(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    screen.begin("Ana", "Ben")
    screen.context.set_offline(True)
    screen.lay("up1", 50)
    screen.see(".strip.waiting")
    screen.lay("up1", 49)
    screen.lay("down1", 60)
    expect(screen.see(".strip.waiting")).to_contain_text("3 entries")
    screen.context.set_offline(False)
    expect(screen.see(".strip.error")).to_contain_text("49 on rising 1")
    screen.see(".table[data-version='2']")
    expect(screen.pile("down1").locator(".pile-top")).to_have_text("60")
    screen.page.reload()
    expect(screen.see(".strip.error")).to_contain_text("49 on rising 1")
    screen.page.click(".strip.error button")
    screen.gone(".strip.error")


def test_two_tabs_send_every_entry_once(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    game_id = screen.begin("Ana", "Ben")
    tab = screen.another_tab()
    tab.goto(f"{screen.url}/games/{game_id}")
    expect(tab.locator(".connection.live")).to_be_visible()
    screen.context.set_offline(True)
    screen.lay("up1", 10)
    expect(tab.locator(".pile[data-key=up1] .pile-top")).to_have_text("10")
    tab.locator(".pile[data-key=up1]").click()
    tab.locator(".key[data-key='11']").click()
    expect(screen.pile("up1").locator(".pile-top")).to_have_text("11")
    screen.context.set_offline(False)
    for page in (screen.page, tab):
        expect(page.locator(".table[data-version='2']")).to_be_visible()
        expect(page.locator(".pile.pending, .strip")).to_have_count(0)


def test_without_plus_the_table_decides_about_entries_that_were_overtaken(screens: Screens) -> None:
    away, here = screens(PHONE), screens(PHONE)
    email = away.sign_up()
    game_id = away.begin("Ana", "Ben")
    here.sign_in(email)
    here.open(f"/games/{game_id}")
    here.see(".connection.live")
    away.context.set_offline(True)
    away.lay("up1", 20)
    away.see(".strip.waiting")
    here.lay("down1", 80)
    here.see(".table[data-version='1']")
    away.context.set_offline(False)
    expect(away.see(".strip.warning")).to_contain_text("on another device")
    away.page.click(".strip-choices button:has-text('Add mine on top')")
    here.see(".table[data-version='2']")
    expect(here.pile("up1").locator(".pile-top")).to_have_text("20")
    away.gone(".strip")
