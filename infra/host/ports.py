"""Free ports on the loopback interface."""

import random
import socket

# Below what Linux gives to outgoing connections: a server that restarts finds its port still free.
FIRST, LAST = 20_000, 32_000


def is_free(port: int, host: str = "127.0.0.1") -> bool:
    """Whether a server could listen on `port` now (lingering connections of a former one do not count)."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def reserve(port: int, host: str = "127.0.0.1") -> socket.socket:
    """Hold `port` until the answered socket is closed, for servers that share ports to listen on.

    Two of those would both come up on one port and divide the requests between them; while it is held,
    `is_free` says no to everybody else. Raises OSError when it is not free.
    """
    if not is_free(port, host):
        raise OSError(f"port {port} is in use")
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind((host, port))
    return held


def free_port(taken: frozenset[int] = frozenset()) -> int:
    """A port that nobody listens on and that is not among `taken`.

    Raises RuntimeError when a thousand tries find none.
    """
    for _ in range(1_000):
        port = random.randint(FIRST, LAST)  # noqa: S311
        if port not in taken and is_free(port):
            return port
    raise RuntimeError(f"no free port between {FIRST} and {LAST}")
