"""Attempts: started, answered page by page, and completed or abandoned."""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Any, ClassVar

from django.db import models, transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from assessments.models import bank_usage, identity
from assessments.models.answers import Answer, AttemptAnswers, NotShown, RecordedPage
from assessments.models.attempt_queries import COLUMNS_READ_AGAIN, AttemptQueries
from assessments.models.banks import ItemBank
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from assessments.models.ended import (
    ATTEMPT_CLOSED,
    ENDED_AT,
    LISTED_AT,
    AttemptEnded,
    ContinuedElsewhere,
    End,
    Status,
    check_clock,
    elapsed,
    end_listeners,
)
from assessments.models.identity import secret_digest
from assessments.models.items import Item
from assessments.models.students import Student
from measurement.courses import STREAM_ANSWERS
from measurement.validity import CAREFUL, AnsweredItem, Validity
from partners.models import Actor, AuditEvent, Project, Refused
from partners.models.projects import RETENTION_MONTHS, Takers
from partners.public_ids import new_public_id
from partners.times import moment_in_words

# The same as the longest finish-by of a project.
MAX_EXTENSION = timedelta(days=30)
EXTENDED = "attempt.extended"
RESULT_VISIBLE_FOR = timedelta(days=7)
RESULT_COLUMNS = ("completed_at", "profile", "recommendations", "catalogue")
# A CHECK accepts a comparison with null, so each branch tests for null first.
_NOT_A_MINOR = Q(is_minor__isnull=True) | Q(is_minor__isnull=False, is_minor=False)
_GUARDIAN_GIVEN = ~Q(guardian_name="") & ~Q(guardian_contact="")
_NO_GUARDIAN = Q(guardian_name="", guardian_contact="")
GUARDIAN_IFF_MINOR = (Q(is_minor__isnull=False, is_minor=True) & _GUARDIAN_GIVEN) | (
    _NOT_A_MINOR & _NO_GUARDIAN
)


class AttemptQuerySet(AttemptQueries["Attempt"]):
    """The methods are in attempt_queries.py, which does not import `Attempt`."""


