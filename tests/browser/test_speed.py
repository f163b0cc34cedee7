"""How long a card waits from the tap to its confirmation on the screen."""

from collections.abc import Iterator

from tests.browser.conftest import Screens
from tests.support.browser import PHONE, Screen

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
