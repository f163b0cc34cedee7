"""The guide as its tests read it: its blocks, the numbers in them, and the language they are in."""

import re
from itertools import groupby

from services.rules.the_game.guide.reading import sections

IMAGE = re.compile(r"!\[([^\[\]]+)\]\(/v1/rulesets/the-game/guide/([a-z-]+)\.svg\)")
WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(rf"\d+|{WORD.pattern}")
# From two on: the word for one is an article in most languages, so the guide writes it as a digit.
NUMBERS = {
    language: {form: number for number, forms in enumerate(words.split(), 2) for form in forms.split("/")}
    for language, words in {
        "en": "two three four five six seven eight nine ten eleven",
        "es": "dos tres cuatro cinco seis siete ocho nueve diez once",
        "it": "due tre quattro cinque sei sette otto nove dieci undici",
        "pt": "dois/duas três quatro cinco seis sete oito nove dez onze",
        "fr": "deux trois quatre cinq six sept huit neuf dix onze",
        "de": "zwei drei vier fünf sechs sieben acht neun zehn elf",
        "sl": "dva/dve/dveh/dvema tri/trije/treh štiri/štirje/štirih pet šest sedem osem devet deset enajst",
    }.items()
}
FREQUENT = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the and of is are not you your each to in on or it that with what how when there "
        "they who any a as has have all card cards pile piles one than no so for by",
        "es": "el los las una y no se en con para que es del cada más cuando quién qué cómo hay "
        "solo al sin tiene o si la de un por menos nadie habéis vuestra vuestras os lo cartas "
        "carta pila pilas quedan queda mazo diez todo todas aquí jugador cuántas sobre sus su "
        "a propias también",
        "it": "il gli una e non si in con per che è della ogni più quando chi come c solo su sul "
        "sulle senza delle sono al no o se la di un da meno nessuno avete vostre vostra vi lo "
        "carte carta pila pile restano mazzo dieci tutto tutte qui giocatore quante nel nella "
        "le i ha poi a mano all gioco proprie anche",
        "pt": "o os as uma e não se em com para que é da cada mais quando quem como há só ao sem na "
        "num numa tem são a de um por menos ninguém vossas vos cartas carta pilha pilhas "
        "restam baralho dez todo todas aqui jogador quantas do no nos das dos sobre seu sua "
        "jogo próprias também",
        "fr": "le les des une et ne se en avec pour que est du chaque plus quand qui sur dans vous "
        "il pas c ou la de un par moins personne votre vos l cartes carte pile piles reste "
        "pioche dix tout toutes ici joueur combien ce d au à si nous on a",
        "de": "der die das und nicht sich in mit für dass ist ihr jede mehr wenn wer wie es nur auf "
        "ohne eine zu den ein karte karten stapel zehn alle hier oder an er von bis sie je "
        "euch hat habt einer einem einen so als",
        "sl": "in ne se v z s za da je ki vsak več ko kdo kako na samo pri brez kart ali so tu ni "
        "jih vsem prosim karta karte karto kup kupu kupa kupe igra igre deset vse to od do ob "
        "pa če lahko svoje svoja ste sta a o",
    }.items()
}


def guide(language: str) -> dict[str, list[str]]:
    """By section: each paragraph, each item of a list and the text of each image."""
    return {section["id"]: blocks(section["markdown"]) for section in sections(language)}


def blocks(markdown: str) -> list[str]:
    return [IMAGE.sub(r"\1", line).removeprefix("- ") for line in markdown.splitlines() if line]


def numbers(language: str, text: str) -> list[int]:
    """The numbers in `text` as they come, in figures or in words; of equal neighbours one."""
    words = NUMBERS[language]
    found = _NUMBER.findall(text.replace("Ninety-Eight", "").lower())
    return collapsed([int(it) if it.isdigit() else words[it] for it in found if it.isdigit() or it in words])


def collapsed(found: list[int]) -> list[int]:
    return [number for number, _ in groupby(found)]


def spoken(text: str) -> str | None:
    """The language that has most of the words in `text` among its frequent ones; None when none is ahead."""
    words = WORD.findall(text.lower())
    scores = {language: sum(word in frequent for word in words) for language, frequent in FREQUENT.items()}
    best = [language for language, score in scores.items() if score == max(scores.values())]
    return best[0] if len(best) == 1 else None
