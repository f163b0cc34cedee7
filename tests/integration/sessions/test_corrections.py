"""Taking what the table shows, going back, naming a card later: one entry each, which undo takes back."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.sessions.domain.game import Head
from tests.integration.sessions.devices import assert_recomputable
from tests.integration.sessions.served import Answer, Owner, Served, is_refused
from tests.integration.sessions.test_rights import SHOWN
from tests.integration.sessions.world import Table, World
from tests.support.api import Json, action, play


@pytest.fixture
def owner(world: World) -> Owner:
    return Served(world).owner()


def of(owner: Owner) -> Table:
    """The owner's game below HTTP."""
    return Table(owner.served.world, owner.account_id, UUID(owner.game_id))


def send(owner: Owner, *actions: Json) -> Answer:
    return owner.call("POST", f"{owner.game}/actions", {"actions": actions})


def adopt(owner: Owner, table: Json = SHOWN, expected: int = 0, **more: object) -> Answer:
    return owner.call("POST", f"{owner.game}/adopt", {"table": table, "expected_version": expected, **more})


def rewind(owner: Owner, to: int, expected: int, **more: object) -> Answer:
    body = {"to_version": to, "expected_version": expected, **more}
    return owner.call("POST", f"{owner.game}/rewind", body)


def bare(head: Head) -> Head:
    """A head without what tells how it came about."""
    return replace(head, version=0, redo=None)


def test_adopting_goes_on_from_what_the_table_shows(owner: Owner) -> None:
    send(owner, play("up1", 9))
    answer = adopt(owner, expected=1)
    assert answer.status_code == 200, answer.data
    document = answer.json
    assert (document["version"], document["outcomes"][0]["verdict"]) == (2, "accepted")
    table = document["game"]["table"]
    assert (table["hands"], table["deck"], table["active_seat"]) == ([7, 7], 80, 1)
    assert {name: pile["top"] for name, pile in table["piles"].items()} == SHOWN["piles"]
    (entry,) = of(owner).log(after=1)
    assert entry["action"] == {"id": document["outcomes"][0]["action_id"], "type": "adopt", "table": SHOWN}
    assert entry["by"] == {"account_id": owner.account_id}
    assert document["game"]["undo"] == {"target": entry["action"]["id"], "type": "adopt"}


def test_each_correction_is_undone_to_the_last_field_and_redone(owner: Owner) -> None:
    unknown = play("up2", confirmed=True)
    send(owner, play("up1", 9), unknown, action("draw"), action("end_turn"))
    table = of(owner)
    read = {**SHOWN, "piles": {**SHOWN["piles"], "up2": 60}}

    def correct(kind: str) -> Answer:
        if kind == "adopt":
            return adopt(owner, read, expected=table.game.head.version)
        if kind == "rewind":
            return rewind(owner, 1, table.game.head.version)
        return send(owner, action("identify", target=unknown["id"], card=44))

    for kind in ("adopt", "rewind", "identify"):
        before = table.game.head
        assert correct(kind).status_code == 200
        corrected = table.game.head
        assert bare(corrected) != bare(before)
        assert corrected.undo is not None
        assert corrected.undo["type"] == kind
        assert send(owner, action("undo")).status_code == 200
        assert bare(table.game.head) == bare(before)
        assert send(owner, action("redo")).status_code == 200
        assert bare(table.game.head) == bare(corrected)
        assert_recomputable(table)
        assert send(owner, action("undo")).status_code == 200


def test_going_back_makes_the_entries_since_count_no_more_and_undo_brings_them_back(owner: Owner) -> None:
    send(owner, play("up1", 9), play("up1", 12), play("up1", 15))
    assert rewind(owner, 1, 3).status_code == 200
    table = of(owner)
    assert [entry["effective"] for entry in table.log()] == [True, False, False, True]
    assert table.game.head.table["played"] == [9]
    assert send(owner, play("up1", 12)).status_code == 200, "what was taken back may be entered anew"
    send(owner, action("undo"), action("undo"))
    assert [entry["effective"] for entry in table.log()][:3] == [True, True, True]
    assert table.game.head.table["played"] == [9, 12, 15]
    assert_recomputable(table)


def test_the_same_correction_again_is_a_duplicate_though_the_game_has_moved_on(owner: Owner) -> None:
    send(owner, play("up1", 9))
    action_id = str(uuid4())
    for again in range(2):
        adopted = adopt(owner, expected=1, id=action_id)
        assert adopted.json["outcomes"][0]["verdict"] == ("duplicate" if again else "accepted")
        assert adopted.json["outcomes"][0]["seq"] == 2
    other = {**SHOWN, "deck": 79}
    assert is_refused(adopt(owner, other, expected=2, id=action_id), 409, "action_id_reused")
    assert is_refused(rewind(owner, 1, 2, id=action_id), 409, "action_id_reused")
    back = str(uuid4())
    for again in range(2):
        assert rewind(owner, 1, 2, id=back).json["outcomes"][0]["verdict"] == (
            "duplicate" if again else "accepted"
        )
    assert of(owner).game.head.version == 3


