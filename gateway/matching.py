"""Which routes of the map stand behind a path."""

import re
from collections.abc import Iterable

from gateway.routes import Route

_PARAMETER = re.compile(r"\{\w+\}")
# What ids and names of rulesets are made of: nothing that a second reader of the path could read otherwise.
_VALUE = "[0-9A-Za-z-]{1,64}"

Methods = dict[str, Route]


def shape(path: str) -> str:
    """`path` without the names of its parameters: the same for every spelling of one address."""
    return _PARAMETER.sub("{}", path)


class Matcher:
    """Finds the routes of a path; the paths of `routes` do not overlap."""

    def __init__(self, routes: Iterable[Route]) -> None:
        by_path: dict[str, Methods] = {}
        for route in routes:
            by_path.setdefault(route.path, {})[route.method] = route
        self._methods = list(by_path.values())
        for methods in self._methods:
            if "GET" in methods:
                methods["HEAD"] = methods["GET"]
        self._pattern = re.compile("|".join(f"({_expression(path)})" for path in by_path))

    def find(self, path: str) -> Methods | None:
        """Method → route for `path` as it came in; None when nothing is there."""
        match = self._pattern.fullmatch(path)
        if match is None or match.lastindex is None:
            return None
        return self._methods[match.lastindex - 1]


def _expression(path: str) -> str:
    return re.sub(r"\\\{\w+\\\}", _VALUE, re.escape(path))
