"""Who may do what: every route with everybody's token but the right one, at the gateway and behind it."""

from base64 import urlsafe_b64encode
from uuid import uuid4

import pytest

from gateway.routes import ROUTES
from tests.support.api import PASSWORD, Api, Reply, new_game, sign_up
from tests.support.forging import Forger, Insider
from tests.support.guests import invite, join
from tests.support.operations import BODIES, PARAMETERS, Operation, ask, document, named, operations
from tests.support.people import Person
from tests.support.system import EmbeddedSystem, System
from tests.support.waiting import until
from tests.support.world import World, new_world, plus_code

DOCUMENT = document()
OWNED_BY_ONE = {"game_id", "player_id", "invitation_id", "conflict_id", "action_id"}
SIGNED_IN = [operation for operation in operations(DOCUMENT) if not operation.is_public]
OF_OPERATORS = [one for one in SIGNED_IN if one.path.startswith("/v1/ops/")]
OWNED = [one for one in SIGNED_IN if OWNED_BY_ONE & set(one.parameters)]
# What needs no token; anything that is not here does.
PUBLIC = {
    "sign_up",
    "sign_in",
    "refresh_tokens",
    "reset_password",
    "read_keys",
    "list_rulesets",
    "read_ruleset",
    "read_guide",
    "read_figure",
    "evaluate",
    "read_yardstick",
    "accept_invitation",
    "read_life",
    "read_readiness",
    "read_openapi",
    "list_problems",
    "read_problem",
}
SERVICES = ("accounts", "rules", "sessions")
SOON_S = 10.0
# The place of a millennium to come, in a list that has the newest first.
BEFORE_ALL = urlsafe_b64encode((2**57).to_bytes(8, "big") + bytes(16)).decode()
BEHIND = [
    (service, operation)
    for service in SERVICES
    for operation in operations(document(f"services/{service}"))
    if not operation.is_public
] + [("live", operation) for operation in SIGNED_IN if operation.name == "watch_game"]
OWNED_BEHIND = [case for case in BEHIND if OWNED_BY_ONE & set(case[1].parameters)]


@pytest.fixture(scope="module")
def world(system: System) -> World:
    return new_world(system.url, plus_code(system))


@pytest.fixture(scope="module")
def stranger(system: System) -> World:
    return new_world(system.url, plus_code(system))


@pytest.fixture(scope="module")
def bad_tokens(system: System, world: World, stranger: World) -> dict[str, str]:
    """Every token that is not one, by what is wrong with it; most would speak for `world`."""
    assert world.api.token is not None
    assert stranger.api.token is not None
    keys = Api(system.url).get("/.well-known/jwks.json").json["keys"]
    forger = Forger(world.api.token, keys[-1], world.account_id)
    # Taken as it is the stranger's payload would be true, so only its subject is worth forging.
    theirs = Forger(stranger.api.token, keys[-1], world.account_id)
    found = forger.tokens() | {
        "the stranger's with another subject": theirs.tokens()["another subject"],
        "a refresh token": world.refresh_token,
    }
    return found | Insider(system.keys(), world.api.token).tokens()


def test_the_document_served_is_the_one_these_tests_walk(system: System) -> None:
    assert Api(system.url).get("/v1/openapi.json").json == DOCUMENT


def test_every_route_is_known_here_with_its_rights_its_parameters_and_its_body() -> None:
    """A new route has to be put into these tables, or this fails."""
    found = operations(DOCUMENT)
    assert {operation.name for operation in found if operation.is_public} == PUBLIC
    assert {name for operation in found for name in operation.parameters} == set(PARAMETERS)
    assert {operation.name for operation in found if operation.body} == set(BODIES)
    walked = {(operation.method, operation.path) for operation in found}
    assert {(route.method, route.path) for route in ROUTES} <= walked


def test_a_genuine_token_signed_anew_is_taken_so_the_forged_ones_fail_for_what_is_wrong_with_them(
    system: System, world: World
) -> None:
    assert world.api.token is not None
    copy = Insider(system.keys(), world.api.token).copy()
    for path in ("/v1/me", "/v1/games"):
        assert Api(system.url, copy).get(path).status == 200


@pytest.mark.parametrize("operation", SIGNED_IN, ids=named)
def test_without_a_valid_token_nobody_gets_in(
    system: System, world: World, bad_tokens: dict[str, str], operation: Operation
) -> None:
    before = world.snapshot()
    refuse_all(system.url, world, bad_tokens, operation)
    assert world.snapshot() == before


@pytest.mark.parametrize(("service", "operation"), BEHIND, ids=[one.name for _, one in BEHIND])
def test_behind_the_gateway_nobody_gets_in_without_a_valid_token_either(
    system: System, world: World, bad_tokens: dict[str, str], service: str, operation: Operation
) -> None:
    before = world.snapshot()
    refuse_all(service_url(system, service), world, bad_tokens, named_as_public(operation))
    assert world.snapshot() == before