def test_a_correction_of_a_game_that_has_moved_on_is_refused_with_what_was_missed(owner: Owner) -> None:
    send(owner, play("up1", 9))
    for answer in (adopt(owner, expected=0), rewind(owner, 0, 0)):
        assert is_refused(answer, 409, "version_conflict")
        assert [entry["seq"] for entry in answer.json["missed"]] == [1]
    assert of(owner).game.head.version == 1


def test_counts_that_cannot_be_are_refused_with_where_they_are_wrong(owner: Owner) -> None:
    send(owner, play("up1", 9))
    before = of(owner).game
    answer = adopt(owner, {**SHOWN, "deck": 97}, expected=1)
    assert is_refused(answer, 422, "table_impossible")
    assert set(answer.json["errors"]["json"]["table"]) == {"deck"}
    assert (answer.json["index"], answer.json["version"]) == (0, 1)
    assert answer.json["outcomes"][0]["code"] == "table_impossible"
    assert of(owner).game == before


def test_a_version_that_there_is_not_yet_is_no_place_to_go_back_to(owner: Owner) -> None:
    answer = rewind(owner, 1, 0)
    assert is_refused(answer, 422, "validation_failed")
    assert answer.json["errors"] == {"json": {"to_version": ["The game is at version 0."]}}


def test_a_card_that_would_not_fit_is_named_with_the_entries_that_say_so(owner: Owner) -> None:
    unknown = play("up1", confirmed=True)
    later = play("up1", 50, confirmed=True)
    send(owner, unknown, later)
    before = of(owner).game
    refused = send(owner, action("identify", target=unknown["id"], card=70))
    assert is_refused(refused, 422, "illegal_play")
    assert refused.json["errors"] == [later["id"]]
    wrong = send(owner, action("identify", target=later["id"], card=70))
    assert is_refused(wrong, 422, "target_not_valueless")
    assert is_refused(
        send(owner, action("identify", target=unknown["id"], card=50)), 422, "card_already_played"
    )
    assert of(owner).game == before
    assert send(owner, action("identify", target=unknown["id"], card=40)).status_code == 200
    assert of(owner).game.head.table["control"] == "full"


def test_a_confirmed_result_is_taken_back_and_told_so_by_a_correction(owner: Owner) -> None:
    send(owner, action("block"), action("confirm"))
    assert rewind(owner, 0, 2).json["game"]["result"] is None
    kinds = [row.type.rpartition(".")[2] for row in owner.served.world.events(of(owner).id)]
    assert kinds[-2:] == ["advanced", "reopened"]
    assert send(owner, action("undo")).json["game"]["result"] is not None


def test_only_plus_corrects_and_a_lapsed_plan_hides_nothing(world: World) -> None:
    served = Served(world)
    owner = served.owner()
    unknown = play("up1", confirmed=True)
    send(owner, unknown)
    story = {"device": "phone", "base_version": 1, "actions": [play("left", 7)]}
    assert owner.call("POST", f"{owner.game}/sync", story).status_code == 200
    assert adopt(owner, expected=1).status_code == 200
    token, _ = served.token(owner.account_id, "free")
    lapsed = replace(owner, token=token)
    before = of(owner).game
    named = action("identify", target=unknown["id"], card=40)
    refused = [
        adopt(lapsed, expected=2),
        rewind(lapsed, 0, 2),
        lapsed.call("POST", f"{owner.game}/sync", story),
        send(lapsed, play("up1", 60, confirmed=True), named),
    ]
    assert all(is_refused(answer, 403, "plus_required") for answer in refused)
    assert of(owner).game == before
    (item,) = lapsed.call("GET", f"{owner.game}/parked").json["items"]
    assert item["code"] == "pile_unknown"
    assert [it["action"]["type"] for it in lapsed.call("GET", f"{owner.game}/log").json["items"]] == [
        "play",
        "adopt",
    ]
    assert lapsed.call("DELETE", f"{owner.game}/parked/{item['action_id']}").status_code == 204
    assert send(lapsed, action("undo")).status_code == 200, "undo is everybody's"


def test_a_guest_who_records_names_cards_too(world: World) -> None:
    owner = Served(world).owner()
    guest = owner.guest()
    unknown = play("up1", confirmed=True)
    named = action("identify", target=unknown["id"], card=40)
    assert guest.call("POST", f"{guest.game}/actions", {"actions": [unknown, named]}).status_code == 200


