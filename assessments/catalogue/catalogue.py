"""A project's courses, changed together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from assessments.models.catalogue_snapshots import CatalogueSnapshot, digest_of
from assessments.models.course_description import STORED
from assessments.models.courses import Course
from partners.models import AuditEvent, Project
from partners.models.audit import Actor

REASON_MAX = 200  # of an audit event
# Somebody who sends the wrong file takes most courses away from students.
FEW_DEACTIVATED = 1 / 5


@dataclass(frozen=True)
class Plan:
    """How a catalogue would become: its courses, and what differs from today's.

    `changed` has the columns of a course with their values before and after. A course that only
    becomes inactive is among `deactivated` alone. `active` is the number of active courses today,
    `digest` the digest of today's catalogue.
    """

    courses: list[Course]
    added: list[Course]
    changed: list[tuple[Course, dict[str, tuple[Any, Any]]]]
    deactivated: list[Course]
    unchanged: int
    active: int
    digest: str

    @property
    def differing(self) -> dict[str, list[Course]]:
        """The courses to write, by what becomes of them; a course may be in two lists."""
        changed = [course for course, _ in self.changed]
        return {"added": self.added, "changed": changed, "deactivated": self.deactivated}

    @property
    def counts(self) -> dict[str, int]:
        counts = {kind: len(courses) for kind, courses in self.differing.items()}
        return {**counts, "unchanged": self.unchanged}

    @property
    def touched(self) -> list[Course]:
        codes = {course.code for courses in self.differing.values() for course in courses}
        return [course for course in self.courses if course.code in codes]

    @property
    def deactivates_many(self) -> bool:
        """Whether so many courses become inactive that a user must confirm it."""
        return len(self.deactivated) > FEW_DEACTIVATED * self.active

    @property
    def details(self) -> dict[str, Any]:
        """What the audit trail says of it."""
        codes = {
            kind: [course.code for course in courses] for kind, courses in self.differing.items()
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
    """The courses of a project.

    Each change locks the catalogue, keeps a snapshot of it before and after, and leaves an event in
    the audit trail with the digests of both.
    """

    def __init__(self, project: Project) -> None:
        self.project = project

    def lock(self) -> CatalogueSnapshot:
        """Lock the project, so that nobody else changes its courses. Return their snapshot."""
        Project.objects.select_for_update(no_key=True).get(pk=self.project.pk)
        return CatalogueSnapshot.objects.current(self.project)

    def plan_rows(self, rows: Sequence[Mapping[str, Any]]) -> Plan:
        """Return how the catalogue would become if these rows replaced it.

        `rows` come from `courses_file.rows_of`. Courses among them are active, all others inactive.
        Codes compare without case: a course keeps its own. Columns that a row lacks keep their
        values, or get the default in a new course; see `Course.assign` for fields. A course whose
        name says nothing about them stays inactive until one is chosen.
        """
        courses = {course.code.casefold(): course for course in self.project.courses.all()}
        today = [course.stored for course in courses.values()]
        given = {row["code"].casefold(): row for row in rows}
        for code, row in given.items():
            course = courses.setdefault(code, Course(project=self.project, code=row["code"]))
            course.assign({**row, "code": course.code, "is_active": True})
        for code in courses.keys() - given.keys():
            courses[code].is_active = False
        return self._plan(courses.values(), today)

    def plan_snapshot(self, snapshot: CatalogueSnapshot) -> Plan:
        """Return how the catalogue would become by a snapshot; what it lacks is inactive."""
        courses = {course.code: course for course in self.project.courses.all()}
        today = [course.stored for course in courses.values()]
        wanted = {course["code"]: course for course in snapshot.courses}
        for code, columns in wanted.items():
            course = courses.setdefault(code, Course(project=self.project))
            for name, value in columns.items():
                setattr(course, name, value)
        for code in courses.keys() - wanted.keys():
            courses[code].is_active = False
        return self._plan(courses.values(), today)

    def _plan(self, courses: Iterable[Course], today: list[dict[str, Any]]) -> Plan:
        """Compare the courses with those of today, all of which are among them.

        A course that is inactive before and after is neither changed nor unchanged, unless other
        columns differ.
        """
        plan_rows = sorted(courses, key=lambda course: (course.order, course.code))
        before = {course["code"]: course for course in today}
        added, changed, deactivated, unchanged = [], [], [], 0
        for course in plan_rows:
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
        return Plan(plan_rows, added, changed, deactivated, unchanged, active, digest_of(today))

    @transaction.atomic
    def load(
        self, rows: Sequence[Mapping[str, Any]], *, by: Actor, at: datetime | None = None
    ) -> Plan:
        """Replace the catalogue by these rows, all or nothing; see `plan_rows`."""
        before = self.lock()
        plan = self.plan_rows(rows)
        plan.write()
        self.record("courses.loaded", before, plan.details, by=by, at=at)
        return plan

    def store_upload(self, rows: Sequence[Mapping[str, Any]]) -> CatalogueSnapshot:
        """Store how the catalogue would become, for `take` later."""
        return CatalogueSnapshot.objects.of(self.project, self.plan_rows(rows).courses)

    @transaction.atomic
    def apply(
        self,
        snapshot: CatalogueSnapshot,
        *,
        by: Actor,
        seen: str,
        may_deactivate_many: bool = False,
        fields: Mapping[str, str] | None = None,
        confirmed: bool = False,
        at: datetime | None = None,
    ) -> Plan:
        """Make the catalogue say what a snapshot says: a file that was offered, or an earlier one.

        `seen` is the digest of the catalogue with which the user compared it. `fields` has the main
        field that the user chose for added courses, by code; `confirmed` says that the proposed
        fields of all added courses were checked. Raises ValidationError if it is another one now,
        if that deactivates many and they may not be, and if today's rules refuse a course.
        """
        before = self.lock()
        if before.digest != seen:
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
            f"{course.code}: {name}: {' '.join(said)}"
            for course in plan.touched
            for name, said in course.faults().items()
        ]
        if findings:
            raise ValidationError(findings)
        since = snapshot.current_since
        reason = f"as on {since:%d %b %Y %H:%M} UTC" if since else ""
        action = "courses.restored" if since else "courses.loaded"
        plan.write()
        self.record(action, before, plan.details, by=by, reason=reason, at=at)
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
        """Audit a change that was made after `lock` returned `before`."""
        at, reason = at or timezone.now(), reason[:REASON_MAX]
        after = CatalogueSnapshot.objects.current(self.project)
        if after.digest != before.digest:
            after.make_current(at)
        details = {**details, "digest": after.digest, "digest_before": before.digest}
        AuditEvent.record(action, self.project, by=by, reason=reason, details=details, at=at)
