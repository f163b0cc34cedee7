"""Who stands for whom."""

from datetime import UTC, datetime
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from services.accounts.domain.players import Player, family, may_merge, root

NOW = datetime(2026, 1, 1, tzinfo=UTC)
IDS = [UUID(int=number) for number in range(6)]
wishes = st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)), max_size=12)


def player(player_id: UUID, parents: dict[UUID, UUID]) -> Player:
    return Player(player_id, "name", None, False, parents.get(player_id), NOW, NOW)


def merged(asked: list[tuple[UUID, UUID]]) -> dict[UUID, UUID]:
    parents: dict[UUID, UUID] = {}
    for one, into in asked:
        if may_merge(player(one, parents), player(into, parents)):
            parents[one] = into
    return parents


@settings(deadline=None)
@given(wishes)
def test_everyone_has_one_root_that_is_not_merged(asked: list[tuple[UUID, UUID]]) -> None:
    parents = merged(asked)
    for one in IDS:
        assert root(one, parents) not in parents
        assert one in family(root(one, parents), parents)


@settings(deadline=None)
@given(wishes)
def test_families_of_roots_share_everyone_between_them(asked: list[tuple[UUID, UUID]]) -> None:
    parents = merged(asked)
    members = [member for one in IDS if one not in parents for member in family(one, parents)]
    assert sorted(members) == IDS


@settings(deadline=None)
@given(wishes)
def test_taking_back_one_merge_changes_only_its_own_family(asked: list[tuple[UUID, UUID]]) -> None:
    parents = merged(asked)
    for one in parents:
        less = {child: parent for child, parent in parents.items() if child != one}
        moved = set(family(one, parents))
        for other in IDS:
            assert root(other, less) == (one if other in moved else root(other, parents))


def test_only_two_different_roots_merge() -> None:
    parents = {IDS[0]: IDS[1]}
    assert may_merge(player(IDS[1], parents), player(IDS[2], parents))
    assert not may_merge(player(IDS[2], parents), player(IDS[2], parents))
    assert not may_merge(player(IDS[2], parents), player(IDS[0], parents))
    assert not may_merge(player(IDS[0], parents), player(IDS[2], parents))
    assert not may_merge(player(IDS[2], parents), None)
