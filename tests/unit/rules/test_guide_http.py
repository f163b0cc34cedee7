"""The guide over the real app: which language is answered, and how answers are kept."""

import pytest
from flask.testing import FlaskClient

from services.rules.bootstrap import web_app
from services.rules.the_game.guide.reading import figures, sections
from shared.contracts.problems import LANGUAGES

GUIDE = "/v1/rulesets/the-game/guide"


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return web_app().test_client()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_is_answered_whole_in_the_language_asked_for(client: FlaskClient, language: str) -> None:
    answer = client.get(f"{GUIDE}?lang={language}", headers={"Accept-Language": "fr, en;q=0.5"})
    assert answer.status_code == 200
    assert answer.headers["Content-Language"] == language
    assert answer.get_json() == {"language": language, "sections": sections(language)}


@pytest.mark.parametrize(
    ("query", "accepted", "spoken"),
    [
        ("?lang=pt-BR", "de", "pt"),
        ("?lang=ES_es", "de", "es"),
        ("?lang=SL", None, "sl"),
        ("?lang=ja", "de-AT, en;q=0.5", "de"),
        ("?lang=", "it", "it"),
        ("?lang=%00", "ja, sl;q=0.2, fr;q=0", "sl"),
        ("?lang=ja", None, "en"),
        ("", "ja", "en"),
        ("", "es;q=0.4, pt;q=0.6", "pt"),
        ("", None, "en"),
    ],
)
def test_a_language_that_is_not_spoken_gives_way_to_the_next(
    client: FlaskClient, query: str, accepted: str | None, spoken: str
) -> None:
    answer = client.get(GUIDE + query, headers={"Accept-Language": accepted} if accepted else {})
    assert answer.status_code == 200
    assert answer.headers["Content-Language"] == answer.get_json()["language"] == spoken
    assert answer.headers["Vary"] == "Accept-Language"
    assert answer.get_json()["sections"] == sections(spoken)


def test_a_guide_that_has_not_changed_is_not_sent_again(client: FlaskClient) -> None:
    tags = {client.get(f"{GUIDE}?lang={language}").headers["ETag"] for language in LANGUAGES}
    assert len(tags) == len(LANGUAGES)
    first = client.get(f"{GUIDE}?lang=es")
    headers = {"If-None-Match": first.headers["ETag"]}
    again = client.get(f"{GUIDE}?lang=es", headers=headers)
    assert (again.status_code, again.data) == (304, b"")
    for name in ("ETag", "Vary", "Cache-Control"):
        assert again.headers[name] == first.headers[name]
    assert client.get(f"{GUIDE}?lang=it", headers=headers).status_code == 200


@pytest.mark.parametrize("name", sorted(figures()))
def test_a_drawing_is_served_as_what_it_is_and_may_do_nothing(client: FlaskClient, name: str) -> None:
    answer = client.get(f"{GUIDE}/{name}.svg")
    assert answer.status_code == 200
    assert answer.content_type == "image/svg+xml; charset=utf-8"
    assert answer.text == figures()[name]
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    again = client.get(f"{GUIDE}/{name}.svg", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("path", ["/nothing.svg", "/legal-play", "/legal-play.png", "/..%2fen%2f13-note.svg"])
def test_there_is_nothing_else_beside_the_guide(client: FlaskClient, path: str) -> None:
    answer = client.get(GUIDE + path)
    assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")


def test_no_other_ruleset_has_a_guide(client: FlaskClient) -> None:
    for path in ("/v1/rulesets/chess/guide", "/v1/rulesets/on-fire/guide/legal-play.svg"):
        assert client.get(path).get_json()["code"] == "not_found"


def test_a_name_that_the_query_does_not_have_is_refused(client: FlaskClient) -> None:
    assert client.get(f"{GUIDE}?language=es").get_json()["code"] == "validation_failed"
