"""The list of devices is the same whichever process puts it together, and forgets the dead."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.live import attendance
from gateway.live.rights import Holder
from tests.unit.gateway.live.builders import ACCOUNT, GUEST, OWNER, VIEWER

holders = st.lists(
    st.builds(
        replace,
        st.sampled_from([OWNER, VIEWER]),
        device=st.sampled_from([None, "phone", "tablet"]),
    )
)


def test_each_device_of_each_bearer_is_listed_with_its_streams() -> None:
    phone = replace(OWNER, device="phone")
    assert attendance.of([phone, VIEWER, phone]) == [
        {"device": None, "account_id": None, "guest_id": GUEST, "role": "viewer", "streams": 1},
        {"device": "phone", "account_id": ACCOUNT, "guest_id": None, "role": "owner", "streams": 2},
    ]


@given(holders, holders)
def test_it_does_not_matter_through_which_process_one_comes(here: list[Holder], there: list[Holder]) -> None:
    assert attendance.merged([attendance.of(here), attendance.of(there)]) == attendance.of(here + there)


@given(holders)
def test_a_list_survives_its_way_through_redis(here: list[Holder]) -> None:
    devices = attendance.of(here)
    assert attendance.unpacked(attendance.packed(devices, 100.0), 100.0) == devices


def test_the_list_of_a_process_that_is_gone_is_forgotten() -> None:
    assert attendance.unpacked(attendance.packed([], 100.0), 100.1) is None


@pytest.mark.parametrize("text", [b"", b"{}", b"[]", b'{"until": 9e9, "devices": [{}]}', b'{"until": null}'])
def test_what_is_not_a_list_is_passed_over(text: bytes) -> None:
    assert attendance.unpacked(text, 0.0) is None