@pytest.mark.parametrize("operation", OWNED, ids=named)
def test_a_thing_of_somebody_else_s_is_as_if_it_did_not_exist(
    world: World, stranger: World, operation: Operation
) -> None:
    before = world.snapshot()
    looks_absent(world, stranger, stranger.api, operation)
    assert world.snapshot() == before


@pytest.mark.parametrize(("service", "operation"), OWNED_BEHIND, ids=[one.name for _, one in OWNED_BEHIND])
def test_behind_the_gateway_too_a_thing_of_somebody_else_s_does_not_exist(
    system: System, world: World, stranger: World, service: str, operation: Operation
) -> None:
    before = world.snapshot()
    api = Api(service_url(system, service), stranger.api.token)
    looks_absent(world, stranger, api, named_as_public(operation))
    assert world.snapshot() == before


def test_lists_and_one_s_export_hold_nothing_of_somebody_else_s(world: World, stranger: World) -> None:
    ids = (
        world.account_id,
        world.player_id,
        world.other_player_id,
        world.game_id,
        world.action_id,
        world.conflict_id,
        world.parked_id,
    )
    paths = (
        "/v1/players?archived=all&merged=all",
        "/v1/games",
        "/v1/games?bin=true",
        "/v1/me/export",
        "/v1/conflicts",
        "/v1/results",
        "/v1/stats?by=player",
    )
    queries = (
        f"/v1/games?player_id={world.player_id}",
        f"/v1/games?cursor={BEFORE_ALL}",
        f"/v1/conflicts?game_id={world.game_id}",
        f"/v1/conflicts?cursor={BEFORE_ALL}",
        f"/v1/results?player_id={world.player_id}",
        f"/v1/stats?by=player&player_id={world.player_id}",
    )
    for path in paths + queries:
        answer = stranger.api.get(path)
        assert answer.status == 200, path
        assert not [one for one in ids if one.encode() in answer.body], path


@pytest.mark.parametrize("operation", OF_OPERATORS, ids=named)
def test_what_operators_read_of_all_accounts_nobody_else_does(
    system: System, world: World, operation: Operation
) -> None:
    """A forged claim of the role is among the bad tokens; a true one is granted on the command line."""
    assert ask(operation, world).code == "operator_required"
    invitation = invite(world.api, world.game_id)
    guest = join(system.url, invitation)
    assert ask(operation, world, guest.api).code == "role_insufficient"
    person = Person(system.url)
    system.run("services.accounts", "operator", "grant", person.email)
    assert person.api.get(operation.path).code == "operator_required"
    assert person.signs_in().api.get(operation.path).status == 200
    system.run("services.accounts", "operator", "revoke", person.email)
    assert person.signs_in().api.get(operation.path).code == "operator_required"


def test_somebody_else_s_player_can_neither_sit_down_nor_be_merged_into(
    world: World, stranger: World
) -> None:
    before = world.snapshot()
    seated = {"ruleset": "the-game", "players": [{"player_id": world.player_id}]}
    unknown = seated | {"players": [{"player_id": str(uuid4())}]}
    answer = stranger.api.post("/v1/games", seated)
    assert answer.code == "player_unknown"
    assert said(answer) == said(stranger.api.post("/v1/games", unknown))
    path = f"/v1/players/{stranger.player_id}/merge"
    merged = stranger.api.post(path, {"into": world.player_id})
    assert merged.code == "merge_impossible"
    assert said(merged) == said(stranger.api.post(path, {"into": str(uuid4())}))
    assert world.snapshot() == before


def test_an_id_that_somebody_else_uses_gives_nothing_of_theirs(world: World, stranger: World) -> None:
    before = world.snapshot()
    players = [{"player_id": world.player_id}, {"name": "Carla"}]
    game = {"id": world.game_id, "ruleset": "the-game", "players": players}
    assert stranger.api.post("/v1/games", game).code == "player_unknown"
    game["players"] = [{"name": "Carla"}]
    assert stranger.api.post("/v1/games", game).code == "id_taken"
    assert stranger.api.post("/v1/players", {"id": world.player_id, "name": "Ana"}).code == "id_taken"
    assert world.snapshot() == before


def test_an_action_s_id_counts_within_its_game_only(world: World, stranger: World) -> None:
    sent = {"id": world.action_id, "type": "play", "pile": "up2", "card": 9}
    game = new_game(stranger.api)
    answer = stranger.api.post(f"/v1/games/{game['id']}/actions", {"actions": [sent]})
    assert (answer.status, answer.json["outcomes"][0]["verdict"]) == (200, "accepted")


