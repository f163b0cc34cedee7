"""Brings a PostgreSQL server to the services' roles and databases: `python -m infra.postgres`."""

from environs import Env

from infra.postgres.roles import ROLES, provision


def main() -> None:
    """Reads ADMINISTRATOR_DATABASE_URL and `<ROLE>_DATABASE_PASSWORD` for each role; safe to run again."""
    env = Env()
    passwords = {role: env.str(f"{role.upper()}_DATABASE_PASSWORD") for role in ROLES}
    provision(env.str("ADMINISTRATOR_DATABASE_URL"), passwords)


if __name__ == "__main__":
    main()
