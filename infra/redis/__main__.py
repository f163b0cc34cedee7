"""Writes the ACL file for a Redis server: `python -m infra.redis FILE`."""

import sys
from pathlib import Path

from environs import Env

from infra.redis.acl import USERS, render


def main(file: str) -> None:
    """Reads `<USER>_REDIS_PASSWORD` for each user; the file holds their hashes, so any server may read it."""
    env = Env()
    passwords = {user: env.str(f"{user.upper()}_REDIS_PASSWORD") for user in USERS}
    target = Path(file)
    target.write_text(render(passwords))
    target.chmod(0o644)


if __name__ == "__main__":
    main(sys.argv[1])
