"""One-time links: issued, looked up by token, used once, or expired."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, Self

from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import F, OuterRef, Q, Subquery
from django.utils import timezone

from assessments.models import identity
from assessments.models.attempts import Attempt, AttemptQuerySet
from assessments.models.banks import ItemBank
from assessments.models.ended import Status
from assessments.models.identity import URL_SECRET, new_url_secret, secret_digest
from assessments.models.students import NOT_ERASED, Student
from partners.models import Actor, AuditEvent, Project, Refused
from partners.public_ids import new_public_id
from tokens.models import AccessToken

Start = Literal["", "continue", "again"]
Columns = dict[str, Any]

new_link_id = partial(new_public_id, "lnk")
ISSUED, CANCELLED = "link.issued", "link.cancelled"
# The version of the notice in templates/student/landing.html, in all languages, to which a student
# agrees before the start: a day, and a number if it changed more than once. Change it when the
# promises or questions there change, not for better wording.
NOTICE_VERSION = "2026-11-29"
# `_store_by_the_orm` in one statement, which is its own transaction: one round trip instead of
# four, which saves 0.5 ms of our CPU per call.
_ISSUE = """
WITH student AS (
  INSERT INTO assessments_student (project_id, email_key, email, name, mobile, created_at)
  VALUES (%(student_project_id)s, %(student_email_key)s, %(student_email)s, %(student_name)s,
    %(student_mobile)s, %(student_created_at)s)
  ON CONFLICT (project_id, email_key) DO UPDATE
  SET email = EXCLUDED.email, name = EXCLUDED.name, mobile = EXCLUDED.mobile
  RETURNING id
)
INSERT INTO assessments_assessmentlink
  (link_id, student_id, access_token_id, token_digest, name, mobile, reference, issued_at,
  expires_at)
SELECT %(link_id)s, id, %(access_token_id)s, %(token_digest)s, %(name)s, %(mobile)s,
  %(reference)s, %(issued_at)s, %(expires_at)s
FROM student
RETURNING id, student_id
"""


class LinkState(models.TextChoices):
    """Derived from timestamps, never stored. A used link has the name and label of a Status."""

    UNUSED = "unused", "Not started"
    IN_PROGRESS = "in-use", Status.IN_PROGRESS.value
    COMPLETED = "finished", Status.COMPLETED.value
    ABANDONED = "ended", Status.ABANDONED.value
    CANCELLED = "cancelled", "Cancelled"
    EXPIRED = "expired", "Expired"
    PROJECT_CLOSED = "closed", "Project closed"


class LinkUnavailable(Exception):
    """The link cannot be started here; `state` says why."""

    def __init__(self, state: LinkState) -> None:
        super().__init__(state.value)
        self.state = state


class LinkStarted(Exception):
    """The link was started, so it can't be cancelled."""


class OfferChanged(Exception):
    """What the page offered has changed since. The link is still unused."""


class AgeMissing(Exception):
    """The project asks for the age, but none was given for a new attempt."""


@dataclass(frozen=True)
class Age:
    """`is_minor` is None if the age was not asked. Only a minor has a guardian."""

    is_minor: bool | None = None
    guardian_name: str = field(default="", repr=False)
    guardian_contact: str = field(default="", repr=False)


NOT_ASKED = Age()


class OfferedAttempt(NamedTuple):
    """The attempt that a landing page offered to continue, as its form names it; or none."""

    assessment_id: str = ""
    continuations: str = ""


@dataclass(frozen=True)
class StartOptions:
    """What a link can do in one browser: the landing page shows it, and `start` acts on it."""

    state: LinkState
    project_asks_age: bool
    own_attempt: Attempt | None = None  # of a used link, if this browser has it
    offered: Attempt | None = None  # an open one, which an unused link can continue
    is_held: bool = False  # whether this browser has the offered one

    @property
    def as_posted(self) -> OfferedAttempt:
        if self.offered is None:
            return OfferedAttempt()
        return OfferedAttempt(self.offered.assessment_id, str(self.offered.continuations))

    def asks_age(self, start: str) -> bool:
        """Return whether the button `start` creates an attempt, for which the project asks it."""
        creates = start == "again" or (self.offered is None and start != "continue")
        return self.project_asks_age and creates


