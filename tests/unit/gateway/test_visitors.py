"""Who is asking: the address comes from those who may be believed, the token never leaves as itself."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.visitors import visitor
from shared.web.addresses import network

ADDRESSES = st.ip_addresses().map(str)


def environ(**values: str) -> dict[str, str]:
    return {"REMOTE_ADDR": "10.0.0.1"} | values


@given(st.text(max_size=40))
def test_without_trusted_proxies_nothing_that_is_said_counts(said: str) -> None:
    assert visitor(environ(HTTP_X_FORWARDED_FOR=said), 0).address == "10.0.0.1"


@given(st.lists(ADDRESSES, max_size=5), st.integers(1, 3))
def test_each_trusted_proxy_moves_one_address_outward(said: list[str], trusted: int) -> None:
    found = visitor(environ(HTTP_X_FORWARDED_FOR=", ".join(said)), trusted).address
    chain = [*said, "10.0.0.1"]
    assert found == chain[max(0, len(chain) - 1 - trusted)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("a socket", "a socket", True),
        ("", "192.0.2.1", False),
    ],
)
def test_a_household_is_an_ipv4_address_or_64_bits_of_an_ipv6_one(one: str, other: str, same: bool) -> None:
    assert (network(one) == network(other)) is same


def test_equal_tokens_are_recognised_without_being_kept() -> None:
    first, second, other = (
        visitor(environ(HTTP_AUTHORIZATION=f"Bearer {token}"), 0) for token in ("sesame", "sesame", "barley")
    )
    assert first.credential == second.credential != other.credential
    assert "sesame" not in repr(first)
    assert visitor(environ(), 0).credential is None


@given(st.text(max_size=70))
def test_ids_are_well_formed_whatever_is_sent(said: str) -> None:
    found = visitor(environ(HTTP_X_REQUEST_ID=said, HTTP_TRACEPARENT=said), 0)
    assert re.fullmatch(r"[0-9A-Za-z-]{8,64}", found.request_id)
    assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}", found.traceparent)
