"""Which links: issued by a partner or by staff, found by their token, sets of them."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self, Unpack

from django.db import models, transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from assessments import identity
from assessments.models.link_states import AnotherIssued, LinkState, LinkUnavailable
from assessments.models.students import Student
from partners.kept_queries import on_postgresql, rows
from partners.models import AuditEvent, Project
from partners.origin import Origin
from tokens.models import AccessToken

if TYPE_CHECKING:
    from assessments.models.attempts import Assessment
    from assessments.models.links import AssessmentLink

ISSUED = "link.issued"
LINK_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
# `StudentQuerySet.remember` and `_add` in one statement, which is a transaction by itself: one trip
# to the database instead of four.
_ISSUE = """
WITH student AS (
  INSERT INTO assessments_student (project_id, email_key, email, name, mobile, created_at)
  VALUES (%(project)s, %(email_key)s, %(email)s, %(name)s, %(normal_mobile)s, %(at)s)
  ON CONFLICT (project_id, email_key) DO UPDATE
  SET email = EXCLUDED.email, name = EXCLUDED.name, mobile = EXCLUDED.mobile
  RETURNING id
)
INSERT INTO assessments_assessmentlink
  (student_id, access_token_id, token_digest, name, mobile, issued_at, expires_at)
SELECT id, %(access_token)s, %(token_digest)s, %(name)s, %(mobile)s, %(at)s, %(expires_at)s
FROM student
RETURNING id, student_id
"""


def link_digest(link_token: str) -> str:
    """Return what is stored of a link token."""
    return hashlib.sha256(link_token.encode()).hexdigest()


class AssessmentLinkQuerySet(models.QuerySet["AssessmentLink"]):
    def unused(self, at: datetime) -> Self:
        """Return links that can be started: not used, and now before their expiry."""
        return self.filter(used_at=None, expires_at__gt=at)

    def issue(
        self,
        project: Project,
        *,
        name: str,
        email: str,
        mobile: str,
        access_token: AccessToken | None = None,
        at: datetime | None = None,
    ) -> tuple[AssessmentLink, str]:
        """Issue a link for a student; return it and its link token, which exists only here.

        Every call makes a new link; earlier ones live on. The details have passed the rules of
        `identity`.
        """
        issue = self._issue_at_once if on_postgresql() else self._issue_by_the_orm
        return issue(project, access_token, at or timezone.now(), name, email, mobile)

    @transaction.atomic
    def _issue_by_the_orm(
        self,
        project: Project,
        access_token: AccessToken | None,
        at: datetime,
        name: str,
        email: str,
        mobile: str,
    ) -> tuple[AssessmentLink, str]:
        student = Student.objects.remember(project, name=name, email=email, mobile=mobile, at=at)
        return self._add(
            project, student, name=name, mobile=mobile, access_token=access_token, at=at
        )

    def _issue_at_once(
        self,
        project: Project,
        access_token: AccessToken | None,
        at: datetime,
        name: str,
        email: str,
        mobile: str,
    ) -> tuple[AssessmentLink, str]:
        """Do as `_issue_by_the_orm`, in one statement of PostgreSQL."""
        link_token = secrets.token_urlsafe(32)
        link = self.model(
            access_token_id=None if access_token is None else access_token.pk,
            token_digest=link_digest(link_token),
            name=name,
            mobile=mobile,
            issued_at=at,
            expires_at=at + project.start_by,
        )
        values: dict[str, Any] = {
            "project": project.pk,
            "email_key": identity.email_key(email),
            "email": email,
            "name": name,
            "mobile": mobile,
            "normal_mobile": identity.normal_mobile(mobile),
            "access_token": link.access_token_id,
            "token_digest": link.token_digest,
            "at": at,
            "expires_at": link.expires_at,
        }
        [(link.pk, link.student_id)] = rows(_ISSUE, values)
        link._state.adding, link._state.db = False, self.db
        return link, link_token

    @transaction.atomic
    def issue_by_staff(
        self,
        student: Student,
        *,
        newest: int | None = None,
        reason: str = "",
        at: datetime | None = None,
        **origin: Unpack[Origin],
    ) -> tuple[AssessmentLink, str]:
        """Issue a link for a student known already; return it and its link token, as `issue` does.

        `newest` is the key of the newest link that staff saw, 0 for none: with a newer one it
        raises AnotherIssued, so that a form sent twice makes one. Raise LinkUnavailable in a
        closed project, whose links nobody can start, and for a student who was erased (EXPIRED);
        ReasonNamesThePerson, as the reason is kept.
        """
        at = at or timezone.now()
        project = student.project
        if project.is_closed:
            raise LinkUnavailable(LinkState.CLOSED)
        student = Student.objects.locked(student.pk)
        if student.is_erased:
            raise LinkUnavailable(LinkState.EXPIRED)
        student.refuse_naming(reason)
        latest = self.filter(student=student).order_by("-pk").first()
        if newest is not None and latest and latest.pk != newest:
            raise AnotherIssued(latest)
        # A number that only its "+" makes too long stays whole without it.
        mobile = student.mobile[-identity.MOBILE_MAX :]
        link, link_token = self._add(
            project, student, name=student.name, mobile=mobile, access_token=None, at=at
        )
        AuditEvent.record(ISSUED, link, reason=reason, at=at, **origin)
        return link, link_token

    def _add(
        self,
        project: Project,
        student: Student,
        *,
        name: str,
        mobile: str,
        access_token: AccessToken | None,
        at: datetime,
    ) -> tuple[AssessmentLink, str]:
        link_token = secrets.token_urlsafe(32)
        link = self.create(
            student=student,
            access_token=access_token,
            token_digest=link_digest(link_token),
            name=name,
            mobile=mobile,
            issued_at=at,
            expires_at=at + project.start_by,
        )
        return link, link_token

    def of_students(self, students: Iterable[Student]) -> Self:
        return self.filter(student__in=students)

    def last_of(self, attempt: Assessment) -> AssessmentLink | None:
        """Return the link that an attempt was opened by last, with what it refers to."""
        links = self.select_related("student__project", "access_token")
        link = links.filter(assessment=attempt).order_by("-used_at", "-pk").first()
        if link:
            # The row at hand: nothing of it need be read again.
            link.assessment, link.student = attempt, attempt.student
        return link

    def newest_of_each(self) -> Self:
        """Return, of the students of these links, the newest link each."""
        newest = self.model._default_manager.filter(student=OuterRef("student"))
        return self.filter(pk=Subquery(newest.order_by("-pk").values("pk")[:1]))

    def with_attempts(self) -> Self:
        """Fetch with each link its attempt and the token that asked for it."""
        return self.select_related("assessment", "access_token")

    def newest_first(self) -> Self:
        return self.order_by("-issued_at", "-pk")

    def with_newest_of_attempt(self) -> Self:
        """Add `newest_of_attempt`, the key of the link that its attempt was last opened by."""
        of_attempt = self.model._default_manager.filter(assessment=OuterRef("assessment"))
        newest = of_attempt.order_by("-used_at", "-pk").values("pk")[:1]
        return self.annotate(newest_of_attempt=Subquery(newest))

    def of_link_token(self, link_token: str) -> AssessmentLink | None:
        """Return the link of this token, of whatever project, for staff; None if there is none."""
        if not LINK_TOKEN.fullmatch(link_token):
            return None
        return self.filter(token_digest=link_digest(link_token)).first()

    def for_token(self, project_id: str, link_token: str) -> AssessmentLink:
        """Return the link of this token in this project. Raise DoesNotExist otherwise.

        Anything that does not look like a link token is refused without asking the database.
        """
        if not LINK_TOKEN.fullmatch(link_token):
            raise self.model.DoesNotExist
        links = self.select_related("student__project", "assessment")
        return links.get(
            token_digest=link_digest(link_token), student__project__project_id=project_id
        )
