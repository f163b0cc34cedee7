"""Every operation of the public document can be called with the Python client, and leads where it says."""

import re
from collections.abc import Callable, Iterator, Mapping
from uuid import uuid4

import pytest

from gateway.client.actions import new_id
from gateway.client.ninety_eight import NinetyEight
from gateway.client.problems import ApiProblem
from gateway.client.results import FORMATS
from gateway.client.transport import Request
from tests.support.api import PASSWORD
from tests.support.operations import Operation, document, named, operations
from tests.support.system import System
from tests.support.world import World, new_world

OPERATIONS = operations(document())
Call = Callable[[NinetyEight, World], object]

CALLS: Mapping[str, Call] = {
    "sign_up": lambda client, _: client.accounts.sign_up(f"{uuid4().hex}@example.org", PASSWORD),
    "sign_in": lambda client, world: client.auth.sign_in(world.email, PASSWORD),
    "sign_out": lambda client, _: client.auth.sign_out(),
    "refresh_tokens": lambda client, _: client.auth.refresh(),
    "reset_password": lambda client, _: client.auth.reset_password("no such code", PASSWORD),
    "read_me": lambda client, _: client.accounts.me(),
    "change_me": lambda client, _: client.accounts.change(locale="sl"),
    "delete_me": lambda client, _: client.accounts.delete("not the password"),
    "export_me": lambda client, _: client.accounts.export(),
    "change_password": lambda client, _: client.accounts.change_password("not the password", PASSWORD),
    "redeem_plus_code": lambda client, _: client.accounts.redeem("no such code"),
    "read_keys": lambda client, _: client.system.jwks(),
    "list_players": lambda client, _: client.players.page(),
    "create_player": lambda client, _: client.players.add("Ana"),
    "read_player": lambda client, world: client.players.get(world.player_id),
    "change_player": lambda client, world: client.players.change(world.player_id, name="Ana"),
    "archive_player": lambda client, world: client.players.archive(world.player_id),
    "merge_player": lambda client, world: client.players.merge(world.player_id, world.other_player_id),
    "unmerge_player": lambda client, world: client.players.unmerge(world.player_id),
    "list_rulesets": lambda client, _: client.rulesets.page(),
    "read_ruleset": lambda client, _: client.rulesets.get(),
    "read_guide": lambda client, _: client.rulesets.guide("es"),
    "read_figure": lambda client, _: client.rulesets.figure("legal-play"),
    "evaluate": lambda client, _: client.rulesets.evaluate({"players": 1}, []),
    "create_game": lambda client, _: client.games.start([{"name": "Ana"}]),
    "list_games": lambda client, _: client.games.page(),
    "read_game": lambda client, world: client.games.get(world.game_id),
    "bin_game": lambda client, world: client.games.delete(world.game_id),
    "restore_game": lambda client, world: client.games.restore(world.game_id),
    "apply_actions": lambda client, world: client.games.act(
        world.game_id, [{"id": new_id(), "type": "undo"}]
    ),
    "read_log": lambda client, world: client.games.log_page(world.game_id),
    "read_access": lambda client, world: client.games.access(world.game_id),
    "leave_game": lambda client, world: client.games.leave(world.game_id),
    "watch_game": lambda client, world: next(iter(client.games.watch(world.game_id))),
    "sync_game": lambda client, world: client.games.sync(world.game_id, "phone", 1, []),
    "list_parked": lambda client, world: client.games.parked_page(world.game_id),
    "delete_parked": lambda client, world: client.games.delete_parked(world.game_id, str(uuid4())),
    "adopt_table": lambda client, world: client.games.adopt(
        world.game_id,
        {"piles": {}, "deck": 84, "hands": [6, 7], "active_seat": 0},
        expected_version=1,
    ),
    "rewind_game": lambda client, world: client.games.rewind(world.game_id, 0, expected_version=1),
    "list_conflicts": lambda client, _: client.conflicts.page(),
    "read_conflict": lambda client, world: client.conflicts.get(world.conflict_id),
    "decide_conflict": lambda client, world: client.conflicts.decide(world.conflict_id, "cloud"),
    "reopen_conflict": lambda client, world: client.conflicts.reopen(world.conflict_id, "cloud"),
    "create_invitation": lambda client, world: client.invitations.create(world.game_id, "viewer"),
    "list_invitations": lambda client, world: client.invitations.page(world.game_id),
    "revoke_invitation": lambda client, world: client.invitations.revoke(world.game_id, str(uuid4())),
    "accept_invitation": lambda client, _: client.invitations.accept("no such code"),
    "read_stats": lambda client, _: client.stats.read(["month"], since="2026-01-01"),
    "read_ops_stats": lambda client, _: client.stats.read_of_all(),
    "read_yardstick": lambda client, _: client.stats.yardstick(players=2),
    "list_results": lambda client, _: list(client.results.stream(FORMATS["csv"], players=2)),
    "list_ops_results": lambda client, _: client.results.page_of_all(limit=1),
    "read_life": lambda client, _: client.system.live(),
    "read_readiness": lambda client, _: client.system.ready(),
    "read_openapi": lambda client, _: client.system.openapi(),
    "list_problems": lambda client, _: client.system.problems(),
    "read_problem": lambda client, _: client.system.problem("game_over"),
}
# A thing that the world does not have, or may not do, is refused; the call has been made all the same.
REFUSED = {
    "reset_password",
    "delete_me",
    "change_password",
    "redeem_plus_code",
    "leave_game",
    "sync_game",
    "adopt_table",
    "rewind_game",
    "read_conflict",
    "decide_conflict",
    "reopen_conflict",
    "create_invitation",
    "revoke_invitation",
    "accept_invitation",
    "read_ops_stats",
    "list_ops_results",
}


@pytest.fixture(scope="module")
def world(system: System) -> World:
    return new_world(system.url)


@pytest.fixture
def client(system: System, world: World) -> Iterator[NinetyEight]:
    with NinetyEight(system.url) as found:
        found.auth.sign_in(world.email, PASSWORD)
        yield found


def test_the_client_has_a_call_for_every_operation() -> None:
    assert {operation.name for operation in OPERATIONS} == set(CALLS)


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_a_call_of_the_client_is_the_operation_it_stands_for(
    client: NinetyEight, world: World, monkeypatch: pytest.MonkeyPatch, operation: Operation
) -> None:
    sent: list[Request] = []
    transport = client._transport

    def noted(send: Callable[[Request, str | None], object]) -> Callable[[Request, str | None], object]:
        def noting(request: Request, token: str | None) -> object:
            sent.append(request)
            return send(request, token)

        return noting

    for way in ("send", "stream"):
        monkeypatch.setattr(transport, way, noted(getattr(transport, way)))
    try:
        CALLS[operation.name](client, world)
    except ApiProblem:
        assert operation.name in REFUSED
    else:
        assert operation.name not in REFUSED
    template = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(operation.path))
    assert [request.method for request in sent] == [operation.method]
    assert re.fullmatch(template, sent[0].path)
