"""An account's life through the gateway: in, out, passwords, the plan, and gone."""

import json
import re
from uuid import uuid4

import psycopg
import pytest

from tests.support.api import PASSWORD, Api, new_game, play, send
from tests.support.forging import unpacked
from tests.support.people import Device, Person, refresh, sign_in
from tests.support.system import EmbeddedSystem, System
from tests.support.waiting import until

SOON_S = 10.0
PURGED_S = 60.0


@pytest.fixture
def person(system: System) -> Person:
    return Person(system.url)


def test_signing_up_gives_an_account_and_tokens_and_the_address_is_taken(person: Person) -> None:
    assert person.account == person.api.get("/v1/me").json
    assert person.account | {"id": "", "created_at": ""} == {
        "id": "",
        "email": person.email,
        "display_name": None,
        "locale": None,
        "plan": "free",
        "created_at": "",
    }
    again = {"email": person.email.upper(), "password": PASSWORD}
    assert Api(person.url).post("/v1/accounts", again).code == "email_taken"


def test_an_access_token_is_signed_with_a_published_key_and_lives_15_minutes(person: Person) -> None:
    assert person.api.token is not None
    header = json.loads(unpacked(person.api.token.split(".")[0]))
    keys = Api(person.url).get("/.well-known/jwks.json").json["keys"]
    assert header["alg"] == "Ed25519"
    assert header["kid"] in [key["kid"] for key in keys]
    assert all("d" not in key for key in keys)
    claims = person.device.claims
    assert claims["exp"] - claims["iat"] == pytest.approx(900, abs=1)
    assert claims["sub"] == person.account["id"]
    assert claims["plan"] == "free"
    assert person.email not in json.dumps(claims)


def test_wrong_credentials_are_answered_alike_whether_there_is_such_an_account_or_not(person: Person) -> None:
    wrong = sign_in(person.url, person.email, "not the password")
    unknown = sign_in(person.url, f"{uuid4().hex}@example.org")
    assert wrong.code == unknown.code == "bad_credentials"
    assert wrong.json | {"request_id": ""} == unknown.json | {"request_id": ""}


def test_a_refresh_token_rotates_and_the_one_before_works_a_while_longer(person: Person) -> None:
    first = person.device.refresh_token
    person.device.renew()
    assert person.device.refresh_token != first
    assert person.device.api.get("/v1/games").status == 200
    assert refresh(person.url, first).status == 200, "the answer may have been lost on the way"


def test_a_refresh_token_older_than_the_one_before_ends_its_sign_in_and_no_other(person: Person) -> None:
    stolen = person.device.refresh_token
    other = person.signs_in()
    person.device.renew()
    person.device.renew()
    assert refresh(person.url, stolen).code == "bad_refresh_token"
    assert refresh(person.url, person.device.refresh_token).code == "bad_refresh_token"
    assert person.device.api.get("/v1/me").code == "unauthenticated"
    other.renew()
    assert other.api.get("/v1/me").status == 200


def test_signing_out_here_ends_this_sign_in_and_no_other(person: Person) -> None:
    other = person.signs_in()
    assert person.api.call("DELETE", "/v1/auth/tokens").status == 204
    assert person.api.get("/v1/me").code == "unauthenticated"
    assert refresh(person.url, person.device.refresh_token).code == "bad_refresh_token"
    other.renew()
    assert other.api.get("/v1/me").status == 200


def test_signing_out_everywhere_ends_every_sign_in_and_one_can_come_back(person: Person) -> None:
    devices = [person.device, person.signs_in(), person.signs_in()]
    assert devices[1].api.call("DELETE", "/v1/auth/tokens?everywhere=true").status == 204
    for device in devices:
        assert device.api.get("/v1/me").code == "unauthenticated"
        assert refresh(person.url, device.refresh_token).code == "bad_refresh_token"
    back = person.signs_in()
    assert back.api.get("/v1/me").status == back.api.get("/v1/games").status == 200


