"""How long an invitation counts, who may do what by it, and what its secrets look like."""

import base64
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4
from xml.etree import ElementTree as ET

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from services.sessions.adapters import qr
from services.sessions.adapters.secrets import hashed, is_code, new_secret
from services.sessions.domain.invitation import Invitation, Share
from services.sessions.domain.roles import OWNER, RECORDER, RIGHTS, VIEWER, Right

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
INSTANT = timedelta(microseconds=1)
INVITATION = Invitation(uuid4(), uuid4(), VIEWER, NOON, NOON + timedelta(minutes=1))
LINK = f"http://127.0.0.1:8098/join#{'x' * 43}"


@pytest.mark.parametrize(
    ("now", "status"),
    [
        (NOON, "active"),
        (INVITATION.expires_at - INSTANT, "active"),
        (INVITATION.expires_at, "expired"),
        (INVITATION.expires_at + INSTANT, "expired"),
    ],
)
def test_an_invitation_counts_up_to_its_end_and_not_at_it(now: datetime, status: str) -> None:
    assert INVITATION.status(now) == status
    assert INVITATION.is_active(now) == (status == "active")


@pytest.mark.parametrize("now", [NOON, INVITATION.expires_at + INSTANT])
def test_a_revoked_invitation_stays_revoked(now: datetime) -> None:
    revoked = replace(INVITATION, revoked_at=NOON)
    assert revoked.status(now) == "revoked"
    assert not revoked.is_active(now)


def test_each_role_may_what_the_one_below_may_and_more() -> None:
    assert set() < RIGHTS[VIEWER] < RIGHTS[RECORDER] < RIGHTS[OWNER] == set(Right)


def test_a_secret_is_256_bits_in_43_letters_and_never_the_same() -> None:
    made = {new_secret() for _ in range(100)}
    assert len(made) == 100
    assert {len(base64.urlsafe_b64decode(f"{secret}=")) for secret in made} == {32}
    assert all(map(is_code, made))


@given(st.text(max_size=60))
def test_only_what_looks_like_a_code_is_looked_up(text: str) -> None:
    letters = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    assert is_code(text) == (len(text) == 43 and set(text) <= letters)


def test_the_stored_form_of_a_secret_does_not_show_it() -> None:
    secret = new_secret()
    assert len(hashed(secret)) == 32
    assert secret.encode() not in hashed(secret)
    assert hashed(secret) == hashed(secret) != hashed(secret[:-1])


def test_the_qr_is_an_svg_document_that_draws_the_link() -> None:
    """Read back as a reader would see it: the dark squares, row by row."""
    root = ET.fromstring(qr.svg(LINK))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    drawn = segno.make(LINK, micro=False)
    assert int(root.attrib["width"]) == drawn.symbol_size(qr.MODULE_PX)[0]
    assert squares(root) == {
        (x, y) for y, row in enumerate(drawn.matrix_iter(border=4)) for x, dark in enumerate(row) if dark
    }


def squares(root: ET.Element) -> set[tuple[int, int]]:
    """Where the stroke of the picture lies: it moves (M, m) and draws to the right (h)."""
    stroke = root.findall(".//{*}path")[-1].attrib["d"]
    found: set[tuple[int, int]] = set()
    x = y = 0.0
    for step, across, down in re.findall(r"([Mmh])(-?[\d.]+)(?:[ ,]?(-?[\d.]+))?", stroke):
        if step == "h":
            found |= {(int(x) + n, int(y)) for n in range(int(across))}
        if step == "M":
            x = y = 0.0
        x, y = x + float(across), y + float(down or 0)
    return found


@pytest.mark.parametrize(
    ("has", "wants", "is_enough"),
    [(RECORDER, VIEWER, True), (RECORDER, RECORDER, True), (VIEWER, VIEWER, True), (VIEWER, RECORDER, False)],
)
def test_a_share_allows_what_its_role_does_and_whatever_allows_less(
    has: str, wants: str, is_enough: bool
) -> None:
    assert Share(uuid4(), uuid4(), has, uuid4(), NOON).allows(wants) is is_enough
