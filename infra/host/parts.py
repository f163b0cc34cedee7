"""Every process of the system, as data: what it runs, which variables it may see, when it is ready."""

from dataclasses import dataclass
from enum import IntEnum


class Layer(IntEnum):
    """Started from the lowest up as far as one needs the other, ended from the highest down."""

    SERVERS = 0
    SERVICES = 1
    EDGE = 2


@dataclass(frozen=True, slots=True)
class Part:
    """One process: `python -m module verb`, given `variables` and no other address or secret.

    It serves what it measures on its one port, unless that is public: then `has_metrics_apart`.
    """

    name: str
    module: str
    verb: str
    variables: tuple[str, ...]
    ready_path: str = "/ready"
    port_variable: str = "PORT"
    has_metrics_apart: bool = False
    layer: Layer = Layer.SERVICES


def web(service: str, *variables: str) -> Part:
    return Part(f"{service}-web", f"services.{service}", "web", variables)


def background(service: str, verb: str, *variables: str) -> Part:
    return Part(f"{service}-{verb}", f"services.{service}", verb, variables, "/live", "METRICS_PORT")


def one_shot(service: str, verb: str, *variables: str) -> Part:
    return Part(f"{service}-{verb}", f"services.{service}", verb, variables)


SESSIONS = ("SESSIONS_DATABASE_URL", "SESSIONS_REDIS_URL")
ACCOUNTS = ("ACCOUNTS_DATABASE_URL", "ACCOUNTS_REDIS_URL")

MIGRATIONS = (
    one_shot("sessions", "migrate", "SESSIONS_OWNER_DATABASE_URL"),
    one_shot("accounts", "migrate", "ACCOUNTS_OWNER_DATABASE_URL"),
)

PARTS = (
    web("rules"),
    background("rules", "respond", "RULES_REDIS_URL"),
    web("accounts", "ACCOUNTS_DATABASE_URL", "ACCOUNTS_KEYS_DIR", "PUBLIC_URL"),
    background("accounts", "relay", *ACCOUNTS),
    background("accounts", "respond", *ACCOUNTS),
    web("sessions", *SESSIONS, "SESSIONS_JWKS_URL", "PUBLIC_URL"),
    background("sessions", "relay", *SESSIONS),
    background("sessions", "consume", *SESSIONS, "SESSIONS_BROKER_URL"),
    background("sessions", "work", *SESSIONS, "SESSIONS_PURGE_DATABASE_URL", "SESSIONS_BROKER_URL"),
    background("sessions", "beat", "SESSIONS_BROKER_URL"),
    Part("gateway-live", "gateway", "live", ("GATEWAY_REDIS_URL", "GATEWAY_SESSIONS_URL"), layer=Layer.EDGE),
    Part(
        "gateway-web",
        "gateway",
        "web",
        (
            "GATEWAY_REDIS_URL",
            "GATEWAY_RULES_URL",
            "GATEWAY_SESSIONS_URL",
            "GATEWAY_ACCOUNTS_URL",
            "GATEWAY_LIVE_URL",
        ),
        has_metrics_apart=True,
        layer=Layer.EDGE,
    ),
)
GATEWAY = "gateway-web"
