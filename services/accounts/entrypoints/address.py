"""Whose request it is, for counting: the client's household."""

from flask import request

from shared.web.addresses import network


def client_address() -> str:
    """What the household has of the address the gateway saw.

    That is the last hop of the X-Forwarded-For it writes, else the peer's.
    """
    hops = request.headers.get("X-Forwarded-For", "").split(",")
    return network(hops[-1].strip() or request.remote_addr or "unknown")
