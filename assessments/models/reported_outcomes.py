"""What became of a student in the end, as the partner reports it."""

from typing import ClassVar

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from assessments.models.attempts import Attempt
from assessments.models.identity import email_key
from assessments.models.students import NOT_ERASED, erasers
from partners.models import Project


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
    ) -> None:
        """Store that a student applied for a course, or enrolled in it, active or not.

        It belongs to the completed attempt with this id, else the newest of the address. Enrolled
        beats applied, else the newest wins. Raise Attempt.DoesNotExist or Course.DoesNotExist.
        """
        named = {"assessment_id": assessment_id} if assessment_id else {}
        named = named or {"student__email_key": email_key(email)}
        completed = Attempt.objects.completed()
        completed = completed.filter(NOT_ERASED, student__project=project, **named)
        # Reports of one attempt, and its student's erasure, wait for each other.
        locked = completed.select_for_update(of=("self",), no_key=True)
        attempt = locked.latest("completed_at", "pk")
        course = project.courses.filter(code__iexact=course_code).earliest("pk")
        enrolled = self.filter(attempt=attempt, stage=Stage.ENROLLED)
        if stage == Stage.APPLIED and enrolled.exists():
            return
        values = {"course_code": course.code, "stage": stage, "reported_at": timezone.now()}
        self.update_or_create(attempt=attempt, defaults=values)


class ReportedOutcome(models.Model):
    """The course that a student applied for or enrolled in after an attempt."""

    attempt = models.OneToOneField(
        Attempt, on_delete=models.CASCADE, related_name="reported_outcome"
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


erasers.append(lambda student: ReportedOutcome.objects.filter(attempt__student=student).delete())
