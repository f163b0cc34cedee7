"""The kinds of value that requests carry."""

from typing import Any

from marshmallow import ValidationError, fields, validate

from services.accounts.domain import emails, languages, passwords, players
from services.accounts.domain.text import CLEAN, NOT_BLANK, is_clean


def _is_clean(text: str) -> None:
    if not is_clean(text):
        raise ValidationError("Control characters are not allowed.")


class Text(fields.String):
    """A text without control characters, as it was typed."""

    def __init__(self, max_length: int, pattern: str = CLEAN, **kwargs: Any) -> None:
        length = validate.Length(1, max_length)
        super().__init__(validate=[length, _is_clean], metadata={"pattern": pattern}, **kwargs)


class Name(Text):
    """A text that is trimmed and not blank."""

    def __init__(self, max_length: int, **kwargs: Any) -> None:
        super().__init__(max_length, NOT_BLANK, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        return str(super()._deserialize(value, attr, data, **kwargs)).strip()


class Email(fields.String):
    """An e-mail address, judged by its shape."""

    def __init__(self, **kwargs: Any) -> None:
        metadata = {"maxLength": emails.MAX_LENGTH, "pattern": emails.PATTERN}
        super().__init__(validate=_is_address, metadata=metadata, **kwargs)


def _is_address(text: str) -> None:
    if not emails.is_address(text):
        raise ValidationError("Not an e-mail address.")


class Password(fields.String):
    """A password as it was typed: any characters, at most as many as a new one may have."""

    def __init__(self, min_length: int = 1, **kwargs: Any) -> None:
        super().__init__(validate=validate.Length(min_length, passwords.MAX_LENGTH), **kwargs)


class NewPassword(Password):
    """A password that meets the policy."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(passwords.MIN_LENGTH, **kwargs)


class Locale(fields.String):
    """A BCP 47 tag of one of our languages (`pt-BR` is taken for `pt`)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(metadata={"pattern": languages.PATTERN, "examples": ["es", "pt-BR"]}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        language = languages.match(super()._deserialize(value, attr, data, **kwargs))
        if language is None:
            raise ValidationError(f"Must be one of: {', '.join(languages.LANGUAGES)}.")
        return language


class Colour(fields.String):
    """`#rrggbb`, in lower case."""

    def __init__(self, **kwargs: Any) -> None:
        colour = validate.Regexp(rf"{players.COLOUR}\Z", error="Must be a colour like #1a2b3c.")
        super().__init__(validate=colour, metadata={"pattern": f"^{players.COLOUR}$"}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        return str(super()._deserialize(value, attr, data, **kwargs)).lower()


class StrictBoolean(fields.Boolean):
    """true or false, nothing that merely looks like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value
