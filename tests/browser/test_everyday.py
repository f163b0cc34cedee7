"""What people do before and after a game: begin again, look back, change names, language and looks, leave."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from shared.contracts.problems import LANGUAGES
from tests.browser.conftest import Screens
from tests.support.api import PASSWORD
from tests.support.browser import COMPUTER, PHONE


def test_a_stranger_starts_a_game_with_nothing_but_the_front_page(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.open()
    screen.page.fill("[name=email]", f"stranger-{id(screen)}@example.org")
    screen.page.fill("[name=password]", PASSWORD)
    screen.page.click("button[type=submit]")
    expect(screen.see("#new-name")).to_be_focused()
    screen.page.keyboard.type("Ana")
    screen.page.click("button.big")  # a name that is typed but not added plays too
    screen.see(".pile")
    expect(screen.see("h1")).to_have_text("Ana’s turn")


def test_a_group_that_played_before_is_at_the_table_after_two_taps(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    first = screen.begin("Ana", "Ben", "Carla")
    screen.open("/")
    screen.page.click("button.group")
    screen.page.click("dialog .dialog-choices button:has-text('Ben')")
    screen.see(".pile")
    expect(screen.see("h1")).to_have_text("Ben’s turn")
    assert first not in screen.page.url
    expect(screen.page.locator(".seat-name")).to_have_text(["Ana", "Ben", "Carla", "Deck"])


def test_a_game_is_looked_at_move_by_move(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    game_id = screen.begin("Ana")
    for card in (10, 20, 30):
        screen.lay("up1", card)
        screen.settled()
    screen.open(f"/games/{game_id}/replay")
    top = screen.page.locator(".still-pile strong").first
    expect(top).to_have_text("30")
    screen.page.focus("#at")
    screen.page.keyboard.press("ArrowLeft")
    expect(top).to_have_text("20")
    screen.page.keyboard.press("Home")
    expect(top).to_have_text("1")
    expect(screen.see(".replay-what")).to_contain_text("nothing is played yet")


def test_players_are_renamed_joined_and_put_away(screens: Screens) -> None:
    screen = screens(PHONE)
    page = screen.page
    screen.sign_up()
    screen.open("/players")
    for name in ("Ana", "Anna", "Ben"):
        page.fill("[name=name]", name)
        page.click("button[type=submit]")
        screen.see(f".card:has-text('{name}')")
    page.click(".card:has-text('Ben') button")
    page.fill("dialog input", "Benjamin")
    page.click("dialog .primary")
    screen.see(".card:has-text('Benjamin')")
    page.click(".card:has-text('Anna') button")
    page.click("dialog button:has-text('Is the same as')")
    page.click("dialog button:text-is('Ana')")
    screen.see(".card:has-text('is Ana')")
    page.click(".card:has-text('Benjamin') button")
    page.click("dialog .danger")
    screen.see("h2:has-text('Put away')")
    screen.open("/new")
    expect(page.locator(".person")).to_have_text(["Ana"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browsers_language_comes_first(screens: Screens, language: str) -> None:
    texts = json.loads(Path(f"gateway/web/lang/{language}.json").read_text("utf-8"))
    screen = screens(PHONE, language=language)
    screen.open()
    expect(screen.page.locator("html")).to_have_attribute("lang", language)
    expect(screen.see("button[type=submit]")).to_have_text(texts["sign.up"])
    screen.open("/guide")
    expect(screen.page.locator(".prose-all")).to_have_attribute("lang", language)
    assert screen.page.locator(".prose img").count() >= 3


def test_language_and_looks_change_at_once_and_stay(screens: Screens) -> None:
    screen = screens(COMPUTER)
    screen.open("/settings")
    screen.page.select_option("#language", "sl")
    expect(screen.see("h1")).to_have_text("Nastavitve")
    screen.page.check("input[name=theme][value=light]")
    background = "getComputedStyle(document.body).backgroundColor"
    assert screen.page.evaluate(background) == "rgb(246, 244, 239)"
    screen.page.reload()
    expect(screen.see("h1")).to_have_text("Nastavitve")
    assert screen.page.evaluate(background) == "rgb(246, 244, 239)"


def test_ones_data_is_saved_and_the_account_deleted(screens: Screens) -> None:
    screen = screens(PHONE)
    email = screen.sign_up()
    screen.begin("Ana")
    screen.open("/settings")
    with screen.page.expect_download() as saved:
        screen.page.click("button:has-text('Save my data')")
    assert json.loads(saved.value.path().read_text("utf-8"))["account"]["email"] == email
    screen.page.click("summary:has-text('Delete the account')")
    screen.page.fill("[name=password]", PASSWORD)
    screen.page.click("details[open] button[type=submit]")
    screen.see("text=Create account and play")
    screen.open("/sign-in")
    screen.page.fill("[name=email]", email)
    screen.page.fill("[name=password]", PASSWORD)
    screen.page.click("button[type=submit]")
    screen.see(".problem")


def test_somebody_signed_out_is_led_back_after_signing_in(screens: Screens) -> None:
    screen = screens(PHONE)
    email = screen.sign_up()
    game_id = screen.begin("Ana")
    screen.open("/settings")
    screen.page.click("button:text-is('Sign out')")
    screen.see("text=Create account and play")
    screen.open(f"/games/{game_id}")
    screen.page.fill("[name=email]", email)
    screen.page.fill("[name=password]", PASSWORD)
    screen.page.click("button[type=submit]")
    screen.see(".pile")
    assert screen.page.url.endswith(game_id)
