"""The pages: documentation, problems in every language, nothing loaded from anywhere else."""

import re
from pathlib import Path

import pytest

import gateway
from shared.contracts.problems import CODES, LANGUAGES, details
from tests.integration.gateway.conftest import Visitor

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
WEB = Path(gateway.__file__).parent / "web"
PAGES = ["/docs", "/problems", "/problems/illegal_play"]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_loads_nothing_from_elsewhere_and_everything_it_names_is_there(
    visitor: Visitor, path: str
) -> None:
    reply = visitor.get(path, headers=HTML)
    assert reply.content_type == "text/html; charset=utf-8"
    assert reply.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'")
    named = re.findall(r'(?:src|href)="([^"#]+)"', reply.text)
    assert named
    for address in named:
        assert address.startswith("/")
        assert not address.startswith("//")
        assert visitor.get(address).status_code in (200, 503)


@pytest.mark.parametrize(
    "file", sorted(WEB.rglob("*.html")) + sorted(WEB.rglob("*.js")), ids=lambda it: it.name
)
def test_no_file_needs_what_the_policy_forbids(file: Path) -> None:
    text = file.read_text("utf-8")
    assert not re.search(
        r"https?://(?!www\.w3\.org/)|\bstyle=|<style|<script(?![^>]*\bsrc=)|\son\w+=|innerHTML|eval\(", text
    )


def test_modules_that_the_documentation_imports_are_served(visitor: Visitor) -> None:
    for module in ("docs.js", "elements.js", "schemas.js"):
        reply = visitor.get(f"/docs/{module}")
        assert reply.content_type == "text/javascript; charset=utf-8"
        for name in re.findall(r'from "\./([^"]+)"', reply.text):
            assert visitor.get(f"/docs/{name}").status_code == 200


def test_the_document_is_json_with_an_etag(visitor: Visitor) -> None:
    reply = visitor.get("/v1/openapi.json")
    assert reply.json["openapi"] == "3.1.0"
    again = visitor.get("/v1/openapi.json", headers={"If-None-Match": reply.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_page_in_every_language(visitor: Visitor, language: str) -> None:
    headers = {"Accept-Language": language}
    for code, entry in CODES.items():
        page = visitor.get(f"/problems/{code}", headers=HTML | headers)
        assert page.headers["Content-Language"] == language
        assert f'<html lang="{language}">' in page.text
        assert page.text.count(code) >= 2
        document = visitor.get(f"/problems/{code}", headers=headers).json
        assert document["detail"] == details(language)[code]
        assert (document["code"], document["status"]) == (code, entry.status)


def test_all_codes_are_listed(visitor: Visitor) -> None:
    assert [item["code"] for item in visitor.get("/problems").json["items"]] == list(CODES)
    page = visitor.get("/problems", headers=HTML).text
    assert re.findall(r'href="/problems/(\w+)"', page) == list(CODES)


def test_an_unknown_code_has_no_page(visitor: Visitor) -> None:
    assert visitor.get("/problems/nonsense", headers=HTML).status_code == 404
