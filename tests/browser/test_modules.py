"""The client's pure parts: what a journal tells, how tables look ahead, what keys mean, how streams read."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.modules import Modules
from tests.support.browser import Screen
from tests.support.system import EmbeddedSystem


@pytest.fixture(scope="module")
def modules(browser: Browser, embedded: EmbeddedSystem) -> Iterator[Modules]:
    screen = Screen(browser, embedded.url)
    yield Modules(screen)
    screen.close()


def play(name: str, pile: str = "up1", card: int | None = None) -> dict[str, Any]:
    return {"id": name, "type": "play", "pile": pile} | ({} if card is None else {"card": card})


def game() -> dict[str, Any]:
    piles = {
        name: {"direction": name[:-1], "top": top, "playable": [50, 51], "uncertain": [52]}
        for name, top in {"up1": 10, "up2": 1, "down1": 90, "down2": 100}.items()
    }
    table = {
        "status": "playing",
        "phase": "play",
        "turn": 1,
        "active_seat": 0,
        "hands": [6, 6],
        "deck": 80,
        "minimum": 2,
        "played_this_turn": 0,
        "to_draw": 0,
        "remaining": 96,
        "piles": piles,
        "played": [10, 90],
    }
    return {"version": 4, "table": table, "undo": {"target": "z", "type": "end_turn"}, "redo": None}


def fold(modules: Modules, *lines: dict[str, Any]) -> Any:
    return modules.call("offline/fold.js", "fold", list(lines))


def outcome(name: str, verdict: str = "accepted") -> dict[str, Any]:
    return {"action_id": name, "verdict": verdict, "code": "illegal_play", "reason": "it does not fit"}


def test_a_journal_holds_what_is_not_answered_in_order(modules: Modules) -> None:
    told = fold(modules, {"base": {"version": 7}}, {"action": play("a")}, {"action": play("b")})
    assert [it["id"] for it in told["pending"]] == ["a", "b"]
    assert told["base_version"] == told["version"] == 7
    answered = {"answered": {"version": 8, "outcomes": [outcome("a")]}}
    told = fold(modules, {"base": {"version": 7}}, {"action": play("a")}, {"action": play("b")}, answered)
    assert [it["id"] for it in told["pending"]] == ["b"]
    assert told["version"] == 8


def test_what_was_refused_stays_until_somebody_has_read_it(modules: Modules) -> None:
    lines = [
        {"base": {"version": 1}},
        {"action": play("a", card=5)},
        {"answered": {"version": 1, "outcomes": [outcome("a", "rejected")]}},
    ]
    told = fold(modules, *lines)
    assert told["pending"] == []
    assert told["refused"][0]["reason"] == "it does not fit"
    assert not modules.call("offline/fold.js", "isDone", told)
    assert modules.call("offline/fold.js", "isDone", fold(modules, *lines, {"dismissed": ["a"]}))


def test_entries_that_were_overtaken_wait_for_a_decision(modules: Modules) -> None:
    lines = [{"base": {"version": 1}}, {"action": play("a")}, {"overtaken": {"version": 3, "missed": 2}}]
    assert fold(modules, *lines)["overtaken"] == {"version": 3, "missed": 2}
    anyway = fold(modules, *lines, {"anyway": True})
    assert (anyway["overtaken"], anyway["anyway"]) == (None, True)
    discarded = fold(modules, *lines, {"dismissed": ["a"]})
    assert (discarded["pending"], discarded["overtaken"]) == ([], None)


def test_a_branch_that_opened_a_conflict_is_sent_no_more(modules: Modules) -> None:
    told = fold(
        modules,
        {"base": {"version": 1}},
        {"action": play("a")},
        {"conflict": {"id": "c", "ids": ["a"]}},
    )
    assert (told["pending"], told["conflict"]) == ([], "c")


def project(modules: Modules, *actions: dict[str, Any]) -> Any:
    return modules.run(
        """const { project } = await load("table/projection.js");
           const view = project(...given);
           return { ...view, pending: [...view.pending] };""",
        game(),
        list(actions),
    )


def test_a_card_is_shown_at_once_and_marked(modules: Modules) -> None:
    view = project(modules, play("a", "up1", 20))
    assert view["pending"] == ["up1"]
    table = view["table"]
    assert (table["piles"]["up1"]["top"], table["hands"], table["played_this_turn"]) == (20, [5, 6], 1)
    assert table["piles"]["up1"]["playable"] == []
    assert view["undo"] == {"target": "a", "type": "play"}


def test_whose_turn_it_is_after_an_unchecked_end_is_for_the_rules_to_say(modules: Modules) -> None:
    view = project(modules, play("a", card=20), {"id": "b", "type": "draw"}, {"id": "c", "type": "end_turn"})
    assert (view["isSeatKnown"], view["areCountsKnown"]) == (False, False)
    assert view["table"]["played_this_turn"] == 0


def test_taking_back_what_was_just_entered_shows_the_table_as_before(modules: Modules) -> None:
    view = project(modules, play("a", card=20), {"id": "b", "type": "undo", "target": "a"})
    assert view["table"]["piles"]["up1"]["top"] == 10
    assert view["undo"] == {"target": "z", "type": "end_turn"}
    assert view["redo"] == {"target": "a", "type": "play"}


def test_taking_back_what_was_answered_long_ago_leaves_the_counts_open(modules: Modules) -> None:
    view = project(modules, {"id": "b", "type": "undo", "target": "z"})
    assert view["undo"] is None
    assert not view["areCountsKnown"]


def following(modules: Modules, instructions: list[Any] | None = None, **changes: Any) -> Any:
    view = {"table": game()["table"] | changes, "areCountsKnown": True, "isAhead": False, "pending": []}
    return modules.call("table/next.js", "next", view, instructions or [])


def test_there_is_always_one_thing_that_comes_next(modules: Modules) -> None:
    assert following(modules) == {"kind": "play", "owed": 2}
    assert following(modules, played_this_turn=2, to_draw=2) == {"kind": "draw", "count": 2}
    assert following(modules, played_this_turn=2, to_draw=0) == {"kind": "end_turn"}
    assert following(modules, phase="drawn") == {"kind": "end_turn"}
    assert following(modules, status="blocked") == {"kind": "confirm"}
    assert following(modules, status="finished") == {"kind": "over"}
    back = {"kind": "return_cards", "seat": 0, "count": 2}
    assert following(modules, [back]) == {"kind": "give_back", "instruction": back}


def judged(modules: Modules, card: int, pile: str = "up1") -> Any:
    return modules.run(
        """const { judged } = await load("table/next.js");
           const [table, pile, card] = given;
           return judged({ table, pending: new Set(["down2"]), isSeatKnown: true }, pile, card);""",
        game()["table"],
        pile,
        card,
    )


def test_the_pad_says_what_the_table_says(modules: Modules) -> None:
    assert [judged(modules, card) for card in (50, 52, 60, 10)] == [
        "playable",
        "uncertain",
        "impossible",
        "out",
    ]
    assert judged(modules, 60, "down2") == "unchecked"


def keys(modules: Modules, *pressed: str) -> Any:
    return modules.run(
        """const { typed } = await load("table/keys.js");
           let typing = { typed: "", pile: null };
           const done = [];
           for (const key of given) {
             const found = typed(typing, key);
             if (!found) continue;
             typing = found.typing;
             if (found.play) done.push([found.play.pile, found.play.card]);
             if (found.command) done.push(found.command);
           }
           return { done, typing };""",
        *pressed,
    )


def test_digits_and_a_pile_lay_a_card_in_either_order(modules: Modules) -> None:
    assert keys(modules, "4", "5", "q")["done"] == [["up1", 45]]
    assert keys(modules, "S", "4", "5", "Enter")["done"] == [["down2", 45]]
    assert keys(modules, "1", "4", "5", "a")["done"] == [["down1", 45]]
    assert keys(modules, "4", "Backspace", "7", "w")["done"] == [["up2", 7]]
    assert keys(modules, "n", "u", "Y", "?", "x")["done"] == ["next", "undo", "redo", "help"]
    assert keys(modules, "4", "Escape")["typing"] == {"typed": "", "pile": None}


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_stream_reads_the_same_however_it_is_cut(modules: Modules, size: int) -> None:
    text = ': hello\r\nretry: 250\r\n\r\nid: 4\r\nevent: entry\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata: x\n\n'
    read = modules.run(
        """const { EventStream } = await load("api/events.js");
           const [text, size] = given;
           const stream = new EventStream();
           const found = [];
           for (let at = 0; at < text.length; at += size)
             found.push(...stream.feed(text.slice(at, at + size)));
           return { found, retry: stream.retryMs };""",
        text,
        size,
    )
    assert read["found"] == [
        {"event": "entry", "data": '{"a":\n1}', "id": "4"},
        {"event": "message", "data": "x", "id": "4"},
    ]
    assert read["retry"] == 250


def test_groups_are_the_people_who_played_together_the_latest_first(modules: Modules) -> None:
    def played(*names: str) -> dict[str, Any]:
        return {"players": [{"name": name} for name in names], "options": {"difficulty": "normal"}}

    games = [played("Ana", "Ben"), played("Cid"), played("Ana", "Ben"), played("", "Ben")]
    found = modules.call("table/groups.js", "groups", games)
    assert [[it["name"] for it in group["players"]] for group in found] == [["Ana", "Ben"], ["Cid"]]


def test_an_axis_ends_at_a_round_number(modules: Modules) -> None:
    tops = [modules.call("parts/charts.js", "ceiling", most) for most in (0, 1, 3, 8, 11, 98)]
    assert tops == [1, 1, 5, 10, 20, 100]


def test_what_is_entered_before_an_answer_goes_on_from_it(modules: Modules) -> None:
    lines = [{"base": {"version": 5}}, {"action": play("a")}, {"action": play("b")}, {"action": play("c")}]
    answered = {"answered": {"version": 7, "outcomes": [outcome("a"), outcome("b")]}}
    told = fold(modules, *lines, answered)
    assert ([it["id"] for it in told["pending"]], told["base_version"]) == (["c"], 7)
    branch = [play("a"), play("b")]
    told = fold(modules, *lines, {"conflict": {"id": "x", "ids": ["a", "b"], "branch": branch}})
    assert ([it["id"] for it in told["pending"]], told["base_version"]) == (["c"], 5)
    assert told["branch"] == branch
    assert fold(modules, *lines, {"base": {"version": 9}})["branch"] == []


def test_an_entry_of_rules_says_what_undo_takes_the_others_leave_it_open(modules: Modules) -> None:
    after = [
        modules.call("table/projection.js", "referencesAfter", {"id": "a", "type": name})
        for name in ("draw", "undo", "resolve")
    ]
    assert after == [{"undo": {"target": "a", "type": "draw"}, "redo": None}, None, None]


def test_enter_lays_a_typed_card_wherever_the_focus_is(modules: Modules) -> None:
    asked = """const { isElsewhere } = await load("table/keys.js");
               const target = document.createElement("button");
               const event = { key: "Enter", target };
               return ["45", ""].map((typed) => isElsewhere(event, { typed, pile: "up1" }));"""
    assert modules.run(asked) == [False, True]


def test_a_closed_database_is_opened_again(modules: Modules) -> None:
    kept = """const { keepGame, keptGame } = await load("offline/journal.js");
              await keepGame({ id: "g", version: 1 }, "somebody");
              const original = IDBDatabase.prototype.transaction;
              let times = 0;
              IDBDatabase.prototype.transaction = function (...given) {
                if (times++ === 0) throw new DOMException("closing", "InvalidStateError");
                return original.apply(this, given);
              };
              const found = await keptGame({ id: "g", owner: "somebody" });
              const others = await keptGame({ id: "g", owner: "somebody else" });
              IDBDatabase.prototype.transaction = original;
              return [found?.version, others ?? null];"""
    assert modules.run(kept) == [1, None]


def test_an_answer_that_breaks_off_counts_as_none(modules: Modules) -> None:
    asked = """const { content } = await load("api/http.js");
               const { Unreachable } = await load("api/problems.js");
               const error = await content(new Response("{\\"id\\":")).catch((it) => it);
               return [error instanceof Unreachable, error.passes];"""
    assert modules.run(asked) == [True, True]
