"""What a student said of their age and, under 18, who their guardian is."""

from __future__ import annotations

from dataclasses import dataclass, field


class AgeMissing(Exception):
    """The project asks the age, and a new attempt was to start without it."""


@dataclass(frozen=True)
class Age:
    """The answer to the age question: None where it was not asked.

    A guardian is given for a minor, both name and contact, and for nobody else; anything else is
    a ValueError. The guardian's data stay out of whatever shows this value.
    """

    is_minor: bool | None = None
    guardian_name: str = field(default="", repr=False)
    guardian_contact: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        given = bool(self.guardian_name), bool(self.guardian_contact)
        if given != (self.is_minor is True,) * 2:
            raise ValueError("A guardian's name and contact are given for a minor, and only then.")


NOT_ASKED = Age()
