"""Playing on without a network: nothing is lost, everything is sent in order and once."""

from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.support.api import PASSWORD
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
    here.sit_down(email, game_id)
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


def test_the_number_at_the_end_counts_what_is_not_checked_yet(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    screen.begin("Ana", "Ben")
    screen.context.set_offline(True)
    screen.lay("up1", 20)
    screen.page.click(".bar-owed button")
    screen.page.click("dialog .danger")
    expect(screen.see(".next")).to_contain_text("97")
    screen.next()
    expect(screen.see(".result-number")).to_have_text("97")
    expect(screen.see(".result-rating")).to_have_text("not checked yet")
    screen.context.set_offline(False)
    expect(screen.see(".result-rating")).to_contain_text("Well fought")
    expect(screen.see(".result-number")).to_have_text("97")


def test_a_card_on_one_without_a_number_asks_the_group_without_a_network_too(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    screen.begin("Ana", "Ben")
    screen.context.set_offline(True)
    screen.lay("up1")
    screen.pile("up1").click()
    screen.page.click(".key[data-key='50']")
    screen.page.click("dialog .primary")
    screen.context.set_offline(False)
    screen.see(".table[data-version='2']")
    expect(screen.pile("up1").locator(".pile-top")).to_have_text("50")
    screen.gone(".strip")


def test_a_game_stays_playable_while_the_gateway_is_in_trouble(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    game_id = screen.begin("Ana", "Ben")
    away = {"status": 503, "body": "{}", "content_type": "application/problem+json"}
    screen.context.route("**/v1/**", lambda route: route.fulfill(**away))
    screen.page.reload()
    screen.lay("up1", 20)
    expect(screen.see(".strip.waiting")).to_contain_text("1 entry not checked yet")
    screen.page.goto(screen.url)
    expect(screen.see(f"a[href='/games/{game_id}']")).to_contain_text("Something here waits for you")
    screen.page.goto(f"{screen.url}/games/{game_id}")
    screen.see(".strip.waiting")
    screen.context.unroute("**/v1/**")
    screen.see(".table[data-version='1']")
    screen.gone(".strip")


def full(screen: Screen) -> None:
    """Let nothing more be written to this device's storage."""
    screen.page.evaluate(
        """() => { IDBObjectStore.prototype.add = () => {
             throw new DOMException("full", "QuotaExceededError"); }; }"""
    )


def test_what_a_full_device_cannot_keep_is_sent_at_once_or_taken_back(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.sign_up()
    screen.begin("Ana", "Ben")
    full(screen)
    screen.lay("up1", 20)
    screen.see(".table[data-version='1']")
    screen.settled()
    screen.context.set_offline(True)
    screen.see(".connection.away, .connection.connecting")
    screen.lay("up1", 30)
    expect(screen.see(".notice.error")).to_contain_text("could not keep")
    expect(screen.pile("up1").locator(".pile-top")).to_have_text("20")


def test_another_person_in_another_tab_gets_none_of_the_entries(screens: Screens) -> None:
    screen, other = screens(PHONE), screens(PHONE)
    stranger = other.sign_up()
    screen.sign_up()
    game_id = screen.begin("Ana", "Ben")
    mine = screen.page.evaluate("JSON.parse(localStorage['ninety-eight.session']).account.id")
    screen.context.set_offline(True)
    screen.lay("up1", 20)
    screen.see(".strip.waiting")
    screen.context.route("**/v1/games/**", lambda route: route.abort())
    screen.context.set_offline(False)
    tab = screen.another_tab()
    tab.goto(screen.url + "/settings")
    tab.click("button:text-is('Sign out')")
    tab.click("dialog .danger")
    expect(tab.locator("text=Create account and play")).to_be_visible()
    expect(screen.page.locator("[name=password]")).to_be_visible()  # the table is gone here too
    tab.goto(screen.url + "/sign-in")
    tab.fill("[name=email]", stranger)
    tab.fill("[name=password]", PASSWORD)
    tab.click("button[type=submit]")
    expect(tab.locator("nav.places")).to_be_visible()
    screen.context.unroute("**/v1/games/**")
    tab.goto(f"{screen.url}/games/{game_id}")
    expect(tab.locator("h1")).to_have_text("Nothing here")
    names = tab.evaluate("indexedDB.databases().then((all) => all.map((it) => it.name))")
    assert f"ninety-eight-{mine}" in names
    counted = """(name) => new Promise((resolve) => { const asked = indexedDB.open(name);
      asked.onsuccess = () => { const db = asked.result;
        const all = db.transaction("lines").objectStore("lines").getAll();
        all.onsuccess = () => resolve(all.result.filter((it) => it.line.action).length); }; })"""
    assert tab.evaluate(counted, f"ninety-eight-{mine}") == 1


def test_the_language_spoken_is_there_without_a_network(screens: Screens) -> None:
    screen = screens(PHONE, language="es", worker=True)
    screen.sign_up()
    screen.until(
        """async () => {
          for (const name of await caches.keys())
            for (const { url } of await (await caches.open(name)).keys())
              if (url.endsWith("es.json")) return true;
        }"""
    )
    screen.context.set_offline(True)
    screen.page.reload()
    expect(screen.page.locator("html")).to_have_attribute("lang", "es")


def test_entries_for_a_game_in_the_bin_wait_for_a_decision(screens: Screens) -> None:
    away, here = screens(PHONE), screens(PHONE)
    email = away.sign_up()
    game_id = away.begin("Ana", "Ben")
    here.sit_down(email, game_id)
    away.context.set_offline(True)
    away.lay("up1", 20)
    away.see(".strip.waiting")
    here.page.click("[aria-label='More']")
    here.page.click("dialog .danger")
    here.page.click("dialog:has-text('Put this game') .danger")
    here.see("h1:text-is('Games')")
    away.context.set_offline(False)
    expect(away.see(".strip.error")).to_contain_text("1 entry cannot be sent")
    away.page.click(".strip.error button:has-text('Discard mine')")
    away.gone(".strip.error")


def test_whoever_was_signed_out_elsewhere_signs_in_and_finds_every_entry(screens: Screens) -> None:
    away, here = screens(PHONE), screens(PHONE)
    email = away.sign_up()
    game_id = away.begin("Ana", "Ben")
    away.context.set_offline(True)
    away.lay("up1", 20)
    away.see(".strip.waiting")
    here.sign_in(email)
    here.open("/settings")
    here.page.click("button:text-is('Sign out everywhere')")
    here.see("text=Create account and play")
    away.context.set_offline(False)
    away.page.fill("[name=email]", email)
    away.page.fill("[name=password]", PASSWORD)
    away.page.click("button[type=submit]")
    away.see(".table[data-version='1']")
    assert away.page.url.endswith(game_id)
    away.gone(".strip")
