"""Addresses, codes, languages, texts and cursors: how they are written and read."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.accounts.domain import codes, emails, languages
from services.accounts.domain.pages import Place
from services.accounts.domain.text import is_clean
from services.accounts.entrypoints.schemas import cursor


@pytest.mark.parametrize(
    "address", ["a@b", "anna@example.org", " a.b+c@d.e ", "ängelä@exämple.org", '"x"@y', "a@[::1]"]
)
def test_addresses_are_judged_by_their_shape(address: str) -> None:
    assert emails.is_address(address)


@pytest.mark.parametrize(
    "address",
    ["", " ", "a", "@", "a@", "@b", "a@b@c", "a b@c", "a@b c", "a@b\n@", "x" * 65 + "@b", "a@" + "b" * 254],
)
def test_what_has_no_such_shape_is_no_address(address: str) -> None:
    assert not emails.is_address(address)


def test_one_address_has_one_key() -> None:
    written = ["Straße@example.org", " STRASSE@Example.ORG ", "strasse@example.org"]
    assert len({emails.key(address) for address in written}) == 1
    assert emails.key("\u00e9@b") == emails.key("E\u0301@B")


@settings(deadline=None)
@given(st.binary(min_size=10, max_size=10))
def test_a_code_reads_back_however_it_is_typed(random: bytes) -> None:
    written = codes.written(random)
    assert [len(group) for group in written.split("-")] == [4, 4, 4, 4]
    plain = written.replace("-", "")
    assert int.from_bytes(random) == sum(
        codes.ALPHABET.index(character) << 5 * place for place, character in enumerate(reversed(plain))
    )
    for typed in (written, plain.lower(), f" {written} ", plain.replace("0", "O").replace("1", "l")):
        assert codes.canonical(typed) == plain


@settings(deadline=None)
@given(st.text(max_size=20))
def test_any_text_is_a_code_or_none(typed: str) -> None:
    found = codes.canonical(typed)
    assert found is None or (len(found) == 16 and set(found) <= set(codes.ALPHABET))


@pytest.mark.parametrize(
    ("tag", "language"),
    [("en", "en"), ("pt-BR", "pt"), ("ES", "es"), ("sl_SI", "sl"), ("de-Latn-AT-1996", "de"), ("xx", None)]
    + [(tag, None) for tag in ("", "e", "eng", "english", "en-", "-en", "en--US", "en\n", "eſ", "en US")],
)
def test_a_tag_is_matched_to_a_language_of_ours(tag: str, language: str | None) -> None:
    assert languages.match(tag) == language


@pytest.mark.parametrize(
    ("text", "is_fine"), [("Anna 漢 🎲\u00a0", True), ("a\u0000", False), ("a\n", False), ("\ud800", False)]
)
def test_texts_hold_no_control_characters(text: str, is_fine: bool) -> None:
    assert is_clean(text) is is_fine


@settings(deadline=None)
@given(
    st.integers(0, 2**52).map(lambda us: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)),
    st.uuids(),
)
def test_a_cursor_reads_back(moment: datetime, identifier: UUID) -> None:
    place = Place(moment, identifier)
    assert cursor.read(cursor.written(place)) == place


@settings(deadline=None)
@given(st.text(max_size=40) | st.binary(max_size=30).map(lambda raw: raw.hex()))
def test_any_other_text_is_refused_as_a_cursor(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever kind of value error it is
        assert cursor.read(text) is None
