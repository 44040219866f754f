from __future__ import annotations

from typing import Any, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from assessments.desk.attempt_actions import CloseAttempt, EndPrivateLink, ExtendAttempt
from assessments.desk.audited_views import AuditedReading, time_column
from assessments.models import Assessment, AssessmentLink, PrivateLink
from assessments.models.attempts import AssessmentQuerySet
from measurement.reason_wording import STREAM_ANSWER_WORDS
from partners.large_table_admin import PeriodFilter, ProjectFilter

VIEW_OUTCOMES = "assessments.view_answer"
OUTCOMES = ("subjects", "recommended", "answers")
# Flags have no index, so the filter checks only the most recently completed attempts.
LATEST_CHECKED = 1_000


class StatusFilter(admin.SimpleListFilter):
    title = "status"
    parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("completed", "Completed"),
            ("abandoned", "Abandoned"),
            ("open", "In progress"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() in {"completed", "abandoned", "open"}:
            chosen: QuerySet[Any] = getattr(queryset, str(self.value()))()
            return chosen
        return queryset


# Descriptions of the flags of measurement.validity. A flag never changes a status.
FLAG_WORDS = {
    "fast_aptitude": "many puzzles answered faster than anybody can read them",
    "inconsistent": "statements about the same interest answered in opposite ways",
    "straight_line": "the same answer or pattern of answers many times in a row",
    "instructed_missed": "wrong answer to a question that says which answer to choose",
    "fast_interests": "statements answered faster than anybody can read them",
    "hurried_section": "a part finished in far less than the usual time",
}


class CareFilter(admin.SimpleListFilter):
    """Filters the latest completed attempts by signs of careless answers."""

    title = f"answers, latest {LATEST_CHECKED:,} completed"
    parameter_name = "answers"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        if not request.user.has_perm(VIEW_OUTCOMES):
            return []
        return [("usual", "Usual"), ("flagged", "Read with care")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in {"usual", "flagged"} or not request.user.has_perm(VIEW_OUTCOMES):
            return queryset
        latest = cast("AssessmentQuerySet", queryset).among_latest(LATEST_CHECKED)
        return latest.flagged(self.value() == "flagged")


class StartedFilter(PeriodFilter):
    title = "started"
    path = "started_at"


@admin.register(Assessment)
class AssessmentAdmin(AuditedReading):
    when_empty = "Assessments appear here once a student starts one."
    list_display = (
        "assessment_id",
        "student_email",
        "status",
        "progress",
        "project_name",
        "started",
    )
    list_select_related = ("student__project",)
    row_actions = (CloseAttempt, ExtendAttempt, EndPrivateLink)
    list_filter = (StatusFilter, ProjectFilter.on("student__project"), StartedFilter, CareFilter)
    fields = (
        "assessment_id",
        "student_page",
        "project_name",
        "status",
        "how_it_ended",
        "progress",
        "started",
        "finish_by",
        "first_read",
        "private_link",
        "bank",
        "language",
        "consent",
        "age",
        "guardian_name",
        "guardian_contact",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Assessment]:
        return (
            Assessment.objects.with_answered().with_end().select_related("student__project", "bank")
        )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        may_view = request.user.has_perm(VIEW_OUTCOMES)
        # The bank itself is a link, which Support could not follow.
        bank = "bank" if request.user.has_perm("assessments.view_itembank") else "bank_version"
        fields = [bank if name == "bank" else name for name in self.fields]
        return [*fields, *(OUTCOMES if may_view else ("outcome",))]

    @admin.display(description="bank")
    def bank_version(self, attempt: Assessment) -> str:
        return str(attempt.bank)

    def link_of(self, row: Assessment) -> AssessmentLink | None:
        return AssessmentLink.objects.last_of(row)

    @admin.display(description="how it ended")
    def how_it_ended(self, attempt: Assessment) -> str:
        return attempt.how_it_ended() or "still open"

    @admin.display(description="age")
    def age(self, attempt: Assessment) -> str:
        return {None: "not asked", False: "18 or older", True: "under 18"}[attempt.is_minor]

    @admin.display(description="status")
    def status(self, attempt: Assessment) -> str:
        return attempt.status_at().label

    @admin.display(description="answered")
    def progress(self, attempt: Assessment) -> str:
        answered: int = attempt.answered  # type: ignore[attr-defined]  # annotated
        return f"{answered} of {attempt.cached_bank.layout.total}"

    started = time_column("started_at", "started")
    finish_by = time_column("finish_by_at", "can be continued until")
    first_read = time_column("results_read_at", "first read by the partner", "not yet")

    @admin.display(description="private link to the result")
    def private_link(self, attempt: Assessment) -> str:
        link = PrivateLink.objects.newest_of(attempt)
        if link is None:
            return "none"
        shows = "with the puzzles" if link.with_puzzles else "without the puzzles"
        made = f"made {self.when(attempt, link.created_at)}, {shows}"
        if link.ended_at:
            return f"{made}; ended {self.when(attempt, link.ended_at)}"
        ends = "works until" if link.works() else "expired"
        return f"{made}; {ends} {self.when(attempt, link.expires_at)}"

    @admin.display(description="agreed to")
    def consent(self, attempt: Assessment) -> str:
        return f"notice {attempt.consent_version}, {self.when(attempt, attempt.consented_at)}"

    @admin.display(description="outcome")
    def outcome(self, attempt: Assessment) -> str:
        return "Your role does not allow you to see outcomes."

    @admin.display(description="subjects in class 11 and 12")
    def subjects(self, attempt: Assessment) -> str:
        return STREAM_ANSWER_WORDS["en"].get(attempt.stream, "not asked, or not answered")

    @admin.display(description="answers")
    def answers(self, attempt: Assessment) -> str:
        if not attempt.completed_at:
            return "checked when the attempt is completed"
        if not attempt.flags:
            return "nothing unusual"
        noticed = "; ".join(FLAG_WORDS.get(flag, flag) for flag in attempt.flags)
        return f"Read the result with care: {noticed}."

    @admin.display(description="recommended courses")
    def recommended(self, attempt: Assessment) -> str:
        return ", ".join(attempt.recommended_names) or "none"
