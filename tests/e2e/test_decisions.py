"""The table decides between two stories: never about what it has not seen, and never for ever."""

from functools import partial

import pytest

from shared.contracts.problems import LANGUAGES
from tests.support.api import Json, action, new_game, play, send, whole_log
from tests.support.guests import owner_with_plus
from tests.support.offline import (
    Phone,
    compared,
    decide,
    decided,
    lasting,
    lays,
    path_of,
    phone,
    read,
    story_of,
    told,
    tops,
)
from tests.support.people import Person
from tests.support.system import System
from tests.support.unreliable import at_once
from tests.support.waiting import until

SHOWN = {
    "piles": {"up1": None, "up2": 12, "down1": 100, "down2": 100},
    "deck": 84,
    "hands": [5, 7],
    "active_seat": 0,
}
# Both laid a card on the same pile, and only one order of the two is legal.
ONE_ORDER = ([("up1", 45)], [("up1", 30)])
# One card on two piles.
APART = ([("up1", 12)], [("up2", 12)])
# Nothing to ask about.
JOINED = ([("up1", 12)], [("down1", 95)])


@pytest.fixture(scope="module")
def owner(system: System) -> Person:
    return owner_with_plus(system)


class Parted:
    """A game in which `kitchen` recorded on and `cellar` did too; `path` leads to their conflict."""

    def __init__(self, owner: Person, sides: tuple[list[tuple[str, int]], list[tuple[str, int]]]) -> None:
        self.owner = owner
        self.game = new_game(owner.api)
        self.kitchen, self.cellar = (phone(owner, self.game, name) for name in ("kitchen", "cellar"))
        assert self.kitchen.sync(*lays(sides[0])).status == 200
        self.cloud = self.kitchen.shown
        self.path = path_of(self.cellar.sync(*lays(sides[1])))
        self.conflict = compared(owner.api, self.path)

    @property
    def log(self) -> list[Json]:
        return whole_log(self.owner.api, self.game["id"])

    @property
    def resolutions(self) -> list[Json]:
        return [entry for entry in self.log if entry["action"]["type"] == "resolve"]

    def play(self, *actions: Json, device: Phone | None = None) -> Json:
        """Go on at the table, on the shared game."""
        answer = send((device or self.kitchen).api, self.game, actions)
        assert answer.status == 200, answer.body
        game: Json = answer.json["game"]
        return game


def test_where_the_cloud_moved_on_nothing_is_decided_nothing_discarded_and_a_new_proposal_made(
    owner: Person,
) -> None:
    parted = Parted(owner, ONE_ORDER)
    seen = parted.conflict
    assert [it["card"] for it in seen["proposal"]["actions"]] == [30, 45]
    laid = play("up1", 47)
    parted.play(laid)
    before = parted.log
    for choice, more in (("merged", {}), ("cloud", {}), ("device", {}), ("table", {"table": SHOWN})):
        refused = decide(parted.cellar.api, parted.path, choice, expected_version=1, **more)
        assert (refused.status, refused.code) == (409, "version_conflict")
        assert [entry["action"] for entry in refused.json["missed"]] == [laid]
        assert refused.json["version"] == 2
        anew = refused.json["conflict"]
        assert (anew["status"], anew["cloud_version"]) == ("needs_decision", 2)
        assert [it["card"] for it in anew["proposal"]["actions"]] == [30, 45, 47]
        assert anew["device"]["entries"] == seen["device"]["entries"]
        assert [entry["action"] for entry in anew["cloud"]["entries"]][-1] == laid
        assert anew == read(owner.api, parted.path), "and is there for every device"
    assert parted.log == before
    game = decided(parted.cellar.api, parted.path, "merged", expected_version=2)
    assert [it["card"] for it in story_of(parted.log)] == [30, 45, 47]
    assert game["table"] == anew["proposal"]["table"]


def test_what_is_played_while_the_question_is_open_is_never_lost(owner: Person) -> None:
    """Both stories go on; the one that is not chosen stays to be read, to its last card."""
    parted = Parted(owner, APART)
    on_the_table = [play("down1", 90), action("draw"), action("end_turn")]
    parted.play(*on_the_table)
    longer = parted.cellar.sync(play("down2", 80))
    assert path_of(longer) == parted.path, "the same question, about more"
    conflict = compared(owner.api, parted.path)
    assert len(conflict["questions"]) > 0
    cloud_actions = [it["action"] for it in conflict["cloud"]["entries"]]
    assert cloud_actions == [*parted.kitchen.story, *on_the_table]
    game = decided(owner.api, parted.path, "device", expected_version=4)
    assert game["table"] == conflict["device"]["table"]
    for side, actions in (("cloud", cloud_actions), ("device", parted.cellar.story)):
        opened = owner.api.post(f"{parted.path}/reopen", {"side": side}).json
        own = [entry["action"] for entry in whole_log(owner.api, opened["id"])]
        assert own == actions
        assert opened["table"] == conflict[side]["table"]


