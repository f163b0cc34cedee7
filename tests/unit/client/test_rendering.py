"""What people read: sentences, the table, lists and refusals."""

import io
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from gateway.client import ApiProblem
from gateway.client.contract import Evaluation, Instruction
from gateway.client.rendering.lists import games_view, players_view
from gateway.client.rendering.outcomes import happened, judged
from gateway.client.rendering.refusals import NEXT, refusal
from gateway.client.rendering.sentences import entry, instruction, next_step, standing_result
from gateway.client.rendering.table import game_view, standing
from gateway.client.rendering.text import cards, printable, runs
from shared.contracts.problems import CODES
from tests.unit.client import documents as a

NAMES = ["Ana", "Ben"]


def text(view: RenderableType, width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(view)
    return cast("io.StringIO", console.file).getvalue()


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ([], ""),
        ([7], "7"),
        ([7, 8], "7, 8"),
        ([9, 7, 8], "7-9"),
        ([2, 4, 5, 6, 9, 10], "2, 4-6, 9, 10"),
        (range(2, 100), "2-99"),
    ],
)
def test_cards_in_a_row_are_joined(numbers: Any, shown: str) -> None:
    assert runs(numbers) == shown


@given(st.sets(st.integers(2, 99)))
def test_runs_name_exactly_the_cards_given(numbers: set[int]) -> None:
    named: set[int] = set()
    for piece in filter(None, runs(numbers).split(", ")):
        first, _, last = piece.partition("-")
        named |= set(range(int(first), int(last or first) + 1))
    assert named == numbers


def test_one_card_is_singular() -> None:
    assert (cards(0), cards(1), cards(2)) == ("0 cards", "1 card", "2 cards")


@given(st.text())
def test_nothing_printed_can_steer_a_terminal(name: str) -> None:
    assert printable(name).translate(dict.fromkeys(map(ord, "\u00a0\u202f"), " ")).isprintable()


def test_french_keeps_the_spaces_before_its_signs() -> None:
    assert printable("Prêt\u202f? «\u00a0Oui\u00a0»\u2028") == "Prêt\u202f? «\u00a0Oui\u00a0»\ufffd"


INSTRUCTIONS: list[tuple[Instruction, str]] = [
    ({"kind": "draw", "seat": 0, "count": 2}, "Ana draws 2 cards."),
    ({"kind": "draw", "seat": 1, "count": 1}, "Ben draws 1 card."),
    ({"kind": "return_cards", "seat": 0, "count": 2}, "Ana puts 2 cards back on the deck."),
    ({"kind": "take_back", "seat": 1, "pile": "up1", "card": 17}, "Ben takes 17 back from up1."),
    ({"kind": "take_back", "seat": 1, "pile": "up1"}, "Ben takes the top card back from up1."),
    ({"kind": "next_player", "seat": 1}, "Next: Ben."),
]


@pytest.mark.parametrize(("given_one", "sentence"), INSTRUCTIONS)
def test_an_instruction_is_a_sentence_to_the_table(given_one: Instruction, sentence: str) -> None:
    game = cast("Any", a.game())
    assert instruction(given_one, NAMES, game["table"], None) == sentence


@pytest.mark.parametrize(
    ("table", "result", "sentence"),
    [
        ({}, None, None),
        (
            {"status": "blocked", "remaining": 12},
            None,
            "Blocked with 12 cards left: confirm the result, or undo.",
        ),
        ({"status": "cleared", "remaining": 0}, None, "Every card is laid: confirm the result."),
        ({"status": "finished"}, a.result(), "The game is over. Won: no card left."),
        (
            {"status": "finished"},
            a.result("loss", 9, "excellent"),
            "The game is over. Excellent: 9 cards left.",
        ),
        ({"status": "finished"}, a.result("loss", 40, "counted"), "The game is over. Lost: 40 cards left."),
    ],
)
def test_the_result_is_told_as_it_stands(table: Any, result: Any, sentence: str | None) -> None:
    assert standing_result(cast("Any", a.table(**table)), result) == sentence