class AssessmentLinkQuerySet(models.QuerySet["AssessmentLink"]):
    def issue(
        self,
        project: Project,
        *,
        name: str,
        email: str,
        mobile: str,
        reference: str = "",
        access_token: AccessToken | None = None,
        at: datetime | None = None,
    ) -> tuple[AssessmentLink, str]:
        """Issue a link for a student. Return it and its link token, which is not stored.

        Earlier links stay valid. The details must have passed the checks of `identity`.
        """
        at = at or timezone.now()
        given: Columns = {"name": name, "mobile": mobile, "reference": reference}
        given["access_token_id"] = access_token.pk if access_token else None
        link, link_token = _new_link(project, at, **given)
        student = {
            "project_id": project.pk,
            "email_key": identity.email_key(email),
            "email": email,
            "name": name,
            "mobile": identity.normal_mobile(mobile),
            "created_at": at,
        }
        is_postgresql = connection.vendor == "postgresql"
        store = self._store_at_once if is_postgresql else self._store_by_the_orm
        return store(student, link), link_token

    @transaction.atomic
    def _store_by_the_orm(self, student: Columns, link: Columns) -> AssessmentLink:
        """Create or update the student with this address, and create the link."""
        known = Student(**student)
        Student.objects.bulk_create(
            [known],
            update_conflicts=True,
            unique_fields=["project", "email_key"],
            update_fields=["email", "name", "mobile"],
        )
        return self.create(student=known, **link)

    def _store_at_once(self, student: Columns, link: Columns) -> AssessmentLink:
        of_student = {f"student_{column}": value for column, value in student.items()}
        with connection.cursor() as cursor:
            cursor.execute(_ISSUE, {**link, **of_student})
            pk, student_id = cursor.fetchone()
        row = self.model(pk=pk, student_id=student_id, **link)
        row._state.adding, row._state.db = False, self.db
        return row

    @transaction.atomic
    def issue_by_staff(
        self,
        student: Student,
        *,
        by: Actor,
        reason: str = "",
        mobile: str = "",
        at: datetime | None = None,
    ) -> tuple[AssessmentLink, str]:
        """Issue a link for an existing student, with the reference of the newest one, like `issue`.

        `mobile` is one of `numbers_for`, by default the first. Raise Refused if the project is
        closed or the student erased, or ReasonNamesThePerson.
        """
        at = at or timezone.now()
        student = Student.objects.locked(student.pk)
        if refusal := student.refusal_of_link:
            raise Refused(refusal)
        student.refuse_naming(reason)
        [issued] = self.issue_again([student], by=by, reason=reason, mobile=mobile, at=at)
        return issued

    def issue_again(
        self,
        students: Sequence[Student],
        *,
        by: Actor,
        at: datetime,
        reason: str = "",
        mobile: str = "",
    ) -> list[tuple[AssessmentLink, str]]:
        """Issue a link to each of these students, who are locked and not erased, in their order.

        A link has the reference of the student's newest one, and `mobile` or the first of
        `numbers_for`. The reason names nobody.
        """
        newest = self.filter(student__in=students).newest_of_each()
        references = dict(newest.values_list("student", "reference"))
        numbers: dict[int, str] = {}
        for begun in self.that_started(Attempt.objects.open(at).filter(student__in=students)):
            numbers.setdefault(begun.student_id, begun.mobile)
        links, link_tokens = [], []
        for student in students:
            # A student's number may exceed the limit by its "+", which can be dropped.
            number = mobile or numbers.get(student.pk) or student.mobile[-identity.MOBILE_MAX :]
            given = {"mobile": number, "reference": references.get(student.pk, "")}
            values, link_token = _new_link(student.project, at, name=student.name, **given)
            links.append(self.model(student=student, **values))
            link_tokens.append(link_token)
        self.bulk_create(links)
        for link in links:
            AuditEvent.record(ISSUED, link, by=by, reason=reason, at=at)
        return list(zip(links, link_tokens, strict=True))

    def unused(self, at: datetime) -> Self:
        return self.filter(used_at=None, cancelled_at=None, expires_at__gt=at)

    def expired(self, at: datetime) -> Self:
        return self.filter(used_at=None, cancelled_at=None, expires_at__lte=at)

    @transaction.atomic
    def cancel(
        self, target: models.Model, *, by: Actor, reason: str = "", at: datetime | None = None
    ) -> int:
        """Cancel the unused ones of these links, record it about `target`, and return how many.

        Of a cancel and a start at once, one succeeds: PostgreSQL checks `unused` again for a row
        that changed while the UPDATE waited. So filter by columns of the link, without a join.
        """
        at = at or timezone.now()
        cancelled = self.unused(at).update(cancelled_at=at)
        if cancelled:
            note = reason or f"{cancelled} link{'s' if cancelled > 1 else ''}"
            AuditEvent.record(CANCELLED, target, by=by, reason=note, at=at)
        return cancelled

    def cancel_named(
        self, project: Project, link_id: str, *, by: Actor, at: datetime | None = None
    ) -> int:
        """Return 1, or 0 if cancelled or expired before. Raise LinkStarted, or DoesNotExist."""
        link = self.select_related("student__project").get(
            NOT_ERASED, student__project=project, link_id=link_id
        )
        cancelled = self.filter(pk=link.pk).cancel(link, by=by, at=at)
        if not cancelled and self.filter(pk=link.pk).exclude(used_at=None).exists():
            raise LinkStarted
        return cancelled

    @transaction.atomic
    def cancel_for_email(
        self, project: Project, email: str, *, by: Actor, at: datetime | None = None
    ) -> int:
        try:
            student = Student.objects.known_as(project, email)
        except Student.DoesNotExist:
            return 0
        # Starts and erasure lock the student too, so that none of them waits for another's links.
        Student.objects.locked(student.pk)
        return self.filter(student=student).cancel(student, by=by, at=at)

    def without_tests(self) -> Self:
        return self.filter(student__project__is_test=False)

    def that_started(self, attempts: AttemptQuerySet) -> Self:
        """Return links that started these attempts, newest first. Others may be a stranger's."""
        started = self.filter(attempt__in=attempts, used_at=F("attempt__started_at"))
        return started.order_by("-attempt__started_at", "-attempt", "pk")

    def numbers_for(self, student: Student, at: datetime) -> dict[str, Attempt | None]:
        """Return the mobile numbers that a link by staff can carry, the likeliest first.

        Those that started open attempts, then the newest, which may be another person's. Maps each
        to the attempt that a link with this number continues in another browser, or to None.
        """
        begun = [link.mobile for link in self.that_started(student.attempts.open(at))]
        # A student's number may exceed the limit by its "+", which can be dropped.
        spellings: dict[str, str] = {}
        for mobile in (*begun, student.mobile[-identity.MOBILE_MAX :]):
            spellings.setdefault(identity.normal_mobile(mobile), mobile)
        return {
            mobile: self.model(student=student, mobile=mobile).attempt_to_continue(at=at)
            for mobile in spellings.values()
        }

    def newest_of_each(self) -> Self:
        newest = self.model._default_manager.filter(student=OuterRef("student"))
        return self.filter(pk=Subquery(newest.order_by("-pk").values("pk")[:1]))

    def with_attempts(self) -> Self:
        return self.select_related("attempt", "access_token")

    def newest_first(self) -> Self:
        return self.order_by("-issued_at", "-pk")

    def for_token(self, project_id: str, link_token: str) -> AssessmentLink:
        """Return the link of this token in this project. Raise DoesNotExist otherwise."""
        if not URL_SECRET.fullmatch(link_token):
            raise self.model.DoesNotExist
        links = self.select_related("student__project", "attempt")
        return links.get(
            token_digest=secret_digest(link_token), student__project__project_id=project_id
        )


