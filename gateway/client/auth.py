"""Signing in and out."""

from typing import cast

from gateway.client.calls import Calls
from gateway.client.contract import TokensAnswer
from gateway.client.transport import Request, path


class Auth:
    """`/v1/auth`; the tokens go into the client's store."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def sign_in(self, email: str, password: str) -> TokensAnswer:
        """New tokens for this device; `bad_credentials` when address and password do not belong together."""
        body = {"email": email, "password": password}
        # Carried out twice it only leaves a sign-in that nobody uses.
        request = Request("POST", path("auth", "tokens"), body=body, repeatable=True)
        answer = cast("TokensAnswer", self._calls.guest_document(request))
        self._calls.signed_in(answer)
        return answer

    def refresh(self) -> bool:
        """Fetch new tokens now (calls do it by themselves); False when nobody is signed in any more."""
        return self._calls.renew()

    def reset_password(self, code: str, password: str) -> None:
        """Set a new password with an operator's one-time code; every sign-in ends; `link_expired`."""
        body = {"code": code, "password": password}
        self._calls.guest_document(Request("POST", path("auth", "password-reset"), body=body))

    def sign_out(self, *, everywhere: bool = False) -> None:
        """End this sign-in, or all of the account's, and forget the tokens."""
        query = {"everywhere": True} if everywhere else {}
        self._calls.answer(Request("DELETE", path("auth", "tokens"), query=query))
        self._calls.signed_out()
