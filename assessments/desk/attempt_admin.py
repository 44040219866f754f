"""Attempts, and what support does with one: close it, extend it, end its private link."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cached_property
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from assessments.desk.audited_admin import AuditedAdmin, SupportAction, time_column
from assessments.models import AssessmentLink, Attempt, PrivateLink
from assessments.models.attempts import MAX_EXTENSION
from assessments.models.link_history import progress
from assessments.models.private_links import NONE_WORKS
from measurement.wording import ENGLISH
from partners.back_office.actions import ReasonForm
from partners.back_office.filters import ChoiceFilter, PeriodFilter, ProjectFilter

DAYS = (1, 2, 3, 7, 14, 30)
# The flags of measurement.validity in words. A flag never changes a status.
FLAG_WORDS = {
    "fast_aptitude": "many puzzles answered faster than anybody can read them",
    "inconsistent": "statements about the same interest answered in opposite ways",
    "straight_line": "the same answer or pattern of answers many times in a row",
    "instructed_missed": "wrong answer to a question that says which answer to choose",
    "fast_interests": "statements answered faster than anybody can read them",
    "hurried_section": "a part finished in far less than the usual time",
}


class AttemptAction(SupportAction):
    permission = "assessments.close_attempt"

    def refusal(self) -> str:
        return str(self.row.end_in_words(self.at))


class CloseAttempt(AttemptAction):
    name, title = "close", "Close the attempt"
    is_final = True

    def explain(self) -> Sequence[str]:
        return (
            f"The attempt ends unfinished, with {progress(self.row)}. The "
            "partner sees it as Abandoned, and the student cannot continue it.",
            "This cannot be undone. Close an attempt only if it must end. To move to another "
            "device, issue a fresh link instead.",
        )

    def run(self, *, reason: str) -> str:
        self.row.close(by=self.by, reason=reason, at=self.at)
        return f"Attempt {self.row} is closed. A fresh link starts a new one."


class ExtendForm(ReasonForm):
    days = forms.TypedChoiceField(
        label="It can be continued for",
        choices=[(days, f"{days} day{'s' if days > 1 else ''} from now") for days in DAYS],
        coerce=int,
    )
    field_order = ("days", "reason")


class ExtendAttempt(AttemptAction):
    name, title = "extend", "Give more time"
    permission = "assessments.extend_attempt"
    form_class = ExtendForm

    @property
    def finish_by(self) -> str:
        return str(self.row.finish_by_in_words(self.at))

    def refusal(self) -> str:
        if refusal := super().refusal():
            return refusal
        if self.row.finish_by_at >= self.at + MAX_EXTENSION:
            return f"{self.finish_by} already, the latest possible time."
        return ""

    def explain(self) -> Sequence[str]:
        return (
            f"{self.finish_by}. Choose a later time. You cannot make it earlier again.",
            "To continue, the student opens the same link in the same browser.",
        )

    def run(self, *, days: int, reason: str) -> str:
        until = self.at + timedelta(days=days)
        if until <= self.row.finish_by_at:
            error = f"{self.finish_by} already. Choose a later time."
            raise forms.ValidationError({"days": error})
        self.row.extend(until, by=self.by, reason=reason, at=self.at)
        return f"{self.finish_by}."


class EndPrivateLink(SupportAction):
    name, title = "end-private-link", "End the private link"
    permission = "assessments.close_attempt"
    is_final = True

    @cached_property
    def private_link(self) -> Any:
        return PrivateLink.objects.working(self.at).filter(attempt=self.row).first()

    def refusal(self) -> str:
        return "" if self.private_link else NONE_WORKS

    def explain(self) -> Sequence[str]:
        return (
            "The address that the student shared stops working at once, for everybody who has "
            f"it. Otherwise it works until {self.when(self.private_link.expires_at)}.",
            "This cannot be undone. The student can make another link while the result opens in "
            "their browser.",
        )

    def run(self, *, reason: str) -> str:
        PrivateLink.objects.end_by_staff(self.row, by=self.by, reason=reason, at=self.at)
        return "The private link has ended."


class StatusFilter(ChoiceFilter):
    title = parameter_name = "status"
    options = (("completed", "Completed"), ("abandoned", "Abandoned"), ("open", "In progress"))


@admin.register(Attempt)
class AttemptAdmin(AuditedAdmin):
    when_empty = "Attempts appear here once a student starts one."
    list_display = (
        *("assessment_id", "student_email", "status", "progress", "project_name", "started"),
    )
    row_actions = (CloseAttempt, ExtendAttempt, EndPrivateLink)
    list_filter = (
        *(StatusFilter, ProjectFilter.on("student__project"), PeriodFilter.on("started_at")),
    )
    fields = (
        *("assessment_id", "student_page", "project_name", "status", "how_it_ended", "progress"),
        *("started", "finish_by", "first_read", "private_link", "bank", "language"),
        *("consent", "age", "guardian_name", "guardian_contact"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attempt]:
        return Attempt.objects.with_answered().with_end().select_related("student__project", "bank")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        may_see_result = request.user.has_perm("assessments.view_answer")
        result = ("subjects", "recommended", "answers") if may_see_result else ()
        return (*self.fields, *result)

    def link_of(self, row: Attempt) -> AssessmentLink | None:
        links = row.links.select_related("student__project", "access_token")
        return links.order_by("-used_at", "-pk").first()

    def how_it_ended(self, attempt: Attempt) -> str:
        end = attempt.kind_of_end()
        return end.label if end else "still open"

    def age(self, attempt: Attempt) -> str:
        return {None: "not asked", False: "18 or older", True: "under 18"}[attempt.is_minor]

    def status(self, attempt: Attempt) -> str:
        return attempt.status_at().label

    @admin.display(description="answered")
    def progress(self, attempt: Any) -> str:  # annotated
        return f"{attempt.answered} of {attempt.cached_bank.layout.total}"

    started = time_column("started_at", "started")
    finish_by = time_column("finish_by_at", "can be continued until")
    first_read = time_column("results_read_at", "first read by the partner", "not yet")

    @admin.display(description="private link to the result")
    def private_link(self, attempt: Attempt) -> str:
        link = PrivateLink.objects.working().filter(attempt=attempt).first()
        return f"works until {self.when(attempt, link.expires_at)}" if link else "none that works"

    @admin.display(description="agreed to")
    def consent(self, attempt: Attempt) -> str:
        return f"notice {attempt.consent_version}, {self.when(attempt, attempt.consented_at)}"

    @admin.display(description="subjects in class 11 and 12")
    def subjects(self, attempt: Attempt) -> str:
        return ENGLISH.streams.get(attempt.stream, "not asked, or not answered")

    def answers(self, attempt: Attempt) -> str:
        if not attempt.completed_at:
            return "checked when the attempt is completed"
        if not attempt.validity.flags:
            return "nothing unusual"
        flags = "; ".join(FLAG_WORDS.get(flag, flag) for flag in attempt.validity.flags)
        return f"Read the result with care: {flags}."

    @admin.display(description="recommended courses")
    def recommended(self, attempt: Attempt) -> str:
        return ", ".join(attempt.recommended_names) or "none"
