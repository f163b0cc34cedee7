"""The socket that clients connect to, and how many of them there may be."""

import resource
import socket

BACKLOG = 1024
UNACKNOWLEDGED_MS = 30_000  # a client that takes nothing for so long is given up


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; connections have what is set on it.

    The port is shared, for the host of a single machine holds it between two lives of this process.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    listener = socket.create_server(
        (host, port), family=family, backlog=BACKLOG, reuse_port=True, dualstack_ipv6=both
    )
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
    return listener


def allow_many() -> None:
    """Who watches costs two open files, and the usual limit of 1,024 is one that nobody meant."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
