"""What a student agrees to before the start, and the answer to the age question."""

from dataclasses import dataclass, field

from django.db.models import Q

# The version of the notice in templates/student/landing.html, in all languages, to which a student
# agrees before the start: a day, and a number if it changed more than once. Change it when the
# promises or questions there change, not for better wording.
NOTICE_VERSION = "2026-11-29"
# Only who read a notice from then on is asked whether they think of a course that is not listed.
UNLISTED_SINCE = "2026-11-29"

# The rule of an attempt's columns. A CHECK accepts a comparison with null, so each branch tests for
# null first.
_NOT_A_MINOR = Q(is_minor__isnull=True) | Q(is_minor__isnull=False, is_minor=False)
_GUARDIAN_GIVEN = ~Q(guardian_name="") & ~Q(guardian_contact="")
_NO_GUARDIAN = Q(guardian_name="", guardian_contact="")
GUARDIAN_IFF_MINOR = (Q(is_minor__isnull=False, is_minor=True) & _GUARDIAN_GIVEN) | (
    _NOT_A_MINOR & _NO_GUARDIAN
)


class AgeMissing(Exception):
    """The project asks for the age, but none was given for a new attempt."""


@dataclass(frozen=True)
class Age:
    """`is_minor` is None if the age was not asked. Only a minor has a guardian."""

    is_minor: bool | None = None
    guardian_name: str = field(default="", repr=False)
    guardian_contact: str = field(default="", repr=False)


NOT_ASKED = Age()
