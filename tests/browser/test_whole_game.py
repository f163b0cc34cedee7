"""A complete game from sign-up to statistics: by three devices together, and by keyboard alone."""

from collections.abc import Iterator

from playwright.sync_api import expect

from tests.browser.conftest import Screens
from tests.replay.recording import Recording, read_all
from tests.support.api import PASSWORD, Json
from tests.support.browser import COMPUTER, PHONE, TABLET, Screen

NAMES = ("Ana", "Ben", "Carla", "Dejan", "Eva")


def recorded(name: str) -> Recording:
    return next(it for it in read_all() if it.name == name)


def turns(actions: list[Json]) -> Iterator[list[Json]]:
    """The actions turn by turn, the rest last."""
    turn: list[Json] = []
    for action in actions:
        turn.append(action)
        if action["type"] == "end_turn":
            yield turn
            turn = []
    yield turn


def at_version(screen: Screen, version: int) -> None:
    """Wait until the screen shows the game as it is at `version`, nothing waiting."""
    screen.see(f".table[data-version='{version}']")
    screen.settled()


def test_two_phones_and_a_tablet_play_a_whole_game_together(screens: Screens) -> None:
    game = recorded("partial")
    first = screens(PHONE)
    email = first.sign_up()
    game_id = first.begin(*NAMES)
    others = [screens(PHONE), screens(TABLET, theme="light")]
    for other in others:
        other.sign_in(email)
        other.open(f"/games/{game_id}")
    devices = [first, *others]
    expect(first.page.locator(".table-bar .chip")).to_contain_text("3")

    version = 0
    for number, turn in enumerate(turns(game.actions)):
        device, another = devices[number % 3], devices[(number + 1) % 3]
        for action in turn:
            device.do(action)
            version += 1
            at_version(device, version)
        at_version(another, version)
        if number == 1:
            version = undone_over_the_turn(another, version)
        if number == 2:
            refused(another, version)

    for device in devices:
        expect(device.see(".result-number")).to_have_text(str(game.result["remaining"]))
    first.page.click(".undo")
    others[1].see(".next")
    others[1].next()
    first.see(".result")
    first.page.click(".result-next a[href='/stats']")
    first.see("h1")


def undone_over_the_turn(device: Screen, version: int) -> int:
    """Takes the end of the turn, the draw and a card back, then does all of it again."""
    for _ in range(3):
        device.page.click(".undo")
        version += 1
        at_version(device, version)
    device.see(".next")
    for _ in range(3):
        device.page.click(".redo")
        version += 1
        at_version(device, version)
    return version


def refused(device: Screen, version: int) -> None:
    """A card that does not fit is refused with the reason, and nothing has changed."""
    top = device.pile("up1").locator(".pile-top").inner_text()
    card = int(top) - 1 if top != "?" else 2
    out = device.page.locator(".table").get_attribute("data-version")
    device.lay("up1", max(card, 2))
    expect(device.see(".strip.error")).to_contain_text(str(max(card, 2)))
    expect(device.pile("up1").locator(".pile-top")).to_have_text(top)
    assert out == str(version)
    device.page.click(".strip.error button")
    device.gone(".strip.error")


def test_a_whole_game_with_the_network_cut_for_three_turns_and_a_reload(screens: Screens) -> None:
    game = recorded("blocked-counted")
    screen = screens(PHONE, worker=True)
    screen.sign_up()
    screen.page.check("[type=checkbox]")
    screen.begin("Ana")
    screen.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    screen.page.reload()  # from here on the shell comes from the device
    screen.see(".connection.live")
    version = 0
    for number, turn in enumerate(turns(game.actions)):
        is_away = 3 <= number < 6
        screen.context.set_offline(is_away)
        for action in turn:
            screen.do(action)
            version += 1
            if not is_away:
                at_version(screen, version)
            elif action["type"] == "draw":
                screen.see(".next:has-text('End the turn')")
            elif action["type"] == "end_turn":
                screen.see(".bar-owed")
        if number == 4:
            expect(screen.see(".strip.waiting")).to_contain_text("8 entries not checked yet")
            screen.page.reload()
            expect(screen.see(".strip.waiting")).to_contain_text("8 entries not checked yet")
        if number == 5:
            screen.context.set_offline(False)
            at_version(screen, version)
    expect(screen.see(".result-number")).to_have_text(str(game.result["remaining"]))
    screen.page.click(".result-next a[href='/stats']")
    screen.see("h1")


def tab_to(screen: Screen, selector: str) -> None:
    """Press Tab until what `selector` names has the focus."""
    for _ in range(80):
        if screen.page.locator(f"{selector}:focus").count():
            return
        screen.page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {selector}")


def test_a_whole_game_by_keyboard_alone(screens: Screens) -> None:
    game = recorded("blocked-counted")
    screen = screens(COMPUTER)
    keyboard = screen.page.keyboard
    screen.open()
    tab_to(screen, "[name=email]")
    keyboard.type(f"{game.name}-{id(screen)}@example.org")
    tab_to(screen, "[name=password]")
    keyboard.type(PASSWORD)
    keyboard.press("Enter")
    screen.see("#new-name")
    tab_to(screen, "#new-name")
    keyboard.type("Ana")
    keyboard.press("Enter")
    screen.see(".person[aria-pressed=true]")
    tab_to(screen, "[type=checkbox]")
    keyboard.press("Space")
    tab_to(screen, ".big")
    keyboard.press("Enter")
    screen.see(".connection.live")

    unnamed = next(index for index, it in enumerate(game.actions) if it["type"] == "play")
    for version, action in enumerate(game.actions, 1):
        if version == unnamed + 1:
            keyboard.press("q")
            tab_to(screen, ".pad-bottom button")
            keyboard.press("Enter")
            screen.see("dialog")
            keyboard.press("Enter")
            at_version(screen, 1)
            keyboard.press("u")
            at_version(screen, 2)
        screen.type(action)
        at_version(screen, version + 2)
    expect(screen.see(".result-number")).to_have_text(str(game.result["remaining"]))
    expect(screen.page.locator("#polite")).to_contain_text("The game is over")
