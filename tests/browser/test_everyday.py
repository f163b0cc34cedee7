"""What people do before and after a game: begin again, look back, change names, language and looks, leave."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

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
    expect(screen.page.locator(".seat-name")).to_have_text(["Ana", "Ben", "Carla", "Draw pile"])


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
    expect(screen.see(".replay-what")).to_contain_text("nothing is laid yet")


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
    page.keyboard.press("Enter")
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
    texts = json.loads(Path(f"gateway/web/lang/{language}.json").read_text("utf-8"))["sign"]
    screen = screens(PHONE, language=language)
    screen.open()
    expect(screen.page.locator("html")).to_have_attribute("lang", language)
    expect(screen.see("button[type=submit]")).to_have_text(texts["up"])
    screen.open("/guide")
    expect(screen.page.locator(".prose-all")).to_have_attribute("lang", language)
    assert screen.page.locator(".prose img").count() >= 3


def test_language_and_looks_change_at_once_and_stay(screens: Screens) -> None:
    screen = screens(COMPUTER)
    screen.open("/settings")
    screen.page.select_option("#language", "sl")
    expect(screen.see("h1")).to_have_text("Nastavitve")
    expect(screen.page).to_have_title("Nastavitve · Ninety-Eight")
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


IS_COUNTED = """async () => {
  const { access_token } = JSON.parse(localStorage["ninety-eight.session"]);
  const answer = await fetch("/v1/stats", { headers: { Authorization: `Bearer ${access_token}` } });
  return (await answer.json()).items[0]?.games === 1;
}"""


def test_a_finished_game_is_in_the_statistics(screens: Screens) -> None:
    screen = screens(COMPUTER)
    screen.sign_up()
    screen.begin("Ana")
    screen.lay("up1", 20)
    screen.settled()
    screen.page.click(".bar-owed button")
    screen.page.click("dialog .danger")
    screen.next()
    expect(screen.see(".result-number")).to_have_text("97")
    screen.until(IS_COUNTED)
    screen.open("/stats")
    expect(screen.page.locator(".numbers dd")).to_have_text(["1", "0%", "0%", "97"])
    figures = screen.page.locator("figure")
    expect(figures).to_have_count(5)
    expect(figures.nth(3)).to_contain_text("Ana")
    expect(figures.nth(4)).to_contain_text("Smallest step")
    figures.nth(4).locator("summary").click()
    expect(figures.nth(4).locator("tbody tr").first).to_contain_text("97")
    screen.page.set_viewport_size({"width": 700, "height": 800})  # drawn anew, what is open stays open
    expect(figures.nth(4).locator("table")).to_be_visible()
    with screen.page.expect_download() as saved:
        screen.page.click("button:text-is('CSV')")
    assert "97" in saved.value.path().read_text("utf-8")


def test_signing_out_without_a_network_is_possible_here_alone(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    screen.open("/settings")
    screen.context.set_offline(True)
    screen.page.click("button:text-is('Sign out everywhere')")
    expect(screen.see(".notice.error")).to_contain_text("no connection")
    screen.page.click("button:text-is('Sign out')")
    screen.see("text=Create account and play")
    expect(screen.see(".notice.error")).to_contain_text("signed out here")


def test_a_game_whose_answer_was_lost_is_begun_once(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    sent: list[str] = []

    def lost(route: Route) -> None:
        if route.request.method == "POST":
            sent.append(route.request.post_data_json["id"])
            route.fetch()
        route.abort() if len(sent) == 1 else route.continue_()

    screen.context.route("**/v1/games", lost)
    screen.page.fill("#new-name", "Ana")
    screen.page.click("button.big")
    screen.see(".notice.error")
    screen.page.click("button.big")
    screen.see(".pile")
    assert len(sent) == 2
    assert sent[0] == sent[1]


def test_going_back_closes_a_question_and_nothing_else(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    game_id = screen.begin("Ana")
    for _ in range(2):
        screen.page.click(".bar-owed button")
        screen.see("dialog")
        screen.page.go_back()
        screen.gone("dialog")
        assert screen.page.url.endswith(game_id)
    screen.lay("up1", 20)
    screen.page.click("[aria-label='More']")
    screen.page.click("dialog button:has-text('Look at it')")  # what is chosen leads on
    screen.see("#at")
    screen.page.go_back()
    screen.see(".pile")
    screen.page.go_back()  # the question has left nothing behind
    screen.see("#new-name")


def test_ones_name_and_language_are_told_to_the_account(screens: Screens) -> None:
    screen = screens(PHONE)
    email = screen.sign_up()
    screen.open("/settings")
    screen.page.click("summary:has-text('Name of the account')")
    screen.page.fill("[name=name]", "Ana")
    screen.page.press("[name=name]", "Enter")
    screen.see(f"text=Ana · {email}")
    with screen.page.expect_response(lambda it: it.url.endswith("/v1/me")) as told:
        screen.page.select_option("#language", "de")
    assert told.value.request.method == "PATCH"
    assert told.value.json()["display_name"] == "Ana"
    assert told.value.json()["locale"] == "de"


def test_more_games_come_when_somebody_asks_for_them(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    for name in ("Ana", "Ben", "Carla"):
        screen.open("/new")
        screen.begin(name)
    limited = "**/v1/games?*"
    screen.context.route(limited, lambda it: it.continue_(url=it.request.url.replace("limit=100", "limit=2")))
    screen.open("/games")
    expect(screen.page.locator(".game-link")).to_have_count(2)
    screen.page.click("button:text-is('Show more')")
    expect(screen.page.locator(".game-link")).to_have_count(3)
    screen.gone("button:text-is('Show more')")
    screen.page.check("[value=over]")
    screen.see(".empty")


def test_a_game_with_a_refused_entry_is_marked_wherever_it_is_listed(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    screen.begin("Ana")
    screen.lay("up1", 50)
    screen.settled()
    screen.context.set_offline(True)
    screen.lay("up1", 49)
    screen.context.set_offline(False)
    screen.see(".strip.error")
    for path in ("/", "/games"):
        screen.open(path)
        screen.see(".game-link:has-text('Something here waits for you')")
