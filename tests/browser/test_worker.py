"""The worker installs one version of the client or none at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
import urllib3
from playwright.sync_api import Browser

from tests.support.browser import Screen
from tests.support.system import EmbeddedSystem

PASSED_ON = ("Content-Type", "Cache-Control", "Content-Security-Policy", "ETag")
# What became of the first installation, and what is kept for good then.
OUTCOME = """async () => {
  const registration = await navigator.serviceWorker.register("/sw.js");
  const worker = registration.installing ?? registration.waiting ?? registration.active;
  while (!["activated", "redundant"].includes(worker.state))
    await new Promise((go) => worker.addEventListener("statechange", go, { once: true }));
  const kept = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) kept.push(new URL(url).pathname);
  return [worker.state, kept];
}"""


class Between:
    """A gateway during an update: the files that end in `stale` are those of another version."""

    def __init__(self, behind: str) -> None:
        self.behind = behind
        self.stale = ""
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        between = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                answer = urllib3.request("GET", between.behind + self.path, retries=False, timeout=10)
                self.send_response(answer.status)
                for name in PASSED_ON:
                    if name in answer.headers:
                        is_stale = (
                            name == "Cache-Control" and between.stale and self.path.endswith(between.stale)
                        )
                        self.send_header(name, "no-store" if is_stale else answer.headers[name])
                self.send_header("Content-Length", str(len(answer.data)))
                self.end_headers()
                self.wfile.write(answer.data)

            def log_message(self, format: str, *arguments: object) -> None:
                """Nobody reads it."""

        return Handler

    @contextmanager
    def running(self) -> Iterator["Between"]:
        """Serve until the block ends."""
        thread = Thread(target=self.server.serve_forever)
        thread.start()
        try:
            yield self
        finally:
            self.server.shutdown()
            thread.join()
            self.server.server_close()


@pytest.fixture
def between(embedded: EmbeddedSystem) -> Iterator[Between]:
    with Between(embedded.url).running() as running:
        yield running


def outcome(browser: Browser, between: Between) -> tuple[str, list[str]]:
    """The state of the first worker of a new device, and the addresses of the files kept."""
    screen = Screen(browser, between.url, worker=True)
    try:
        screen.open()
        state, kept = screen.page.evaluate(OUTCOME)
        return state, kept
    finally:
        screen.close()


@pytest.mark.parametrize("stale", ["/js/screens/table.js", "/css/table.css", "/lang/en.json"])
def test_one_file_of_another_version_and_nothing_is_installed(
    browser: Browser, between: Between, stale: str
) -> None:
    between.stale = stale
    state, kept = outcome(browser, between)
    assert state == "redundant"
    assert not [path for path in kept if path.endswith(stale)]


def test_a_gateway_of_one_version_is_kept_whole(browser: Browser, between: Between) -> None:
    state, kept = outcome(browser, between)
    assert state == "activated"
    files = [path for path in kept if path.startswith("/app/")]
    assert len({path.split("/")[2] for path in files}) == 1
    assert {"/", "/manifest.webmanifest"} < set(kept)
    assert any(path.endswith("/js/screens/table.js") for path in files)