@pytest.mark.parametrize(
    ("sides", "choice", "more"),
    [
        (JOINED, None, {}),
        (ONE_ORDER, "merged", {}),
        (APART, "cloud", {}),
        (APART, "device", {}),
        (APART, "table", {"table": SHOWN}),
    ],
    ids=["proved", "merged", "cloud", "device", "table"],
)
def test_undo_of_what_settled_it_brings_the_cloud_s_branch_back_to_the_last_field(
    owner: Person, sides: tuple[list[tuple[str, int]], list[tuple[str, int]]], choice: str | None, more: Json
) -> None:
    parted = Parted(owner, sides)
    if choice is not None:
        decided(parted.cellar.api, parted.path, choice, **more)
    settled = parted.kitchen.shown
    (resolution,) = parted.resolutions
    assert settled["undo"] == {"target": resolution["action"]["id"], "type": "resolve"}
    for _ in range(2):
        undone = parted.play(action("undo", target=settled["undo"]["target"]), device=parted.cellar)
        assert lasting(undone) == lasting(parted.cloud)
        assert lasting(parted.kitchen.shown) == lasting(parted.cloud)
        assert read(owner.api, parted.path)["status"] == "needs_decision"
        redone = parted.play(action("redo", target=resolution["action"]["id"]))
        assert lasting(redone) == lasting(settled)
        assert read(owner.api, parted.path)["status"] == ("settled" if choice else "merged")
    assert read(owner.api, parted.path)["device"]["entries"] == parted.conflict["device"]["entries"]


def test_after_an_undo_the_table_may_decide_otherwise_and_every_branch_is_still_there(owner: Person) -> None:
    parted = Parted(owner, APART)
    for choice, expected in (("device", [1, 12]), ("cloud", [12, 1]), ("device", [1, 12])):
        game = decided(parted.cellar.api, parted.path, choice)
        assert tops(game)[:2] == expected
        refused = decide(owner.api, parted.path, "cloud" if choice == "device" else "device")
        assert (refused.status, refused.code) == (409, "conflict_settled")
        assert decided(owner.api, parted.path, choice) == game, "the same again is answered alike"
        assert lasting(parted.play(action("undo"))) == lasting(parted.cloud)
    assert len(parted.resolutions) == 3


@pytest.mark.parametrize("is_reread", [False, True], ids=["stored", "reread"])
def test_a_result_that_a_decision_keeps_stays_confirmed_when_it_was(owner: Person, is_reread: bool) -> None:
    """Kept as it is, or looked at again after an undo and a redo of the decision."""
    parted = Parted(owner, APART)
    over = parted.play(action("block"), action("confirm"))
    kept = decided(parted.cellar.api, parted.path, "cloud", expected_version=over["version"])
    if is_reread:
        parted.play(action("undo"))
        kept = parted.play(action("redo"))
    assert kept["result"] == over["result"]
    tables = read(owner.api, f"/v1/games/{parted.game['id']}/log?tables=true")["items"]
    confirmed = next(entry for entry in tables if entry["action"]["type"] == "confirm")
    assert [entry["result"] for entry in tables if entry["seq"] >= confirmed["seq"]] == [
        over["result"] for entry in tables if entry["seq"] >= confirmed["seq"]
    ]


def test_of_many_devices_that_decide_at_once_one_counts(owner: Person) -> None:
    parted = Parted(owner, APART)
    devices = [owner.signs_in().api for _ in range(4)]
    choices = ["cloud", "device"] * 2
    answers = at_once(
        *[partial(decide, api, parted.path, choice) for api, choice in zip(devices, choices, strict=True)]
    )
    (resolution,) = parted.resolutions
    for answer, choice in zip(answers, choices, strict=True):
        if answer.status == 200:
            assert choice == resolution["action"]["choice"]
        else:
            assert answer.code in ("conflict_settled", "version_conflict")
    assert 200 in {answer.status for answer in answers}


