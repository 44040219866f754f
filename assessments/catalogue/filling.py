"""Add courses to the results of a project that had none: the rule, and the project's button."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from assessments.models import Attempt, CatalogueSnapshot, Student
from assessments.models.attempt_queries import AttemptQueries
from assessments.models.ended import ClockDiffers, check_clock
from partners.admin import ProjectAdmin
from partners.back_office.actions import Action
from partners.models import Actor, AuditEvent, Project, Refused

BATCH = 50  # results in a transaction
# A request may take 30 s; the command `fill_results` has no limit.
MAX_AT_ONCE = 500

Results = Sequence[tuple[Attempt, Mapping[str, Any]]]  # each with its columns


def results_without_courses(project: Project) -> AttemptQueries[Attempt]:
    return Attempt.objects.without_courses().filter(project_id=project.pk)


def refusal_of_filling(project: Project) -> str:
    """Why no result can be filled now; "" if some can."""
    if not results_without_courses(project).exists():
        return "Every result was made from a catalogue with courses, or was filled before."
    if not CatalogueSnapshot.objects.count_current(project):
        takers = project.get_takers_display().lower()
        return (
            f"Nothing was filled: the project has no active course for {takers}. Load courses "
            "first, or change who takes the assessment."
        )
    return ""


def explain_filling(project: Project) -> Sequence[str]:
    waiting = results_without_courses(project).count()
    courses = CatalogueSnapshot.objects.count_current(project)
    takers = project.get_takers_display().lower()
    return (
        f"Completed attempts without courses: {waiting:,}. The project had none for those who "
        f"took the assessment. Each attempt gets up to {project.recommendation_count} of "
        f"today's courses for {takers} ({courses:,}), from its own answers. This is done "
        "once, so check the courses first.",
        "Students see the courses on their result page, if it is still open. The partner reads "
        "the attempts once more in list-assessments, and webhooks send them once more.",
    )


def fill_results(project: Project, *, by: Actor, reason: str = "") -> Iterator[int]:
    """Give the results without courses those of today's catalogue. Yield how many, by batch.

    Raises Refused if none can be filled, or if this server's clock is wrong.
    """
    if refusal := refusal_of_filling(project):
        raise Refused(refusal)
    last, waiting = 0, results_without_courses(project).select_related("student__project")
    while attempts := list(waiting.filter(pk__gt=last).order_by("pk")[:BATCH]):
        catalogue = CatalogueSnapshot.objects.current(project)
        results = [(attempt, attempt.score(catalogue)) for attempt in attempts]
        yield _store_results(project, results, catalogue, by=by, reason=reason)
        last = attempts[-1].pk


@transaction.atomic
def _store_results(
    project: Project, results: Results, catalogue: CatalogueSnapshot, *, by: Actor, reason: str
) -> int:
    """Store the results, unless their student was erased meanwhile. Return how many."""
    # Two that fill at once would otherwise lock students in different orders.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    of_students = [attempt.student_id for attempt, _ in results]
    students = Student.objects.filter(pk__in=of_students).order_by("pk")
    locked = list(students.select_for_update(no_key=True))
    left = {student.pk for student in locked if not student.is_erased}
    at = timezone.now()
    try:
        check_clock(at)
    except ClockDiffers as differs:
        raise Refused(f"{differs} No more was filled. Set both by NTP.") from None
    filled = sum(
        attempt.fill(result, at) for attempt, result in results if attempt.student_id in left
    )
    if filled:
        details = {"filled": filled, "digest": catalogue.digest}
        AuditEvent.record("results.filled", project, by=by, reason=reason, details=details, at=at)
    return filled


class FillResults(Action):
    name, title = "fill", "Add courses to results without any"
    permission = "assessments.fill_results"
    is_final = True

    def refusal(self) -> str:
        return refusal_of_filling(self.row)

    def explain(self) -> Sequence[str]:
        return explain_filling(self.row)

    def run(self, *, reason: str) -> str:
        filled = 0
        for count in fill_results(self.row, by=self.by, reason=reason):
            filled += count
            if filled >= MAX_AT_ONCE:
                break
        left = results_without_courses(self.row).count()
        more = f" {left:,} are left: press the button again." if left else ""
        return f"Results that got courses: {filled:,}.{more}"


ProjectAdmin.row_actions.append(FillResults)
