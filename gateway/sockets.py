"""The sockets that connections arrive at, and how many connections there may be."""

import resource
import socket

BACKLOG = 2_048
UNACKNOWLEDGED_MS = 30_000  # a client that takes nothing for so long is given up
MOST_FILES = 65_536


def listen(
    host: str, port: int, *, shares_port: bool = False, send_buffer_bytes: int | None = None
) -> socket.socket:
    """A listening socket; connections have what is set on it.

    With `shares_port` others may hold the port too, as the host of a single machine does between two lives of
    the gateway. With `send_buffer_bytes` no more waits in the kernel, so that a client that does not read is
    noticed here. Raises OSError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    listener = socket.create_server(
        (host, port), family=family, backlog=BACKLOG, reuse_port=shares_port, dualstack_ipv6=both
    )
    if send_buffer_bytes is not None:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer_bytes)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
    return listener


def allow_many() -> None:
    """Who watches costs an open file or two, and the usual limit of 1,024 is one that nobody meant."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if most == resource.RLIM_INFINITY else min(most, MOST_FILES)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
