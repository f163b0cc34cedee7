"""What browsers are sent of a source: its code line by line, without what is there for readers only."""

import re

import orjson

_BLOCK = r"/\*(?:(?!\*/).)*\*/"
_WHOLE_LINES = re.compile(rf"^[ \t]*(?://[^\n]*|{_BLOCK}[ \t]*)$", re.MULTILINE | re.DOTALL)
# Where a quote stands in it, it may be part of a string.
_ASIDES = re.compile(r"(?<=[;{]) //[^\n\"'`]*$", re.MULTILINE)
_TYPES = re.compile(r"/\*\* @type \{[^*]*\} \*/ ?")
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
# Beside what a line begins or ends with.
_BEGINNINGS = re.compile(r"^([?:+]|&&|\|\||\?\?) ", re.MULTILINE)
_ENDS = re.compile(r" (=>|=|\?|&&|\|\|)$", re.MULTILINE)
# The one parameter of a function needs no parentheses.
_LONE = re.compile(r"(?<![\w$])\((\w+)\)(?==>)")
# Nothing that people read is written in scripts, so these stand in no string.
_AIR = re.compile(
    r" (=>|[=?:+*/<>-]|[!=]==|[<>+-]=|&&|\|\||\?\?) |(?<=\{) | (?=\})"
    r"|(?<=,) (?=[\w({\[]|\"[\w.#/]|\"\"[,)]|\.\.\.)"
    r"|(?<=\)) (?=[\w{])|(?<=\}) (?=(?:else|catch|finally|from)\b)"
    r"|(?<=[\w\"\]]:) (?=[\w\"({\[!`-])"
    r"|\b(async|await|catch|const|else|export|for|from|if|import|of|return|switch|try|while) (?=[\"({\[])"
)
# A statement goes on after these.
_GO_ON = (*",({[;}?", "=", "=>", "&&", "||")
_LAST_MARKS = re.compile(r",(?=[)\]}])|;(?=\})")
_ZEROS = re.compile(r"(?<![\d.])0(?=\.\d)")
_AROUND_MARKS = re.compile(r"\s*([{};,]|:(?= ))\s*")


def slimmed(name: str, source: bytes) -> bytes:
    """`source` of the file `name` without comments and spaces that mean nothing; raises ValueError for what
    is no JSON and should be. No line of a script may end within a template literal, no loop
    may have an empty body.
    """
    if name.endswith(".json"):
        return orjson.dumps(orjson.loads(source))
    if not name.endswith((".css", ".js")):
        return source
    text = _WHOLE_LINES.sub("", source.decode())
    if name.endswith(".css"):
        text = _LAST_MARKS.sub("", _AROUND_MARKS.sub(r"\1", text))
        return _ZEROS.sub("", text).strip().encode()
    text = _INDENTATION.sub("", _TYPES.sub("", _ASIDES.sub("", text)))
    text = _ENDS.sub(r"\1", _BEGINNINGS.sub(r"\1", text))
    text = _AIR.sub(lambda found: found.group(1) or found.group(2) or "", text)
    text = _LONE.sub(r"\1", _joined(text.split("\n")))
    return _LAST_MARKS.sub("", text).encode()


def _joined(lines: list[str]) -> str:
    """`lines` in one, broken where a statement may end without a mark, and after a comment."""
    text, was = "", ""
    for line in filter(None, lines):
        goes_on = was.endswith(_GO_ON) or line[0] in set(")}].?:&|+")
        text += line if "//" not in was and (goes_on or not was) else f"\n{line}"
        was = line
    return text
