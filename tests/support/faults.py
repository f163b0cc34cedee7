"""What fault tests do on every target: kill a part while people play, and see that all works afterwards."""

from collections.abc import Mapping, Sequence
from uuid import uuid4

from tests.support.api import Api, Json, Reply, play, sign_up, whole_log
from tests.support.playing import Patient, playing
from tests.support.system import System
from tests.support.waiting import until

RECOVERY_S = 90.0


def kill_while_playing(system: System, part: str) -> Mapping[str, Sequence[Json]]:
    """SIGKILL `part` while games are played through the gateway; every accepted action must be in its log.

    Returns the logs by game, for whoever compares them with what was published.
    """
    with playing(system.url) as evening:
        system.kill(part)
        evening.wait_for_plays(20)
    system.wait_ready(RECOVERY_S)
    logs = evening.audit()
    works(system)
    return logs


def works(system: System) -> None:
    """A person can do what takes every service and every part between them that is seen from outside."""
    api = sign_up(system.url)
    patient = Patient(api)
    player = patient.call("POST", "/v1/players", {"id": str(uuid4()), "name": "Ana"}).json["id"]
    body = {"id": str(uuid4()), "ruleset": "the-game", "players": [{"player_id": player}]}
    game = patient.call("POST", "/v1/games", body).json
    assert game["players"][0]["name"] == "Ana"
    path = f"/v1/games/{game['id']}"
    laid = patient.call("POST", f"{path}/actions", {"actions": [play("up1", 7)]})
    assert laid.json["version"] == 1
    patient.call("PATCH", f"/v1/players/{player}", {"name": "Anna"})
    until(
        lambda: patient.call("GET", path).json["players"][0]["name"] == "Anna",
        RECOVERY_S,
        "the new name reaches the game",
    )
    assert patient.call("DELETE", "/v1/auth/tokens?everywhere=true").status in (204, 401)
    until(lambda: patient.call("GET", path).status == 401, RECOVERY_S, "the token is ended everywhere")


def is_taken_once(api: Api, game: Json, laid: Json) -> Reply:
    """The same request again is answered, and its action stands in the log once."""
    again = Patient(api).call("POST", f"/v1/games/{game['id']}/actions", {"actions": [laid]})
    assert again.status == 200, again.body
    assert again.json["outcomes"][0]["seq"] == 1
    assert [entry["action"] for entry in whole_log(api, game["id"])] == [laid]
    return again
