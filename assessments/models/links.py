"""One-time links: issued, used once, or expired."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar, Literal

from django.conf import settings
from django.db import models, transaction
from django.db.models import F, Q
from django.utils import timezone

from assessments import identity
from assessments.models.ages import NOT_ASKED, Age, AgeMissing
from assessments.models.attempt_sets import browser_digest
from assessments.models.attempt_states import Status
from assessments.models.attempts import Assessment
from assessments.models.banks import ItemBank
from assessments.models.link_sets import AssessmentLinkQuerySet
from assessments.models.link_states import (
    AnotherIssued,
    LinkState,
    LinkUnavailable,
    NothingToContinue,
)
from assessments.models.students import Student
from partners.models import Project
from tokens.models import AccessToken

Start = Literal["", "continue", "again"]

__all__ = [
    "AnotherIssued",
    "AssessmentLink",
    "LinkState",
    "LinkUnavailable",
    "NothingToContinue",
    "Start",
]


class AssessmentLink(models.Model):
    """A time-bound, single-use invitation of one student."""

    student = models.ForeignKey(
        Student, on_delete=models.PROTECT, related_name="links", db_index=False
    )
    access_token = models.ForeignKey(
        AccessToken,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        help_text="The token that asked for the link; none if staff issued it.",
    )
    token_digest = models.CharField(max_length=64, unique=True, help_text="SHA-256, in hex.")
    name = models.CharField(max_length=identity.NAME_MAX, help_text="As given with this link.")
    mobile = models.CharField(max_length=identity.MOBILE_MAX, help_text="As given with this link.")
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="Until then the link can be started.")
    used_at = models.DateTimeField(null=True, blank=True)
    assessment = models.ForeignKey(
        Assessment,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="links",
        help_text="The attempt that the link started or continued.",
    )

    objects = AssessmentLinkQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        permissions: ClassVar = [("issue_link", "Can issue a fresh link to a student")]
        indexes: ClassVar = [
            models.Index(fields=["student", "id"], name="assessmentlink_student_newest"),
            # The figures of a day, and what has to be deleted.
            models.Index(fields=["issued_at"], name="assessmentlink_issued"),
            models.Index(
                fields=["expires_at"],
                name="assessmentlink_unused_expiry",
                condition=Q(used_at__isnull=True),
            ),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(used_at__isnull=True, assessment__isnull=True)
                | Q(used_at__isnull=False, assessment__isnull=False),
                name="assessmentlink_used_iff_assessment",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("issued_at")),
                name="assessmentlink_expires_after_issue",
            ),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(mobile=""), name="assessmentlink_details_not_empty"
            ),
        ]

    def __str__(self) -> str:
        return f"link {self.pk}"

    @property
    def project(self) -> Project:
        return self.student.project

    @property
    def given_name(self) -> str:
        """All of the student's name that a page shows."""
        return identity.given_name(self.name)

    @staticmethod
    def url(project: Project, link_token: str) -> str:
        """Return the redirect-url of a link token. Its base is a setting, never the Host header."""
        return f"{settings.APP_URL}/{project.project_id}/assessment?token={link_token}"

    def state_at(self, at: datetime | None = None) -> LinkState:
        """Return what the link can still do, whoever asks."""
        at = at or timezone.now()
        if self.assessment:
            status = self.assessment.status_at(at)
            return {
                Status.COMPLETED: LinkState.FINISHED,
                Status.ABANDONED: LinkState.ENDED,
                Status.IN_PROGRESS: LinkState.IN_USE,
            }[status]
        if self.project.is_closed:
            return LinkState.CLOSED
        return LinkState.UNUSED if at < self.expires_at else LinkState.EXPIRED

    def state_in_words(self, at: datetime | None = None) -> str:
        """Return the state as a list has it. Reads `newest_of_attempt` of the row."""
        state = self.state_at(at)
        newest: int | None = self.newest_of_attempt  # type: ignore[attr-defined]  # annotated
        if state == LinkState.IN_USE and newest != self.pk:
            return f"taken over by link #{newest}"
        return str(state.label).lower()

    def open_attempt(self, at: datetime | None = None) -> Assessment | None:
        """Return the student's attempt that this link could continue, with its progress."""
        attempts = self.student.assessments.open(at).with_progress()
        return attempts.newest_first().first()

    def asks_age(self, start: str = "", at: datetime | None = None) -> bool:
        """Return whether such a start needs an age: that of a new attempt, if the project asks."""
        if not self.project.asks_age or start == "continue":
            return False
        return start == "again" or self.open_attempt(at) is None

    @transaction.atomic
    def start(
        self,
        browser_token: str,
        *,
        consent_version: str,
        language: str,
        start: Start = "",
        age: Age = NOT_ASKED,
        at: datetime | None = None,
    ) -> Assessment:
        """Use the link in this browser; return the attempt that it starts or continues.

        An open attempt of the student is continued, which moves it to this browser, unless `start`
        is "again": then it is abandoned and a new one begins. The same browser a second time gets
        its own attempt. `age` is stored with a new attempt if the project asks it.
        Raise, with nothing changed: LinkUnavailable; NothingToContinue if `start` is "continue"
        and no attempt is open; AgeMissing if a new attempt lacks the age that the project asks.
        """
        at = at or timezone.now()
        if Student.objects.locked(self.student_id).is_erased:
            raise LinkUnavailable(LinkState.EXPIRED)
        self.refresh_from_db(fields=["used_at", "assessment"])
        if self.assessment and self.assessment.is_in_browser(browser_token):
            return self.assessment
        if self.state_at(at) != LinkState.UNUSED:
            raise LinkUnavailable(self.state_at(at))
        earlier = self.open_attempt(at)
        if start == "continue" and earlier is None:
            raise NothingToContinue
        if earlier and start != "again":
            if not earlier.move_to(browser_token, at):
                raise NothingToContinue
            attempt = earlier
        else:
            if self.project.asks_age and age.is_minor is None:
                raise AgeMissing
            if earlier:
                earlier.abandon(at)
            attempt = self._new_attempt(browser_token, consent_version, language, age, at)
        used = AssessmentLink.objects.unused(at).filter(pk=self.pk)
        if used.update(used_at=at, assessment=attempt) != 1:
            raise LinkUnavailable(LinkState.IN_USE)
        self.used_at, self.assessment = at, attempt
        return attempt

    def _new_attempt(
        self, browser_token: str, consent_version: str, language: str, age: Age, at: datetime
    ) -> Assessment:
        if not self.project.asks_age:
            age = NOT_ASKED
        return Assessment.objects.create(
            student=self.student,
            bank=ItemBank.objects.current(),
            language=language,
            browser_digest=browser_digest(browser_token),
            consent_version=consent_version,
            consented_at=at,
            is_minor=age.is_minor,
            guardian_name=age.guardian_name,
            guardian_contact=age.guardian_contact,
            started_at=at,
            finish_by_at=at + self.project.finish_by,
            retention_months=self.project.retention_months,
        )
