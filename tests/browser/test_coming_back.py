"""When the client tries again, how long it waits until then, and what it never comes back from."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.conftest import Screens
from tests.browser.modules import Modules
from tests.support.browser import PHONE, Screen
from tests.support.system import EmbeddedSystem

FIRST_MS, LONGEST_MS = 3_000, 60_000
# A clock that a test turns: what is to happen later is written down, and happens when it is told to.
CLOCK = """
const timers = new Map();
const originals = [window.setTimeout, window.clearTimeout];
let last = 0;
window.setTimeout = (work, ms) => (timers.set(++last, { work, ms }), last);
window.clearTimeout = (timer) => timers.delete(timer);
const waiting = () => [...timers.values()].map((it) => it.ms);
const due = () => { const [[timer, { work }]] = timers; timers.delete(timer); work(); };
const ended = (found) => (([window.setTimeout, window.clearTimeout] = originals), found);
"""
PATIENCE = f"""
const {{ Patience }} = await load("table/patience.js");
{CLOCK}
const stopping = new AbortController();
let tried = 0;
const patience = new Patience(() => (tried += 1), stopping.signal);
"""
# A gateway that answers the streams of a game as given, one after the other, and then with nothing.
FOLLOWED = """
const { follow } = await load("api/live.js");
const [answers] = given;
const original = window.fetch;
const stopping = new AbortController();
const [asked, told, pauses] = [[], [], []];
window.fetch = async (_, { headers }) => {
  asked.push(headers["Last-Event-ID"]);
  const next = answers.shift();
  if (!next) stopping.abort();
  if (!next) throw new TypeError("no network");
  const { status = 200, body = "", json = null, retry = null } = next;
  const sent = retry ? { "Retry-After": retry } : {};
  return new Response(json ? JSON.stringify(json) : body, { status, headers: sent });
};
const later = window.setTimeout;
window.setTimeout = (work, ms) => (ms < 20_000 ? (pauses.push(ms), later(work, 0)) : later(work, ms));
const listener = {
  seq: () => 7,
  entry: () => told.push("entry"),
  presence: (devices) => told.push(devices.length),
  connected: (is) => told.push(is),
  ended: (error) => told.push([error.name, error.code ?? error.constructor.name]),
};
const token = { game_id: "g", access_token: "t", role: "viewer", guest_id: "x", expires_at: "" };
localStorage.setItem("ninety-eight.guests", JSON.stringify({ g: token }));
await follow("g", "phone", listener, stopping.signal);
[window.fetch, window.setTimeout] = [original, later];
localStorage.removeItem("ninety-eight.guests");
return { asked, told, pauses };
"""


@pytest.fixture(scope="module")
def modules(browser: Browser, embedded: EmbeddedSystem) -> Iterator[Modules]:
    screen = Screen(browser, embedded.url)
    yield Modules(screen)
    screen.close()


def test_the_wait_doubles_up_to_a_minute_and_never_ends(modules: Modules) -> None:
    waits = modules.run(
        PATIENCE
        + """const waits = [];
             for (let time = 0; time < 60; time += 1) {
               patience.later();
               waits.push(...waiting());
               due();
             }
             return ended([waits, tried]);"""
    )
    assert waits[0][:6] == [FIRST_MS, 6_000, 12_000, 24_000, 48_000, LONGEST_MS]
    assert set(waits[0][6:]) == {LONGEST_MS}
    assert waits[1] == 60


def test_a_success_makes_it_patient_anew(modules: Modules) -> None:
    found = modules.run(
        PATIENCE
        + """for (let time = 0; time < 4; time += 1) patience.later();
             const before = waiting();
             patience.done();
             const after = waiting();
             patience.later();
             return ended([before, after, waiting()]);"""
    )
    assert found == [[24_000], [], [FIRST_MS]]


def test_it_waits_as_long_as_the_answer_says_and_for_one_thing_at_a_time(modules: Modules) -> None:
    found = modules.run(
        PATIENCE
        + """patience.later(41);
             const told = waiting();
             patience.later(null);
             return ended([told, waiting()]);"""
    )
    assert found == [[41_000], [6_000]]


def test_a_table_that_is_left_tries_no_more(modules: Modules) -> None:
    left = "patience.later(); stopping.abort(); return ended(waiting());"
    assert modules.run(PATIENCE + left) == []


@pytest.mark.parametrize(("header", "seconds"), [("17", 17), (None, None), ("soon", None)])
def test_a_refusal_knows_how_long_to_wait(modules: Modules, header: str | None, seconds: int | None) -> None:
    asked = """const { exchange } = await load("api/http.js");
               const original = window.fetch;
               const headers = given[0] ? { "Retry-After": given[0] } : {};
               window.fetch = async () => new Response("{}", { status: 503, headers });
               const error = await exchange("GET", "/v1/games").catch((it) => it);
               window.fetch = original;
               return [error.passes, error.retryAfterS];"""
    assert modules.run(asked, header) == [True, seconds]


def test_an_entry_is_sent_again_when_the_gateway_said(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.page.add_init_script(
        """window.waits = []; const later = window.setTimeout;
           window.setTimeout = (work, ms) => (window.waits.push(ms), later(work, ms === 41_000 ? 0 : ms));"""
    )
    screen.sign_up()
    screen.begin("Ana", "Ben")
    busy = {
        "status": 503,
        "headers": {"Retry-After": "41", "Content-Type": "application/problem+json"},
        "body": "{}",
    }
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.post_data or "")
        if len(asked) == 1:
            route.fulfill(**busy)
        else:
            route.continue_()

    screen.context.route("**/actions", answer)
    screen.lay("up1", 12)
    screen.see(".table[data-version='1']")
    screen.settled()
    assert 41_000 in screen.page.evaluate("window.waits")
    assert len(asked) == 2


def followed(modules: Modules, *answers: dict[str, Any]) -> Any:
    return modules.run(FOLLOWED, list(answers))


def end(code: str, retry_after: int | None = None) -> dict[str, Any]:
    after = "null" if retry_after is None else retry_after
    return {"body": f'event: end\ndata: {{"code": "{code}", "retry_after": {after}}}\n\n'}


def refused(status: int, code: str, **more: Any) -> dict[str, Any]:
    return {"status": status, "json": {"code": code, "detail": code}, **more}


def test_a_stream_that_ends_for_a_while_is_taken_up_when_it_said(modules: Modules) -> None:
    found = followed(modules, end("service_unavailable", 9), refused(404, "not_found"))
    assert found["told"] == [True, False, ["Error", "not_found"]]
    assert found["asked"] == ["7", "7"]
    assert 4_500 <= found["pauses"][0] <= 9_000  # spread, for everybody was sent away at once


@pytest.mark.parametrize(("status", "code"), [(401, "unauthenticated"), (404, "not_found")])
def test_a_stream_whose_owner_ended_it_is_told_by_code_and_asked_for_no_more(
    modules: Modules, status: int, code: str
) -> None:
    found = followed(modules, end(code), refused(status, code), refused(500, "internal_error"))
    assert found["told"] == [True, False, ["Error", code]]
    assert len(found["asked"]) == 2


def test_a_stream_is_tried_ever_more_rarely_but_always(modules: Modules) -> None:
    found = followed(modules, *[refused(502, "service_unavailable")] * 8)
    assert len(found["asked"]) == 9
    longest = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]
    assert all(most / 2 <= wait <= most for wait, most in zip(found["pauses"], longest, strict=False))
    too_many = followed(modules, refused(429, "too_many_streams", retry="12"))
    assert 6_000 <= too_many["pauses"][0] <= 12_000


def test_whoever_is_signed_out_elsewhere_is_led_from_the_table_to_sign_in_and_back(screens: Screens) -> None:
    table, elsewhere = screens(PHONE), screens(PHONE)
    email = table.sign_up()
    game_id = table.begin("Ana", "Ben")
    elsewhere.sign_in(email)
    elsewhere.open("/settings")
    elsewhere.page.click("button:text-is('Sign out everywhere')")
    elsewhere.see("text=Create account and play")
    expect(table.see("h1")).to_have_text("Sign in")
    assert table.page.url.endswith(f"/sign-in?to=%2Fgames%2F{game_id}")


def test_a_part_of_the_client_that_did_not_come_is_asked_for_again(screens: Screens) -> None:
    """A phone changes networks while a screen is fetched; what it says is no name of a file."""
    screen = screens(PHONE)
    screen.sign_up()
    screen.open("/")
    part = "**/js/screens/players.js"
    screen.page.route(part, lambda route: route.abort("connectionreset"))
    screen.page.evaluate(
        "history.pushState(null, '', '/players'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    again = screen.see("main button.primary")
    expect(screen.page.locator("main")).not_to_contain_text("players.js")
    screen.page.unroute(part)
    again.click()
    screen.see("#new-player, [name=name]")


def test_the_link_to_a_new_password_has_the_code_filled_in(screens: Screens) -> None:
    screen = screens(PHONE)
    screen.open("/reset#the-code-of-the-link")
    expect(screen.see("[name=code]")).to_have_value("the-code-of-the-link")
