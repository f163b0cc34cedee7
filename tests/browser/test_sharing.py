"""Several people on several devices: a guest by an invitation, and two versions for the table to decide."""

from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.support.api import Api
from tests.support.browser import PHONE, TABLET, Screen
from tests.support.system import EmbeddedSystem
from tests.support.world import plus_code


def with_plus(screen: Screen, system: EmbeddedSystem) -> str:
    """A new person who has redeemed a code for Plus in the settings; their address."""
    email = screen.sign_up()
    screen.open("/settings")
    screen.page.click("summary:has-text('Plus')")
    screen.page.fill("[name=code]", plus_code(system))
    screen.page.click("details[open] button[type=submit]")
    screen.see("text=You have Plus.")
    screen.open("/new")
    return email


def test_a_guest_scans_plays_along_and_is_shown_out(screens: Screens, embedded: EmbeddedSystem) -> None:
    owner, guest = screens(TABLET), screens(PHONE)
    with_plus(owner, embedded)
    game_id = owner.begin("Ana", "Ben")
    owner.open(f"/games/{game_id}/share")
    owner.page.click("main > .button")
    assert str(owner.see(".qr").get_attribute("src")).startswith("data:image/svg+xml,")
    link = owner.see(".link").inner_text()
    guest.page.goto(link)
    guest.see(".connection.live")
    assert "#" not in guest.page.url
    owner.open(f"/games/{game_id}")
    expect(owner.page.locator(".table-bar .chip")).to_contain_text("2")
    guest.lay("up1", 12)
    expect(owner.pile("up1").locator(".pile-top")).to_have_text("12")
    owner.open(f"/games/{game_id}/share")
    owner.page.click(".cards .button")
    guest.see(".connection.ended")
    expect(guest.see(".strip.warning")).to_contain_text("No longer shared")
    guest.gone(".bar")


def test_a_code_that_is_none_says_what_to_do(screens: Screens) -> None:
    screen = screens(PHONE, language="es")
    screen.open("/join#nonsense")
    screen.see(".problem")
    expect(screen.page.locator("html")).to_have_attribute("lang", "es")


def test_the_table_decides_between_two_versions(screens: Screens, embedded: EmbeddedSystem) -> None:
    away, here = screens(PHONE), screens(TABLET)
    email = with_plus(away, embedded)
    game_id = away.begin("Ana", "Ben")
    here.sit_down(email, game_id)
    away.context.set_offline(True)
    away.lay("up1", 20)
    away.lay("up1", 25)
    here.lay("up1", 30)
    here.see(".table[data-version='1']")
    away.context.set_offline(False)
    away.see(".strip.warning a").click()
    away.see(".side")
    expect(away.page.locator(".side")).to_have_count(2)
    away.see("text=Decide together")
    away.page.click("button.group:has-text('Keep the device')")
    expect(away.pile("up1").locator(".pile-top")).to_have_text("25")
    away.gone(".strip")
    expect(here.pile("up1").locator(".pile-top")).to_have_text("25")
    here.page.click(".undo")
    expect(away.pile("up1").locator(".pile-top")).to_have_text("30")


def test_the_table_is_corrected_and_gone_back_to(screens: Screens, embedded: EmbeddedSystem) -> None:
    screen = screens(PHONE)
    with_plus(screen, embedded)
    game_id = screen.begin("Ana", "Ben")
    top = screen.pile("up1").locator(".pile-top")
    screen.lay("up1", 10)
    screen.settled()
    screen.lay("up1", 20)
    screen.settled()
    screen.open(f"/games/{game_id}/adopt")
    screen.page.fill("[name=up1]", "25")
    screen.page.click("button[type=submit]")
    screen.see(".problem:not([hidden])")  # three cards cannot have come from two
    screen.page.fill("[name=hand0]", "4")
    screen.page.click("button[type=submit]")
    expect(top).to_have_text("25")
    screen.open(f"/games/{game_id}/replay")
    screen.page.focus("#at")
    for _ in range(2):
        screen.page.keyboard.press("ArrowLeft")
    screen.page.click("button:has-text('Go on from here')")
    screen.page.click("dialog .primary")
    expect(top).to_have_text("10")
    screen.page.click(".undo")
    expect(top).to_have_text("25")


