"""A device may be called what it likes, though headers carry little more than ASCII."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.client.transport import device_header
from shared.web.wire import DEVICE_CHARACTERS, device_name

PRINTABLE = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=DEVICE_CHARACTERS)


@given(PRINTABLE)
def test_every_name_the_client_sends_arrives_as_it_is(name: str) -> None:
    header = device_header(name)["X-Device"]
    assert header.isascii()
    assert device_name(header.encode("ascii")) == name


@pytest.mark.parametrize(
    ("header", "name"),
    [
        (b"Ana's phone", "Ana's phone"),
        (b"%C5%BDiga%20%26%20co", "Žiga & co"),
        ("Žiga".encode(), "Žiga"),
        ("Zoë".encode("latin-1"), "Zoë"),
        (b"50%", "50%"),
        (b"  ", None),
        (b"", None),
    ],
)
def test_names_are_read_in_every_way_they_are_sent(header: bytes, name: str | None) -> None:
    assert device_name(header) == name


@pytest.mark.parametrize("header", [b"x" * 65, b"a%0Ab", b"%1B%5B31m"])
def test_a_name_too_long_or_not_printable_is_refused(header: bytes) -> None:
    with pytest.raises(ValueError, match="device"):
        device_name(header)