def test_a_table_that_cannot_be_decides_nothing_and_says_what_is_wrong(owner: Person) -> None:
    parted = Parted(owner, APART)
    for wrong, field in (({"deck": 97}, "deck"), ({"hands": [9, 9]}, "hands")):
        refused = decide(owner.api, parted.path, "table", table=SHOWN | wrong)
        assert (refused.status, refused.code) == (422, "table_impossible")
        assert field in refused.json["errors"]
    assert decide(owner.api, parted.path, "merged").code == "no_proposal"
    assert parted.resolutions == []
    assert parted.kitchen.shown == parted.cloud


def test_a_lapsed_plan_hides_nothing_discards_nothing_and_decides_nothing(system: System) -> None:
    person = owner_with_plus(system)
    parted = Parted(person, APART)
    hidden = play("down2", confirmed=True)
    parted.play(hidden)
    assert told(parted.cellar.sync(play("left", 3))) == ["accepted", "pile_unknown"]
    compared(person.api, parted.path)
    game_path = f"/v1/games/{parted.game['id']}"
    paths = [parted.path, "/v1/conflicts", game_path, f"{game_path}/log", f"{game_path}/parked"]
    seen = {path: read(person.api, path) for path in paths}

    system.run("services.accounts", "plus", "revoke", person.email)
    lapsed = parted.cellar
    until(lambda: lapsed.sync().status == 403, 15, "the plan has lapsed")
    named = {"actions": [action("identify", target=hidden["id"], card=70)]}
    for path, body in (
        (f"{game_path}/sync", lapsed.body),
        (f"{parted.path}/decision", {"choice": "cloud"}),
        (f"{parted.path}/reopen", {"side": "device"}),
        (f"{game_path}/adopt", {"table": SHOWN, "expected_version": 2}),
        (f"{game_path}/rewind", {"to_version": 0, "expected_version": 2}),
        (f"{game_path}/actions", named),
    ):
        assert lapsed.api.post(path, body).code == "plus_required", path
    for api in (lapsed.api, person.signs_in().api):
        assert {path: read(api, path) for path in paths} == seen
    assert send(lapsed.api, parted.game, [play("down1", 95)], expected_version=2).status == 200
    system.run("services.accounts", "plus", "grant", person.email)
    back = person.signs_in().api
    assert tops(decided(back, parted.path, "device", expected_version=3)) == [1, 12, 100, 100]


@pytest.mark.parametrize("newer", ["cloud", "device"])
def test_a_conflict_speaks_the_reader_s_language(owner: Person, newer: str) -> None:
    """In words: which side is newer, where they part, what each choice would discard, what is asked."""
    game = new_game(owner.api)
    kitchen, cellar = phone(owner, game, "kitchen"), phone(owner, game, "cellar")
    early, late = "2026-05-01T18:30:00Z", "2026-05-01T19:30:00Z"
    ats = (late, early) if newer == "cloud" else (early, late)
    kitchen.sync(*[it | {"at": ats[0]} for it in lays([("up1", 7), ("up1", 43)])])
    opened = cellar.sync(*[it | {"at": ats[1]} for it in lays([("up2", 43), ("down1", 88), ("down1", 77)])])
    path = path_of(opened)
    assert compared(owner.api, path)["newer"] == newer
    spoken = {}
    for tag in LANGUAGES:
        answer = owner.api.get(path, Accept_Language=f"{tag}-XX, xx;q=0.5")
        assert answer.headers["Content-Language"] == tag
        assert "Accept-Language" in answer.headers["Vary"]
        document = answer.json
        text, (question,) = document["text"], document["questions"]
        assert "43" in text["summary"], "the card on which they part"
        assert "3" in text["keep_cloud"]
        assert {"43", "77", "88"} <= numbers(text["keep_cloud"])
        assert {"7", "43"} <= numbers(text["keep_device"])
        assert question["text"].count("?") == 1
        listed = read(owner.api, f"/v1/conflicts?game_id={game['id']}", Accept_Language=tag)["items"]
        assert (listed[0]["text"], listed[0]["questions"]) == (text, document["questions"])
        spoken[tag] = (*text.values(), question["text"])
    assert set(spoken) == {"en", "de", "es", "fr", "it", "pt", "sl"}
    for sentences in zip(*spoken.values(), strict=True):
        assert len(set(sentences)) == len(LANGUAGES), "no language is another's"
    named = {"cloud": "shared game", "device": "offline device"}
    assert named[newer] in spoken["en"][0].partition(".")[0]
    assert read(owner.api, path, Accept_Language="nl")["text"]["summary"] == spoken["en"][0]


def numbers(sentence: str) -> set[str]:
    return set("".join(it if it.isdigit() else " " for it in sentence).split())
