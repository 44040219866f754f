"""A project's courses, changed together."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from assessments.catalogue.plans import Plan, Row, plan_rows
from assessments.catalogue.workbook import MAX_ROWS
from assessments.models import CatalogueSnapshot, Course
from assessments.models.catalogue_snapshots import digest_of
from measurement.courses import COLUMNS
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

    def load(self, rows: Sequence[Row], *, by: Actor, at: datetime | None = None) -> None:
        """Replace the courses by rows, which come from `course_rows.parse`."""
        plan = plan_rows(self.project.courses.as_data(), rows)
        self.apply(plan, "courses.loaded", by=by, at=at)

    def restore(self, plan: Plan, since: datetime, *, by: Actor, seen: str) -> Plan:
        """Apply a plan of `plan_courses`: the catalogue of `since`.

        Raises Refused like `apply`, and with a line for each fault of a course by today's rules.
        """
        findings = [
            f"{course.code}: {name}: {' '.join(faults)}"
            for course in plan.touched
            if course.is_active
            for name, faults in Course(**course.columns).faults().items()
        ]
        if findings:
            raise Refused("\n".join(findings))
        reason = f"as on {since:%d %b %Y %H:%M} UTC"
        return self.apply(plan, "courses.restored", by=by, seen=seen, reason=reason)

    @transaction.atomic
    def apply(
        self,
        plan: Plan,
        action: str,
        *,
        by: Actor,
        seen: str | None = None,
        reason: str = "",
        at: datetime | None = None,
    ) -> Plan:
        """Store what a plan changes, all or nothing, and return it.

        Raises Refused if the courses are not those that were planned for, of which a page showed
        the digest `seen`, or if there would be too many.
        """
        before = self.lock()
        today = self.project.courses.as_data()
        if today != list(plan.today) or seen not in {None, digest_of(today)}:
            raise Refused(
                "The catalogue has changed since you compared it, so nothing was saved. Check what "
                "would change now."
            )
        if sum(course.is_active for course in plan.courses) > MAX_ROWS:
            raise Refused(f"A project has at most {MAX_ROWS:,} active courses.")
        Course.objects.bulk_create(
            [Course(project=self.project, **course.columns) for course in plan.touched],
            update_conflicts=True,
            unique_fields=["project", "code"],
            update_fields=[name for name in COLUMNS if name != "code"],
        )
        courses = plan.differences.items()
        codes = {kind: [course.code for course in of_kind] for kind, of_kind in courses}
        details = {"counts": plan.counts, "codes": codes}
        self.record(action, before, details, by=by, reason=reason, at=at)
        return plan

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
