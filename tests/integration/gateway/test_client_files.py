"""The web client as the gateway serves it: types, caching, the policy, its weight, nothing from elsewhere."""

import json
import re
from posixpath import normpath

import pytest

from gateway import client_files
from gateway.slimming import slimmed
from tests.integration.gateway.conftest import Visitor

MOST_BYTES = 150 * 1024
FILES = client_files.read()
NAMES = sorted(FILES.files)


def address(name: str) -> str:
    return f"/app/{FILES.version}/{name}"


@pytest.mark.parametrize("path", ["/", *(f"/{name}" for name in client_files.SCREENS), "/games/1/replay"])
def test_every_screen_has_an_address_of_its_own(visitor: Visitor, path: str) -> None:
    reply = visitor.get(path)
    assert reply.status_code == 200
    assert reply.content_type == "text/html; charset=utf-8"
    assert reply.data == FILES.shell["index.html"]
    assert reply.headers["Cache-Control"] == "no-cache"


def test_the_policy_lets_nothing_in_from_elsewhere_and_nothing_inline(visitor: Visitor) -> None:
    policy = visitor.get("/").headers["Content-Security-Policy"]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert rules["img-src"] == "'self' data:"
    assert "unsafe" not in policy
    assert rules["frame-ancestors"] == rules["base-uri"] == "'none'"


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_kept_for_good_at_the_address_of_its_version(visitor: Visitor, name: str) -> None:
    reply = visitor.get(address(name))
    assert reply.status_code == 200
    assert reply.content_type == client_files.media_type(name)
    assert reply.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
    again = visitor.get(address(name), headers={"If-None-Match": reply.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_a_page_opened_before_an_update_still_gets_its_files_but_keeps_none(visitor: Visitor) -> None:
    reply = visitor.get("/app/000000000000/js/main.js")
    assert reply.status_code == 200
    assert reply.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "name", ["js/nothing.js", "../settings.py", "js/../index.html", "index.html", "docs/docs.js"]
)
def test_what_is_not_a_file_of_the_client_is_not_there(visitor: Visitor, name: str) -> None:
    assert visitor.get(address(name)).status_code == 404


def test_everything_that_is_named_is_there(visitor: Visitor) -> None:
    named = re.findall(r'(?:src|href)="([^"#]+)"', visitor.get("/").text)
    named += re.findall(r'"src": "([^"]+)"', visitor.get("/manifest.webmanifest").text)
    for name in filter(lambda it: it.endswith((".css", ".js")), NAMES):
        folder = address(name).rpartition("/")[0]
        text = FILES.files[name].decode()
        named += [
            normpath(f"{folder}/{path}") for path in re.findall(r'(?:from|import\() ?"(\.[^"]+)"', text)
        ]
    assert len(named) > 100
    for path in set(named):
        assert visitor.get(path).status_code == 200, path


def test_the_worker_keeps_the_shell_of_this_version(visitor: Visitor) -> None:
    reply = visitor.get("/sw.js")
    assert reply.content_type == "text/javascript; charset=utf-8"
    assert reply.headers["Cache-Control"] == "no-cache"
    assert FILES.version in reply.text
    assert "{{" not in reply.text
    places = json.loads(re.findall(r"KEPT=Object.entries\((\{.*?\})\)", reply.text)[0])
    kept = {place.replace("*", name) for place, names in places.items() for name in names.split()}
    assert {name for name in NAMES if not name.startswith("lang/")} | {"lang/en.json"} == kept


def test_a_changed_byte_is_another_version(tmp_path) -> None:
    for name, content in {**FILES.files, **FILES.shell}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    before = client_files.read(tmp_path).version
    (tmp_path / "css/elements.css").write_bytes(b"p{margin:0}")
    assert client_files.read(tmp_path).version != before


def test_phones_that_show_no_drawing_as_an_icon_get_a_picture_of_it(visitor: Visitor) -> None:
    (path,) = re.findall(r'rel="apple-touch-icon" href="([^"]+)"', visitor.get("/").text)
    picture = visitor.get(path).data
    assert picture.startswith(b"\x89PNG")
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (180, 180)
    assert len(picture) < 2048


def test_all_that_a_visitor_may_load_weighs_little() -> None:
    first = {name: content for name, content in FILES.files.items() if not name.startswith("lang/")}
    total = sum(map(len, first.values())) + sum(map(len, FILES.shell.values()))
    assert total + len(FILES.files["lang/en.json"]) <= MOST_BYTES


def test_nothing_names_an_address_elsewhere() -> None:
    for name, content in {**FILES.files, **FILES.shell}.items():
        addresses = set(re.findall(rb"\b(?:https?|wss?):?//[^\s\"'`)]+", content))
        assert {it for it in addresses if not it.startswith(b"http://www.w3.org/")} == set(), name
        assert not re.search(rb"innerHTML|\beval\(|<style|<script(?![^>]*\bsrc=)|\sstyle=", content), name


def test_slimming_leaves_the_code() -> None:
    source = b"""// What it is.
/**
 * @param {string} a
 */
export const one = (/** @type {any} */ a) => "; // not a comment" + a; // goes;
  /** @type {number} */
  let two = { a: 2 === 2 };

if (two) {
  one(
    "a; b",
    two,
  );
} else one("}")
two = []
"""
    assert slimmed("a.js", source).decode().split("\n") == [
        'export const one=a=>"; // not a comment"+a;',
        'let two={a:2===2};if(two){one("a; b",two)}else one("}")',
        "two=[]",
    ]
    assert slimmed("a.json", b'{"a": "b c"}') == b'{"a":"b c"}'
    assert (
        slimmed("a.css", b"/* b */\na :hover, p > b {\n  margin: 0.5em 10.5em;\n}\n")
        == b"a :hover,p > b{margin:.5em 10.5em}"
    )
