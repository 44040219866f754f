"""The wire names and field rules of the two operations."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from assessments import identity
from partners.plain_text import is_plain_text

PROJECT_ID_MAX = 64
RESULTS_AT_MOST = 100  # attempts in one answer


class Text(serializers.Field[str, Any, str, Any]):
    """A required string, trimmed, of bounded length. A number or null is not a string."""

    default_error_messages = {
        "required": _("This field is required."),
        "blank": _("This field may not be blank."),
        "not_a_string": _("This field must be a string."),
        "too_long": _("This field may have at most {max_length} characters."),
        "invalid": _("This field is not valid."),
    }

    def __init__(self, max_length: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.max_length = max_length

    def validate_empty_values(self, data: Any) -> tuple[bool, Any]:
        """Refuse null as any other value that is not a string."""
        if data is None:
            self.fail("not_a_string")
        return super().validate_empty_values(data)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("not_a_string")
        text = data.strip()
        if not text:
            self.fail("blank")
        if len(text) > self.max_length:
            self.fail("too_long", max_length=self.max_length)
        self.check(text)
        return text

    def check(self, text: str) -> None:
        """Raise through `fail` if the trimmed text breaks the field's own rule."""


class Name(Text):
    default_error_messages = {
        "invalid": _(
            "A name needs a visible character, and may not hold control, invisible or "
            "text-direction characters."
        )
    }

    def check(self, text: str) -> None:
        if not is_plain_text(text):
            self.fail("invalid")


class Email(Text):
    default_error_messages = {
        "invalid": _("Give an e-mail address: an ASCII local part, @, and a public domain.")
    }

    def check(self, text: str) -> None:
        try:
            identity.email_key(text)
        except ValueError:
            self.fail("invalid")


class Mobile(Text):
    default_error_messages = {
        "invalid": _("Give 6 to 20 characters: digits, +, spaces, hyphens or brackets.")
    }

    def check(self, text: str) -> None:
        if not identity.is_mobile(text):
            self.fail("invalid")


class LinkRequest(serializers.Serializer[Any]):
    """What get-redirect-url takes."""

    projectId = Text(max_length=PROJECT_ID_MAX)
    name = Name(max_length=identity.NAME_MAX)
    email = Email(max_length=identity.EMAIL_MAX)
    mobile = Mobile(max_length=identity.MOBILE_MAX)


class ResultsRequest(serializers.Serializer[Any]):
    """What get-assessments-info takes."""

    projectId = Text(max_length=PROJECT_ID_MAX)
    email = Email(max_length=identity.EMAIL_MAX)