def test_a_changed_password_ends_all_other_sign_ins_and_is_the_one_that_counts(person: Person) -> None:
    other = person.signs_in()
    body = {"current_password": PASSWORD, "new_password": "another good password"}
    wrong = body | {"current_password": "not the password"}
    assert person.api.post("/v1/me/password", wrong).code == "wrong_password"
    here = Device(person.url, person.api.post("/v1/me/password", body).json)
    assert here.api.get("/v1/me").status == 200
    assert other.api.get("/v1/me").code == "unauthenticated"
    assert refresh(person.url, other.refresh_token).code == "bad_refresh_token"
    assert sign_in(person.url, person.email).code == "bad_credentials"
    person.signs_in("another good password")


def test_an_operator_s_link_sets_a_new_password_once(system: System, person: Person) -> None:
    withdrawn = reset_code(system, person)
    code = reset_code(system, person)
    body = {"code": code, "password": "a password they will keep"}
    assert Api(system.url).post("/v1/auth/password-reset", body | {"code": withdrawn}).code == "link_expired"
    short = Api(system.url).post("/v1/auth/password-reset", body | {"password": "short"})
    assert short.code == "validation_failed", "which leaves the link as it is"
    assert Api(system.url).post("/v1/auth/password-reset", body).status == 204
    assert Api(system.url).post("/v1/auth/password-reset", body).code == "link_expired"
    assert person.api.get("/v1/me").code == "unauthenticated"
    assert sign_in(person.url, person.email).code == "bad_credentials"
    person.signs_in("a password they will keep")


def test_an_operator_is_told_when_there_is_no_such_account(system: System) -> None:
    for arguments in (("password", "reset"), ("plus", "grant"), ("plus", "revoke")):
        with pytest.raises(AssertionError, match="There is no account"):
            system.run("services.accounts", *arguments, "nobody@example.org")


def test_ten_failed_sign_ins_close_the_door_for_that_address_and_e_mail_alone(
    system: System, person: Person
) -> None:
    """Whatever the client says about its address; an operator's link opens it again."""
    for attempt in range(10):
        forwarded = {"X_Forwarded_For": f"10.0.0.{attempt}", "Forwarded": f"for=10.0.0.{attempt}"}
        answer = sign_in(person.url, person.email, "not the password", **forwarded)
        assert answer.code == "bad_credentials"
    closed = sign_in(person.url, person.email, PASSWORD, X_Forwarded_For="10.0.0.99")
    assert (closed.status, closed.code) == (429, "too_many_requests")
    assert 1 <= int(closed.headers["Retry-After"]) <= 900
    assert person.api.get("/v1/me").status == 200, "who is in stays in"
    Person(system.url).signs_in()
    body = {"code": reset_code(system, person), "password": PASSWORD}
    assert Api(system.url).post("/v1/auth/password-reset", body).status == 204
    person.signs_in()


def test_the_profile_changes_field_by_field_and_can_be_taken_along(person: Person) -> None:
    changed = person.api.call("PATCH", "/v1/me", {"display_name": " Ana María ", "locale": "pt-BR"}).json
    assert (changed["display_name"], changed["locale"]) == ("Ana María", "pt")
    changed = person.api.call("PATCH", "/v1/me", {"display_name": None}).json
    assert (changed["display_name"], changed["locale"]) == (None, "pt")
    for change in ({"email": "x@example.org"}, {"plan": "plus"}, {"locale": "xx"}, {"display_name": " "}):
        assert person.api.call("PATCH", "/v1/me", change).code == "validation_failed"
    player = person.api.post("/v1/players", {"name": "Ana"}).json
    exported = person.api.get("/v1/me/export")
    assert exported.headers["Cache-Control"] == "no-store"
    document = exported.json
    assert document["account"].items() >= person.api.get("/v1/me").json.items()
    assert [one["id"] for one in document["players"]] == [player["id"]]
    assert len(document["sign_ins"]) == 1
    assert not re.search(rb"argon2|hash|secret|refresh_token", exported.body)


