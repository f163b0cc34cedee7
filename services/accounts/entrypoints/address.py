"""Whose request it is, for counting: the client's address."""

from flask import request


def client_address() -> str:
    """The address the gateway saw: the last hop of the X-Forwarded-For it writes, else the peer's."""
    hops = request.headers.get("X-Forwarded-For", "").split(",")
    return hops[-1].strip() or request.remote_addr or "unknown"
