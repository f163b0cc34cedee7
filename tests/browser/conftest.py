"""The embedded system, and screens of every size on which its web client is used."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import embedded
from tests.support.browser import Screen, chromium, chromium_path
from tests.support.system import EmbeddedSystem

__all__ = ["embedded"]
Screens = Callable[..., Screen]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole run."""
    chromium_path()
    with chromium() as running:
        yield running


@pytest.fixture
def screens(browser: Browser, embedded: EmbeddedSystem) -> Iterator[Screens]:
    """`screens(PHONE)` brings a device to the table; at the end none may have had trouble."""
    made: list[Screen] = []

    def bring(*arguments: object, **options: object) -> Screen:
        screen = Screen(browser, embedded.url, *arguments, **options)
        made.append(screen)
        return screen

    yield bring
    for screen in made:
        screen.close()
    assert [it.troubles for it in made if it.troubles] == []
