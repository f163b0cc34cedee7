"""The gateway's socket and whoever holds its port meanwhile get along."""

import socket

from gateway import sockets
from infra.host.ports import free_port, reserve


def test_the_gateway_listens_on_the_port_that_the_host_holds_for_it() -> None:
    port = free_port()
    held = reserve(port, "127.0.0.1")
    with held, sockets.listen("127.0.0.1", port), socket.create_connection(("127.0.0.1", port), 5) as client:
        assert client.getpeername() == ("127.0.0.1", port)
