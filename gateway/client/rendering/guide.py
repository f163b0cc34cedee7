"""The guide on a terminal: its Markdown laid out, each drawing told in words."""

import re
from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

from gateway.client.contract import GuideSection
from gateway.client.rendering.text import printable

WIDTH = 80
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")


def guide_view(sections: Iterable[GuideSection]) -> RenderableType:
    """The sections below each other, in lines that are easily read."""
    return Constrain(Group(*(part for section in sections for part in _section(section))), WIDTH)


def _section(section: GuideSection) -> tuple[RenderableType, ...]:
    text = _IMAGE.sub(r"> \1", section["markdown"])
    safe = "\n".join(map(printable, text.split("\n")))
    return Text(printable(section["title"]), style="bold underline"), Padding(Markdown(safe), (1, 0))
