"""One person with everything a person can have: an account, saved players, a game, guests, a conflict."""

from dataclasses import dataclass
from uuid import uuid4

from tests.support.api import PASSWORD, Api, Json, play, send
from tests.support.system import System
from tests.support.waiting import until

COMPARED_S = 30.0


@dataclass(frozen=True, slots=True)
class World:
    """A person's things by id; `action_id` is the one entry of the game. Without Plus there is nothing behind
    `invitation_id`, `conflict_id` (another story of that game) and `parked_id` (an action refused of it).
    """

    api: Api
    email: str
    account_id: str
    refresh_token: str
    player_id: str
    other_player_id: str
    game_id: str
    action_id: str
    invitation_id: str
    conflict_id: str
    parked_id: str

    def snapshot(self) -> Json:
        """Everything that the person can see of theirs, by path."""
        paths = (
            "/v1/me",
            "/v1/players?archived=all&merged=all&limit=200",
            "/v1/games?limit=200",
            "/v1/games?bin=true&limit=200",
            f"/v1/games/{self.game_id}/log?limit=200",
            f"/v1/games/{self.game_id}/invitations?limit=200",
            f"/v1/games/{self.game_id}/parked?limit=200",
            "/v1/conflicts?limit=200",
            "/v1/results?limit=200",
            "/v1/stats",
        )
        seen = {}
        for path in paths:
            answer = self.api.get(path)
            assert answer.status == 200, (path, answer.body)
            seen[path] = answer.json
        return seen


def new_world(url: str, plus_code: str | None = None) -> World:
    """A new person at the gateway `url`, with all of it; with Plus too if given a code for it."""
    email = f"{uuid4().hex}@example.org"
    signed_up = Api(url).post("/v1/accounts", {"email": email, "password": PASSWORD})
    assert signed_up.status == 201, signed_up.body
    tokens = signed_up.json
    if plus_code:
        redeemed = Api(url, tokens["access_token"]).post("/v1/me/plus", {"code": plus_code})
        assert redeemed.status == 200, redeemed.body
        tokens = Api(url).post("/v1/auth/tokens", {"email": email, "password": PASSWORD}).json
    api = Api(url, tokens["access_token"])
    player, other = (api.post("/v1/players", {"name": name}).json["id"] for name in ("Ana", "Ben"))
    players = [{"player_id": player}, {"name": "Carla"}]
    game = api.post("/v1/games", {"ruleset": "the-game", "players": players})
    assert game.status == 201, game.body
    laid = play("up1", 5)
    assert send(api, game.json, [laid]).status == 200
    return World(
        api,
        email,
        signed_up.json["account"]["id"],
        tokens["refresh_token"],
        player,
        other,
        game.json["id"],
        laid["id"],
        invited(api, game.json["id"]) if plus_code else str(uuid4()),
        *(disputed(api, game.json["id"]) if plus_code else (str(uuid4()), str(uuid4()))),
    )


def plus_code(system: System) -> str:
    """A code that somebody may redeem."""
    return system.run("services.accounts", "plus", "codes", "1").strip()


def become_operator(system: System, world: World) -> None:
    """Give the person the role operator, and a token that says so."""
    system.run("services.accounts", "operator", "grant", world.email)
    signed_in = Api(system.url).post("/v1/auth/tokens", {"email": world.email, "password": PASSWORD})
    world.api.token = signed_in.json["access_token"]


def invited(api: Api, game_id: str) -> str:
    """The id of a new invitation to a game."""
    answer = api.post(f"/v1/games/{game_id}/invitations", {"role": "viewer"})
    assert answer.status == 201, answer.body
    return str(answer.json["id"])


def disputed(api: Api, game_id: str) -> tuple[str, str]:
    """The ids of a new conflict about a game that waits for a decision, and of an action refused with it."""
    laid, refused = play("up2", 5), play("up2", 3)
    branch = {"device": "another phone", "base_version": 0, "actions": [laid, refused]}
    answer = api.post(f"/v1/games/{game_id}/sync", branch)
    assert answer.status == 202, answer.body
    conflict_id = str(answer.json["conflict"]["id"])
    path = f"/v1/conflicts/{conflict_id}"
    until(lambda: api.get(path).json["status"] == "needs_decision", COMPARED_S, "both stories are compared")
    return conflict_id, refused["id"]
