"""What browsers are sent of a source: its code line by line, without what is there for readers only."""

import re

import orjson

_BLOCK = r"/\*(?:(?!\*/).)*\*/"
_WHOLE_LINES = re.compile(rf"^[ \t]*(?://[^\n]*|{_BLOCK}[ \t]*)$", re.MULTILINE | re.DOTALL)
_TYPES = re.compile(r"/\*\* @type \{[^*]*\} \*/ ?")
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
# Nothing that people read is written in scripts, so these stand in no string.
_AIR = re.compile(r" (=>|[=?:+]|===|!==|&&|\|\||\?\?) |(?<=\{) | (?=\})|(?<=,) (?=[\w({\[])")
_AROUND_MARKS = re.compile(r"\s*([{};,]|:(?= ))\s*")


def slimmed(name: str, source: bytes) -> bytes:
    """`source` of the file `name` without comments and spaces that mean nothing; raises ValueError for what
    is no JSON and should be. Lines of scripts keep their numbers; none may be within a template literal.
    """
    if name.endswith(".json"):
        return orjson.dumps(orjson.loads(source))
    if not name.endswith((".css", ".js")):
        return source
    text = _WHOLE_LINES.sub(lambda found: "\n" * found.group().count("\n"), source.decode())
    if name.endswith(".css"):
        return _AROUND_MARKS.sub(r"\1", text).strip().encode()
    text = _INDENTATION.sub("", _TYPES.sub("", text))
    return _AIR.sub(lambda found: found.group(1) or "", text).encode()
