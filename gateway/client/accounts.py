"""The account: opening it, the profile, the password, the plan, export and deletion."""

from typing import Any, TypedDict, Unpack, cast

from gateway.client.calls import Calls
from gateway.client.contract import Account, Plan, SignedUp
from gateway.client.transport import Request, path


class Profile(TypedDict, total=False):
    """What a person may change about themselves; None takes it away."""

    display_name: str | None
    locale: str | None


class Accounts:
    """`/v1/accounts` and `/v1/me`."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def sign_up(
        self, email: str, password: str, *, display_name: str | None = None, locale: str | None = None
    ) -> SignedUp:
        """Open an account and be signed in to it; `email_taken` when there is one already."""
        wanted = {"email": email, "password": password, "display_name": display_name, "locale": locale}
        body = {name: value for name, value in wanted.items() if value is not None}
        answer = cast("SignedUp", self._calls.guest_document(Request("POST", path("accounts"), body=body)))
        self._calls.signed_in(answer)
        return answer

    def me(self) -> Account:
        return cast("Account", self._calls.document(Request("GET", path("me"), repeatable=True)))

    def change(self, **fields: Unpack[Profile]) -> Account:
        """Change the profile; what is left out stays."""
        request = Request("PATCH", path("me"), body=fields, repeatable=True)
        return cast("Account", self._calls.document(request))

    def change_password(self, current: str, new: str) -> None:
        """Every other sign-in of the account ends; `wrong_password` changes nothing."""
        body = {"current_password": current, "new_password": new}
        self._calls.signed_in(self._calls.document(Request("POST", path("me", "password"), body=body)))

    def export(self) -> dict[str, Any]:
        """Everything that is kept about this account."""
        request = Request("GET", path("me", "export"), repeatable=True)
        return cast("dict[str, Any]", self._calls.document(request))

    def delete(self, password: str) -> None:
        """Delete the account for good and forget the tokens; `wrong_password` changes nothing."""
        self._calls.answer(Request("DELETE", path("me"), body={"password": password}))
        self._calls.signed_out()

    def redeem(self, code: str) -> Plan:
        """Redeem a one-time code for Plus; `code_unknown`, `code_used`."""
        request = Request("POST", path("me", "plus"), body={"code": code})
        return cast("Plan", self._calls.document(request))
