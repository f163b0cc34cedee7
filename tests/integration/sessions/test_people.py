"""What sessions knows of people by the events of accounts: ended tokens, plans, and who has left."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from services.sessions.application.people import People
from shared.bus.events import Event
from shared.web.tokens import Identity
from tests.integration.sessions.running import running
from tests.integration.sessions.test_events import validate
from tests.integration.sessions.world import World, eventually, seat_names
from tests.support.api import play

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def token(account_id: UUID, at: datetime, plan: str = "free") -> Identity:
    return Identity(str(account_id), plan, at.timestamp(), (at + 15 * MINUTE).timestamp(), str(uuid4()))


def heard(world: World, *events: Event) -> People:
    """Sessions after it has handled `events`."""
    with running(world.consumer().run):
        for event in events:
            eventually(lambda event=event: world.is_handled(event))  # type: ignore[misc]
    return world.people()


def plan_changed(world: World, account_id: UUID, plan: str, at: datetime) -> Event:
    return world.hear("accounts.plan.changed", account_id, plan=plan, changed_at=at.isoformat())


def revoked(world: World, account_id: UUID, before: datetime) -> Event:
    return world.hear("accounts.tokens.revoked", account_id, before=before.isoformat())


def test_nothing_heard_of_an_account_means_that_its_token_counts(world: World) -> None:
    account_id = uuid4()
    assert not world.people().denied(token(account_id, NOON))
    assert world.people().plan(token(account_id, NOON, "plus")) == "plus"


def test_tokens_from_before_a_revocation_are_denied_and_newer_ones_are_not(world: World) -> None:
    account_id = uuid4()
    people = heard(world, revoked(world, account_id, NOON))
    assert people.denied(token(account_id, NOON - MINUTE))
    assert not people.denied(token(account_id, NOON))
    assert not people.denied(token(uuid4(), NOON - MINUTE))


def test_an_older_revocation_that_arrives_late_allows_nothing_again(world: World) -> None:
    account_id = uuid4()
    people = heard(world, revoked(world, account_id, NOON), revoked(world, account_id, NOON - 9 * MINUTE))
    assert people.denied(token(account_id, NOON - MINUTE))


@pytest.mark.parametrize(("before", "after"), [("plus", "free"), ("free", "plus")])
def test_a_change_of_plan_wins_over_older_tokens_and_not_over_newer_ones(
    world: World, before: str, after: str
) -> None:
    account_id = uuid4()
    people = heard(world, plan_changed(world, account_id, after, NOON))
    assert people.plan(token(account_id, NOON - MINUTE, before)) == after
    assert people.plan(token(account_id, NOON, before)) == before
    assert people.plan(token(account_id, NOON + MINUTE, before)) == before


def test_an_older_change_of_plan_that_arrives_late_does_not_win(world: World) -> None:
    account_id = uuid4()
    people = heard(
        world,
        plan_changed(world, account_id, "free", NOON),
        plan_changed(world, account_id, "plus", NOON - MINUTE),
    )
    assert people.plan(token(account_id, NOON - 2 * MINUTE, "plus")) == "free"


def test_what_is_told_again_changes_nothing(world: World) -> None:
    account_id = uuid4()
    event = plan_changed(world, account_id, "free", NOON)
    heard(world, event)
    world.redis.xadd("accounts.events", {"event": event.to_json()})
    people = heard(world, plan_changed(world, account_id, "plus", NOON + MINUTE))
    world.redis.xadd("accounts.events", {"event": event.to_json()})
    people = heard(world, revoked(world, uuid4(), NOON))
    assert people.plan(token(account_id, NOON, "free")) == "plus"


def test_a_deleted_account_is_denied_and_its_games_forget_who_played(world: World) -> None:
    table, other = world.new_game(), world.new_game()
    table.send(play("up1", 7))
    people = heard(world, world.hear("accounts.account.deleted", table.account_id))
    assert people.denied(token(table.account_id, datetime.now(UTC) + MINUTE))
    assert seat_names(table) == ["", ""]
    assert seat_names(other) == ["Player 0", "Player 1"]
    account_id = str(table.account_id)
    assert [(event.type, event.data) for event in world.events(table.account_id)] == [
        ("sessions.access.ended", {"kind": "account", "id": account_id}),
        ("sessions.games.orphaned", {"account_id": account_id}),
    ]


def test_a_revocation_after_the_deletion_does_not_bring_the_account_back(world: World) -> None:
    account_id = uuid4()
    people = heard(
        world, world.hear("accounts.account.deleted", account_id), revoked(world, account_id, NOON)
    )
    assert people.denied(token(account_id, datetime.now(UTC)))


def test_the_end_of_a_sign_in_is_told_with_it_in_one_transaction(world: World) -> None:
    family = uuid4()
    heard(world, world.hear("accounts.sign_in.ended", uuid4(), family=str(family)))
    assert told(world, family) == {"kind": "sign_in", "id": str(family)}
    assert in_one(world, "SELECT xmin FROM ended_sign_ins WHERE family = :id", family)


def test_a_revocation_of_tokens_is_told_with_it_in_one_transaction(world: World) -> None:
    account_id = uuid4()
    heard(world, revoked(world, account_id, NOON))
    before = NOON.isoformat()
    assert told(world, account_id) == {"kind": "tokens", "id": str(account_id), "before": before}
    assert in_one(world, "SELECT xmin FROM people WHERE account_id = :id", account_id)


def test_a_deletion_is_told_with_it_in_one_transaction(world: World) -> None:
    account_id = uuid4()
    heard(world, world.hear("accounts.account.deleted", account_id))
    assert told(world, account_id) == {"kind": "account", "id": str(account_id)}
    assert in_one(world, "SELECT xmin FROM people WHERE account_id = :id", account_id)


def told(world: World, subject: UUID) -> dict[str, Any]:
    """The end of access that was told of `subject`, once."""
    (event,) = [it for it in world.events(subject) if it.type == "sessions.access.ended"]
    validate("sessions.access.ended.json", event.data)
    data: dict[str, Any] = event.data
    return data


def in_one(world: World, fact: str, subject: UUID) -> bool:
    """Whether the row that `fact` finds and the news of it were written by one transaction."""
    news = "SELECT xmin FROM outbox WHERE type = 'sessions.access.ended' AND subject = CAST(:id AS text)"
    (row,) = world.rows(f"SELECT ({fact}) = ({news}) AS same", id=subject)
    return bool(row.same)