def test_another_person_cannot_see_the_game(screens: Screens, embedded: EmbeddedSystem) -> None:
    owner, stranger = screens(PHONE), screens(PHONE)
    owner.sign_up()
    game_id = owner.begin("Ana", "Ben")
    stranger.sign_up()
    stranger.open(f"/games/{game_id}")
    expect(stranger.see("h1")).to_have_text("Nothing here")
    assert Api(embedded.url).get(f"/v1/games/{game_id}").status == 401


def test_a_guest_who_signs_up_meanwhile_loses_no_entry(screens: Screens, embedded: EmbeddedSystem) -> None:
    owner, guest = screens(TABLET), screens(PHONE)
    with_plus(owner, embedded)
    game_id = owner.begin("Ana", "Ben")
    owner.open(f"/games/{game_id}/share")
    owner.page.click("main > .button")
    guest.page.goto(owner.see(".link").inner_text())
    guest.see(".connection.live")
    guest.context.route("**/v1/games/**", lambda route: route.abort())
    guest.lay("up1", 12)
    guest.see(".strip.waiting, .connection.connecting")
    guest.sign_up()
    guest.context.unroute("**/v1/games/**")
    guest.open(f"/games/{game_id}")
    owner.open(f"/games/{game_id}")
    owner.see(".table[data-version='1']")
    expect(owner.pile("up1").locator(".pile-top")).to_have_text("12")
    guest.see(".table[data-version='1']")
    guest.gone(".strip")


def test_an_owner_who_tried_the_code_goes_on_when_it_ends(screens: Screens, embedded: EmbeddedSystem) -> None:
    owner = screens(TABLET)
    with_plus(owner, embedded)
    game_id = owner.begin("Ana", "Ben")
    kept = {"game_id": game_id, "access_token": "ended", "role": "viewer", "guest_id": "x", "expires_at": ""}
    owner.page.evaluate(
        """(it) => localStorage.setItem("ninety-eight.guests", JSON.stringify({ [it.game_id]: it }))""", kept
    )
    owner.page.reload()
    owner.see(".connection.live")
    owner.lay("up1", 12)
    owner.see(".table[data-version='1']")
    owner.settled()


def test_a_refused_entry_of_a_branch_says_why(screens: Screens, embedded: EmbeddedSystem) -> None:
    away, here = screens(PHONE), screens(TABLET)
    email = with_plus(away, embedded)
    game_id = away.begin("Ana", "Ben")
    here.sit_down(email, game_id)
    away.context.set_offline(True)
    away.lay("up1", 20)
    away.lay("up1", 15)
    away.context.set_offline(False)
    expect(away.see(".strip.error")).to_contain_text("does not fit this pile")
    away.page.click(".strip.error button")
    away.gone(".strip")
    away.context.set_offline(True)
    away.lay("up1", 30)
    away.lay("up1", 25)
    here.lay("up1", 40)
    here.see(".table[data-version='2']")
    away.context.set_offline(False)
    expect(away.see(".strip.error")).to_contain_text("does not fit this pile")
    away.see(".strip.warning a")
    away.open(f"/games/{game_id}/cards")
    expect(away.page.locator(".card")).to_have_count(2)
    away.page.click(".card button >> nth=0")
    expect(away.page.locator(".card")).to_have_count(1)


def test_a_card_is_named_later(screens: Screens, embedded: EmbeddedSystem) -> None:
    screen = screens(PHONE)
    with_plus(screen, embedded)
    screen.begin("Ana", "Ben")
    screen.lay("up1")
    screen.settled()
    screen.page.click("[aria-label='More']")
    screen.page.click("dialog button:has-text('What is left open')")
    field = screen.see("main input")
    field.fill("120")
    screen.page.click("main button[type=submit]")
    screen.see(".problem:not([hidden])")
    field.fill("12")
    screen.page.click("main button[type=submit]")
    screen.see(".empty")
    screen.page.click("header a")
    expect(screen.pile("up1").locator(".pile-top")).to_have_text("12")


