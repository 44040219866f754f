"""Catalogues as they were: a project's courses at one time, each distinct one stored once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models
from django.utils import timezone

from assessments.models.courses import Course
from measurement.courses import CourseData
from measurement.field_fit import suits_takers
from partners.models import Project


def digest_of(courses: Sequence[dict[str, Any]]) -> str:
    """Return the SHA-256 of a catalogue; `courses` are as `Course.stored`, in staff order."""
    return hashlib.sha256(json.dumps(courses, sort_keys=True).encode()).hexdigest()


class CatalogueSnapshotQuerySet(models.QuerySet["CatalogueSnapshot"]):
    def of(self, project: Project, courses: Iterable[Course]) -> CatalogueSnapshot:
        """Return the snapshot of courses in staff order. Equal catalogues share one."""
        stored = [course.stored for course in courses]
        snapshot, _ = self.defer("courses").get_or_create(
            project=project,
            digest=digest_of(stored),
            defaults={"courses": stored, "taken_at": timezone.now()},
        )
        snapshot.courses = stored
        return snapshot

    def current(self, project: Project) -> CatalogueSnapshot:
        """Return the snapshot of today's catalogue."""
        snapshot = self.of(project, project.courses.order_by("order", "code"))
        if snapshot.current_since is None:
            snapshot.make_current(timezone.now())
        return snapshot

    def earlier(self, project: Project) -> Self:
        """Return the catalogues that the project has had, newest first, without empty ones."""
        found = self.filter(project=project, current_since__isnull=False).exclude(courses=[])
        return found.order_by("-current_since", "-pk")


class CatalogueSnapshot(models.Model):
    """A catalogue that a project has, had, or was offered in a file."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False)
    digest = models.CharField(max_length=64)
    courses = models.JSONField()
    taken_at = models.DateTimeField()
    current_since = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it last became the project's catalogue. Empty for a file not yet loaded.",
    )

    objects = CatalogueSnapshotQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "digest"], name="cataloguesnapshot_once_per_catalogue"
            )
        ]

    def __str__(self) -> str:
        return f"catalogue {self.pk}"

    def make_current(self, at: datetime) -> None:
        self.current_since = at
        self.save(update_fields=["current_since"])

    def recommendable(self, takers: str) -> list[CourseData]:
        """Return the active courses that suit who takes the assessment, one of TAKERS."""
        active = (course for course in self.courses if course["is_active"])
        courses = map(CourseData.from_columns, active)
        return [course for course in courses if suits_takers(course, takers)]
