"""Which address or secret stands behind each variable that parts may be given."""

from collections.abc import Callable, Mapping
from pathlib import Path

from infra.host.parts import Part

DATABASE_ROLES = {
    "SESSIONS_DATABASE_URL": "sessions",
    "SESSIONS_PURGE_DATABASE_URL": "sessions_purge",
    "SESSIONS_OWNER_DATABASE_URL": "sessions_owner",
    "ACCOUNTS_DATABASE_URL": "accounts",
    "ACCOUNTS_OWNER_DATABASE_URL": "accounts_owner",
}
REDIS_USERS = {
    "RULES_REDIS_URL": ("rules", 0),
    "SESSIONS_REDIS_URL": ("sessions", 0),
    "SESSIONS_BROKER_URL": ("sessions", 1),
    "ACCOUNTS_REDIS_URL": ("accounts", 0),
    "GATEWAY_REDIS_URL": ("gateway", 0),
    "OPERATOR_REDIS_URL": ("operator", 0),
}

SECRETS = ("_DATABASE_URL", "_REDIS_URL", "_BROKER_URL", "_PASSWORD")


class IncompleteSettings(Exception):
    """Servers of one's own were named for some parts only."""


def own_servers(given: Mapping[str, str], names: Mapping[str, object], kind: str) -> dict[str, str] | None:
    """The variables among `names` that `given` sets, or None when it sets none of them.

    Raises IncompleteSettings when it sets only some: half the system on other servers is never what was
    meant.
    """
    found = {name: given[name] for name in names if given.get(name)}
    if missing := [name for name in names if name not in found]:
        if found:
            raise IncompleteSettings(f"a {kind} of your own needs these variables too: {', '.join(missing)}")
        return None
    return found


def database_variables(url: Callable[[str], str]) -> dict[str, str]:
    """`url(role)` behind each variable of a database."""
    return {name: url(role) for name, role in DATABASE_ROLES.items()}


def redis_variables(url: Callable[[str, int], str]) -> dict[str, str]:
    """`url(user, database)` behind each variable of a Redis."""
    return {name: url(user, database) for name, (user, database) in REDIS_USERS.items()}


def internal_variables(at: Mapping[str, str], keys: Path, public_url: str) -> dict[str, str]:
    """How parts reach each other, and what people reach them by; `at` has each part's address."""
    return {
        "GATEWAY_RULES_URL": at["rules-web"],
        "GATEWAY_SESSIONS_URL": at["sessions-web"],
        "GATEWAY_ACCOUNTS_URL": at["accounts-web"],
        "GATEWAY_LIVE_URL": at["gateway-live"],
        "SESSIONS_JWKS_URL": f"{at['accounts-web']}/.well-known/jwks.json",
        "ACCOUNTS_KEYS_DIR": str(keys),
        "PUBLIC_URL": public_url,
    }


def environment_of(part: Part, inherited: Mapping[str, str], wired: Mapping[str, str]) -> dict[str, str]:
    """What `part` sees: `inherited` without any wired variable, and the wired ones it is to be given."""
    kept = {
        name: value for name, value in inherited.items() if name not in wired and not name.endswith(SECRETS)
    }
    # Not a folder: a part is told everything and looks into no file of the host for more.
    kept |= {"PYTHONUNBUFFERED": "1", "MALLOC_ARENA_MAX": "2", "DATA_DIR": "/dev/null"}
    return kept | {name: wired[name] for name in part.variables}
