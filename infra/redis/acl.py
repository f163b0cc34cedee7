"""Users of Redis or Valkey, as data: each service reaches its own keys and no administration."""

from collections.abc import Mapping
from hashlib import sha256

# INFO is asked by Celery's transport; what else is dangerous (FLUSHALL, KEYS, CONFIG …) no service needs.
SERVICE = "+@all -@admin -@dangerous +info"

# Celery on database 1: its queues, what is not yet acknowledged, bindings and the channels of its remote
# control.
CELERY = (
    "~sweeps* ~results* ~reconcile* ~unacked* ~_kombu.* ~*.celery.pidbox"
    " &*.celery.pidbox &*.reply.celery.pidbox &/1.*"
)

USERS: dict[str, str] = {
    "rules": f"~rules.requests ~replies.* ~dead.rules.* {SERVICE}",
    "sessions": (
        "~rules.requests ~accounts.requests ~accounts.events ~replies.sessions.* ~sessions.* "
        f" ~dead.accounts.events.* ~dead.sessions.* {CELERY} {SERVICE}"
    ),
    "accounts": f"~accounts.* ~replies.* ~dead.accounts.* {SERVICE}",
    "gateway": f"~limits* %R~sessions.events ~live.* &live.* {SERVICE}",
    "operator": f"~*.events ~*.requests ~dead.* {SERVICE}",
    "administrator": "~* &* +@all",
}


def render(passwords: Mapping[str, str]) -> str:
    """The ACL file for `USERS`, each with its password's hash; nobody connects without one.

    `passwords` are long and random, so a plain SHA-256 gives nothing away.
    """
    lines = ["user default off resetchannels -@all"]
    lines += [f"user {name} on #{_digest(passwords[name])} {rules}" for name, rules in USERS.items()]
    return "\n".join(lines) + "\n"


def _digest(password: str) -> str:
    return sha256(password.encode()).hexdigest()
