"""Sets of courses, and what changes many of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self, Unpack

from django.db import models, transaction

from assessments.catalogue.course_table import Overtaken, Revision
from assessments.catalogue.courses_file import COLUMNS, OPTIONAL_COLUMNS
from assessments.measurement.courses import CourseRatings
from partners.models import AuditEvent, Project
from partners.origin import Origin

if TYPE_CHECKING:
    from assessments.models.courses import Course


class CourseQuerySet(models.QuerySet["Course"]):
    def active(self) -> CourseQuerySet:
        return self.filter(is_active=True)

    def ratings(self) -> list[CourseRatings]:
        """Return what the ranking needs to know of each course, in staff order."""
        return [course.ratings for course in self.order_by("order", "code")]

    @transaction.atomic
    def load(
        self,
        project: Project,
        rows: Sequence[Mapping[str, Any]],
        *,
        at: datetime | None = None,
        **origin: Unpack[Origin],
    ) -> dict[str, int]:
        """Make the project's catalogue what these rows say, all or nothing.

        `rows` come from `catalogue.parse`. A course that is no longer among them becomes inactive,
        one that is, active. What a row says nothing of stays as it is, and has its default in a
        new course. Return counts of `added, changed, unchanged, deactivated`.
        """
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # one load at a time
        known = {course.code: course for course in self.filter(project=project)}
        added, changed, unchanged = [], [], 0
        for row in rows:
            course = known.get(row["code"])
            if course is None:
                added.append(self.model(project=project, **row))
                continue
            new = {**row, "is_active": True}
            if all(getattr(course, name) == value for name, value in new.items()):
                unchanged += 1
                continue
            for name, value in new.items():
                setattr(course, name, value)
            changed.append(course)
        self.bulk_create(added)
        self.bulk_update(changed, [*COLUMNS, *OPTIONAL_COLUMNS, "is_active"])
        gone = self.filter(project=project).active().exclude(code__in=[row["code"] for row in rows])
        counts = {
            "added": len(added),
            "changed": len(changed),
            "unchanged": unchanged,
            "deactivated": gone.update(is_active=False),
        }
        AuditEvent.record("courses.loaded", project, at=at, **origin)
        return counts

    def sheet(self, project: Project) -> Self:
        """Return a project's courses in the order of its catalogue's table."""
        return self.filter(project=project).order_by("order", "code")

    @transaction.atomic
    def revise(
        self,
        project: Project,
        revisions: Mapping[int, Revision],
        *,
        at: datetime | None = None,
        **origin: Unpack[Origin],
    ) -> int:
        """Change courses of a project, by primary key, all or nothing; return how many changed.

        The values have been checked by `Course.full_clean`. Raise Overtaken, naming them, if any
        of these courses is not what it was when they were typed, or is none of the project's.
        """
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # as `load` does
        held = self.filter(project=project, pk__in=revisions).select_for_update(no_key=True)
        courses: dict[int, Course] = {course.pk: course for course in held.order_by("pk")}
        overtaken = [
            pk
            for pk, revision in revisions.items()
            if pk not in courses or courses[pk].digest != revision.digest
        ]
        if overtaken:
            raise Overtaken(overtaken)
        changed, columns = [], set()
        for pk, course in courses.items():
            new = revisions[pk].values
            differing = [name for name in new if getattr(course, name) != new[name]]
            for name in differing:
                setattr(course, name, new[name])
            if differing:
                changed.append(course)
                columns.update(differing)
        if changed:
            named = sorted(columns)
            self.bulk_update(changed, named)
            reason = f"{', '.join(course.code for course in changed)}: {', '.join(named)}"
            AuditEvent.record("courses.changed", project, reason=reason[:200], at=at, **origin)
        return len(changed)
