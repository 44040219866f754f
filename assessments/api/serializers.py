"""The wire names of the partner API: fields of requests and of response bodies."""

import re
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    Field,
    ListField,
    RegexField,
    Serializer,
)

from assessments.models import identity
from assessments.models.ended import Status

MAX_RESULTS = 100  # attempts in one answer


class Text(Field[str, Any, str, Any]):
    """A required string, trimmed, of bounded length."""

    max_length = 64
    description = ""  # the help text, unless one is given

    default_error_messages = {
        "required": _("This field is required."),
        "blank": _("This field may not be blank."),
        "null": _("This field must be a string."),
        "not_a_string": _("This field must be a string."),
        "too_long": _("This field may have at most {max_length} characters."),
        "invalid": _("This field is not valid."),
    }

    def __init__(self, help_text: str = "", max_length: int = 0, **kwargs: Any) -> None:
        super().__init__(help_text=help_text or self.description, **kwargs)
        self.max_length = max_length or self.max_length

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("not_a_string")
        text = identity.trimmed(data)
        if not text:
            self.fail("blank")
        if len(text) > self.max_length:
            self.fail("too_long", max_length=self.max_length)
        try:
            return self.read(text)
        except ValueError:
            self.fail("invalid")

    @staticmethod
    def read(text: str) -> str:
        """Return the text as it is stored. Raise ValueError if it breaks the field's rule."""
        return text


class ProjectId(Text):
    description = "Your project's id from onboarding."


class Name(Text):
    max_length = identity.NAME_MAX
    description = (
        "The student's name: we greet by its first word, not an initial or title. "
        "At least one visible character. No control, invisible or private-use characters, and "
        "none that change the text direction. The joiners U+200C and U+200D are allowed."
    )
    default_error_messages = {
        "invalid": _(
            "A name needs a visible character, and may not hold control, invisible or "
            "text-direction characters."
        )
    }
    read = staticmethod(identity.read_name)


class Email(Text):
    max_length = identity.EMAIL_MAX
    description = (
        "The student's e-mail address, under which we store the results: an ASCII "
        "local part and a public domain, which may be international. Case does not matter."
    )
    default_error_messages = {
        "invalid": _("Give an e-mail address: an ASCII local part, @, and a public domain.")
    }
    read = staticmethod(identity.read_email)


class Mobile(Text):
    max_length = identity.MOBILE_MAX
    description = (
        "The student's mobile number: digits, `+`, spaces, hyphens and brackets; "
        "at least one digit. Digits of other scripts, no-break spaces, dashes and dots are read as "
        "these. Without a country code we read it as Indian."
    )
    default_error_messages = {
        "invalid": _("Give 6 to 20 characters: digits, +, spaces, hyphens or brackets.")
    }
    read = staticmethod(identity.read_mobile)


def require_one(fields: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the fields, which must have either this one or `email`, else raise ValidationError."""
    if name not in fields and "email" not in fields:
        raise ValidationError({name: [ErrorDetail(f"Send `{name}` or `email`.", "required")]})
    if name in fields and "email" in fields:
        both = ErrorDetail(f"Send `{name}` or `email`, not both.", "invalid")
        raise ValidationError({"email": [both]})
    return fields


class NullIfEmpty(CharField):
    def to_representation(self, value: str) -> Any:
        return value or None


class Call(Serializer[Any]):
    """The body of a call."""

    projectId = ProjectId()


class ResponseBody(Serializer[Any]):
    # LinkId is read from link_id unless it has a source. A docstring would appear in openapi.json.
    def get_fields(self) -> dict[str, Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for name, field in fields.items():
            field.source = field.source or re.sub("(?<!^)(?=[A-Z])", "_", name).lower()
        return fields


class LinkRequest(Call):
    name = Name()
    email = Email()
    mobile = Mobile()


class ResultsRequest(Call):
    email = Email()


class EndedStatus(ChoiceField):
    def to_representation(self, value: Any) -> str:
        return (Status.COMPLETED if value.completed_at else Status.ABANDONED).value


class Duration(RegexField):
    """`<minutes>m <seconds>s`: minutes unbounded, seconds 0-59, rounded down."""

    def to_representation(self, value: Any) -> str:
        minutes, seconds = divmod(int(value.total_seconds()), 60)
        return f"{minutes}m {seconds}s"


class Record(ResponseBody):
    """An attempt that has ended."""

    AssessmentId = CharField(help_text="Identifier of the attempt.")
    Status = EndedStatus(
        ["Completed", "Abandoned"],
        source="*",
        help_text="`Completed`: every question is answered. `Abandoned`: the student left, started "
        "again or did not finish in time. It never changes.",
    )
    Recommendations = ListField(
        child=CharField(),
        source="recommended_names",
        help_text="Names of the recommended courses at completion, the best match first. Empty for "
        "an abandoned attempt, and if no course is open with the student's subjects.",
    )
    AssessmentDuration = Duration(
        r"^[0-9]+m [0-5]?[0-9]s$",
        source="duration",
        help_text="`<minutes>m <seconds>s`, rounded down; minutes may exceed 59. From the start to "
        "completion, or to the last saved answer if abandoned.",
    )


# Shared by all calls: making a serializer copies its fields, and this one keeps no state.
record = Record().to_representation
