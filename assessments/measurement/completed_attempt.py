"""A completed attempt, as calibration and norms see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import fsum

from assessments.measurement.bank import Bank
from assessments.measurement.validity import Given, effort


@dataclass(frozen=True)
class CompletedAttempt:
    """A student's answers in their order, with what is known beside them.

    `means` are the mean answers (1 to 5) by scale of statements. `groups` names the group that the
    student belongs to, by what tells groups apart.
    """

    given: tuple[Given, ...]
    means: Mapping[str, float]
    groups: Mapping[str, str]

    def marks(self, bank: Bank) -> dict[str, bool]:
        """Return whether each aptitude item was answered right, without those done in a rush."""
        careful = {
            each.code: each.choice
            for each in self.given
            # Of a single item: 0 is a rush; None, the bank expects no time of it.
            if effort(bank, [each]) != 0
        }
        return {response.item.code: response.correct for response in bank.responses(careful)}

    def aptitude_seconds(self, bank: Bank) -> Iterator[tuple[str, float]]:
        """Yield the aptitude items' codes with the seconds spent on them."""
        return ((each.code, each.seconds) for each in self.given if each.code in bank.aptitude)

    def section_seconds(self, bank: Bank) -> Iterator[tuple[str, float]]:
        """Yield the sections' codes with the seconds spent on them."""
        sections = [bank.section_of(each.code) for each in self.given]
        for section in dict.fromkeys(sections):
            yield (
                section,
                fsum(
                    each.seconds
                    for each, its_section in zip(self.given, sections, strict=True)
                    if its_section == section
                ),
            )
