"""A project's courses, changed together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

from django.core.exceptions import ValidationError
from django.db import transaction

from assessments.catalogue import course_description
from assessments.catalogue.courses_file import COLUMNS, FACTS
from assessments.measurement.scales import INTERESTS
from assessments.models.courses import Course, CourseQuerySet
from partners.actor_context import ActorContext
from partners.models import AuditEvent, Project

REASON_MAX = 200  # of an audit event
NOTHING_TO_PROPOSE = "Choose a main field, or give the six ratings: the name says nothing about it."


class Catalogue:
    """The courses of a project."""

    def __init__(self, project: Project) -> None:
        self.project = project

    @transaction.atomic
    def load(
        self,
        rows: Sequence[Mapping[str, Any]],
        *,
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> dict[str, int]:
        """Replace the catalogue by these rows, all or nothing.

        `rows` come from `courses_file.parse`. Courses among them become active, all others
        inactive. Columns that a row lacks keep their values, or get the default in a new course;
        see `Course.assign` for fields and ratings. Return counts of `added, changed, unchanged,
        deactivated`. Raises ValidationError if courses have neither fields nor ratings, and a
        name from which no field can be proposed.
        """
        Project.objects.select_for_update(no_key=True).get(pk=self.project.pk)  # one load at a time
        known = {course.code: course for course in self.project.courses.all()}
        columns = [*COLUMNS, *FACTS, *course_description.COLUMNS, "fields_proposed", "is_active"]
        added, changed, unchanged, findings = [], [], 0, []
        for row in rows:
            course = known.get(row["code"])
            before = [getattr(course, name) for name in columns] if course else None
            if course is None:
                course = Course(project=self.project)
                course.assign({**dict.fromkeys(INTERESTS), **row})
                added.append(course)
            else:
                course.assign({**row, "is_active": True})
            if not course.fields:
                findings.append(f"{course.code}: {NOTHING_TO_PROPOSE}")
            elif before and before == [getattr(course, name) for name in columns]:
                unchanged += 1
            elif before:
                changed.append(course)
        if findings:
            raise ValidationError({"courses": findings})
        Course.objects.bulk_create(added)
        Course.objects.bulk_update(changed, columns)
        gone = self.project.courses.active().exclude(code__in=[row["code"] for row in rows])
        gone_codes = sorted(gone.values_list("code", flat=True))
        counts = {
            "added": len(added),
            "changed": len(changed),
            "unchanged": unchanged,
            "deactivated": gone.update(is_active=False),
        }
        details = {
            "counts": counts,
            "codes": {
                "added": [course.code for course in added],
                "changed": [course.code for course in changed],
                "deactivated": gone_codes,
            },
            "digest": self.digest(),
        }
        AuditEvent.record("courses.loaded", self.project, details=details, at=at, **context)
        return counts

    def sheet(self) -> CourseQuerySet:
        """Return the courses in the order of the table."""
        return self.project.courses.order_by("order", "code")

    def locked_sheet(self) -> list[Course]:
        """Lock the catalogue until the transaction ends, and return its sheet."""
        Project.objects.select_for_update(no_key=True).get(pk=self.project.pk)  # as `load` does
        return list(self.sheet().select_for_update(no_key=True))

    @transaction.atomic
    def revise(
        self,
        changes: Mapping[int, Mapping[str, Any]],
        *,
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> int:
        """Change columns of courses, by primary key. Return how many changed.

        The values must have passed `Course.full_clean`, and the catalogue be locked.
        """
        courses = list(self.project.courses.filter(pk__in=changes).order_by("pk"))
        changed: dict[str, dict[str, tuple[Any, Any]]] = {}
        for course in courses:
            changed[course.code] = {}
            for name, value in changes[course.pk].items():
                changed[course.code][name] = (getattr(course, name), value)
                setattr(course, name, value)
        if courses:
            columns = sorted({name for each in changed.values() for name in each})
            Course.objects.bulk_update(courses, columns)
            self.record_changed(changed, at=at, **context)
        return len(courses)

    def record_added(self, course: Course, **context: Unpack[ActorContext]) -> None:
        """Audit a course that was added."""
        details = {"codes": {"added": [course.code]}, "digest": self.digest()}
        AuditEvent.record(
            "courses.added", self.project, reason=course.code, details=details, **context
        )

    def record_changed(
        self,
        changes: Mapping[str, Mapping[str, tuple[Any, Any]]],
        *,
        at: datetime | None = None,
        **context: Unpack[ActorContext],
    ) -> None:
        """Audit changes of courses: by code, the columns with their values before and after."""
        columns = sorted({name for each in changes.values() for name in each})
        AuditEvent.record(
            "courses.changed",
            self.project,
            reason=f"{', '.join(changes)}: {', '.join(columns)}"[:REASON_MAX],
            details={"courses": changes, "digest": self.digest()},
            at=at,
            **context,
        )

    def digest(self) -> str:
        """Return a digest of everything that the catalogue says."""
        columns = sorted({each.attname for each in Course._meta.concrete_fields} - {"id"})
        rows = self.project.courses.order_by("code").values_list(*columns)
        return hashlib.sha256(json.dumps(list(rows)).encode()).hexdigest()
