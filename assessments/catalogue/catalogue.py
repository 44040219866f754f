"""A project's courses, changed together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from assessments.models.catalogue_snapshots import CatalogueSnapshot, digest_of
from assessments.models.course_description import STORED
from assessments.models.courses import Course
from measurement.courses import title_of
from partners.models import AuditEvent, Project
from partners.models.audit import Actor

REASON_MAX = 200  # of an audit event
# The share of the active courses that may become inactive without confirmation. A wrong file would
# take most courses away from students.
FEW_DEACTIVATED = 1 / 5


@dataclass(frozen=True)
class Plan:
    """The courses of a planned catalogue, and how they differ from today's."""

    courses: list[Course]
    added: list[Course]
    changed: list[tuple[Course, dict[str, tuple[Any, Any]]]]  # values before and after, by column
    deactivated: list[Course]  # not in `changed`, unless other columns change too
    unchanged: int
    active: int  # today
    digest: str  # of today's catalogue

    @property
    def differences(self) -> dict[str, list[Course]]:
        changed = [course for course, _ in self.changed]
        return {"added": self.added, "changed": changed, "deactivated": self.deactivated}

    @property
    def counts(self) -> dict[str, int]:
        counts = {kind: len(courses) for kind, courses in self.differences.items()}
        return {**counts, "unchanged": self.unchanged}

    @property
    def touched(self) -> list[Course]:
        codes = {course.code for courses in self.differences.values() for course in courses}
        return [course for course in self.courses if course.code in codes]

    @property
    def deactivates_many(self) -> bool:
        return len(self.deactivated) > FEW_DEACTIVATED * self.active

    @property
    def audit_details(self) -> dict[str, Any]:
        codes = {
            kind: [course.code for course in courses] for kind, courses in self.differences.items()
        }
        return {"counts": self.counts, "codes": codes}

    def write(self) -> None:
        Course.objects.bulk_create(
            self.touched,
            update_conflicts=True,
            unique_fields=["project", "code"],
            update_fields=STORED[1:],  # all but the code
        )