def test_the_plan_is_in_the_account_at_once_and_in_the_next_token(system: System, person: Person) -> None:
    system.run("services.accounts", "plus", "grant", person.email)
    assert person.api.get("/v1/me").json["plan"] == "plus"
    assert person.device.claims["plan"] == "free"
    person.device.renew()
    assert person.device.claims["plan"] == "plus"
    assert "already" in system.run("services.accounts", "plus", "grant", person.email.upper())
    game = new_game(person.device.api)
    system.run("services.accounts", "plus", "revoke", person.email)
    assert person.device.api.get("/v1/me").json["plan"] == "free"
    person.device.renew()
    assert person.device.claims["plan"] == "free"
    assert person.device.api.get(f"/v1/games/{game['id']}").json == game, "nothing is hidden or lost"


def test_a_code_gives_plus_to_the_first_who_redeems_it_however_it_is_typed(
    system: System, person: Person
) -> None:
    codes = system.run("services.accounts", "plus", "codes", "2").split()
    assert len(set(codes)) == 2
    typed = {"code": f"  {codes[0].lower().replace('-', ' ')} "}
    assert person.api.post("/v1/me/plus", typed).json["plan"] == "plus"
    person.device.renew()
    assert person.device.claims["plan"] == "plus"
    late = Person(system.url)
    for somebody in (person.device.api, late.api):
        assert somebody.post("/v1/me/plus", {"code": codes[0]}).code == "code_used"
    assert late.api.get("/v1/me").json["plan"] == "free"
    assert late.api.post("/v1/me/plus", {"code": codes[1]}).status == 200


def test_deleting_the_account_needs_the_password_and_frees_the_address(person: Person) -> None:
    assert person.api.call("DELETE", "/v1/me", {"password": "not the password"}).code == "wrong_password"
    assert person.api.get("/v1/me").status == 200
    other = person.signs_in()
    assert person.api.call("DELETE", "/v1/me", {"password": PASSWORD}).status == 204
    for device in (person.device, other):
        assert device.api.get("/v1/me").code == "unauthenticated"
        assert refresh(person.url, device.refresh_token).code == "bad_refresh_token"
    assert sign_in(person.url, person.email).code == "bad_credentials"
    body = {"email": person.email, "password": PASSWORD}
    anew = Api(person.url).post("/v1/accounts", body)
    assert anew.status == 201
    assert anew.json["account"]["id"] != person.account["id"]
    assert Api(person.url, anew.json["access_token"]).get("/v1/games").json["items"] == []


def test_the_games_of_a_deleted_account_lose_their_names_and_are_purged_soon(
    system: System, person: Person
) -> None:
    if not isinstance(system, EmbeddedSystem):
        pytest.skip("what is left in the database of containers is out of reach")
    player = person.api.post("/v1/players", {"name": "Ana"}).json
    body = {"ruleset": "the-game", "players": [{"player_id": player["id"]}, {"name": "Ben"}]}
    game = person.api.post("/v1/games", body).json
    send(person.api, game, [play("up1", 7)])
    kept = Person(system.url)
    stays = new_game(kept.api)
    with psycopg.connect(system.variable("SESSIONS_DATABASE_URL"), autocommit=True) as connection:

        def rows(table: str, column: str = "game_id", of: str = game["id"]) -> int:
            found = connection.execute(f"SELECT count(*) FROM {table} WHERE {column} = %s", [of]).fetchone()
            assert found is not None
            return int(found[0])

        assert (rows("games", "id"), rows("seats"), rows("entries")) == (1, 2, 1)
        assert rows("outbox", "subject") > 0
        assert person.api.call("DELETE", "/v1/me", {"password": PASSWORD}).status == 204
        named = "SELECT count(*) FROM seats WHERE game_id = %s AND name IN ('Ana', 'Ben')"
        until(
            lambda: connection.execute(named, [game["id"]]).fetchone() == (0,),
            SOON_S,
            "the names are cleared",
        )
        until(lambda: rows("games", "id") == 0, PURGED_S, "the game is purged")
        assert (rows("seats"), rows("entries")) == (0, 0)
        assert rows("games", "id", stays["id"]) == 1
    assert kept.api.get(f"/v1/games/{stays['id']}").json == stays


def reset_code(system: System, person: Person) -> str:
    """The code of the one-time link that an operator gives `person`."""
    printed = system.run("services.accounts", "password", "reset", person.email)
    (link,) = re.findall(r"link: \S+/reset#(\S+)", printed)
    assert f"code: {link}" in printed
    return str(link)
