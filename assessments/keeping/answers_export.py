"""The answers of all students without their names, for the analysis of items in `lab/`.

Nothing in the file tells when an attempt took place, or that two attempts are those of one student.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from assessments.models import Attempt, ItemBank
from partners.models import AuditEvent
from partners.models.audit import Actor

ACTION = "answers.exported"
NUMBERS = 10**15
COLUMNS = (
    *("attempt", "bank", "completed", "valid", "leading_fields", "considered", "taken", "stage"),
    *("place", "place_unnamed", "position", "item", "choice", "seconds", "language", "replaced"),
)
# A rare course, or any course of a small project, could identify a student.
FEWEST_OF_PROJECT, FEWEST_OF_COURSE = 30, 5
OTHER = "other"

# By project and code, the name that a course has in this export.
CourseNames = Mapping[tuple[int, str], str]


def answers(
    banks: Sequence[ItemBank], *, by: Actor, at: datetime | None = None
) -> Iterator[tuple[Any, ...]]:
    """Record the export in the audit trail, and return a row for each question shown.

    The attempts on these banks have ended; those of test projects and of erased students are left
    out. Each has a random number, another one in each export, and stands at its place. Courses that
    students considered or took have names only where enough attempts share them.
    """
    at = at or timezone.now()
    found = (
        Attempt.objects.finished(at)
        .without_tests()
        .filter(student__email_key__contains="@")  # erasure leaves a number in its place
    )
    keys: list[int] = []
    with transaction.atomic():
        for bank in banks:
            own = list(found.filter(bank=bank).values_list("pk", flat=True))
            AuditEvent.record(ACTION, bank, by=by, reason=f"attempts {len(own)}", at=at)
            keys += own
    numbers = random.SystemRandom().sample(range(NUMBERS), len(keys))
    names = _course_names(found.filter(bank__in=banks))
    return _rows(found, sorted(zip(numbers, keys, strict=True)), names)


def _course_names(found: QuerySet[Attempt]) -> CourseNames:
    """Name the courses of large projects that enough attempts share, as "7:BCA", others OTHER.

    A project has a random number, because the same code may mean another course elsewhere.
    """
    sizes = Counter(found.values_list("project_id", flat=True).iterator())
    large = [project for project, size in sizes.items() if size >= FEWEST_OF_PROJECT]
    random.SystemRandom().shuffle(large)
    numbers = {project: number for number, project in enumerate(large, 1)}
    chosen = found.filter(project_id__in=large).values_list(
        "project_id", "considered", "reported_outcome__course_code"
    )
    counts = Counter(
        (project, code)
        for project, considered, taken in chosen.iterator()
        for code in {*(considered or ()), taken} - {None}
    )
    return {
        (project, code): f"{numbers[project]}:{code}" if count >= FEWEST_OF_COURSE else OTHER
        for (project, code), count in counts.items()
    }


def _rows(
    found: QuerySet[Attempt], numbered: Sequence[tuple[int, int]], names: CourseNames
) -> Iterator[tuple[Any, ...]]:
    attempts = found.select_related("reported_outcome")
    for number, key in numbered:
        # A student erased during the export is no longer found.
        for attempt in attempts.filter(pk=key):
            for cells in _cells(attempt, names):
                yield number, *cells


def _cells(attempt: Attempt, names: CourseNames) -> Iterator[tuple[Any, ...]]:
    is_completed = attempt.completed_at is not None
    common = (
        attempt.cached_bank.version,
        int(is_completed),
        int(is_completed and not attempt.flags),
        " ".join(attempt.leading_fields or ()),
        *_choices(attempt, names),
    )
    seconds = {given.code: round(given.seconds) for given in attempt.given()}
    for answer in attempt.answers.order_by("position", "pk"):
        item = attempt.cached_bank.items[answer.item_id].code
        yield (
            *common,
            answer.position,
            item,
            "" if answer.choice is None else answer.choice,
            seconds.get(item, ""),
            answer.language or attempt.language,
            int(answer.replaced_at is not None),
        )


def _choices(attempt: Attempt, names: CourseNames) -> tuple[str, str, str, int | str, int | str]:
    """Return the courses considered, by line, the one taken, and its places on the list.

    These are its places with and without what naming it adds, and 0 beyond the list.
    """
    project = attempt.project_id
    found = [names[project, c] for c in attempt.considered or () if (project, c) in names]
    considered = "\n".join(found)
    outcome = getattr(attempt, "reported_outcome", None)
    taken = names.get((project, outcome.course_code), "") if outcome else ""
    if not outcome or not taken:
        return considered, "", "", "", ""
    listed = [course["code"] for course in attempt.recommendations or ()]
    unnamed = (attempt.profile or {}).get("unnamed", listed)
    places = [
        codes.index(outcome.course_code) + 1 if outcome.course_code in codes else 0
        for codes in (listed, unnamed[: len(listed)])
    ]
    return considered, taken, outcome.stage, places[0], places[1]
