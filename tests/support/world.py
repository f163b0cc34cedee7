"""One person with everything a person can have: an account, saved players, a game with an entry."""

from dataclasses import dataclass
from uuid import uuid4

from tests.support.api import PASSWORD, Api, Json, play, send


@dataclass(frozen=True, slots=True)
class World:
    """A person's things by id; `action_id` is the one entry of the game."""

    api: Api
    email: str
    account_id: str
    refresh_token: str
    player_id: str
    other_player_id: str
    game_id: str
    action_id: str

    def snapshot(self) -> Json:
        """Everything that the person can see of theirs, by path."""
        paths = (
            "/v1/me",
            "/v1/players?archived=all&merged=all&limit=200",
            "/v1/games?limit=200",
            "/v1/games?bin=true&limit=200",
            f"/v1/games/{self.game_id}/log?limit=200",
        )
        seen = {}
        for path in paths:
            answer = self.api.get(path)
            assert answer.status == 200, (path, answer.body)
            seen[path] = answer.json
        return seen


def new_world(url: str) -> World:
    """A new person at the gateway `url`, with all of it."""
    email = f"{uuid4().hex}@example.org"
    signed_up = Api(url).post("/v1/accounts", {"email": email, "password": PASSWORD})
    assert signed_up.status == 201, signed_up.body
    api = Api(url, signed_up.json["access_token"])
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
        signed_up.json["refresh_token"],
        player,
        other,
        game.json["id"],
        laid["id"],
    )