@pytest.mark.parametrize(
    ("table", "step"),
    [
        ({}, "Ana lays at least 2 cards."),
        ({"played_this_turn": 1}, "Ana lays at least 1 more card."),
        ({"played_this_turn": 2, "to_draw": 2}, "Ana may lay more, or draws 2 cards: `ninety8 draw`."),
        ({"played_this_turn": 7, "to_draw": 7, "hands": [0, 7]}, "Ana draws 7 cards: `ninety8 draw`."),
        ({"played_this_turn": 2, "deck": 0}, "Ana may lay more, or ends the turn: `ninety8 end`."),
        ({"phase": "drawn", "active_seat": 1}, "Ben has drawn: `ninety8 end` ends the turn."),
        ({"status": "blocked"}, "`ninety8 confirm` confirms the result, `ninety8 undo` leads back."),
        ({"status": "finished"}, None),
    ],
)
def test_the_next_step_names_its_command(table: Any, step: str | None) -> None:
    assert next_step(cast("Any", a.table(**table)), NAMES) == step


def test_the_table_shows_piles_turn_counts_and_what_to_do() -> None:
    piles = {
        "up1": a.pile("up", 17, [7, *range(18, 100)]),
        "up2": a.pile("up", None, [98, 99], [30, 31, 32]),
        "down1": a.pile("down", 100, range(2, 100)),
        "down2": a.pile("down", 2),
    }
    table = {"piles": piles, "played_this_turn": 1, "to_draw": 1, "control": "partial", "remaining": 95}
    game = cast("Any", a.game(table=table, version=3))
    shown = text(game_view(game, [{"kind": "next_player", "seat": 0}]))
    lines = [line.rstrip() for line in shown.splitlines()]
    assert lines == [
        "Ana, Ben · version 3",
        "pile     top  may be laid",
        "up1 ↑     17  7, 18-99",
        "up2 ↑      ?  98, 99; only confirmed: 30-32",
        "down1 ↓  100  2-99",
        "down2 ↓    2  -",
        "Turn 1: Ana · laid 1, minimum 2 · to draw 1",
        "Hands: Ana 7 · Ben 7",
        "Deck 84 · not laid yet 95",
        "A card was laid without its value, so not everything can be checked.",
        "Last instruction: Next: Ana.",
        "Ana lays at least 1 more card.",
    ]


def test_a_game_in_the_bin_is_shown_as_such() -> None:
    assert "version 0 · in the bin" in text(game_view(cast("Any", a.game(binned_at="2026-01-03T10:00:00Z"))))


def test_a_finished_table_shows_the_result_and_no_next_step() -> None:
    game = cast("Any", a.game(table={"status": "finished", "remaining": 0}, result=a.result()))
    shown = text(game_view(game))
    assert "The game is over. Won: no card left." in shown
    assert "ninety8" not in shown


def test_names_are_shown_and_never_read_as_markup() -> None:
    seats = [{"seat": 0, "name": "[red]Ana[/red]", "hand": 7}, {"seat": 1, "name": "B\x1b[2Jen", "hand": 7}]
    game = cast("Any", a.game(players=seats))
    for shown in (text(game_view(game)), text(games_view([game], None), width=200)):
        assert "[red]Ana[/red]" in shown
        assert "\x1b" not in shown


def test_who_has_no_name_any_more_is_called_by_the_seat() -> None:
    """The owner of the game has deleted their account; those who keep it see no names."""
    seats = [{"seat": 0, "name": "", "hand": 7}, {"seat": 1, "name": "", "hand": 7}]
    game = cast("Any", a.game(players=seats))
    for shown in (text(game_view(game)), text(games_view([game], None), width=200)):
        assert "Player 1, Player 2" in shown


def test_the_standing_is_the_four_tops() -> None:
    assert standing(cast("Any", a.table())) == "up1 ↑1  up2 ↑1  down1 ↓100  down2 ↓100"


def test_games_are_listed_with_the_one_in_use_marked() -> None:
    won = cast("Any", a.game(id="g2", table={"status": "finished", "remaining": 0}, result=a.result()))
    lines = text(games_view([cast("Any", a.game()), won], a.GAME_ID), width=200).splitlines()
    assert lines[1].split() == ["*", a.GAME_ID, "Ana,", "Ben", "playing", "98", "2026-01-02", "10:30"]
    assert lines[2].split() == ["g2", "Ana,", "Ben", "won", "0", "2026-01-02", "10:30"]


