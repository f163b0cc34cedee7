"""The map: every public route, the service behind it and how it is treated on the way, as data."""

from dataclasses import dataclass
from enum import Enum
from functools import partial

QUICK_S = 5.0
THOROUGH_S = 10.0  # passwords wait for their turn at hashing, actions for the rules and after a lost race
LONG_S = 30.0


class Repeat(Enum):
    """When a request whose connection broke may be sent again, though it may have had its effect."""

    ALWAYS = "the second time changes nothing"
    WITH_ID = "the body's own id sees to that"
    NEVER = "it may have an effect twice"


class Auth(Enum):
    """Who may ask; the service behind decides, this documents it."""

    PUBLIC = "public"
    BEARER = "bearer"


class Allowance(Enum):
    """Which allowance of the limits a request uses up."""

    REQUESTS = "requests"
    EVALUATIONS = "evaluations"
    GUESSES = "requests, and guesses when it is answered 404"


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one path.

    `budget_s` covers all attempts until the answer begins. Where `takes_body` is false a body goes no
    further. GET may always be repeated, and HEAD goes where GET goes. An answer that `lasts` goes on for as
    long as its client stays.
    """

    method: str
    path: str
    name: str
    service: str
    tag: str
    auth: Auth = Auth.BEARER
    budget_s: float = QUICK_S
    repeat: Repeat = Repeat.NEVER
    allowance: Allowance = Allowance.REQUESTS
    takes_body: bool = False
    lasts: bool = False


_read = partial(Route, "GET")
_post = partial(Route, "POST", takes_body=True)
_patch = partial(Route, "PATCH", takes_body=True, repeat=Repeat.ALWAYS)
_delete = partial(Route, "DELETE")
_PEOPLE = ("accounts", "Accounts")
_PLAYERS = ("accounts", "Players")
_RULES = ("rules", "Rules")
_GAMES = ("sessions", "Games")
_INVITATIONS = ("sessions", "Invitations")
_DEVICES = ("sessions", "Several devices")
_RESULTS = "Results"

ROUTES = (
    _post("/v1/accounts", "sign_up", *_PEOPLE, auth=Auth.PUBLIC, budget_s=THOROUGH_S),
    _post("/v1/auth/tokens", "sign_in", *_PEOPLE, auth=Auth.PUBLIC, budget_s=THOROUGH_S),
    _delete("/v1/auth/tokens", "sign_out", *_PEOPLE),
    # The token before the current one works a while longer, so a second rotation does no harm.
    _post("/v1/auth/tokens/refresh", "refresh_tokens", *_PEOPLE, auth=Auth.PUBLIC, repeat=Repeat.ALWAYS),
    _post("/v1/auth/password-reset", "reset_password", *_PEOPLE, auth=Auth.PUBLIC, budget_s=THOROUGH_S),
    _read("/v1/me", "read_me", *_PEOPLE),
    _patch("/v1/me", "change_me", *_PEOPLE),
    _delete("/v1/me", "delete_me", *_PEOPLE, takes_body=True, budget_s=THOROUGH_S),
    _read("/v1/me/export", "export_me", *_PEOPLE, budget_s=LONG_S),
    _post("/v1/me/password", "change_password", *_PEOPLE, budget_s=THOROUGH_S),
    _post("/v1/me/plus", "redeem_plus_code", *_PEOPLE),
    _read("/.well-known/jwks.json", "read_keys", *_PEOPLE, auth=Auth.PUBLIC),
    _read("/v1/players", "list_players", *_PLAYERS),
    _post("/v1/players", "create_player", *_PLAYERS, repeat=Repeat.WITH_ID),
    _read("/v1/players/{player_id}", "read_player", *_PLAYERS),
    _patch("/v1/players/{player_id}", "change_player", *_PLAYERS),
    _delete("/v1/players/{player_id}", "archive_player", *_PLAYERS),
    _post("/v1/players/{player_id}/merge", "merge_player", *_PLAYERS),
    _post("/v1/players/{player_id}/unmerge", "unmerge_player", *_PLAYERS, takes_body=False),
    _read("/v1/rulesets", "list_rulesets", *_RULES, auth=Auth.PUBLIC),
    _read("/v1/rulesets/{ruleset}", "read_ruleset", *_RULES, auth=Auth.PUBLIC),
    _read("/v1/rulesets/{ruleset}/guide", "read_guide", *_RULES, auth=Auth.PUBLIC),
    _read("/v1/rulesets/{ruleset}/guide/{figure}.svg", "read_figure", *_RULES, auth=Auth.PUBLIC),
    _post(
        "/v1/rulesets/{ruleset}/evaluate",
        "evaluate",
        *_RULES,
        auth=Auth.PUBLIC,
        budget_s=THOROUGH_S,
        repeat=Repeat.ALWAYS,
        allowance=Allowance.EVALUATIONS,
    ),
    _post("/v1/games", "create_game", *_GAMES, budget_s=THOROUGH_S, repeat=Repeat.WITH_ID),
    _read("/v1/games", "list_games", *_GAMES),
    _read("/v1/games/{game_id}", "read_game", *_GAMES),
    _delete("/v1/games/{game_id}", "bin_game", *_GAMES),
    _post("/v1/games/{game_id}/restore", "restore_game", *_GAMES, takes_body=False),
    # Every action carries an id, and one that is known already is answered as it was answered first.
    _post(
        "/v1/games/{game_id}/actions",
        "apply_actions",
        *_GAMES,
        budget_s=THOROUGH_S,
        repeat=Repeat.ALWAYS,
    ),
    _read("/v1/games/{game_id}/log", "read_log", *_GAMES, budget_s=LONG_S),
    _read("/v1/games/{game_id}/access", "read_access", *_GAMES),
    _delete("/v1/games/{game_id}/access", "leave_game", *_GAMES),
    _read("/v1/games/{game_id}/live", "watch_game", "live", "Games", budget_s=THOROUGH_S, lasts=True),
    _post("/v1/games/{game_id}/invitations", "create_invitation", *_INVITATIONS),
    _read("/v1/games/{game_id}/invitations", "list_invitations", *_INVITATIONS),
    _delete(
        "/v1/games/{game_id}/invitations/{invitation_id}",
        "revoke_invitation",
        *_INVITATIONS,
        repeat=Repeat.ALWAYS,
    ),
    _post(
        "/v1/invitations/accept",
        "accept_invitation",
        *_INVITATIONS,
        auth=Auth.PUBLIC,
        allowance=Allowance.GUESSES,
    ),
    # A branch is known by its actions, and brought in once.
    _post("/v1/games/{game_id}/sync", "sync_game", *_DEVICES, budget_s=THOROUGH_S, repeat=Repeat.ALWAYS),
    _read("/v1/games/{game_id}/parked", "list_parked", *_DEVICES),
    _delete("/v1/games/{game_id}/parked/{action_id}", "delete_parked", *_DEVICES, repeat=Repeat.ALWAYS),
    _post("/v1/games/{game_id}/adopt", "adopt_table", *_DEVICES, budget_s=THOROUGH_S, repeat=Repeat.WITH_ID),
    _post("/v1/games/{game_id}/rewind", "rewind_game", *_DEVICES, budget_s=THOROUGH_S, repeat=Repeat.WITH_ID),
    _read("/v1/conflicts", "list_conflicts", *_DEVICES),
    _read("/v1/conflicts/{conflict_id}", "read_conflict", *_DEVICES),
    # The same decision again finds it made.
    _post(
        "/v1/conflicts/{conflict_id}/decision",
        "decide_conflict",
        *_DEVICES,
        budget_s=THOROUGH_S,
        repeat=Repeat.ALWAYS,
    ),
    _post(
        "/v1/conflicts/{conflict_id}/reopen",
        "reopen_conflict",
        *_DEVICES,
        budget_s=THOROUGH_S,
        repeat=Repeat.WITH_ID,
    ),
    _read("/v1/stats", "read_stats", "sessions", _RESULTS, budget_s=THOROUGH_S),
    _read("/v1/ops/stats", "read_ops_stats", "sessions", _RESULTS, budget_s=THOROUGH_S),
    _read("/v1/results", "list_results", "sessions", _RESULTS, budget_s=LONG_S),
    _read("/v1/ops/results", "list_ops_results", "sessions", _RESULTS, budget_s=LONG_S),
    _read("/v1/stats/yardstick", "read_yardstick", "rules", _RESULTS, auth=Auth.PUBLIC),
)
