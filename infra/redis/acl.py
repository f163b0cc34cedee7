"""Users of Redis or Valkey, as data: each service reaches its own keys and no administration."""

from collections.abc import Mapping

# INFO is asked by Celery's transport; what else is dangerous (FLUSHALL, KEYS, CONFIG …) no service needs.
SERVICE = "+@all -@admin -@dangerous +info"

# Celery on database 1: its queue, what is not yet acknowledged, bindings and the channels of its remote control.
CELERY = "~celery* ~unacked* ~_kombu.* ~*.celery.pidbox &*.celery.pidbox &*.reply.celery.pidbox &/1.*"

USERS: dict[str, str] = {
    "rules": f"~rules.requests ~replies.* ~dead.rules.* {SERVICE}",
    "sessions": (
        "~rules.requests ~accounts.requests ~accounts.events ~replies.sessions.* ~sessions.* ~dead.accounts.events.*"
        f" ~dead.sessions.* {CELERY} {SERVICE}"
    ),
    "accounts": f"~accounts.* ~replies.* ~dead.accounts.requests.* {SERVICE}",
    "gateway": f"~limits* ~LIMITS* ~sessions.events ~accounts.events {SERVICE}",
    "operator": f"~*.events ~*.requests ~dead.* {SERVICE}",
    "administrator": "~* &* +@all",
}


def render(passwords: Mapping[str, str]) -> str:
    """The ACL file for `USERS`, each with its password from `passwords`; nobody connects without one."""
    lines = ["user default off resetchannels -@all"]
    lines += [f"user {name} on >{passwords[name]} {rules}" for name, rules in USERS.items()]
    return "\n".join(lines) + "\n"