@pytest.mark.parametrize("name", ["access_token", "token", "Authorization", "refresh_token"])
def test_a_token_in_the_query_is_refused_even_beside_one_in_its_header(world: World, name: str) -> None:
    for api in (world.api, Api(world.api.url)):
        assert api.get(f"/v1/games?{name}={world.api.token}").code == "validation_failed"


def test_other_schemes_and_headers_are_no_token(world: World) -> None:
    api = Api(world.api.url)
    token = world.api.token
    for value in (
        "",
        "Bearer",
        "Bearer ",
        f"Basic {token}",
        f"{token}",
        f"Token {token}",
        f"Bearer\t{token}x",
    ):
        for path in ("/v1/me", "/v1/games"):
            assert api.get(path, Authorization=value).code == "unauthenticated", value
    for name in ("X_Account_Id", "X_Internal_Account", "X_Forwarded_User"):
        for path in ("/v1/me", "/v1/games"):
            assert api.get(path, **{name: world.account_id}).code == "unauthenticated", name
    assert api.get("/v1/me", Cookie=f"access_token={token}").code == "unauthenticated"


def test_what_operators_read_is_not_served_at_the_public_address(system: System) -> None:
    for path in ("/metrics", "/v1/metrics", "/openapi.json", "/v1/internal"):
        assert Api(system.url).get(path).code == "not_found", path


def test_signing_out_everywhere_ends_tokens_on_games_too(system: System) -> None:
    api = sign_up(system.url)
    game = new_game(api)
    assert api.call("DELETE", "/v1/auth/tokens?everywhere=true").status == 204
    assert api.get("/v1/me").code == "unauthenticated"
    until(lambda: api.get(f"/v1/games/{game['id']}").status == 401, SOON_S, "games refuse the old token")
    for path in ("/v1/games", f"/v1/games/{game['id']}/log"):
        assert api.get(path).code == "unauthenticated"


def test_a_changed_password_ends_the_tokens_of_before_and_not_the_new_ones(system: System) -> None:
    api = sign_up(system.url)
    game = new_game(api)
    body = {"current_password": PASSWORD, "new_password": PASSWORD + "!"}
    fresh = Api(system.url, api.post("/v1/me/password", body).json["access_token"])
    assert api.get("/v1/me").code == "unauthenticated"
    until(lambda: api.get("/v1/games").status == 401, SOON_S, "games refuse the old token")
    assert fresh.get("/v1/me").status == 200
    assert fresh.get(f"/v1/games/{game['id']}").status == 200


def test_deleting_the_account_ends_its_tokens_on_games_too(system: System) -> None:
    api = sign_up(system.url)
    game = new_game(api)
    assert api.call("DELETE", "/v1/me", {"password": PASSWORD}).status == 204
    assert api.get("/v1/me").code == "unauthenticated"
    until(lambda: api.get("/v1/games").status == 401, SOON_S, "games refuse the token")
    assert api.get(f"/v1/games/{game['id']}").code == "unauthenticated"


def refuse_all(url: str, world: World, tokens: dict[str, str], operation: Operation) -> None:
    """Assert that `operation` at `url` answers 401 to each of `tokens` and to none."""
    let_in = {}
    for kind, token in [*tokens.items(), ("no token", None)]:
        answer = ask(operation, world, Api(url, token))
        assert answer.status >= 400, kind
        if (answer.status, answer.code) != (401, "unauthenticated"):
            let_in[kind] = (answer.status, answer.code)
        assert "Bearer" in answer.headers["WWW-Authenticate"]
    assert not let_in


def looks_absent(world: World, stranger: World, api: Api, operation: Operation) -> None:
    """Assert that `api` is answered about the things of `world` as about things that nobody has."""
    answer = ask(operation, world, api)
    assert (answer.status, answer.code) == (404, "not_found")
    nobody = {name: str(uuid4()) for name in OWNED_BY_ONE}
    path = operation.path.format_map(nobody)
    body = BODIES[operation.name](stranger) if operation.body else None
    assert said(answer) == said(api.call(operation.method, path, body))


def said(answer: Reply) -> dict[str, object]:
    """A problem without what is different every time."""
    return {name: value for name, value in answer.json.items() if name != "request_id"}


def named_as_public(operation: Operation) -> Operation:
    """A service's own operation under the name that the gateway's document gives it."""
    names = {(one.method, one.path): one.name for one in operations(DOCUMENT)}
    name = names.get((operation.method, operation.path), operation.name)
    return Operation(name, operation.method, operation.path, operation.definition)


def service_url(system: System, service: str) -> str:
    """The service's own address, which only the embedded target shows."""
    if not isinstance(system, EmbeddedSystem):
        pytest.skip("the services' own ports are not published by containers")
    return system.variable(f"GATEWAY_{service.upper()}_URL")
