"""Guests: told that they are, shown out with the reason, and free to leave."""

from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.browser.test_sharing import with_plus
from tests.support.browser import PHONE, TABLET, Screen
from tests.support.system import EmbeddedSystem

KEPT = "localStorage['ninety-eight.guests'] ?? '{}'"


def invitation(owner: Screen, embedded: EmbeddedSystem) -> str:
    """The link of an invitation to a game that begins now."""
    with_plus(owner, embedded)
    game_id = owner.begin("Ana", "Ben")
    owner.open(f"/games/{game_id}/share")
    owner.page.click("main > .button")
    return owner.see(".link").inner_text()


def at_the_table(screens: Screens, embedded: EmbeddedSystem) -> tuple[Screen, Screen]:
    """An owner, and a guest who has followed the link."""
    owner, guest = screens(TABLET), screens(PHONE)
    guest.page.goto(invitation(owner, embedded))
    guest.see(".connection.live")
    return owner, guest


def test_a_guest_leaves_and_the_device_forgets_the_invitation(
    screens: Screens, embedded: EmbeddedSystem
) -> None:
    _, guest = at_the_table(screens, embedded)
    guest.page.click("[aria-label='More']")
    guest.page.click("dialog button:has-text('Leave this game')")
    expect(guest.see("dialog")).to_contain_text("This device forgets its invitation")
    guest.page.click("dialog .quiet")
    guest.see(".connection.live")  # only asked
    guest.page.click("[aria-label='More']")
    guest.page.click("dialog button:has-text('Leave this game')")
    guest.page.click("dialog:has-text('forgets') .danger")
    guest.see("text=Create account and play")
    assert guest.page.evaluate(KEPT) == "{}"
    guest.gone(".card")


def test_a_guest_leaves_a_game_that_has_ended_from_the_list(
    screens: Screens, embedded: EmbeddedSystem
) -> None:
    owner, guest = at_the_table(screens, embedded)
    owner.page.click(".cards .button")
    expect(guest.see(".strip.warning")).to_contain_text("No longer shared with you")
    expect(guest.see(".connection.ended")).to_have_text("Ended")
    guest.page.reload()
    expect(guest.see("main")).to_contain_text("as a guest ask for a new invitation")
    guest.open("/")
    guest.page.click(".card button:has-text('Leave')")
    guest.page.click("dialog .danger")
    guest.gone(".card")
    assert guest.page.evaluate(KEPT) == "{}"


def test_whose_sign_in_has_ended_is_told_that_they_join_as_a_guest(
    screens: Screens, embedded: EmbeddedSystem
) -> None:
    owner, phone, elsewhere = screens(TABLET), screens(PHONE), screens(PHONE)
    link = invitation(owner, embedded)
    email = phone.sign_up()
    elsewhere.sign_in(email)
    elsewhere.open("/settings")
    elsewhere.page.click("button:text-is('Sign out everywhere')")
    elsewhere.see("text=Create account and play")
    phone.page.goto(link)
    expect(phone.see(".notice")).to_contain_text("you join as a guest")
    phone.see(".connection.live")
    phone.gone("nav.places")
    assert phone.page.evaluate(KEPT) != "{}"
