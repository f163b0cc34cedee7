"""Owns the words in which a conflict is put to the players, in every language; the phrases lie beside it."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from services.rules.the_game.actions import Action
from services.rules.the_game.discarding import Discarded
from services.rules.the_game.findings import Difference
from services.rules.the_game.piles import NAMES, NUMBERS, RISING, untouched
from services.rules.the_game.questions import Question
from shared.contracts.problems import LANGUAGES

Json = dict[str, Any]


def texts(
    newer: str | None,
    difference: Difference | None,
    discarded: tuple[Discarded, Discarded],
    questions: Sequence[Question],
) -> dict[str, Json]:
    """`{summary, keep_cloud, keep_device, questions: {id: text}}` by language.

    `newer` is "cloud", "device" or None when nobody knows; `discarded` is what keeping the cloud's story and
    what keeping the device's would lose.
    """
    said = {}
    for language in LANGUAGES:
        voice = _Voice(language)
        said[language] = {
            "summary": voice.summary(newer, difference),
            "keep_cloud": voice.keeping("keep_cloud", discarded[0]),
            "keep_device": voice.keeping("keep_device", discarded[1]),
            "questions": {question.id: voice.question(question) for question in questions},
        }
    return said


@cache
def phrases(language: str) -> Json:
    """The phrases of one of `LANGUAGES`, with the names of what is to be filled in."""
    catalogue = Path(__file__).parent / "wording" / f"{language}.json"
    found: Json = json.loads(catalogue.read_text(encoding="utf-8"))
    return found


def plural(language: str, count: int) -> str:
    """The name of the form that a language uses for this many (Unicode CLDR, whole numbers)."""
    if language == "sl":
        return {1: "one", 2: "two", 3: "few", 4: "few"}.get(count % 100, "other")
    return "one" if count == 1 or (language == "fr" and count == 0) else "other"


class _Voice:
    """Speaks one language."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._phrases = phrases(language)

    def summary(self, newer: str | None, difference: Difference | None) -> str:
        """Which side is newer, where they part, and what each has there."""
        parts = [self._phrases["newer"][newer]] if newer else []
        if difference is None:
            return " ".join([*parts, self._phrases["no_parting"]])
        parting = self._phrases["parting"].format(turn=difference.turn, player=difference.seat + 1)
        entered = [self._entered(action) for action in (difference.cloud, difference.device)]
        return " ".join([*parts, parting, self._sides(*entered)])

    def keeping(self, choice: str, lost: Discarded) -> str:
        """What a choice would discard: how much, and which cards."""
        if not lost.count:
            return str(self._phrases[choice]["nothing"])
        parts = [self._counted(self._phrases[choice], lost.count)]
        piles = [self._on_pile(name, lost.cards[name]) for name in NAMES if name in lost.cards]
        if lost.unknown:
            piles.append(self._counted(self._phrases["unknown"], lost.unknown))
        if piles:
            parts.append(self._phrases["cards"].format(list=self._phrases["between"].join(piles)))
        return " ".join([*parts, self._phrases["kept"]])

    def question(self, question: Question) -> str:
        """The question and what each side says."""
        asked = self._phrases["question"][question.fact]
        if question.pile:
            asked = asked.format(at=self._phrases["at"][question.pile])
        shown = [self._shown(question, value) for value in (question.cloud, question.device)]
        return f"{asked} {self._sides(*shown)}"

    def _sides(self, cloud: str, device: str) -> str:
        said = self._phrases["said"]
        return f"{said['cloud'].format(what=cloud)} {said['device'].format(what=device)}"

    def _entered(self, action: Action | None) -> str:
        entered = self._phrases["entered"]
        if action is None:
            return str(entered["nothing"])
        kind = "play_unknown" if action.type == "play" and action.card is None else action.type
        at = self._phrases["at"][action.pile] if action.type == "play" else ""
        return str(entered[kind].format(card=action.card, at=at))

    def _shown(self, question: Question, value: Any) -> str:
        if question.fact == "hands":
            hand = self._phrases["hand"]
            return ", ".join(hand.format(player=seat + 1, count=count) for seat, count in enumerate(value))
        if question.pile and value is None:
            return str(self._phrases["not_known"])
        if question.pile and value == untouched(RISING[NUMBERS[question.pile]]):
            return str(self._phrases["untouched"])
        return str(value)

    def _on_pile(self, pile: str, cards: Sequence[int]) -> str:
        named = self._phrases["piles"][pile]
        return str(self._phrases["on_pile"].format(pile=named, cards=", ".join(map(str, cards))))

    def _counted(self, forms: dict[str, str], count: int) -> str:
        return forms[plural(self._language, count)].format(count=count)
