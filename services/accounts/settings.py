"""The settings of accounts, read once from the environment."""

from dataclasses import dataclass
from pathlib import Path

from environs import Env
from marshmallow.validate import Range

from shared.settings import Reader, data_dir

FROM_ONE = Range(min=1)
FROM_ZERO = Range(min=0)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting; empty addresses mean "not given", for parts that do without."""

    database_url: str
    owner_database_url: str
    redis_url: str
    keys_dir: Path
    public_url: str
    issuer: str
    audience: str
    access_token_s: int
    refresh_token_days: int
    refresh_grace_s: int
    key_publish_first_s: int
    argon2_memory_kib: int
    argon2_passes: int
    argon2_lanes: int
    argon2_slots: int
    argon2_wait_s: float
    pool_size: int
    sign_ups_per_hour: int
    failed_sign_ins: int
    failed_sign_ins_window_s: int
    metrics_port: int | None


def read(env: Env | None = None) -> Settings:
    """The settings of this process; raises `environs.EnvError` naming what is wrong."""
    env = env or Reader()
    return Settings(
        database_url=env.str("ACCOUNTS_DATABASE_URL", ""),
        owner_database_url=env.str("ACCOUNTS_OWNER_DATABASE_URL", ""),
        redis_url=env.str("ACCOUNTS_REDIS_URL", ""),
        keys_dir=env.path("ACCOUNTS_KEYS_DIR", data_dir() / "keys"),
        public_url=env.str("PUBLIC_URL", "http://127.0.0.1:8098").rstrip("/"),
        issuer=env.str("TOKEN_ISSUER", "ninety-eight"),
        audience=env.str("TOKEN_AUDIENCE", "ninety-eight"),
        access_token_s=env.int("ACCOUNTS_ACCESS_TOKEN_S", 900, validate=Range(1, 86_400)),
        refresh_token_days=env.int("ACCOUNTS_REFRESH_TOKEN_DAYS", 60, validate=FROM_ONE),
        refresh_grace_s=env.int("ACCOUNTS_REFRESH_GRACE_S", 60, validate=FROM_ZERO),
        key_publish_first_s=env.int("ACCOUNTS_KEY_PUBLISH_FIRST_S", 900, validate=FROM_ZERO),
        argon2_memory_kib=env.int("ACCOUNTS_ARGON2_MEMORY_KIB", 65_536, validate=Range(min=8)),
        argon2_passes=env.int("ACCOUNTS_ARGON2_PASSES", 3, validate=FROM_ONE),
        argon2_lanes=env.int("ACCOUNTS_ARGON2_LANES", 1, validate=FROM_ONE),
        argon2_slots=env.int("ACCOUNTS_ARGON2_SLOTS", 2, validate=FROM_ONE),
        argon2_wait_s=env.float("ACCOUNTS_ARGON2_WAIT_S", 8.0, validate=FROM_ZERO),
        pool_size=env.int("ACCOUNTS_POOL_SIZE", 8, validate=FROM_ONE),
        sign_ups_per_hour=env.int("ACCOUNTS_SIGN_UPS_PER_HOUR", 300, validate=FROM_ONE),
        failed_sign_ins=env.int("ACCOUNTS_FAILED_SIGN_INS", 10, validate=FROM_ONE),
        failed_sign_ins_window_s=env.int("ACCOUNTS_FAILED_SIGN_INS_WINDOW_S", 900, validate=FROM_ONE),
        metrics_port=env.int("METRICS_PORT", None),
    )
