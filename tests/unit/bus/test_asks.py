"""Who waits for an answer, and who no longer does."""

import pytest

from shared.bus.asks import Asks, NoAnswer


def test_a_reply_reaches_the_one_who_asked() -> None:
    asks = Asks(limit=10)
    mine, theirs = asks.open(b"1", 5), asks.open(b"2", 5)
    asks.settle(mine.cid, b"answer")
    assert mine.done.acquire(blocking=False)
    assert mine.reply == b"answer"
    assert asks.is_waiting(theirs)
    assert len(asks) == 1


def test_a_second_reply_and_one_to_nobody_are_dropped() -> None:
    asks = Asks(limit=10)
    mine = asks.open(b"1", 5)
    asks.settle(mine.cid, b"first")
    asks.settle(mine.cid, b"second")
    asks.settle(b"unheard of", b"x")
    assert mine.reply == b"first"


def test_who_gives_up_makes_room_for_another() -> None:
    asks = Asks(limit=1)
    mine = asks.open(b"1", 5)
    with pytest.raises(NoAnswer, match="1 requests are waiting"):
        asks.open(b"2", 5)
    asks.give_up(mine)
    asks.open(b"3", 5)


def test_when_all_fail_all_are_told_why() -> None:
    asks = Asks(limit=10)
    waiting = [asks.open(b"", 5) for _ in range(3)]
    asks.fail_all("closing")
    assert [(ask.reply, ask.failure, ask.done.acquire(blocking=False)) for ask in waiting] == [
        (None, "closing", True)
    ] * 3