def test_what_is_not_there_or_not_allowed_is_said_before_what_is_wrong_with_the_request(
    world: World,
) -> None:
    served = Served(world)
    owner, free, viewer = served.owner(), served.owner("free"), served.owner().guest("viewer")
    for path in ("sync", "adopt", "rewind"):
        assert is_refused(owner.call("POST", f"{free.game}/{path}", {}), 404, "not_found")
        assert is_refused(free.call("POST", f"{free.game}/{path}", {}), 403, "plus_required")
        assert is_refused(viewer.call("POST", f"{viewer.game}/{path}", {}), 403, "role_insufficient")
        assert is_refused(owner.call("POST", f"{owner.game}/{path}", {}), 422, "validation_failed")


def test_parked_actions_are_listed_by_pages_newest_first_and_put_away(owner: Owner) -> None:
    for number in range(3):
        story = {"device": f"phone {number}", "base_version": 0, "actions": [play("left", number)]}
        assert owner.call("POST", f"{owner.game}/sync", story).json["parked"] == 1
        owner.served.clock.turn(seconds=1)
    path = f"{owner.game}/parked"
    first = owner.call("GET", f"{path}?limit=2").json
    rest = owner.call("GET", f"{path}?limit=2&cursor={first['next_cursor']}").json
    items = [*first["items"], *rest["items"]]
    assert rest["next_cursor"] is None
    assert [it["action"]["card"] for it in items] == [2, 1, 0]
    assert items[0]["by"] == {"account_id": str(owner.account_id), "device": "phone 2"}
    for _ in range(2):
        assert owner.call("DELETE", f"{path}/{items[0]['action_id']}").status_code == 204
    assert owner.call("GET", path).json["items"] == items[1:]


def test_a_story_in_conflict_is_answered_with_where_to_look(owner: Owner) -> None:
    send(owner, play("up1", 30))
    story = {
        "device": "phone",
        "base_version": 0,
        "actions": [play("up2", 30), play("up2", 20), play("left", 1)],
    }
    answer = owner.call("POST", f"{owner.game}/sync", story)
    assert answer.status_code == 202, answer.data
    document = answer.json
    assert document.keys() == {"conflict", "version", "outcomes", "parked"}
    assert answer.headers["Location"] == f"/v1/conflicts/{document['conflict']['id']}"
    assert (document["version"], document["parked"]) == (1, 1)
    assert owner.call("GET", answer.headers["Location"]).json["status"] == "pending"


@pytest.mark.parametrize(
    "change",
    [
        {"device": ""},
        {"device": " "},
        {"device": "a\u0000b"},
        {"device": "x" * 65},
        {"base_version": -1},
        {"base_version": "0"},
        {"actions": [{"id": str(uuid4()), "type": "adopt", "table": SHOWN}]},
        {"actions": [{"id": str(uuid4()), "type": "resolve"}]},
        {"actions": [action("draw")] * 1001},
        {"more": 1},
    ],
)
def test_a_story_of_the_wrong_shape_is_refused(owner: Owner, change: Json) -> None:
    story = {"device": "phone", "base_version": 0, "actions": [], **change}
    assert is_refused(owner.call("POST", f"{owner.game}/sync", story), 422, "validation_failed")


STEPS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["up1", "up2", "down1", "down2"]), st.integers(2, 99)),
        st.sampled_from(["draw", "end_turn", "undo", "redo", "adopt", "rewind", "unknown", "identify"]),
    ),
    min_size=1,
    max_size=14,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, data=st.data())
def test_whatever_is_entered_the_log_says_all_of_it(
    world: World, steps: list[str | tuple[str, int]], data: st.DataObject
) -> None:
    """The head is what rules makes of the log, and as many undos as there are entries lead to the start."""
    table = world.new_game()
    start = table.game.head
    unknown: list[str] = []
    for step in steps:
        if isinstance(step, tuple):
            entry = play(*step)
        elif step == "unknown":
            entry = play("up2", confirmed=True)
            unknown.append(entry["id"])
        elif step == "identify":
            target = data.draw(st.sampled_from(unknown)) if unknown else str(uuid4())
            entry = action("identify", target=target, card=data.draw(st.integers(2, 99)))
        elif step == "adopt":
            deck = data.draw(st.integers(60, 84))
            entry = {"id": str(uuid4()), "type": "adopt", "table": {**SHOWN, "deck": deck}}
        elif step == "rewind":
            version = data.draw(st.integers(0, table.game.head.version))
            entry = {"id": str(uuid4()), "type": "rewind", "to_version": version}
        else:
            entry = action(step)
        table.send(entry)
    assert_recomputable(table)
    while table.game.head.undo is not None:
        assert table.send(action("undo")).refusal is None
    assert bare(table.game.head) == bare(start)
