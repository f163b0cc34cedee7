"""The drawings of the guide as their tests read them."""

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from services.rules.the_game.guide.reading import figures

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A pile in a drawing: its top, the card that comes to it, and whether that is shown as right."""

    direction: str
    top: int
    card: int
    fits: bool
    texts: tuple[str, ...]
    mark: str


def tree(name: str) -> ET.Element:
    return ET.fromstring(figures()[name])


def piles(name: str) -> Iterator[ET.Element]:
    """The group of each pile in a drawing."""
    return (group for group in tree(name).iter(f"{SVG}g") if "data-pile" in group.attrib)


def drawn(name: str) -> list[Drawn]:
    """The piles of a drawing that shows plays."""
    return [
        Drawn(
            group.attrib["data-pile"],
            int(group.attrib["data-top"]),
            int(group.attrib["data-card"]),
            group.attrib["data-fits"] == "true",
            texts(group),
            next(circle.attrib["fill"] for circle in group.iter(f"{SVG}circle")),
        )
        for group in piles(name)
    ]


def texts(group: ET.Element) -> tuple[str, ...]:
    """What is written in a part of a drawing."""
    return tuple(str(text.text) for text in group.iter(f"{SVG}text"))
