"""Free ports on the loopback interface."""

import os
import random
import socket

# Below what Linux gives to outgoing connections: a server that restarts finds its port still free.
FIRST, LAST = 20_000, 31_999
# Each process looks among a hundred of its own first: two that start at once choose differently, though
# neither listens yet.
OWN = 100
_given: set[int] = set()


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


def free_port() -> int:
    """A port that nobody listens on, another one at each call: who was given one may not listen yet.

    Raises RuntimeError when a thousand tries find none.
    """
    own = FIRST + os.getpid() * OWN % (LAST + 1 - FIRST)
    for first, last in ((own, own + OWN - 1), (FIRST, LAST)):
        for _ in range(500):
            port = random.randint(first, last)  # noqa: S311
            if port not in _given and is_free(port):
                _given.add(port)
                return port
    raise RuntimeError(f"no free port between {FIRST} and {LAST}")
