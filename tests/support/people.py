"""People with accounts and the devices on which they are signed in."""

import json
from uuid import uuid4

from tests.support.api import PASSWORD, Api, Json, Reply
from tests.support.forging import unpacked


class Device:
    """One sign-in of a person: `api` with its access token, and the refresh token that follows it."""

    def __init__(self, url: str, tokens: Json) -> None:
        self.url = url
        self.take(tokens)

    def take(self, tokens: Json) -> None:
        """Go on with these tokens."""
        self.api = Api(self.url, tokens["access_token"])
        self.refresh_token = tokens["refresh_token"]

    def renew(self) -> None:
        """Trade the refresh token for new tokens."""
        answer = refresh(self.url, self.refresh_token)
        assert answer.status == 200, answer.body
        self.take(answer.json)

    @property
    def claims(self) -> Json:
        assert self.api.token is not None
        found: Json = json.loads(unpacked(self.api.token.split(".")[1]))
        return found


class Person:
    """Somebody with an account; each device is signed in on its own."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.email = f"{uuid4().hex}@example.org"
        answer = Api(url).post("/v1/accounts", {"email": self.email, "password": PASSWORD})
        assert answer.status == 201, answer.body
        self.account: Json = answer.json["account"]
        self.device = Device(url, answer.json)
        self.api = self.device.api

    def signs_in(self, password: str = PASSWORD) -> Device:
        answer = sign_in(self.url, self.email, password)
        assert answer.status == 200, answer.body
        return Device(self.url, answer.json)


def sign_in(url: str, email: str, password: str = PASSWORD, **headers: str) -> Reply:
    """The answer to these credentials."""
    return Api(url).post("/v1/auth/tokens", {"email": email, "password": password}, **headers)


def refresh(url: str, refresh_token: str) -> Reply:
    """The answer to this refresh token."""
    return Api(url).post("/v1/auth/tokens/refresh", {"refresh_token": refresh_token})
