"""Runs a WSGI app as a process: granian or gunicorn, chosen by one setting."""

import sys
from typing import Any

from shared.settings import environment


def serve(factory: str, *, default_port: int, default_threads: int = 16) -> None:
    """Serve the app that `factory` (`package.module:function`) makes until SIGTERM.

    Reads HOST, PORT, WEB_SERVER (granian | gunicorn), WEB_WORKERS and WEB_THREADS.
    """
    values = environment()
    host = values.get("HOST", "127.0.0.1")
    port = int(values.get("PORT", default_port))
    workers = int(values.get("WEB_WORKERS", 1))
    threads = int(values.get("WEB_THREADS", default_threads))
    server = values.get("WEB_SERVER", "granian")
    if server == "granian":
        _granian(factory, host, port, workers, threads)
    elif server == "gunicorn":
        _gunicorn(factory, host, port, workers, threads)
    else:
        sys.exit(f"WEB_SERVER is {server!r}; use granian or gunicorn")


def _granian(factory: str, host: str, port: int, workers: int, threads: int) -> None:
    from granian import Granian
    from granian.constants import HTTPModes, Interfaces
    from granian.http import HTTP1Settings

    Granian(
        factory,
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        workers=workers,
        blocking_threads=threads,
        blocking_threads_idle_timeout=600,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=60_000),
        websockets=False,
        factory=True,
        log_access=False,
        log_level="error",  # type: ignore[arg-type]
        workers_kill_timeout=8,
        backlog=1024,
        backpressure=512,
    ).serve()


def _gunicorn(factory: str, host: str, port: int, workers: int, threads: int) -> None:
    from gunicorn.app.base import BaseApplication
    from gunicorn.util import import_app

    class Server(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            options: dict[str, Any] = {
                "bind": f"{host}:{port}",
                "workers": workers,
                "threads": threads,
                "worker_class": "gthread",
                "keepalive": 75,
                "reuse_port": True,
                "graceful_timeout": 8,
                "timeout": 60,
                "control_socket_disable": True,
            }
            for key, value in options.items():
                if key in self.cfg.settings:
                    self.cfg.set(key, value)

        def load(self) -> Any:
            return import_app(f"{factory}()")

    Server().run()
