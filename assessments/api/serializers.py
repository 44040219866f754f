"""The wire names of the partner API: fields of requests and of response bodies."""

import difflib
import re
from collections.abc import Iterable
from typing import Any

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
# Of unknown names, the most that an answer lists, and the longest part of one.
MAX_UNKNOWN, MAX_NAME = 20, 64
SIMILAR = "This field is required. A similar name was sent: write it exactly so."
JSON_TYPES = {str: "a string", bool: "a boolean", int: "a number", float: "a number"}


def json_type(value: Any) -> str:
    """Return what a value is in JSON: all that an error may tell of it."""
    if value is None:
        return "null"
    return JSON_TYPES.get(type(value), "an array" if isinstance(value, list) else "an object")


def nearest_name(name: str, names: Iterable[str]) -> str:
    """Return the most similar of some names, in any case; "" if none is similar."""
    folded = {each.casefold(): each for each in names}
    return next((folded[each] for each in difflib.get_close_matches(name.casefold(), folded)), "")


class Text(Field[str, Any, str, Any]):
    """A required string, trimmed, of bounded length."""

    max_length = 64
    description = ""  # the help text, unless one is given

    default_error_messages = {
        "required": "This field is required.",
        "blank": "This field may not be blank.",
        "null": "This field must be a string, but it is null.",
        "not_a_string": "This field must be a string, but it is {type}.",
        "too_long": "This field may have at most {max_length} characters, but it has {length}.",
        "invalid": "This field is not valid.",
        identity.TEMPLATE: "A template was not filled in: this holds a placeholder, such as "
        "%NAME% or <name>, or is a word such as undefined or null. Send the value itself.",
    }

    def __init__(self, help_text: str = "", max_length: int = 0, **kwargs: Any) -> None:
        super().__init__(help_text=help_text or self.description, **kwargs)
        self.max_length = max_length or self.max_length

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("not_a_string", type=json_type(data))
        text = identity.trimmed(data)
        if not text:
            self.fail("blank")
        if len(text) > self.max_length:
            self.fail("too_long", max_length=self.max_length, length=len(text))
        try:
            return self.read(text)
        except ValueError as error:
            cause = str(error)
            self.fail(cause if cause in self.error_messages else "invalid")

    @staticmethod
    def read(text: str) -> str:
        """Return the text as it is stored. Raise ValueError if it breaks the field's rule."""
        return text


class Name(Text):
    max_length = identity.NAME_MAX
    description = (
        "The student's name: we greet by its first word, not an initial or title. "
        "At least one visible character. No control, invisible or private-use characters, and "
        "none that change the text direction. The joiners U+200C and U+200D are allowed. What a "
        "template leaves if it is not filled in, such as `%NAME%` or `undefined`, is refused."
    )
    default_error_messages = {
        "invalid": "A name needs a visible character, and may not hold control, invisible or "
        "text-direction characters."
    }
    read = staticmethod(identity.read_name)


class Email(Text):
    max_length = identity.EMAIL_MAX
    description = (
        "The student's e-mail address, under which we store the results: an ASCII "
        "local part and a public domain, which may be international. Case does not matter."
    )
    default_error_messages = {
        "invalid": "Give an e-mail address: an ASCII local part, @, and a public domain."
    }
    read = staticmethod(identity.read_email)


class Mobile(Text):
    max_length = identity.MOBILE_MAX
    description = (
        "The student's mobile number: digits, `+`, spaces, hyphens and brackets; "
        "at least one digit. Digits of other scripts, no-break spaces, dashes and dots are read as "
        "these; the `.0` of a spreadsheet is left out. Without a country code we read it as Indian."
    )
    default_error_messages = {
        "invalid": "Give 6 to 20 characters: digits, +, spaces, hyphens or brackets.",
        identity.COMPUTED: "A spreadsheet has rounded or computed this number, so digits are lost. "
        "Format the column as text, and enter the number again.",
    }
    read = staticmethod(identity.read_mobile)


class NullIfEmpty(CharField):
    def to_representation(self, value: str) -> Any:
        return value or None


class Call(Serializer[Any]):
    """The body of a call. A field that it does not have is refused."""

    ignores_unknown = False
    projectId = Text("Your project's id from onboarding.")

    def to_internal_value(self, data: Any) -> Any:
        """Raise ValidationError with all faults, those of unknown names last."""
        fields: Any = {}
        faults: dict[str, Any] = {}
        try:
            fields = super().to_internal_value(data)
        except ValidationError as error:
            faults = dict(error.detail)  # type: ignore[arg-type]  # by field
        others = (name[:MAX_NAME] for name in data if name not in self.fields)
        unknown = list(dict.fromkeys(others))[:MAX_UNKNOWN]
        if self.ignores_unknown:
            for name, [fault, *_] in faults.items():
                if fault.code == "required" and nearest_name(name, unknown):
                    faults[name] = [ErrorDetail(SIMILAR, "required")]
        else:
            faults |= {name: [self._unknown(name)] for name in unknown}
        if faults:
            raise ValidationError(faults)
        return fields

    def _unknown(self, name: str) -> ErrorDetail:
        nearest = nearest_name(name, self.fields)
        taken = ", ".join(f"`{name}`" for name in self.fields)
        guess = f"Did you mean `{nearest}`? " if nearest else ""
        text = f"This operation has no field of this name. {guess}It takes {taken} in the body."
        return ErrorDetail(text, "unknown")


class EitherRequest(Call):
    """The body of a call that has exactly one of `email` and the field named `other`."""

    other: str
    email = Email(required=False)

    def get_fields(self) -> dict[str, Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        self.choice = f"Send `{self.other}` or `email`, not both."
        for name in (self.other, "email"):
            fields[name].error_messages["null"] += f" {self.choice}"
        return fields

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        has_email = "email" in fields
        if has_email is (self.other in fields):
            name, code = ("email", "invalid") if has_email else (self.other, "required")
            raise ValidationError({name: [self.choice]}, code)
        return fields


class ResponseBody(Serializer[Any]):
    # LinkId is read from link_id unless it has a source. A docstring would appear in openapi.json.
    def get_fields(self) -> dict[str, Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for name, field in fields.items():
            field.source = field.source or re.sub("(?<!^)(?=[A-Z])", "_", name).lower()
        return fields


class LinkRequest(Call):
    ignores_unknown = True  # as the specification has it
    name = Name()
    email = Email()
    mobile = Mobile()


class ResultsRequest(Call):
    ignores_unknown = True
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