class Catalogue:
    """The courses of a project. A change locks them, keeps both snapshots, and is audited."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def lock(self) -> CatalogueSnapshot:
        """Lock the project, so that nobody else changes its courses. Return a snapshot of them."""
        Project.objects.select_for_update(no_key=True).get(pk=self.project.pk)
        return CatalogueSnapshot.objects.current(self.project)

    def plan_rows(self, rows: Sequence[Mapping[str, Any]]) -> Plan:
        """Plan to replace the catalogue by rows, which come from `course_rows.read_rows`.

        Courses that the rows lack become inactive. Codes are compared without case, and a course
        keeps its spelling. A row without a code is the course of its name. Columns that a row lacks
        keep their values, or get the default in a new course; see `Course.assign` for fields. A
        course without a field stays inactive.
        """
        courses = {course.code.casefold(): course for course in self.project.courses.all()}
        today = [course.stored for course in courses.values()]
        rows_by_code = {row["code"].casefold(): row for row in _with_codes(rows, courses.values())}
        for code, row in rows_by_code.items():
            course = courses.setdefault(code, Course(project=self.project, code=row["code"]))
            course.assign({**row, "code": course.code, "is_active": True})
        for code in courses.keys() - rows_by_code.keys():
            courses[code].is_active = False
        return self._plan(courses.values(), today)

    def plan_snapshot(self, snapshot: CatalogueSnapshot) -> Plan:
        """Plan to replace the catalogue by a snapshot. Courses that it lacks become inactive."""
        courses = {course.code: course for course in self.project.courses.all()}
        today = [course.stored for course in courses.values()]
        columns_by_code = {columns["code"]: columns for columns in snapshot.courses}
        for code, columns in columns_by_code.items():
            course = courses.setdefault(code, Course(project=self.project))
            for name, value in columns.items():
                setattr(course, name, value)
        for code in courses.keys() - columns_by_code.keys():
            courses[code].is_active = False
        return self._plan(courses.values(), today)

    def _plan(self, courses: Iterable[Course], today: list[dict[str, Any]]) -> Plan:
        """Compare courses, which are at least all of today's, with today's columns."""
        in_order = sorted(courses, key=lambda course: (course.order, course.code))
        before = {course["code"]: course for course in today}
        added, changed, deactivated, unchanged = [], [], [], 0
        for course in in_order:
            new, old = course.stored, before.get(course.code)
            if old is None:
                added.append(course)
                continue
            columns = {name: (old[name], new[name]) for name in new if old[name] != new[name]}
            if old["is_active"] and not course.is_active:
                deactivated.append(course)
                del columns["is_active"]
            if columns:
                changed.append((course, columns))
            elif old["is_active"] and course.is_active:
                unchanged += 1
        active = sum(course["is_active"] for course in today)
        return Plan(in_order, added, changed, deactivated, unchanged, active, digest_of(today))

    @transaction.atomic
    def load(
        self, rows: Sequence[Mapping[str, Any]], *, by: Actor, at: datetime | None = None
    ) -> Plan:
        """Replace the catalogue by rows, all or nothing; see `plan_rows`."""
        before = self.lock()
        plan = self.plan_rows(rows)
        plan.write()
        self.record("courses.loaded", before, plan.audit_details, by=by, at=at)
        return plan

    def store_upload(self, rows: Sequence[Mapping[str, Any]]) -> CatalogueSnapshot:
        return CatalogueSnapshot.objects.of(self.project, self.plan_rows(rows).courses)

    @transaction.atomic
    def apply(
        self,
        snapshot: CatalogueSnapshot,
        *,
        by: Actor,
        compared_with: str,
        may_deactivate_many: bool = False,
        fields: Mapping[str, str] | None = None,
        confirmed: bool = False,
        at: datetime | None = None,
    ) -> Plan:
        """Replace the catalogue by a snapshot: an uploaded file or an earlier catalogue.

        The user saw it compared with the catalogue of digest `compared_with`, chose the main
        `fields` of added courses, by code, and `confirmed` those that were proposed. Raises
        ValidationError if the catalogue has changed since, if many courses would become inactive
        without `may_deactivate_many`, or if today's rules refuse a course.
        """
        before = self.lock()
        if before.digest != compared_with:
            raise ValidationError(
                "The catalogue has changed since this page was opened, so nothing was saved. Check "
                "what would change now."
            )
        plan = self.plan_snapshot(snapshot)
        for course in plan.added:
            course.choose_field((fields or {}).get(course.code, ""), confirmed=confirmed)
        if plan.deactivates_many and not may_deactivate_many:
            raise ValidationError("Tick the box to confirm that these courses become inactive.")
        findings = [
            f"{course.code}: {name}: {' '.join(faults)}"
            for course in plan.touched
            for name, faults in course.faults().items()
        ]
        if findings:
            raise ValidationError(findings)
        since = snapshot.current_since
        reason = f"as on {since:%d %b %Y %H:%M} UTC" if since else ""
        action = "courses.restored" if since else "courses.loaded"
        plan.write()
        self.record(action, before, plan.audit_details, by=by, reason=reason, at=at)
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
        at, reason = at or timezone.now(), reason[:REASON_MAX]
        after = CatalogueSnapshot.objects.current(self.project)
        if after.digest != before.digest:
            after.make_current(at)
        details = {**details, "digest": after.digest, "digest_before": before.digest}
        AuditEvent.record(action, self.project, by=by, reason=reason, details=details, at=at)


def _with_codes(
    rows: Sequence[Mapping[str, Any]], courses: Iterable[Course]
) -> list[Mapping[str, Any]]:
    """Give each row without a code that of the course with its name, else the next free one."""
    codes = {course.code.casefold(): course.code for course in courses}
    by_title = {title_of(course.name): course.code for course in courses}
    # Of several courses with a name, an active one.
    by_title |= {title_of(course.name): course.code for course in courses if course.is_active}
    free = (code for n in count(1) if (code := f"C{n:03}").casefold() not in codes)
    return [
        row if "code" in row else {**row, "code": by_title.get(title_of(row["name"])) or next(free)}
        for row in rows
    ]
