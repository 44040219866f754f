"""A first small result: the fields that a student enjoys, shown before the puzzles."""

from __future__ import annotations

from assessments.languages import of_attempt as language_of
from assessments.measurement.layout import Section
from assessments.measurement.profile import score_interests
from assessments.models.attempts import Assessment
from assessments.models.items import Item
from assessments.student.report import enjoyed, joined


def enjoyed_so_far(attempt: Assessment, section: Section) -> str:
    """Return the names of the fields, in one phrase, on the page after the second stage.

    Returns "" on other pages, and if no field stands out or the answers show signs of carelessness.
    So it does after a move, because no answer given before it is shown again.
    """
    bank = attempt.content
    if section.first != bank.layout.find(Item.Section.FIELDS).last + 1 or attempt.moved_at:
        return ""
    profile = score_interests(bank.scoring, attempt.given())
    if profile.confidence == "low":
        return ""
    names = bank.names(language_of(attempt))
    return joined([names[name] for name in enjoyed(profile, bank.scoring)])