def _new_link(project: Project, at: datetime, **given: Any) -> tuple[Columns, str]:
    """Return the columns of a new link, without its student, and the link token."""
    link_token = new_url_secret()
    times = {"issued_at": at, "expires_at": at + project.start_by}
    drawn = {"link_id": new_link_id(), "token_digest": secret_digest(link_token)}
    return {**given, **drawn, **times}, link_token


class AssessmentLink(models.Model):
    """A single-use link for a student, with an expiry."""

    link_id = models.CharField(
        max_length=20, default=new_link_id, help_text="The link's id in the partner API."
    )
    student = models.ForeignKey(
        Student, on_delete=models.PROTECT, related_name="links", db_index=False
    )
    access_token = models.ForeignKey(
        AccessToken,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="links",
        db_index=False,
        help_text="The token that asked for the link; none if staff issued it.",
    )
    token_digest = models.CharField(max_length=64, help_text="SHA-256, in hex.")
    name = models.CharField(max_length=identity.NAME_MAX, help_text="As given with this link.")
    mobile = models.CharField(max_length=identity.MOBILE_MAX, help_text="As given with this link.")
    reference = models.CharField(
        max_length=identity.REFERENCE_MAX,
        blank=True,
        default="",
        help_text="The partner's own id for the student or application, if it sent one.",
    )
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="Until then the link can be started.")
    used_at = models.DateTimeField(null=True, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    attempt = models.ForeignKey(
        Attempt,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="links",
        db_index=False,  # most links have none: assessmentlink_attempt
        help_text="The attempt that the link started or continued.",
    )

    objects = AssessmentLinkQuerySet.as_manager()

    class Meta:
        verbose_name = "link"
        default_permissions = ("view",)
        permissions: ClassVar = [
            ("issue_link", "Can issue a fresh link to a student"),
            ("cancel_link", "Can cancel a link that nobody has started"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["student", "id"], name="assessmentlink_student_newest"),
            models.Index(
                fields=["attempt"],
                name="assessmentlink_attempt",
                condition=Q(attempt__isnull=False),
            ),
            # Figures, and links to delete.
            models.Index(fields=["issued_at"], name="assessmentlink_issued"),
            models.Index(
                # Cancelled ones are left out of counts by the index alone.
                fields=["expires_at", "cancelled_at"],
                name="assessmentlink_unused_until",
                condition=Q(used_at__isnull=True),
            ),
            # Metrics of the last hour.
            models.Index(
                fields=["cancelled_at"],
                name="assessmentlink_cancelled",
                condition=Q(cancelled_at__isnull=False),
            ),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(used_at__isnull=True, attempt__isnull=True)
                | Q(used_at__isnull=False, attempt__isnull=False),
                name="assessmentlink_used_iff_attempt",
            ),
            models.CheckConstraint(
                condition=Q(expires_at__gt=F("issued_at")),
                name="assessmentlink_expires_after_issue",
            ),
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(mobile=""), name="assessmentlink_details_not_empty"
            ),
            models.CheckConstraint(
                condition=Q(cancelled_at__isnull=True) | Q(used_at__isnull=True),
                name="assessmentlink_cancelled_never_used",
            ),
            models.UniqueConstraint(fields=["token_digest"], name="assessmentlink_token_once"),
            models.UniqueConstraint(fields=["link_id"], name="assessmentlink_link_id_once"),
        ]

    def __str__(self) -> str:
        return f"link {self.pk}"

    @property
    def project(self) -> Project:
        return self.student.project

    @property
    def given_name(self) -> str:
        return identity.given_name(self.name)

    @staticmethod
    def url(project: Project, link_token: str) -> str:
        """Return the redirect-url of a link token, based on a setting and never the Host header."""
        return f"{settings.APP_URL}/{project.project_id}/assessment?token={link_token}"

    def state_at(self, at: datetime | None = None) -> LinkState:
        """Return the state of the link, which is the same for every browser."""
        at = at or timezone.now()
        if self.attempt:
            return LinkState[self.attempt.status_at(at).name]
        if self.cancelled_at:
            return LinkState.CANCELLED
        if self.project.is_closed:
            return LinkState.PROJECT_CLOSED
        return LinkState.UNUSED if at < self.expires_at else LinkState.EXPIRED

    def state_in_words(self, at: datetime | None = None) -> str:
        """Say to staff in which state a link is that they can't cancel."""
        return f"Nothing was changed: link #{self.pk} is {self.state_at(at).label.lower()}."

    def cancel(self, *, by: Actor, reason: str = "", at: datetime | None = None) -> None:
        """Cancel the link. Raise Refused unless it is unused, or ReasonNamesThePerson."""
        self.student.refuse_naming(reason)
        links = AssessmentLink.objects.filter(pk=self.pk)
        cancelled = links.cancel(self, by=by, reason=reason, at=at)
        self.refresh_from_db(fields=["used_at", "cancelled_at", "attempt"])
        if not cancelled:
            raise Refused(self.state_in_words(at))

    def attempt_to_continue(
        self, held: Collection[str] = (), at: datetime | None = None
    ) -> Attempt | None:
        """Return the open attempt that this link continues in a browser, as `known_attempt`."""
        return self.known_attempt(self.student.attempts.open(at), held)

    def completed_before(self, held: Collection[str] = ()) -> bool:
        """Return whether this browser may know of a completed attempt, as `known_attempt`."""
        return self.known_attempt(self.student.attempts.completed(), held) is not None

    def known_attempt(self, attempts: AttemptQuerySet, held: Collection[str]) -> Attempt | None:
        """Return the one of the student's attempts that a browser may know of, or None.

        It is the newest that the browser has, by the tokens `held` in its cookies; else the newest
        that was started with the same valid mobile number, if few students share that. Anybody can
        ask for a link to an address, so a browser with neither learns of none.
        """
        if held and (known := attempts.held_by(held).newest_first().first()):
            return known
        # The attempts without their results, which are long.
        started = AssessmentLink.objects.that_started(attempts).select_related("attempt")
        started = started.defer("attempt__profile", "attempt__recommendations")
        number = identity.valid_mobile(self.mobile) if started else ""
        same = [link for link in started if identity.valid_mobile(link.mobile) == number]
        is_theirs = same and number and self.student.number_identifies(number)
        return same[0].attempt if is_theirs else None

    def start_options(
        self, browser_token: str, held: Collection[str] = (), at: datetime | None = None
    ) -> StartOptions:
        """Return what the link can do in a browser, by its token for this link and those `held`."""
        at = at or timezone.now()
        state, asks_age = self.state_at(at), self.project.asks_age
        if self.attempt and any(map(self.attempt.is_in_browser, {browser_token, *held})):
            return StartOptions(state, asks_age, own_attempt=self.attempt)
        offered = self.attempt_to_continue(held, at) if state == LinkState.UNUSED else None
        is_held = offered is not None and any(map(offered.is_in_browser, held))
        return StartOptions(state, asks_age, offered=offered, is_held=is_held)

    @transaction.atomic
    def start(
        self,
        browser_token: str,
        *,
        language: str,
        start: Start = "",
        age: Age = NOT_ASKED,
        held: Collection[str] = (),
        offered_on_page: OfferedAttempt | None = None,
        at: datetime | None = None,
    ) -> Attempt:
        """Use the link in this browser. Return the attempt that it starts or continues.

        Continues the attempt that `start_options` offers. "again" starts a new one instead, and
        ends the offered one if this browser holds it. Starting twice returns the same attempt.
        `age` is stored if the project asks for it; `offered_on_page` is None without a page. Raise,
        with nothing changed: LinkUnavailable; AgeMissing; OfferChanged if another attempt is
        offered now, or none is and `start` is "continue".
        """
        at = at or timezone.now()
        if Student.objects.locked(self.student_id).is_erased:
            raise LinkUnavailable(LinkState.EXPIRED)
        self.refresh_from_db(fields=["used_at", "cancelled_at", "attempt"])
        options = self.start_options(browser_token, held, at)
        if options.own_attempt:
            return options.own_attempt
        if options.state != LinkState.UNUSED:
            raise LinkUnavailable(options.state)
        offered, is_held = options.offered, options.is_held
        is_outdated = offered_on_page not in {None, options.as_posted}
        if is_outdated or (start == "continue" and offered is None):
            raise OfferChanged
        if offered and start != "again":
            if not offered.continue_in(browser_token, at, is_held=is_held, language=language):
                raise OfferChanged
            attempt = offered
        else:
            if not options.asks_age(start):
                age = NOT_ASKED
            elif age.is_minor is None:
                raise AgeMissing
            if offered and is_held and offered.abandon(at):
                # The same time, by which `with_end` knows it.
                at = offered.abandoned_at or at
            attempt = self._new_attempt(browser_token, language, age, at)
        used = AssessmentLink.objects.unused(at).filter(pk=self.pk)
        if used.update(used_at=at, attempt=attempt) != 1:
            self.refresh_from_db(fields=["cancelled_at"])
            state = LinkState.CANCELLED if self.cancelled_at else LinkState.IN_PROGRESS
            raise LinkUnavailable(state)
        self.used_at, self.attempt = at, attempt
        return attempt

    def _new_attempt(self, browser_token: str, language: str, age: Age, at: datetime) -> Attempt:
        return Attempt.objects.create(
            student=self.student,
            project_id=self.student.project_id,
            bank=ItemBank.objects.current(),
            language=language,
            browser_digest=secret_digest(browser_token),
            consent_version=f"{NOTICE_VERSION} {language}",
            consented_at=at,
            **asdict(age),
            started_at=at,
            finish_by_at=at + self.project.finish_by,
            retention_months=self.project.retention_months,
        )
