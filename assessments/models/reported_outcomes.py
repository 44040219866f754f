"""What became of a student in the end, as the partner reports it."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from assessments.models.attempts import Assessment
from assessments.models.identity import email_key
from partners.models import Project


class UnknownCourse(Exception):
    """The project has no course with this code."""


class Stage(models.TextChoices):
    APPLIED = "applied"
    ENROLLED = "enrolled"


class ReportedOutcomeQuerySet(models.QuerySet["ReportedOutcome"]):
    @transaction.atomic
    def report(
        self,
        project: Project,
        *,
        course_code: str,
        stage: str,
        email: str = "",
        assessment_id: str = "",
        at: datetime | None = None,
    ) -> None:
        """Store that a student applied for a course, or enrolled in it.

        It belongs to the completed attempt with this id, or to the newest one of the address; of
        several, enrolled beats applied, else the newest wins. Raises Assessment.DoesNotExist, or
        UnknownCourse; a course that is inactive now is known.
        """
        completed = Assessment.objects.completed().filter(
            student__project=project, student__email_key__contains="@"
        )
        if assessment_id:
            found = completed.filter(assessment_id=assessment_id)
        else:
            found = completed.filter(student__email_key=email_key(email))
        # Reports of one attempt, and its student's erasure, wait for each other.
        newest = found.select_for_update(of=("self",), no_key=True).order_by("-completed_at", "-pk")
        attempt = newest.first()
        if attempt is None:
            raise Assessment.DoesNotExist
        course = project.courses.filter(code__iexact=course_code).first()
        if course is None:
            raise UnknownCourse
        known = self.filter(assessment=attempt).first()
        if known and known.stage == Stage.ENROLLED and stage == Stage.APPLIED:
            return
        values = {"course_code": course.code, "stage": stage, "reported_at": at or timezone.now()}
        self.update_or_create(assessment=attempt, defaults=values)


class ReportedOutcome(models.Model):
    """The course that a student applied for or enrolled in after an attempt."""

    assessment = models.OneToOneField(
        Assessment, on_delete=models.CASCADE, related_name="reported_outcome"
    )
    course_code = models.CharField(max_length=32)
    stage = models.CharField(max_length=8, choices=Stage)
    reported_at = models.DateTimeField()

    objects = ReportedOutcomeQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(stage__in=Stage.values), name="reportedoutcome_stage_known"
            ),
            models.CheckConstraint(
                condition=~Q(course_code=""), name="reportedoutcome_course_not_empty"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.course_code}"
