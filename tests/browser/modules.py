"""Runs pure modules of the client where they belong: in a browser, for there is no other engine here."""

from typing import Any

from tests.support.browser import Screen


class Modules:
    """The client's modules, imported into a page of it."""

    def __init__(self, screen: Screen) -> None:
        self._page = screen.page
        screen.open()
        self._root = str(screen.page.get_attribute("script[type=module]", "src")).rpartition("/")[0]

    def call(self, module: str, function: str, *arguments: Any) -> Any:
        """What the exported `function` of `module` (`table/next.js`) returns, as JSON."""
        return self._page.evaluate(
            "async ([path, name, given]) => (await import(path))[name](...given)",
            [f"{self._root}/{module}", function, list(arguments)],
        )

    def run(self, body: str, *arguments: Any) -> Any:
        """What an async function with the parameters `load` and `given` returns; `load(module)` imports."""
        return self._page.evaluate(
            f"async ([root, given]) => {{ const load = (name) => import(`${{root}}/${{name}}`); {body} }}",
            [self._root, list(arguments)],
        )
