"""Snapshots of a project's catalogue, as attempts were completed with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import ClassVar

from django.db import models
from django.utils import timezone

from assessments.measurement.courses import CourseRatings
from partners.models import Project


class CatalogueSnapshotQuerySet(models.QuerySet["CatalogueSnapshot"]):
    def of(self, project: Project, ratings: Sequence[CourseRatings]) -> CatalogueSnapshot:
        """Return the snapshot of this catalogue, which all attempts with it share."""
        courses = [asdict(course) for course in ratings]
        digest = hashlib.sha256(json.dumps(courses, sort_keys=True).encode()).hexdigest()
        snapshot, _ = self.get_or_create(
            project=project,
            digest=digest,
            defaults={"courses": courses, "taken_at": timezone.now()},
        )
        return snapshot


class CatalogueSnapshot(models.Model):
    """The active catalogue of a project as it was when an attempt was completed."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, db_index=False)
    digest = models.CharField(max_length=64)
    courses = models.JSONField()
    taken_at = models.DateTimeField()

    objects = CatalogueSnapshotQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "digest"], name="cataloguesnapshot_once_per_catalogue"
            ),
        ]

    def __str__(self) -> str:
        return f"catalogue {self.pk}"
