"""A person's own account."""

from typing import Any

from services.accounts.application import passwords, plans, profile
from services.accounts.application.parts import Parts
from services.accounts.application.tokens import Tokens
from services.accounts.domain.account import Account
from services.accounts.entrypoints.routes.tokens import KEEP_OUT
from services.accounts.entrypoints.schemas import answers, requests
from services.accounts.entrypoints.schemas.export import ExportOut
from services.accounts.entrypoints.who import account_id
from shared.web.bearer import signed_in
from shared.web.blueprint import Blueprint


def blueprint(parts: Parts) -> Blueprint:
    """`/v1/me`."""
    blp = Blueprint("me", __name__, url_prefix="/v1/me", description="One's own account")

    @blp.route("", methods=["GET"])
    @signed_in
    @blp.response(200, answers.AccountOut)
    def read_me() -> Account:
        """Who is signed in."""
        return profile.show(parts, account_id())

    @blp.route("", methods=["PATCH"])
    @signed_in
    @blp.arguments(requests.ProfileIn, required=False)
    @blp.response(200, answers.AccountOut)
    def change_me(body: dict[str, Any]) -> Account:
        """Change the name shown and the language."""
        return profile.change(parts, account_id(), body)

    @blp.route("", methods=["DELETE"])
    @signed_in
    @blp.arguments(requests.DeletionIn)
    @blp.response(204)
    def delete_me(body: dict[str, str]) -> None:
        """Remove the account and everything of the person; every token ends at once."""
        profile.delete(parts, account_id(), body["password"])

    @blp.route("/export", methods=["GET"])
    @signed_in
    @blp.response(200, ExportOut)
    def export_me() -> tuple[dict[str, Any], int, dict[str, str]]:
        """Everything that accounts keeps about the person."""
        return profile.export(parts, account_id()), 200, KEEP_OUT

    @blp.route("/password", methods=["POST"])
    @signed_in
    @blp.arguments(requests.PasswordIn)
    @blp.response(200, answers.TokensOut)
    def change_password(body: dict[str, str]) -> tuple[Tokens, int, dict[str, str]]:
        """Set a new password; every other token ends, the answer has new ones."""
        changed = passwords.change(parts, account_id(), body["current_password"], body["new_password"])
        return changed, 200, KEEP_OUT

    @blp.route("/plus", methods=["POST"])
    @signed_in
    @blp.arguments(requests.PlusIn)
    @blp.response(200, answers.PlanOut)
    @blp.alt_response(409, description="code_used")
    def redeem_code(body: dict[str, str]) -> Account:
        """Redeem a code for Plus; tokens carry the plan from their next refresh on."""
        return plans.redeem(parts, account_id(), body["code"])

    return blp
