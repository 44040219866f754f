"""A project's courses, changed together."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from assessments.catalogue.plans import Plan, Row, plan_courses, plan_rows
from assessments.catalogue.workbook import MAX_ROWS
from assessments.models import Attempt, CatalogueSnapshot, Course, Student
from assessments.models.attempt_queries import AttemptQueries
from assessments.models.catalogue_snapshots import digest_of
from assessments.models.ended import ClockDiffers, check_clock
from measurement.courses import COLUMNS
from measurement.fields import FIELDS
from partners.models import Actor, AuditEvent, Project, Refused

REASON_MAX = 200  # of an audit event
BATCH = 50  # results in a transaction

Results = Sequence[tuple[Attempt, Mapping[str, Any]]]  # each with its columns


class Catalogue:
    """The courses of a project. A change locks them, keeps both snapshots, and is audited."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def lock(self) -> CatalogueSnapshot:
        """Lock the project, so that nobody else changes its courses. Return a snapshot of them."""
        Project.objects.select_for_update(no_key=True).get(pk=self.project.pk)
        return CatalogueSnapshot.objects.of(self.project)

    @transaction.atomic
    def load(
        self,
        rows: Sequence[Row],
        *,
        by: Actor,
        add: bool = False,
        keep_repeated: bool = False,
        fields: Mapping[str, str] | None = None,
        confirmed: bool = False,
        compared_with: str | None = None,
        at: datetime | None = None,
    ) -> Plan:
        """Load rows, which come from `course_rows.read_rows`, all or nothing; see `plan_rows`.

        An editor chose the main `fields` of courses, by code, and `confirmed` those that were
        proposed for added ones. Raises Refused if the catalogue has not the digest `compared_with`
        any more, or would have too many courses.
        """
        if unknown := set((fields or {}).values()) - FIELDS.keys():
            raise Refused(f"{', '.join(sorted(unknown))} is no field of work. Choose one of them.")
        before = self.lock()
        today = self.project.courses.as_data()
        plan = plan_rows(today, rows, add=add, keep_repeated=keep_repeated)
        refuse_changed(plan, compared_with)
        plan = plan.choose_fields(fields or {}, confirmed=confirmed)
        if sum(course.is_active for course in plan.courses) > MAX_ROWS:
            raise Refused(f"A project has at most {MAX_ROWS:,} active courses.")
        self._store(plan)
        self.record("courses.loaded", before, plan.audit_details, by=by, at=at)
        return plan

    def results_without_courses(self) -> AttemptQueries[Attempt]:
        return Attempt.objects.without_courses().filter(project_id=self.project.pk)

    @property
    def refusal_of_filling(self) -> str:
        """Why no result can be filled now; "" if some can."""
        if not self.results_without_courses().exists():
            return "Every result was made from a catalogue with courses, or was filled before."
        if not CatalogueSnapshot.objects.count_current(self.project):
            takers = self.project.get_takers_display().lower()
            return (
                f"Nothing was filled: the project has no active course for {takers}. Load courses "
                "first, or change who takes the assessment."
            )
        return ""

    def explain_filling(self) -> Sequence[str]:
        waiting = self.results_without_courses().count()
        courses = CatalogueSnapshot.objects.count_current(self.project)
        takers = self.project.get_takers_display().lower()
        return (
            f"Completed attempts without courses: {waiting:,}. The project had none for those who "
            f"took the assessment. Each attempt gets up to {self.project.recommendation_count} of "
            f"today's courses for {takers} ({courses:,}), from its own answers. This is done "
            "once, so check the courses first.",
            "Students see the courses on their result page, if it is still open. The partner reads "
            "the attempts once more in list-assessments, and webhooks send them once more.",
        )

    def fill_results(self, *, by: Actor, reason: str = "") -> Iterator[int]:
        """Give the results without courses those of today's catalogue. Yield how many, by batch.

        Raises Refused if none can be filled, or if this server's clock is wrong.
        """
        if refusal := self.refusal_of_filling:
            raise Refused(refusal)
        last, waiting = 0, self.results_without_courses().select_related("student__project")
        while attempts := list(waiting.filter(pk__gt=last).order_by("pk")[:BATCH]):
            catalogue = CatalogueSnapshot.objects.current(self.project)
            results = [(attempt, attempt.score(catalogue)) for attempt in attempts]
            yield self._store_results(results, catalogue, by=by, reason=reason)
            last = attempts[-1].pk

    @transaction.atomic
    def _store_results(
        self, results: Results, catalogue: CatalogueSnapshot, *, by: Actor, reason: str
    ) -> int:
        """Store the results, unless their student was erased meanwhile. Return how many."""
        # Two that fill at once would otherwise lock students in different orders.
        Project.objects.select_for_update(no_key=True).get(pk=self.project.pk)
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
            AuditEvent.record(
                "results.filled", self.project, by=by, reason=reason, details=details, at=at
            )
        return filled

    @transaction.atomic
    def restore(
        self, snapshot: CatalogueSnapshot, *, by: Actor, compared_with: str | None = None
    ) -> Plan:
        """Go back to an earlier catalogue. Courses that were not active then become inactive.

        Raises Refused as `load` does, and ValidationError if today's rules refuse a course.
        """
        before = self.lock()
        plan = plan_courses(self.project.courses.as_data(), snapshot.kept_courses)
        refuse_changed(plan, compared_with)
        findings = [
            f"{course.code}: {name}: {' '.join(faults)}"
            for course in plan.touched
            if course.is_active
            for name, faults in Course(**course.columns).faults().items()
        ]
        if findings:
            raise ValidationError(findings)
        reason = f"as on {snapshot.current_since:%d %b %Y %H:%M} UTC"
        self._store(plan)
        self.record("courses.restored", before, plan.audit_details, by=by, reason=reason)
        return plan

    def _store(self, plan: Plan) -> None:
        Course.objects.bulk_create(
            [Course(project=self.project, **course.columns) for course in plan.touched],
            update_conflicts=True,
            unique_fields=["project", "code"],
            update_fields=[name for name in COLUMNS if name != "code"],
        )

    def record(
        self,
        action: str,
        before: CatalogueSnapshot,
        details: Mapping[str, Any],
        *,
        by: Actor,
        reason: str = "",
        at: datetime | None = None,
    ) -> None:
        """Keep the snapshot after a change, and audit it. `before` is what `lock` returned."""
        newest = CatalogueSnapshot.objects.current(self.project)
        after, at = CatalogueSnapshot.objects.of(self.project), at or timezone.now()
        # Not `before`: a change by SQL may have brought that back.
        if after.pk != newest.pk or newest.current_since is None:
            at = after.make_current(at)
        details = {**details, "digest": after.digest, "digest_before": before.digest}
        AuditEvent.record(
            action, self.project, by=by, reason=reason[:REASON_MAX], details=details, at=at
        )


def refuse_changed(plan: Plan, compared_with: str | None) -> None:
    if compared_with is not None and compared_with != digest_of(plan.today):
        raise Refused(
            "The catalogue has changed since you compared it, so nothing was saved. Check what "
            "would change now."
        )
