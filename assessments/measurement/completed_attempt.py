"""A completed attempt, for calibration and norms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import fsum

from assessments.measurement.bank import Bank
from assessments.measurement.validity import Given, effort


@dataclass(frozen=True)
class CompletedAttempt:
    """A student's answers in order.

    `means` are the mean answers (1 to 5) by scale of statements. `groups` maps an attribute, such
    as the language, to the group of the student.
    """

    given: tuple[Given, ...]
    means: Mapping[str, float]
    groups: Mapping[str, str]

    @property
    def answers(self) -> dict[str, int]:
        """The choices by item code."""
        return {each.code: each.choice for each in self.given}

    def marks(self, bank: Bank) -> dict[str, bool]:
        """Return whether each aptitude item was answered right, leaving out rushed answers."""
        careful = {
            each.code: each.choice
            for each in self.given
            # For a single item, 0 is a rush, and None means that the bank expects no time.
            if effort(bank, [each]) != 0
        }
        return {response.item.code: response.correct for response in bank.responses(careful)}

    def aptitude_seconds(self, bank: Bank) -> Iterator[tuple[str, float]]:
        """Yield the aptitude items' codes with the seconds spent on them."""
        return ((each.code, each.seconds) for each in self.given if each.code in bank.aptitude)

    def section_seconds(self, bank: Bank) -> Iterator[tuple[str, float]]:
        """Yield the sections' codes with the seconds spent on them."""
        spent: dict[str, list[float]] = {}
        for each in self.given:
            spent.setdefault(bank.sections[each.code], []).append(each.seconds)
        return ((section, fsum(seconds)) for section, seconds in spent.items())
