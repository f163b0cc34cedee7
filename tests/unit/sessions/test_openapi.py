"""The committed description of the API is what the code describes."""

from dataclasses import replace
from pathlib import Path

from services.sessions import bootstrap, settings
from shared.web import openapi


def test_the_committed_openapi_document_is_what_the_code_gives() -> None:
    unconnected = replace(settings.read(), database_url="postgresql://")
    committed = Path(bootstrap.__file__).with_name("openapi.json").read_text("utf-8")
    assert openapi.write(bootstrap.web_app(unconnected)) == committed, "run `make openapi`"