class Attempt(models.Model):
    """One attempt of one student, pinned to the item bank it started with."""

    assessment_id = models.CharField(max_length=20, default=partial(new_public_id, "asm"))
    student = models.ForeignKey(
        Student, on_delete=models.PROTECT, related_name="attempts", db_index=False
    )
    # PostgreSQL checks it with the student, by a foreign key of both columns.
    project_id = models.BigIntegerField(
        "project", help_text="The student's. Repeated here for the index of the project's ends."
    )
    bank = models.ForeignKey(ItemBank, on_delete=models.PROTECT, db_index=False)
    language = models.CharField(max_length=8)
    browser_digest = models.CharField(
        max_length=64, help_text="SHA-256 of the token in the student's cookie."
    )
    continuations = models.SmallIntegerField(
        "continued", default=0, help_text="How often a further link continued it."
    )
    answers_hidden_until = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When another browser took over: it shows no choice before.",
    )
    consent_version = models.CharField(max_length=16)
    consented_at = models.DateTimeField()
    is_minor = models.BooleanField(
        "under 18", null=True, blank=True, help_text="As the student said; null: not asked."
    )
    guardian_name = models.CharField(
        "guardian's name", max_length=identity.NAME_MAX, blank=True, default=""
    )
    guardian_contact = models.CharField(
        "guardian's e-mail address or mobile number",
        max_length=identity.EMAIL_MAX,
        blank=True,
        default="",
    )
    started_at = models.DateTimeField()
    finish_by_at = models.DateTimeField(help_text="Until then the attempt can be continued.")
    completed_at = models.DateTimeField(null=True, blank=True)
    abandoned_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Left or started again by the student, closed by support, or erased.",
    )
    retention_months = models.PositiveSmallIntegerField(
        "deleted after, in months",
        default=RETENTION_MONTHS[1],
        help_text="How long after its end, as the student read before the start.",
    )
    results_read_at = models.DateTimeField(
        null=True, blank=True, help_text="When the partner first read this outcome."
    )
    leading_fields = models.JSONField(
        null=True, blank=True, help_text="The fields that stage 2 asks about; null before."
    )
    stream = models.CharField(
        "subjects in class 11 and 12",
        max_length=24,
        blank=True,
        default="",
        help_text="As the student said; empty: not asked, or not answered yet.",
    )
    considered = models.JSONField(
        null=True,
        blank=True,
        help_text="Codes of courses named before the puzzles; null: not asked.",
    )
    considers_unlisted = models.BooleanField(
        null=True, blank=True, help_text="Whether a course in no list was meant; null: not asked."
    )
    profile = models.JSONField(null=True, blank=True)
    recommendations = models.JSONField(null=True, blank=True)
    takers = models.CharField(
        "who takes the assessment",
        max_length=16,
        choices=Takers.choices,
        blank=True,
        default="",
        help_text="As set for the project when the attempt was completed or filled; empty before.",
    )
    courses_filled_at = models.DateTimeField(
        "courses added",
        null=True,
        blank=True,
        help_text="When staff gave it the courses that its project lacked at its completion.",
    )
    dismissed = models.JSONField(
        "not for me",
        default=list,
        blank=True,
        help_text="Codes of the courses that the student removed from the result page.",
    )
    catalogue = models.ForeignKey(
        CatalogueSnapshot, null=True, blank=True, on_delete=models.PROTECT, db_index=False
    )

    objects = AttemptQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        permissions: ClassVar = [
            ("close_attempt", "Can close an open attempt"),
            ("extend_attempt", "Can extend the finish-by of an open attempt"),
            ("export_results", "Can export a project's results"),
            ("fill_results", "Can add courses to results that had none"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(completed_at=None) | Q(abandoned_at=None), name="attempt_one_end_only"
            ),
            models.CheckConstraint(
                condition=Q(**{f"{column}__isnull": True for column in RESULT_COLUMNS})
                | Q(**{f"{column}__isnull": False for column in RESULT_COLUMNS}),
                name="attempt_result_iff_completed",
            ),
            models.CheckConstraint(
                condition=Q(completed_at=None, takers="")
                | Q(completed_at__isnull=False, takers__in=Takers.values),
                name="attempt_takers_iff_completed",
            ),
            models.CheckConstraint(
                condition=Q(courses_filled_at=None)
                | Q(completed_at__isnull=False, courses_filled_at__gt=F("completed_at")),
                name="attempt_filled_after_completion",
            ),
            models.CheckConstraint(
                condition=Q(finish_by_at__gt=F("started_at")), name="attempt_finish_by_after_start"
            ),
            models.CheckConstraint(
                condition=~Q(consent_version=""), name="attempt_consent_version_not_empty"
            ),
            models.CheckConstraint(condition=GUARDIAN_IFF_MINOR, name="attempt_guardian_iff_minor"),
            models.CheckConstraint(
                condition=Q(retention_months__range=RETENTION_MONTHS),
                name="attempt_retention_in_range",
            ),
            models.UniqueConstraint(fields=["assessment_id"], name="attempt_assessment_id_once"),
            models.UniqueConstraint(fields=["browser_digest"], name="attempt_browser_once"),
            models.CheckConstraint(
                condition=Q(continuations__gt=0)
                | Q(continuations=0, answers_hidden_until__isnull=True),
                name="attempt_hidden_until_needs_continuation",
            ),
            models.CheckConstraint(
                condition=Q(stream__in=["", *STREAM_ANSWERS]), name="attempt_stream_known"
            ),
        ]
        indexes: ClassVar = [
            # The results look-up: a student's attempts, newest first.
            models.Index(fields=["student", "-started_at"], name="attempt_student_newest"),
            # Recently shown items, and the usual duration of attempts.
            models.Index(fields=["bank", "-id"], name="attempt_bank_newest"),
            # Figures, and attempts of test projects to delete.
            models.Index(fields=["started_at"], name="attempt_started"),
            models.Index(
                fields=["completed_at"],
                name="attempt_completed",
                condition=Q(completed_at__isnull=False),
            ),
            models.Index(
                fields=["abandoned_at"],
                name="attempt_abandoned",
                condition=Q(abandoned_at__isnull=False),
            ),
            models.Index(
                fields=["finish_by_at"],
                name="attempt_unended_finish_by",
                condition=Q(completed_at__isnull=True, abandoned_at__isnull=True),
            ),
            # Attempts whose retention is over; catalogues without results.
            models.Index(F("retention_months"), ENDED_AT, name="attempt_kept_since"),
            # Figures, and the feed.
            models.Index(F("project_id"), ENDED_AT, F("id"), name="attempt_ended_of_project"),
            models.Index(F("project_id"), LISTED_AT, F("id"), name="attempt_listed_of_project"),
            # Results that may lack courses.
            models.Index(
                fields=["project_id"],
                name="attempt_without_courses",
                condition=Q(recommendations=[]),
            ),
            models.Index(
                fields=["catalogue"], name="attempt_catalogue", condition=Q(catalogue__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.assessment_id

    @property
    def public_id(self) -> str:
        return self.assessment_id

    @property
    def project(self) -> Project:
        return self.student.project

    @property
    def cached_bank(self) -> ItemBank:
        return ItemBank.cached(self.bank_id)

    def status_at(self, at: datetime | None = None) -> Status:
        at = at or timezone.now()
        if self.completed_at:
            return Status.COMPLETED
        if self.abandoned_at or self.finish_by_at <= at:
            return Status.ABANDONED
        return Status.IN_PROGRESS

    def is_open(self, at: datetime | None = None) -> bool:
        return self.status_at(at) == Status.IN_PROGRESS

    def kind_of_end(self, at: datetime | None = None) -> End | None:
        """Return how the attempt ended; None while it is open. Needs `with_end()`."""
        row: Any = self
        if self.is_open(at):
            return None
        if self.completed_at:
            return End.COMPLETED
        if self.abandoned_at is None:
            return End.LATE
        if row.is_replaced:
            return End.REPLACED
        if self.abandoned_at == self.student.erased_at:
            return End.ERASED
        return End.CLOSED if row.is_closed else End.LEFT

    def end_in_words(self, at: datetime | None = None) -> str:
        """Say to staff that the attempt ended, and how; "" while it is open. Needs `with_end()`."""
        end = self.kind_of_end(at)
        return f"Nothing was changed: attempt {self} has ended ({end.label})." if end else ""

    def finish_by_in_words(self, at: datetime | None = None) -> str:
        until = moment_in_words(self.finish_by_at, self.project.time_zone, at)
        return f"It can be continued until {until}"

    @property
    def result_visible_until(self) -> datetime:
        return self.finish_by_at + RESULT_VISIBLE_FOR

    @property
    def ends_at(self) -> datetime:
        """When it ended; while it is open, its finish-by. In SQL: ENDED_AT."""
        return self.completed_at or self.abandoned_at or self.finish_by_at

    @property
    def duration(self) -> timedelta:
        """From start to completion, or else to the last saved answer, by `with_progress()`."""
        row: Any = self
        return elapsed(self.started_at, self.completed_at or row.last_answered_at)

    @cached_property
    def given_name(self) -> str:
        """The given name from the link that opened it last, the only part that pages show."""
        return self.links.order_by("-used_at", "-pk")[0].given_name

    @property
    def validity(self) -> Validity:
        return Validity(**self.profile["validity"]) if self.profile else CAREFUL

    @property
    def recommended_names(self) -> list[str]:
        return [course["name"] for course in self.recommendations or []]

    def is_in_browser(self, browser_token: str) -> bool:
        return self.browser_digest == secret_digest(browser_token)

    def read_answers(self) -> AttemptAnswers:
        return AttemptAnswers(self.pk, self.cached_bank, self.answers_hidden_until)

    def lock(self, at: datetime) -> None:
        """Lock the row and read it again. Raise ContinuedElsewhere or AttemptEnded."""
        answers_hidden_until = self.answers_hidden_until
        self.refresh_from_db(
            fields=[*COLUMNS_READ_AGAIN, "leading_fields", "stream", "considered"],
            from_queryset=Attempt.objects.select_for_update(no_key=True),
        )
        if self.answers_hidden_until != answers_hidden_until:
            raise ContinuedElsewhere
        if not self.is_open(at):
            raise AttemptEnded

    def asks_stream(self, answers: AttemptAnswers) -> bool:
        """Return whether the question about streams, which precedes all others, comes next."""
        if self.stream or answers.page(1):
            return False
        return bool(self.project.courses.recommendable().exclude(required_streams=[]).exists())

    @transaction.atomic
    def choose_stream(self, stream: str, at: datetime | None = None) -> None:
        """Store the answer to the stream question. Raise like `lock`."""
        self.lock(at or timezone.now())
        self.stream = stream
        self.save(update_fields=["stream"])

    @transaction.atomic
    def begin_section(self, position: int, at: datetime | None = None) -> None:
        """Show the first page of the section that begins at a position. Idempotent.

        Before stage 2, chooses its fields. Raise like `lock`, or NotShown if it is not yet due.
        """
        at = at or timezone.now()
        self.lock(at)
        answers, layout = self.read_answers(), self.cached_bank.layout
        begins_here = position == layout.section_at(position).first
        if not begins_here or answers.answered_count < position - 1 or self.asks_stream(answers):
            raise NotShown
        if self.leading_fields is None and position == layout.find(Item.Section.FIELDS).first:
            interests = answers.choices(layout.find(Item.Section.INTERESTS))
            self.leading_fields = self.cached_bank.leading_fields(interests)
            self.save(update_fields=["leading_fields"])
        self.show_page(answers, position, at)

    @transaction.atomic
    def record(
        self,
        position: int,
        choices: Mapping[int, int],
        at: datetime | None = None,
        *,
        is_replacement: bool = False,
        language: str = "",
    ) -> RecordedPage:
        """Store the choices of the page that begins at a position, then show the next page.

        `choices` maps positions to the values sent. The last choice of a statement counts, the
        first of a puzzle; statements of stage 1 are final once stage 2 has begun. An incomplete
        page keeps its choices. The last answer completes the attempt. `is_replacement`: the page
        had a puzzle in place of another. Raise like `lock` and `page_to_record`.
        """
        at = at or timezone.now()
        self.lock(at)
        answers = self.read_answers()
        page = answers.page_to_record(position, is_replacement=is_replacement)
        not_offered = answers.store_choices(page, choices, at, language or self.language)
        if any(answer.choice is None for answer in answers.page(position)):
            return RecordedPage(not_offered, position, answers)
        last, layout = page[-1].position, self.cached_bank.layout
        if last == layout.total:
            self.complete(at)
            return RecordedPage(not_offered, None, answers)
        if layout.section_at(last).last != last:
            self.show_page(answers, last + 1, at)
        return RecordedPage(not_offered, last + 1, answers)

    @transaction.atomic
    def change_language(
        self, language: str, choices: Mapping[int, int], ticked_in: str, at: datetime
    ) -> None:
        """Go on in another language, and store the choices of a page of statements, by position.

        A puzzle's would be final, so it is not stored. `ticked_in` is the language of the page, if
        not the attempt's. Raise like `lock`.
        """
        self.lock(at)
        answers = self.read_answers()
        page = answers.page(min(choices)) if choices else []
        statements = [each for each in page if not each.item.is_aptitude]
        answers.store_choices(statements, choices, at, ticked_in or self.language)
        self.language = language
        self.save(update_fields=["language"])

    @transaction.atomic
    def replace_puzzle(self, position: int, at: datetime) -> None:
        """Replace the unanswered picture puzzle at a position; the attempt gets no more of them.

        Idempotent: answered puzzles and replacements stay. Raise like `lock`, or NotShown.
        """
        self.lock(at)
        answers = self.read_answers()
        page = answers.page(position)
        if not page:
            raise NotShown
        if page[0].is_replaceable:
            answers.replace(page[0], at)
            self.show_page(answers, position, at)

    def show_page(self, answers: AttemptAnswers, first: int, at: datetime) -> None:
        """Create the answers of a page, if they do not exist."""
        if answers.page(first):
            return
        section = self.cached_bank.layout.section_at(first)
        items = self.cached_bank.items_of_page(
            section,
            first,
            answers.choices(section),
            exposure=bank_usage.on_bank(self.cached_bank, at).exposure,
            seed=self.assessment_id,
            fields=self.leading_fields or (),
            avoid_pictures=answers.avoid_pictures,
        )
        Answer.objects.bulk_create(
            Answer(attempt=self, position=position, item=item, shown_at=at)
            for position, item in items.items()
        )

    @transaction.atomic
    def complete(self, at: datetime) -> None:
        """Score the attempt, store its recommendations and end it. Raise AttemptEnded."""
        catalogue = CatalogueSnapshot.objects.current(self.student.project)
        if not self._end("completed_at", at, **self.score(catalogue)):
            raise AttemptEnded

    def score(self, catalogue: CatalogueSnapshot) -> dict[str, Any]:
        """Return the columns of the result, by a catalogue and the project's settings."""
        project = self.student.project
        courses = catalogue.recommendable(project.takers)
        facts = self.given(), courses, project.recommendation_count, self.stream
        profile, recommendations = self.cached_bank.evaluate(*facts, self.considered or ())
        result = {"profile": profile, "recommendations": recommendations}
        return {**result, "catalogue": catalogue, "takers": project.takers}

    def fill(self, result: Mapping[str, Any], at: datetime) -> bool:
        """Replace a result that had no courses. Return False if that was done before.

        The caller checks the clock.
        """
        if self.completed_at is None:
            raise ValueError(f"{self.assessment_id} is not completed.")
        # A server whose clock was ahead may have completed it, and a listener has both times.
        at = max(at, self.completed_at + timedelta(microseconds=1))
        unfilled = Attempt.objects.filter(pk=self.pk, courses_filled_at=None)
        if unfilled.update(**result, courses_filled_at=at, results_read_at=None) != 1:
            return False
        self._tell_listeners(Status.COMPLETED, at)
        return True

    def _end(self, column: str, at: datetime, **values: Any) -> datetime | None:
        """End the attempt and tell the listeners. Return when, or None if it has ended already."""
        ended_at = Attempt.objects.filter(pk=self.pk).end(column, at, **values)
        if ended_at:
            is_completed = column == "completed_at"
            self._tell_listeners(Status.COMPLETED if is_completed else Status.ABANDONED, ended_at)
        return ended_at

    def _tell_listeners(self, status: Status, at: datetime) -> None:
        for listener in end_listeners:
            listener(self.pk, self.student.project_id, status, at)

    def given(self) -> list[AnsweredItem]:
        return self.answers.answered_items(self.cached_bank)

    def rescore(
        self, bank: ItemBank | None = None, *, further: int = 0
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Score the stored answers again. Return profile and recommendations without storing them.

        Uses the stored catalogue and takers, and `bank` in place of the attempt's; `further`
        adds recommendations. Raise ValueError if it is not completed, LookupError if `bank` lacks
        items.
        """
        if self.catalogue is None or self.recommendations is None:
            raise ValueError(f"{self.assessment_id} is not completed.")
        bank = ItemBank.cached(bank.pk) if bank else self.cached_bank
        given = self.given()
        missing = sorted({each.code for each in given} - bank.by_code.keys())
        if missing:
            raise LookupError(f"Bank {bank.version} lacks {', '.join(missing)}.")
        courses, count = self.catalogue.recommendable(self.takers), len(self.recommendations)
        return bank.evaluate(given, courses, count, self.stream, self.considered or (), further)

    @transaction.atomic
    def abandon(self, at: datetime | None = None) -> bool:
        """End the attempt unfinished. Return False if it has ended already."""
        ended = self._end("abandoned_at", at or timezone.now())
        self.abandoned_at = ended or self.abandoned_at
        return ended is not None

    @transaction.atomic
    def close(self, *, by: Actor, reason: str = "", at: datetime | None = None) -> None:
        """End the attempt, by staff. Raise Refused if it has ended, or ReasonNamesThePerson."""
        self.student.refuse_naming(reason)
        if not self.abandon(at):
            self._refuse(at)
        AuditEvent.record(ATTEMPT_CLOSED, self, by=by, reason=reason, at=self.abandoned_at)

    def _refuse(self, at: datetime | None) -> None:
        """Raise Refused, because the attempt has ended or was extended since it was read."""
        now = Attempt.objects.with_end().select_related("student__project").get(pk=self.pk)
        raise Refused(now.end_in_words(at) or f"{now.finish_by_in_words(at)} already.")

    @transaction.atomic
    def extend(
        self, until: datetime, *, by: Actor, reason: str = "", at: datetime | None = None
    ) -> None:
        """Extend the attempt until a later time, by staff.

        Raise Refused if it ended, lasts that long already, or was extended since it was read;
        ValueError if `until` is not within 30 days; ReasonNamesThePerson; ClockDiffers.
        """
        self.student.refuse_naming(reason)
        at = at or timezone.now()
        if not at < until <= at + MAX_EXTENSION:
            raise ValueError("An attempt is extended to a moment within the next 30 days.")
        # By the clock, because an attempt that is over in the feed must not go on.
        unchanged = Attempt.objects.open_by_the_clock(at).filter(finish_by_at=self.finish_by_at)
        if unchanged.filter(pk=self.pk, finish_by_at__lt=until).update(finish_by_at=until) != 1:
            check_clock(at)
            self._refuse(at)
        changes, self.finish_by_at = {"finish_by_at": (self.finish_by_at, until)}, until
        AuditEvent.record(EXTENDED, self, by=by, reason=reason, changes=changes, at=at)

    @transaction.atomic
    def continue_in(
        self, browser_token: str, at: datetime, *, is_held: bool = False, language: str = ""
    ) -> bool:
        """Continue the attempt under another token of a browser, in a language, and count that.

        Hides the choices so far, unless `is_held`. Return False if it has ended or moved elsewhere.
        """
        values = {
            "browser_digest": secret_digest(browser_token),
            "continuations": self.continuations + 1,
            "language": language or self.language,
        }
        unchanged = Attempt.objects.open(at).filter(pk=self.pk, continuations=self.continuations)
        if unchanged.update(**values) != 1:
            return False
        self.refresh_from_db(fields=[*values])
        if not is_held:
            # The row is locked, so this is the last answer, whatever another server's clock says.
            last = self.answers.aggregate(last=Max("answered_at"))["last"]
            self.answers_hidden_until = max(at, last or at)
            self.save(update_fields=["answers_hidden_until"])
        return True

    def forget_browser(self) -> bool:
        """Let no browser open the attempt. Return False if another one does since it was read."""
        held = Attempt.objects.filter(pk=self.pk, browser_digest=self.browser_digest)
        return held.update(browser_digest=secrets.token_hex(32)) == 1  # of no token
