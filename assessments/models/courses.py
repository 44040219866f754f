"""What a project can recommend, and the catalogue as it was when an attempt was completed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, ClassVar, Unpack

from django.core.validators import MaxValueValidator
from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone

from assessments.measurement.scales import INTERESTS
from assessments.recommendation import CourseRatings
from partners.models import AuditEvent, Project
from partners.origin import Origin

RATING_MAX = 3


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
        one that is, active. Return counts of `added, changed, unchanged, deactivated`.
        """
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # one load at a time
        known = {course.code: course for course in self.filter(project=project)}
        added, changed, unchanged = [], [], 0
        for row in rows:
            course = known.get(row["code"])
            if course is None:
                added.append(Course(project=project, **row))
                continue
            new = {**row, "is_active": True}
            if all(getattr(course, name) == value for name, value in new.items()):
                unchanged += 1
                continue
            for name, value in new.items():
                setattr(course, name, value)
            changed.append(course)
        self.bulk_create(added)
        self.bulk_update(changed, ["name", "order", *INTERESTS, "is_active"])
        gone = self.filter(project=project).active().exclude(code__in=[row["code"] for row in rows])
        counts = {
            "added": len(added),
            "changed": len(changed),
            "unchanged": unchanged,
            "deactivated": gone.update(is_active=False),
        }
        AuditEvent.record("courses.loaded", project, at=at, **origin)
        return counts


def rating_field(description: str) -> models.PositiveSmallIntegerField[int, int]:
    return models.PositiveSmallIntegerField(
        default=0,
        validators=[MaxValueValidator(RATING_MAX)],
        help_text=f"{description} 0 = not at all, 1 = a little, 2 = much, 3 = most of the course.",
    )


class Course(models.Model):
    """A course that a project can recommend, with its interest ratings."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="courses")
    code = models.CharField(max_length=32, help_text="The course's key in the project.")
    name = models.CharField(max_length=200, help_text="As partner and student will read it.")
    order = models.PositiveIntegerField(
        default=0, help_text="Decides between courses that fit equally well; lower comes first."
    )
    realistic = rating_field("Hands-on work with tools, machines, plants, animals.")
    investigative = rating_field("Finding out, calculating, experimenting.")
    artistic = rating_field("Designing, writing, performing.")
    social = rating_field("Teaching, caring for, helping people.")
    enterprising = rating_field("Leading, selling, persuading, running things.")
    conventional = rating_field("Records, accounts, order, procedures.")
    is_active = models.BooleanField(
        "active", default=True, help_text="Only active courses are recommended."
    )

    objects = CourseQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["project", "order", "code"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["project", "code"], name="course_code_unique_in_project"
            ),
            models.CheckConstraint(
                condition=~Q(code="") & ~Q(name=""), name="course_code_and_name_not_empty"
            ),
            models.CheckConstraint(
                condition=Q(*[(f"{name}__lte", RATING_MAX) for name in INTERESTS]),
                name="course_ratings_at_most_3",
            ),
            models.CheckConstraint(
                condition=Q(*[(f"{name}__gte", 2) for name in INTERESTS], _connector=Q.OR),
                name="course_one_rating_at_least_2",
                violation_error_message="Rate at least one interest 2 or 3.",
            ),
            models.CheckConstraint(
                condition=~Q(*[(name, F("realistic")) for name in INTERESTS[1:]]),
                name="course_ratings_not_all_equal",
                violation_error_message="Six equal ratings say nothing: let them differ.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def ratings(self) -> CourseRatings:
        """The course as the ranking sees it."""
        return CourseRatings(
            code=self.code,
            name=self.name,
            order=self.order,
            ratings=(
                self.realistic,
                self.investigative,
                self.artistic,
                self.social,
                self.enterprising,
                self.conventional,
            ),
        )


class CatalogueSnapshotQuerySet(models.QuerySet["CatalogueSnapshot"]):
    def of(self, project: Project, ratings: Sequence[CourseRatings]) -> CatalogueSnapshot:
        """Return the snapshot of this catalogue, stored once however many attempts share it."""
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
