"""The gateway's socket and whoever holds its port meanwhile get along."""

import socket

from gateway import sockets
from infra.host.ports import free_port, reserve


def test_the_gateway_listens_on_the_port_that_the_host_holds_for_it() -> None:
    port = free_port()
    address = ("127.0.0.1", port)
    with (
        reserve(port, "127.0.0.1"),
        sockets.listen(*address, shares_port=True),
        socket.create_connection(address, 5) as client,
    ):
        assert client.getpeername() == address
