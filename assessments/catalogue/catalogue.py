"""A project's courses, changed together."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from assessments.catalogue.plans import Plan, Row, plan_courses, plan_rows
from assessments.catalogue.workbook import MAX_ROWS
from assessments.models import CatalogueSnapshot, Course
from assessments.models.catalogue_snapshots import digest_of
from measurement.courses import COLUMNS
from measurement.fields import FIELDS
from partners.models import Actor, AuditEvent, Project, Refused

REASON_MAX = 200  # of an audit event


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
