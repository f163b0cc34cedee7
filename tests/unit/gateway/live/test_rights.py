"""An event ends the streams of those whose right it takes away, and nobody else's."""

from dataclasses import replace
from datetime import timedelta

import pytest

from gateway.live.rights import Ended, Holder
from tests.unit.gateway.live.builders import (
    ACCOUNT,
    GAME,
    GUEST,
    INVITATION,
    ISSUED_AT,
    OTHER_GAME,
    OWNER,
    SIGN_IN,
    VIEWER,
)

LATER, EARLIER = ISSUED_AT + timedelta(milliseconds=1), ISSUED_AT - timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("ended", "owner", "viewer"),
    [
        (Ended("account", ACCOUNT), True, True),  # the guests of its games too
        (Ended("account", GUEST), False, False),
        (Ended("sign_in", SIGN_IN), True, False),
        (Ended("sign_in", "another"), False, False),
        (Ended("tokens", ACCOUNT, LATER), True, False),
        (Ended("tokens", ACCOUNT, ISSUED_AT), False, False),
        (Ended("tokens", ACCOUNT, EARLIER), False, False),
        (Ended("tokens", "another", LATER), False, False),
        (Ended("invitation", INVITATION), False, True),
        (Ended("invitation", "another"), False, False),
        (Ended("of a kind unknown here", ACCOUNT), False, False),
    ],
)
def test_who_loses_the_right(ended: Ended, owner: bool, viewer: bool) -> None:
    assert ended.ends(OWNER) is owner
    assert ended.ends(VIEWER) is viewer


SHARER = replace(
    OWNER,
    role="recorder",
    account_id="another",
    sign_in="theirs",
    invitation_id=INVITATION,
    joined_at=ISSUED_AT,
)


@pytest.mark.parametrize(
    ("ended", "is_ended"),
    [
        (Ended("account", ACCOUNT), False),  # the game stays for those it is shared with
        (Ended("account", "another"), True),
        (Ended("sign_in", "theirs"), True),
        (Ended("tokens", "another", LATER), True),
        (Ended("tokens", ACCOUNT, LATER), False),
        (Ended("invitation", INVITATION), True),
        (Ended("share", "another", LATER, GAME), True),
        (Ended("share", "another", ISSUED_AT, GAME), False),  # it is a newer one
        (Ended("share", "another", LATER, OTHER_GAME), False),
        (Ended("share", "somebody else", LATER, GAME), False),
    ],
)
def test_when_an_account_loses_what_is_shared_with_it(ended: Ended, is_ended: bool) -> None:
    assert ended.ends(SHARER) is is_ended


def test_the_end_of_a_share_is_nothing_to_the_owner_and_to_guests() -> None:
    assert not Ended("share", ACCOUNT, LATER, GAME).ends(OWNER)
    assert not Ended("share", GUEST, LATER, GAME).ends(replace(VIEWER, joined_at=ISSUED_AT))


def test_tokens_without_a_moment_are_all_of_them() -> None:
    assert Ended.from_data({"kind": "tokens", "id": ACCOUNT}).ends(OWNER)


def test_an_ending_is_read_from_its_event() -> None:
    data = {"kind": "tokens", "id": ACCOUNT, "before": "2026-05-04T18:30:00Z"}
    assert Ended.from_data(data) == Ended("tokens", ACCOUNT, ISSUED_AT)
    share = {"kind": "share", "id": ACCOUNT, "game_id": GAME, "before": "2026-05-04T18:30:00Z"}
    assert Ended.from_data(share) == Ended("share", ACCOUNT, ISSUED_AT, GAME)


DOCUMENT = {
    "game_id": GAME,
    "version": 7,
    "role": "owner",
    "owner_id": ACCOUNT,
    "expires_at": "2026-05-04T18:45:00Z",
    "issued_at": "2026-05-04T18:30:00Z",
    "account_id": ACCOUNT,
    "sign_in": SIGN_IN,
    "guest_id": None,
    "invitation_id": None,
}


def test_a_holder_is_read_from_the_answer_of_sessions() -> None:
    assert Holder.from_document(DOCUMENT, "phone") == replace(OWNER, device="phone")
    joined = Holder.from_document(DOCUMENT | {"joined_at": "2026-05-04T18:30:00Z"}, None)
    assert joined == replace(OWNER, joined_at=ISSUED_AT)


@pytest.mark.parametrize("name", [name for name in DOCUMENT if name != "version"])
def test_an_answer_that_lacks_something_is_none(name: str) -> None:
    with pytest.raises(KeyError):
        Holder.from_document({key: value for key, value in DOCUMENT.items() if key != name}, None)


def test_streams_are_counted_by_account_or_guest() -> None:
    assert OWNER.bearer == ACCOUNT
    assert VIEWER.bearer == GUEST
