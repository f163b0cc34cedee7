"""Who stands for whom."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from services.accounts.domain.players import FAMILY_LIMIT, Player, family, may_be_one, may_merge, root

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


class Counted(Mapping[UUID, UUID]):
    """Parents that count how often somebody goes through all of them."""

    def __init__(self, parents: dict[UUID, UUID]) -> None:
        self.parents = parents
        self.times = 0

    def __getitem__(self, child: UUID) -> UUID:
        return self.parents[child]

    def __len__(self) -> int:
        return len(self.parents)

    def __iter__(self) -> Iterator[UUID]:
        self.times += 1
        return iter(self.parents)


def test_a_long_chain_is_gone_through_once() -> None:
    chain = Counted({UUID(int=number): UUID(int=number - 1) for number in range(1, 1_000)})
    assert len(family(UUID(int=0), chain)) == 1_000
    assert chain.times == 1


def test_families_become_one_up_to_the_limit() -> None:
    half = FAMILY_LIMIT // 2
    one = {UUID(int=number): UUID(int=1) for number in range(2, half + 1)}
    other = {UUID(int=100 + number): UUID(int=101) for number in range(2, half + 1)}
    assert may_be_one(UUID(int=1), UUID(int=101), one | other)
    assert not may_be_one(UUID(int=1), UUID(int=101), one | other | {UUID(int=200): UUID(int=101)})
