"""The command that tells the rules."""

import json

import pytest

from tests.unit.client.command import Ninety8
from tests.unit.client.peer import Peer, answers

SECTIONS = [
    {
        "id": "set-up",
        "title": "Preparación",
        "markdown": "**Barajad** las cartas:\n\n- 1 jugador\n- 2 jugadores",
    },
    {
        "id": "talk",
        "title": "Qué se puede decir",
        "markdown": "De todo.\n\n![Una pila que sube.](/v1/rulesets/the-game/guide/legal-play.svg)",
    },
]
GUIDE = {"language": "es", "sections": SECTIONS}


def test_the_rules_are_laid_out_and_drawings_are_told(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [answers(200, GUIDE)]
    told = ninety8("guide", "--lang", "es").stdout
    for line in ("Preparación", "Barajad las cartas:", " • 1 jugador", "De todo.", "▌ Una pila que sube."):
        assert line in told
    assert not [mark for mark in ("**", "![", ".svg", "\x1b") if mark in told]


def test_the_language_asked_for_is_that_of_the_command(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [answers(200, GUIDE)] * 3
    ninety8("guide", "--lang", "es")
    ninety8("guide", NINETY8_LANG="it")
    ninety8("guide")
    asked = [request.path.removeprefix("/v1/rulesets/the-game/guide") for request in peer.received]
    assert asked == ["?lang=es", "?lang=it", ""]


def test_one_section_is_told_by_its_id(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [answers(200, GUIDE)] * 2
    told = ninety8("guide", "talk").stdout
    assert "De todo." in told
    assert "Barajad" not in told
    assert json.loads(ninety8("--json", "guide", "talk").stdout) == GUIDE | {"sections": SECTIONS[1:]}


def test_a_section_that_is_not_there_names_those_that_are(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [answers(200, GUIDE)]
    result = ninety8("guide", "cheating")
    assert result.exit_code == 2
    assert "There is no section cheating; there are set-up, talk." in result.stderr


@pytest.mark.parametrize("field", ["title", "markdown"])
def test_what_a_gateway_says_cannot_steer_the_terminal(peer: Peer, ninety8: Ninety8, field: str) -> None:
    peer.script += [answers(200, GUIDE | {"sections": [SECTIONS[0] | {field: "a\x1b[2Jb\x07"}]})]
    told = ninety8("guide").stdout
    assert "a\ufffd[2Jb\ufffd" in told
    assert "\x1b" not in told
