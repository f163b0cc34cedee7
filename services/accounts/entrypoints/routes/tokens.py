"""Signing up, in and out; tokens and the keys that verify them."""

from typing import Any

from services.accounts.application import passwords, sign_in, tokens
from services.accounts.application.parts import Parts
from services.accounts.application.sign_in import NewPerson
from services.accounts.application.tokens import Tokens
from services.accounts.entrypoints.address import client_address
from services.accounts.entrypoints.schemas import answers, requests
from services.accounts.entrypoints.who import account_id, family_id
from shared.web.bearer import signed_in
from shared.web.blueprint import Blueprint

KEEP_OUT = {"Cache-Control": "no-store"}
KEYS_MAX_AGE_S = 300


def sign_up_blueprint(parts: Parts) -> Blueprint:
    """`/v1/accounts`."""
    blp = Blueprint("accounts", __name__, url_prefix="/v1/accounts", description="People")

    @blp.route("", methods=["POST"])
    @blp.arguments(requests.SignUpIn)
    @blp.response(201, answers.SignedUpOut)
    @blp.alt_response(409, description="email_taken")
    def sign_up(body: dict[str, Any]) -> tuple[dict[str, Any], int, dict[str, str]]:
        """Make an account; answers its first tokens."""
        account, first = sign_in.sign_up(parts, NewPerson(**body), client_address())
        return {"account": account, **_fields(first)}, 201, KEEP_OUT | {"Location": "/v1/me"}

    return blp


def token_blueprint(parts: Parts) -> Blueprint:
    """`/v1/auth`."""
    blp = Blueprint("auth", __name__, url_prefix="/v1/auth", description="Signing in and out")

    @blp.route("/tokens", methods=["POST"])
    @blp.arguments(requests.SignInIn)
    @blp.response(200, answers.TokensOut)
    @blp.alt_response(401, description="bad_credentials")
    def create_tokens(body: dict[str, str]) -> tuple[Tokens, int, dict[str, str]]:
        """Sign in."""
        return sign_in.sign_in(parts, body["email"], body["password"], client_address()), 200, KEEP_OUT

    @blp.route("/tokens", methods=["DELETE"])
    @signed_in
    @blp.arguments(requests.SignOutQuery, location="query")
    @blp.response(204)
    def delete_tokens(query: dict[str, bool]) -> None:
        """Sign out here, or on every device."""
        if query["everywhere"]:
            tokens.sign_out_everywhere(parts, account_id())
        else:
            tokens.sign_out(parts, account_id(), family_id())

    @blp.route("/tokens/refresh", methods=["POST"])
    @blp.arguments(requests.RefreshIn)
    @blp.response(200, answers.TokensOut)
    @blp.alt_response(401, description="bad_refresh_token")
    def refresh_tokens(body: dict[str, str]) -> tuple[Tokens, int, dict[str, str]]:
        """Trade a refresh token for fresh tokens; the one before works 60 s more."""
        return tokens.refresh(parts, body["refresh_token"]), 200, KEEP_OUT

    @blp.route("/password-reset", methods=["POST"])
    @blp.arguments(requests.ResetIn)
    @blp.response(204)
    def reset_password(body: dict[str, str]) -> None:
        """Set a new password with the one-time code of an operator; every sign-in ends."""
        passwords.reset(parts, body["code"], body["password"], client_address())

    return blp


def key_blueprint(parts: Parts) -> Blueprint:
    """`/.well-known`."""
    blp = Blueprint("keys", __name__, url_prefix="/.well-known", description="Public keys")

    @blp.route("/jwks.json", methods=["GET"])
    @blp.response(200, answers.KeySetOut)
    def read_keys() -> tuple[dict[str, Any], int, dict[str, str]]:
        """The keys that verify access tokens."""
        return parts.signer.key_set(), 200, {"Cache-Control": f"public, max-age={KEYS_MAX_AGE_S}"}

    return blp


def _fields(issued: Tokens) -> dict[str, Any]:
    return {name: getattr(issued, name) for name in Tokens.__dataclass_fields__}
