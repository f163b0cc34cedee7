"""A phone in the same room has no TLS to this machine: it plays all the same, the shell is just not kept."""

from playwright.sync_api import Browser, expect

from tests.support.browser import ELSEWHERE, PHONE, Screen
from tests.support.system import EmbeddedSystem


def test_a_phone_plays_without_tls(browser: Browser, embedded: EmbeddedSystem) -> None:
    screen = Screen(browser, f"http://{ELSEWHERE}:{embedded.port}", PHONE, worker=True)
    screen.sign_up()
    assert not screen.page.evaluate("isSecureContext")
    screen.begin("Ana", "Ben")
    screen.lay("up1", 12)
    screen.lay("down1", 90)
    screen.see(".table[data-version='2']")
    screen.context.set_offline(True)
    screen.next()
    screen.see(".strip.waiting")
    screen.context.set_offline(False)
    screen.see(".table[data-version='3']")
    expect(screen.page.locator(".strip")).to_have_count(0)
    assert screen.troubles == []
    screen.close()