def test_players_are_listed_with_what_is_special_about_them() -> None:
    shown = text(
        players_view(
            [
                {"id": "1", "name": "Ana", "colour": "#ff0000"},
                {"id": "2", "name": "Ben", "archived": True},
                {"id": "3", "name": "Benny", "merged_into": "2"},
            ]
        )
    )
    assert [line.split() for line in shown.splitlines()[1:]] == [
        ["Ana", "#ff0000", "1"],
        ["Ben", "archived", "2"],
        ["Benny", "merged", "3"],
    ]


def test_an_entry_of_the_log_is_a_line() -> None:
    play = cast("Any", a.entry(3, {"type": "play", "pile": "up1", "card": 17}))
    hidden = cast("Any", a.entry(4, {"type": "play", "pile": "up1"}, effective=False))
    drawn = cast("Any", a.entry(12, {"type": "draw"}, instructions=[{"kind": "draw", "seat": 1, "count": 2}]))
    back = {"kind": "take_back", "seat": 0, "pile": "up1", "card": 17}
    undo = cast("Any", a.entry(13, {"type": "undo"}, effective=False, instructions=[back]))
    assert entry(play, NAMES) == "   3  17 on up1"
    assert entry(hidden, NAMES) == "   4  a card without its value on up1  [undone]"
    assert entry(drawn, NAMES) == "  12  draw (Ben drew 2)"
    assert entry(undo, NAMES) == "  13  undo (Ana took 17 back)"


def test_what_happened_is_told_action_by_action_without_the_refused_one() -> None:
    wanted: Any = [{"type": "play", "pile": "up1", "card": 17}, {"type": "block"}, {"type": "draw"}]
    outcomes: Any = [
        a.outcome(),
        a.outcome(warnings=["block_contradicted"], instructions=[{"kind": "next_player", "seat": 1}]),
        a.outcome("rejected", code="result_pending"),
    ]
    assert happened(wanted, outcomes, cast("Any", a.game())) == [
        "Ana lays 17 on up1.",
        "Next: Ben.",
        "Warning: By the cards not seen yet, enough of this hand can still be laid: look again.",
    ]


def test_an_evaluation_names_what_is_refused_and_counts() -> None:
    wanted: Any = [{"type": "play", "pile": "up1", "card": 17}, {"type": "play", "pile": "up1", "card": 3}]
    evaluation = {"outcomes": [a.outcome(), a.outcome("rejected", code="illegal_play")]}
    assert judged(wanted, cast("Evaluation", evaluation)) == [
        "   2  3 on up1: refused (illegal_play)",
        "2 actions: 1 accepted, 1 refused.",
    ]


def problem(code: str, status: int = 422, retry_after_s: float | None = None, **extra: Any) -> ApiProblem:
    document = {"code": code, "status": status, "detail": "What is wrong.", "request_id": "r-7", **extra}
    return ApiProblem(document, retry_after_s)


def test_a_refusal_says_what_the_gateway_says_and_the_command_that_leads_on() -> None:
    assert refusal(problem("draw_required")) == [
        "Refused (draw_required): What is wrong.",
        "Next: ninety8 draw.",
    ]


def test_a_refusal_lists_what_was_missed() -> None:
    missed = [a.entry(4, {"type": "play", "pile": "up1", "card": 17}), a.entry(5, {"type": "block"})]
    lines = refusal(problem("version_conflict", 409, missed=missed, version=5), NAMES)
    assert lines[1:4] == ["Missed since:", "   4  17 on up1", "   5  block declared"]


def test_a_refusal_that_comes_with_a_time_says_it() -> None:
    assert "Try again in 900 s." in refusal(problem("too_many_requests", 429, 900.0))


def test_a_failure_of_the_gateway_names_the_request() -> None:
    assert refusal(problem("internal_error", 500))[-1] == "Request r-7."


def test_field_errors_are_shown() -> None:
    lines = refusal(problem("validation_failed", errors={"json": {"name": ["too long"]}}))
    assert lines[1] == '  {"json": {"name": ["too long"]}}'


def test_every_next_step_is_for_a_code_that_exists() -> None:
    assert NEXT.keys() <= CODES.keys()
