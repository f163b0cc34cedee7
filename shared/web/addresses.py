"""Whom an address stands for, when requests are counted by it."""

import ipaddress
from functools import lru_cache


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """What one household has of addresses: an IPv4 address, the first 64 bits of an IPv6 one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
