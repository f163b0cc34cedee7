"""The hall lets in whom it has room for, and news reach those whom they concern."""

from dataclasses import replace

import pytest

from gateway.live import news
from gateway.live.hall import REMEMBER_S, Full, Hall
from gateway.live.rights import Ended
from tests.unit.gateway.clock import Clock
from tests.unit.gateway.live.builders import (
    ACCOUNT,
    GAME,
    GUEST,
    INVITATION,
    OTHER_GAME,
    OWNER,
    VIEWER,
    advanced,
    event,
    frame,
    listener,
)


def test_it_counts_those_inside_and_says_who_comes_and_goes() -> None:
    changed: list[str] = []
    hall = Hall(9, changed=changed.append)
    one, other = listener(), listener(replace(OWNER, game_id=OTHER_GAME))
    hall.join(one)
    hall.join(other)
    assert hall.size == 2
    assert set(hall.games) == {GAME, OTHER_GAME}
    hall.leave(one)
    assert hall.size == 1
    assert set(hall.games) == {OTHER_GAME}
    assert changed == [GAME, OTHER_GAME, GAME]


def test_a_bearer_has_so_many_streams_over_all_games_and_no_more() -> None:
    hall = Hall(2)
    first = listener()
    hall.join(first)
    hall.join(listener(replace(OWNER, game_id=OTHER_GAME)))
    with pytest.raises(Full):
        hall.join(listener())
    hall.join(listener(VIEWER))
    hall.leave(first)
    hall.join(listener())


def test_an_entry_reaches_those_who_listen_to_its_game() -> None:
    hall = Hall(9)
    one, other = listener(), listener(replace(OWNER, game_id=OTHER_GAME))
    hall.join(one)
    hall.join(other)
    news.tell(hall, event("sessions.game.advanced", advanced(1, 1)))
    assert one.take() == [frame(1).data]
    assert other.is_idle


def test_a_purged_game_ends_for_everybody() -> None:
    hall = Hall(9)
    everybody = [listener(), listener(VIEWER)]
    for one in everybody:
        hall.join(one)
    news.tell(hall, event("sessions.game.purged", {"game_id": GAME}))
    assert [one.ended_by for one in everybody] == ["not_found"] * 2


def test_a_game_in_the_bin_ends_for_its_guests_alone() -> None:
    hall = Hall(9)
    owner, viewer = listener(), listener(VIEWER)
    hall.join(owner)
    hall.join(viewer)
    news.tell(hall, event("sessions.game.binned", {"game_id": GAME}))
    assert (owner.ended_by, viewer.ended_by) == (None, "not_found")


def test_a_right_that_ends_ends_its_streams() -> None:
    hall = Hall(9)
    owner, viewer = listener(), listener(VIEWER)
    hall.join(owner)
    hall.join(viewer)
    news.tell(hall, event("sessions.access.ended", {"kind": "invitation", "id": INVITATION}, INVITATION))
    assert (owner.ended_by, viewer.ended_by) == (None, "unauthenticated")


def test_whoever_comes_in_with_a_right_that_has_just_ended_is_sent_away() -> None:
    clock = Clock()
    hall = Hall(9, clock=clock)
    hall.end_rights(Ended("invitation", INVITATION))
    late, owner = listener(VIEWER), listener()
    hall.join(late)
    hall.join(owner)
    assert (late.ended_by, owner.ended_by) == ("unauthenticated", None)


def test_what_ended_long_ago_is_left_to_sessions() -> None:
    clock = Clock()
    hall = Hall(9, clock=clock)
    hall.end_rights(Ended("account", ACCOUNT))
    clock.advance(REMEMBER_S + 1)
    one = listener()
    hall.join(one)
    assert one.ended_by is None


def test_an_event_that_is_not_understood_makes_its_listeners_read_the_log() -> None:
    hall = Hall(9)
    one, other = listener(), listener(replace(OWNER, game_id=OTHER_GAME))
    hall.join(one)
    hall.join(other)
    for data in (
        {},
        {"entries": None, "version": 1},
        {"entries": [{}], "version": 1, "table": {}, "result": None},
    ):
        news.tell(hall, event("sessions.game.advanced", data))
    assert (one.is_behind, other.is_behind) == (True, False)


def test_an_ending_that_is_not_understood_harms_nobody() -> None:
    hall = Hall(9)
    one = listener()
    hall.join(one)
    news.tell(
        hall, event("sessions.access.ended", {"kind": "tokens", "id": ACCOUNT, "before": "soon"}, GUEST)
    )
    assert one.ended_by is None


def test_other_events_mean_nothing_here() -> None:
    hall = Hall(9)
    one = listener()
    hall.join(one)
    for kind in ("created", "finished", "reopened", "restored", "of.the.future"):
        news.tell(hall, event(f"sessions.game.{kind}", {"game_id": GAME, "version": 3}))
    assert one.is_idle
    assert not one.is_behind
