"""A small process in place of a service: `python -m tests.integration.host.standin VERB`.

`web` and `background` answer `/live` and `/ready` on PORT or METRICS_PORT and keep a worker that ignores
SIGTERM; `migrate` ends at once; `failing` ends with an error; `deaf` ignores SIGTERM.
"""

import json
import os
import signal
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.pause()"


class Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(dict(os.environ)).encode() if self.path == "/environment" else b"{}")

    def log_message(self, format: str, *args: object) -> None:
        print(self.path, file=sys.stderr)


class Server(ThreadingHTTPServer):
    """Shares its port with the host, which holds the public one, as the real servers do."""

    allow_reuse_port = True


def main(verb: str) -> None:
    if verb == "migrate":
        print("migrated")
        return
    if verb == "failing":
        raise SystemExit("the reason it fails")
    subprocess.Popen([sys.executable, "-c", STUBBORN])
    signal.signal(signal.SIGTERM, signal.SIG_IGN if verb == "deaf" else lambda *_: os._exit(0))
    port = int(os.environ.get("PORT") or os.environ["METRICS_PORT"])
    Server(("127.0.0.1", port), Answer).serve_forever()


if __name__ == "__main__":
    main(sys.argv[1])
