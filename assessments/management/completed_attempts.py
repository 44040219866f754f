"""Read the completed attempts from which items and norms are recalibrated."""

from __future__ import annotations

from collections.abc import Callable

from assessments.measurement.completed_attempt import CompletedAttempt
from assessments.models import Assessment, ItemBank
from assessments.models.attempts import AssessmentQuerySet

# Enough for errors of a few hundredths. The memory of a calibration grows with it.
MOST = 10_000
AT_A_TIME = 200


class TooFew(Exception):
    """There are not enough attempts."""


def versions_with_the_items_of(bank: ItemBank) -> list[str]:
    """Return a bank's version and those of the banks that it was made from.

    A recalibrated bank has the same items as the bank it was made from, so answers there count.
    """
    return [*bank.made_from, bank.version]


def count(bank: ItemBank) -> int:
    """Return the number of completed attempts without a flag."""
    return _completed(bank).flagged(False).count()


def read(
    bank: ItemBank, fewest: int, progress: Callable[[int], None] | None = None
) -> list[CompletedAttempt]:
    """Return the newest completed attempts without a flag, at most MOST, newest first.

    `progress` is called regularly with the number read so far. Raises TooFew, with a message that
    says how many are missing, if there are fewer than `fewest`.
    """
    completed = _completed(bank)
    valid = completed.flagged(False)
    found = valid.count()
    if found < fewest:
        versions = " and ".join(versions_with_the_items_of(bank))
        raise TooFew(
            f"There are {found} completed attempts without flags on {versions}, and "
            f"{completed.flagged().count()} with. At least {fewest} without are needed: "
            f"{fewest - found} more."
        )
    newest = valid.select_related("student__project").defer("recommendations").newest_first()
    attempts: list[CompletedAttempt] = []
    for attempt in newest[:MOST].iterator(AT_A_TIME):
        attempts.append(completed_attempt(attempt))
        if progress and len(attempts) % AT_A_TIME == 0:
            progress(len(attempts))
    return attempts


def _completed(bank: ItemBank) -> AssessmentQuerySet:
    versions = versions_with_the_items_of(bank)
    return Assessment.objects.without_tests().filter(bank__version__in=versions).completed()


def completed_attempt(attempt: Assessment) -> CompletedAttempt:
    """Return an attempt for calibration. `groups` has every recorded attribute of the student."""
    profile = attempt.profile or {}
    return CompletedAttempt(
        given=tuple(attempt.given()),
        means={
            scale: float(score["mean"])
            for section in ("interests", "preferences")
            for scale, score in profile.get(section, {}).items()
        },
        groups={"language": attempt.language, "project": attempt.student.project.project_id},
    )
