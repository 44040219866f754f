"""Catalogues as they were: a project's active courses, each distinct catalogue stored once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, ClassVar, Self

from django.db import models
from django.utils import timezone

from measurement.courses import TAKERS, CourseData
from measurement.field_fit import suits_takers
from partners.models import Project

MAX_KEPT = 8  # catalogues in a process's memory; one of 10,000 courses needs some 10 MB


def digest_of(courses: Sequence[CourseData]) -> str:
    """Return the SHA-256 of courses in staff order."""
    stored = json.dumps([course.columns for course in courses], sort_keys=True)
    return hashlib.sha256(stored.encode()).hexdigest()


def count_courses(courses: Sequence[CourseData]) -> dict[str, int]:
    """Return how many titles can be recommended, for each of TAKERS."""
    return {
        takers: len({course.title for course in courses if suits_takers(course, takers)})
        for takers in TAKERS
    }


@lru_cache(MAX_KEPT)
def _courses(pk: int, digest: str) -> list[CourseData]:
    """Return the courses of a snapshot. The digest is there as keys come back after a roll-back."""
    courses = CatalogueSnapshot.objects.values_list("courses", flat=True).get(pk=pk)
    return [CourseData.from_columns(course) for course in courses]


class CatalogueSnapshotQuerySet(models.QuerySet["CatalogueSnapshot"]):
    def of(self, project: Project) -> CatalogueSnapshot:
        """Return the snapshot of a project's active courses. Equal catalogues share one."""
        courses = project.courses.active().as_data()
        snapshot, _ = self.defer("courses").get_or_create(
            project=project,
            digest=digest_of(courses),
            defaults={
                "courses": [course.columns for course in courses],
                "course_counts": count_courses(courses),
                "taken_at": timezone.now(),
            },
        )
        return snapshot

    def current(self, project: Project) -> CatalogueSnapshot:
        """Return the snapshot that the newest change of courses kept; before any, one of today's.

        Reads no course.
        """
        return self._kept(project).defer("courses").first() or self.of(project)

    def current_courses(self, project: Project) -> list[CourseData]:
        """Return the active courses, from memory once a change was kept. Writes nothing."""
        kept = self._kept(project).defer("courses").first()
        return kept.kept_courses if kept else project.courses.active().as_data()

    def count_current(self, project: Project) -> int:
        """Return how many courses a result can have today, by one query once a change was kept."""
        counts = self._kept(project).values_list("course_counts", flat=True).first()
        counts = counts or count_courses(project.courses.active().as_data())
        return counts[project.takers]

    def _kept(self, project: Project) -> Self:
        kept = self.filter(project=project, current_since__isnull=False)
        return kept.order_by("-current_since")

    def earlier(self, project: Project) -> Self:
        """Return the catalogues that the project has had, newest first, without empty ones."""
        return self._kept(project).exclude(courses=[])


class CatalogueSnapshot(models.Model):
    """The active courses that a project has, or had.

    Completed attempts refer to it, for `rescore`. To go back to it needs no inactive course: those
    keep what they are.
    """

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False)
    digest = models.CharField(max_length=64)
    courses = models.JSONField()
    course_counts = models.JSONField(
        help_text="How many titles can be recommended, by who takes the assessment."
    )
    taken_at = models.DateTimeField()
    current_since = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When it last became the project's catalogue, by a change of its courses.",
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

    def make_current(self, at: datetime) -> datetime:
        """Make this the current one, and return since when. The project is locked.

        That is later than `at` if another server's clock was ahead when the last one was kept.
        """
        marks = CatalogueSnapshot.objects.filter(project=self.project)
        last: Any = marks.aggregate(last=models.Max("current_since"))["last"]
        self.current_since = max(at, last + timedelta(microseconds=1)) if last else at
        self.save(update_fields=["current_since"])
        return self.current_since

    @property
    def kept_courses(self) -> list[CourseData]:
        """The courses, from the process's memory if it had them before."""
        return _courses(self.pk, self.digest)

    def recommendable(self, takers: str) -> list[CourseData]:
        """Return the courses that suit who takes the assessment, one of TAKERS."""
        return [course for course in self.kept_courses if suits_takers(course, takers)]
