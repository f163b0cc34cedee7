"""The gateway as a process: its socket, its signals, and how it ends."""

import asyncio
import signal
import socket

import uvloop

from gateway import bootstrap, metrics, settings, sockets
from gateway.server import Front
from gateway.workers import run_workers
from shared.observability import logging

STREAMS_END_S = 2.0  # slow readers would decide otherwise
REQUESTS_END_S = 8.0
POLL_S = 0.02


def run() -> None:
    """Serve until SIGTERM or SIGINT, as the environment sets it."""
    logging.configure("gateway", "web")
    config = settings.read()
    sockets.allow_many()
    with sockets.listen(config.host, config.port, shares_port=True) as listener:
        run_workers(config.workers, lambda: uvloop.run(_serve(config, listener)))


async def _serve(config: settings.Settings, listener: socket.socket) -> None:
    if config.metrics_port is not None:
        metrics.serve(config.host, config.metrics_port)
    loop = asyncio.get_running_loop()
    asked_to_end = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked_to_end.set)
    handler, watching = bootstrap.serving(config)
    front = Front(handler)
    server = await loop.create_server(front, sock=listener, backlog=sockets.BACKLOG)
    await asked_to_end.wait()
    server.close()
    front.pre_shutdown()
    await watching.stop()
    await handler.finish(STREAMS_END_S, REQUESTS_END_S)
    await _flush(front)


async def _flush(front: Front) -> None:
    """Let the last answers leave, for a moment."""
    transports = [connection.transport for connection in front.connections]
    for _ in range(int(1 / POLL_S)):
        if not any(transport.get_write_buffer_size() for transport in transports if transport):
            break
        await asyncio.sleep(POLL_S)
