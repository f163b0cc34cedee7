"""One's own account: reading, changing, taking along, deleting."""

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from services.accounts.adapters.tables import attempts, metadata, outbox
from services.accounts.application import passwords, plans
from tests.integration.accounts.world import PASSWORD, Person, World, at_once, is_refused, refresh


def test_me_is_what_was_signed_up_with(world: World) -> None:
    person = world.sign_up("dora@example.org", display_name="Dora", locale="fr")
    assert person.call("GET", "/v1/me").json == {
        "id": person.id,
        "email": "dora@example.org",
        "display_name": "Dora",
        "locale": "fr",
        "plan": "free",
        "created_at": world.clock().isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    assert UUID(person.id).version == 7


@pytest.mark.parametrize(
    ("change", "after"),
    [
        ({}, {"display_name": "Anna", "locale": "en"}),
        ({"display_name": " Ännchen "}, {"display_name": "Ännchen", "locale": "en"}),
        ({"locale": "sl-SI"}, {"display_name": "Anna", "locale": "sl"}),
        ({"locale": "DE", "display_name": "A"}, {"display_name": "A", "locale": "de"}),
        ({"locale": None, "display_name": None}, {"display_name": None, "locale": None}),
    ],
)
def test_name_and_language_can_be_changed(
    world: World, change: dict[str, Any], after: dict[str, Any]
) -> None:
    person = world.sign_up(display_name="Anna", locale="en")
    answer = person.call("PATCH", "/v1/me", change)
    assert answer.status_code == 200
    assert after.items() <= answer.json.items()
    assert person.call("GET", "/v1/me").json == answer.json


@pytest.mark.parametrize(
    "change",
    [
        {"email": "new@example.org"},
        {"plan": "plus"},
        {"id": "x"},
        {"locale": "xx"},
        {"display_name": ""},
        {"display_name": 1},
        [],
    ],
)
def test_nothing_else_can_be_changed(anna: Person, change: Any) -> None:
    was = anna.call("GET", "/v1/me").json
    assert is_refused(anna.call("PATCH", "/v1/me", change), 422, "validation_failed")
    assert anna.call("GET", "/v1/me").json == was


def test_the_export_holds_everything_and_no_secret(world: World, anna: Person) -> None:
    root = anna.player("Anna", colour="#AABBCC")
    merged = anna.player("Ann")
    anna.call("POST", f"/v1/players/{merged['id']}/merge", {"into": root["id"]})
    anna.call("DELETE", f"/v1/players/{root['id']}")
    (code,) = plans.make_codes(world.parts, 1)
    anna.call("POST", "/v1/me/plus", {"code": code})
    anna.sign_in()
    link = passwords.offer_reset(world.parts, anna.email) or ""
    answer = anna.call("GET", "/v1/me/export")
    assert answer.headers["Cache-Control"] == "no-store"
    found = answer.json
    assert found["account"]["email"] == anna.email
    assert [(it["name"], it["archived"], it["merged_into"]) for it in found["players"]] == [
        ("Anna", True, None),
        ("Ann", False, root["id"]),
    ]
    assert [(it["plan"], it["source"]) for it in found["plan_changes"]] == [("plus", "code")]
    assert len(found["sign_ins"]) == 2
    assert len(found["redeemed_codes"]) == len(found["password_resets"]) == 1
    for secret in (PASSWORD, anna.access, anna.refresh, code, link, "argon2", "hash"):
        assert secret not in answer.text


def test_deletion_leaves_nothing_of_the_person(world: World, anna: Person) -> None:
    bystander = world.sign_up()
    root, merged = anna.player("Anna"), anna.player("Ann")
    anna.call("POST", f"/v1/players/{merged['id']}/merge", {"into": root["id"]})
    (code,) = plans.make_codes(world.parts, 1)
    anna.call("POST", "/v1/me/plus", {"code": code})
    passwords.offer_reset(world.parts, anna.email)
    elsewhere = anna.sign_in().json
    assert anna.call("DELETE", "/v1/me", {"password": PASSWORD}).status_code == 204

    for access in (anna.access, elsewhere["access_token"]):
        assert is_refused(world.call("GET", "/v1/me", token=access), 401, "unauthenticated")
    for token in (anna.refresh, elsewhere["refresh_token"]):
        assert is_refused(refresh(world, token), 401, "bad_refresh_token")
    assert is_refused(anna.sign_in(), 401, "bad_credentials")
    assert world.events(anna.id)[-1] == ("accounts.account.deleted", {"account_id": anna.id})
    assert is_refused(bystander.call("POST", "/v1/me/plus", {"code": code}), 409, "code_used")
    for row in everything(world):
        assert anna.id not in row
        assert anna.email not in row
    assert world.sign_up(anna.email).id != anna.id


def everything(world: World) -> list[str]:
    """Every row of every table but the events, which hold ids alone, as text."""
    rows = []
    with world.engine.connect() as connection:
        for table in metadata.sorted_tables:
            if table not in (outbox, attempts):
                rows += [str(row) for row in connection.execute(select(table))]
    return rows


def test_events_hold_ids_and_moments_alone(world: World) -> None:
    person = world.sign_up("told@example.org", display_name="Told Person")
    person.player("Secret Name")
    plans.set_plan(world.parts, person.email, "plus")
    person.call("DELETE", "/v1/auth/tokens?everywhere=true")
    told = str(world.events(person.id))
    assert len(world.events(person.id)) == 4
    for personal in ("told@", "Told Person", "Secret Name"):
        assert personal not in told


def test_a_wrong_password_deletes_nothing(anna: Person) -> None:
    assert is_refused(
        anna.call("DELETE", "/v1/me", {"password": "wrong horse battery"}), 403, "wrong_password"
    )
    assert is_refused(anna.call("DELETE", "/v1/me"), 422, "validation_failed")
    assert anna.call("GET", "/v1/me").status_code == 200


def test_two_deletions_at_once_tell_the_others_once(world: World, anna: Person) -> None:
    answers = at_once(*[lambda: anna.call("DELETE", "/v1/me", {"password": PASSWORD})] * 3)
    codes = sorted(answer.status_code for answer in answers)
    assert codes[0] == 204
    assert set(codes[1:]) <= {401, 403}
    assert [kind for kind, _ in world.events(anna.id)].count("accounts.account.deleted") == 1