def has_joined(account: Screen, owner: Screen, game_id: str, role: str) -> None:
    """Somebody signed in follows the link of an invitation in this role."""
    owner.open(f"/games/{game_id}/share")
    owner.page.check(f"[name=role][value={role}]")
    owner.page.click("main > .button")
    account.page.goto(owner.see(".link").inner_text())
    account.see(".connection.live")


def shared(screens: Screens, embedded: EmbeddedSystem, role: str) -> tuple[Screen, Screen, str]:
    """An owner, somebody signed in with whom the game is shared in this role, and the game."""
    owner, other = screens(TABLET), screens(PHONE)
    with_plus(owner, embedded)
    game_id = owner.begin("Ana", "Ben")
    other.sign_up()
    has_joined(other, owner, game_id, role)
    return owner, other, game_id


def test_an_account_that_joins_has_the_game_on_every_device(
    screens: Screens, embedded: EmbeddedSystem
) -> None:
    owner, phone, tablet = screens(TABLET), screens(PHONE), screens(TABLET)
    with_plus(owner, embedded)
    game_id = owner.begin("Ana", "Ben")
    email = phone.sign_up()
    has_joined(phone, owner, game_id, "recorder")
    assert phone.page.evaluate("localStorage['ninety-eight.guests'] ?? '{}'") == "{}"
    phone.lay("up1", 12)
    phone.settled()
    tablet.sign_in(email)
    tablet.open("/")
    expect(tablet.see(".game-link")).to_contain_text("Shared · May enter cards")
    tablet.gone(".group")  # the players are somebody else's
    tablet.page.click(".game-link")
    expect(tablet.pile("up1").locator(".pile-top")).to_have_text("12")
    tablet.see(".connection.live")
    tablet.page.click("[aria-label='More']")
    offered = tablet.page.locator("dialog button")
    expect(offered).to_have_text(
        ["Look at it move by move", "What is left open", "Keyboard", "Leave this game", "Close"]
    )


def test_whoever_only_looks_is_offered_nothing_to_enter(screens: Screens, embedded: EmbeddedSystem) -> None:
    _, viewer, _ = shared(screens, embedded, "viewer")
    viewer.gone(".bar")
    expect(viewer.pile("up1")).to_be_disabled()
    viewer.page.reload()
    viewer.see(".connection.live")
    viewer.gone(".bar")


def test_a_shared_game_is_left_and_gone_from_the_list(screens: Screens, embedded: EmbeddedSystem) -> None:
    owner, other, game_id = shared(screens, embedded, "recorder")
    other.page.click("[aria-label='More']")
    other.page.click("dialog button:has-text('Leave this game')")
    other.page.click("dialog .danger")
    other.see(".empty")
    other.gone(".game-link")
    other.open(f"/games/{game_id}")
    expect(other.see("h1")).to_have_text("Nothing here")
    owner.open(f"/games/{game_id}")
    owner.lay("up1", 12)
    owner.settled()


def test_a_share_taken_back_says_so_at_the_table(screens: Screens, embedded: EmbeddedSystem) -> None:
    owner, other, _ = shared(screens, embedded, "recorder")
    owner.page.click(".cards .button")
    expect(other.see(".strip.warning")).to_contain_text("No longer shared")
    other.gone(".bar")


def test_only_its_owner_is_offered_to_reopen_a_result(screens: Screens, embedded: EmbeddedSystem) -> None:
    owner, other, game_id = shared(screens, embedded, "recorder")
    other.page.click(".bar-owed button")
    other.page.click("dialog .danger")
    other.next()
    other.see(".result-number")
    expect(other.see(".undo")).to_be_disabled()
    other.gone("button:has-text('Again with the same players')")
    owner.open(f"/games/{game_id}")
    expect(owner.see(".undo")).to_be_enabled()


def test_an_owner_who_scans_the_own_code_stays_the_owner(screens: Screens, embedded: EmbeddedSystem) -> None:
    owner = screens(TABLET)
    with_plus(owner, embedded)
    game_id = owner.begin("Ana", "Ben")
    has_joined(owner, owner, game_id, "viewer")
    owner.lay("up1", 12)
    owner.settled()
