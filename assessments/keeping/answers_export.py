"""All answers without names, for `lab/`: no dates, and nothing links two attempts of a student."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from assessments.models import Attempt, ItemBank
from assessments.models.students import NOT_ERASED
from partners.models import Actor, AuditEvent

MAX_NUMBER = 10**15
COLUMNS = (
    *("attempt", "bank", "completed", "valid", "leading_fields", "considered", "taken", "stage"),
    *("place", "place_unnamed", "position", "item", "choice", "seconds", "language", "replaced"),
)
# A rare course, or any course of a small project, could identify a student.
MIN_OF_PROJECT, MIN_OF_COURSE = 30, 5  # attempts
OTHER = "other"

# By project and code, the name that a course has in this export.
CourseNames = Mapping[tuple[int, str], str]


def answers(banks: Sequence[ItemBank], *, by: Actor) -> Iterator[tuple[Any, ...]]:
    """Record the export in the audit trail, and return a row for each question shown.

    Leaves out open attempts and those of test projects and erased students. Attempts are in the
    order of their random numbers, which differ in each export. Courses that students considered or
    took have a name only if enough attempts share them.
    """
    at = timezone.now()
    ended = Attempt.objects.ended(at).without_tests().filter(NOT_ERASED)
    keys: list[int] = []
    with transaction.atomic():
        for bank in banks:
            on_bank = ended.filter(bank=bank).values_list("pk", flat=True)
            reason = f"attempts {len(on_bank)}"
            AuditEvent.record("answers.exported", bank, by=by, reason=reason, at=at)
            keys += on_bank
    numbers = random.SystemRandom().sample(range(MAX_NUMBER), len(keys))
    names = _name_courses(ended.filter(bank__in=banks))
    return _rows(ended, sorted(zip(numbers, keys, strict=True)), names)


def _name_courses(ended: QuerySet[Attempt]) -> CourseNames:
    """Name the courses of large projects, as "7:BCA", or OTHER if few attempts share them.

    7 is a random number of the project: the same code may mean another course in another project.
    """
    sizes = Counter(ended.values_list("project_id", flat=True).iterator())
    large = [project for project, size in sizes.items() if size >= MIN_OF_PROJECT]
    random.SystemRandom().shuffle(large)
    numbers = {project: number for number, project in enumerate(large, 1)}
    chosen = ended.filter(project_id__in=large).values_list(
        "project_id", "considered", "reported_outcome__course_code"
    )
    counts = Counter(
        (project, code)
        for project, considered, taken in chosen.iterator()
        for code in {*(considered or ()), taken} - {None}
    )
    return {
        (project, code): f"{numbers[project]}:{code}" if count >= MIN_OF_COURSE else OTHER
        for (project, code), count in counts.items()
    }


def _rows(
    ended: QuerySet[Attempt], numbered: Sequence[tuple[int, int]], names: CourseNames
) -> Iterator[tuple[Any, ...]]:
    attempts = ended.select_related("reported_outcome")
    for number, key in numbered:
        # None if the student was erased during the export.
        for attempt in attempts.filter(pk=key):
            for cells in _cells(attempt, names):
                yield number, *cells


def _cells(attempt: Attempt, names: CourseNames) -> Iterator[tuple[Any, ...]]:
    is_completed = attempt.completed_at is not None
    common = (
        attempt.cached_bank.version,
        int(is_completed),
        int(is_completed and not attempt.validity.flags),
        " ".join(attempt.leading_fields or ()),
        *_choices(attempt, names),
    )
    seconds = {answered.code: round(answered.seconds) for answered in attempt.given()}
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
    """Return the cells from `considered` to `place_unnamed`.

    A place is 0 if the course is not on the list. `place_unnamed` is the place without the naming.
    """
    project, codes = attempt.project_id, attempt.considered or ()
    considered = "\n".join(names[project, code] for code in codes if (project, code) in names)
    outcome = getattr(attempt, "reported_outcome", None)
    taken = names.get((project, outcome.course_code), "") if outcome else ""
    if not outcome or not taken:
        return considered, "", "", "", ""
    listed = [course["code"] for course in attempt.recommendations or ()]
    unnamed = (attempt.profile or {}).get("unnamed", listed)
    place, place_unnamed = (
        codes.index(outcome.course_code) + 1 if outcome.course_code in codes else 0
        for codes in (listed, unnamed[: len(listed)])
    )
    return considered, taken, outcome.stage, place, place_unnamed
