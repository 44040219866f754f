from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from assessments.admin.readonly import ReadOnly, links_to
from assessments.models import Assessment


class StatusFilter(admin.SimpleListFilter):
    """Pick attempts by the status that follows from their timestamps."""

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


# What staff read of each flag of measurement.validity; none of them changes a status.
FLAG_WORDS = {
    "fast_aptitude": "many puzzles answered faster than they can be read",
    "inconsistent": "statements about the same interest answered in opposite ways",
    "straight_line": "the same answer many times in a row",
    "instructed_missed": "a line that named the answer to choose was answered otherwise",
    "fast_interests": "statements answered in less than a second each",
    "hurried_section": "a part finished in a third of the usual time",
}


class CareFilter(admin.SimpleListFilter):
    """Pick completed attempts by whether their answers look as if the questions were read."""

    title = "answers"
    parameter_name = "answers"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("usual", "Usual"), ("flagged", "To be read with care")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in {"usual", "flagged"}:
            return queryset
        wanted = Assessment.objects.completed().flagged(self.value() == "flagged")
        return queryset.filter(pk__in=wanted)


@admin.register(Assessment)
class AssessmentAdmin(ReadOnly):
    list_display = (
        "assessment_id",
        "student_email",
        "status",
        "progress",
        "project_name",
        "started_at",
    )
    list_select_related = ("student__project", "bank")
    list_filter = (StatusFilter, CareFilter, "student__project")
    search_fields = ("assessment_id", "student__email_key", "student__name")
    search_help_text = "Search by AssessmentId, e-mail address or name."
    date_hierarchy = "started_at"
    ordering: ClassVar = ["-started_at"]
    fields = (
        "assessment_id",
        "student_page",
        "project_name",
        "status",
        "how_it_ended",
        "links",
        "progress",
        "started_at",
        "finish_by_at",
        "completed_at",
        "abandoned_at",
        "recommended",
        "answers",
        "bank",
        "language",
        "consent_version",
        "consented_at",
        "age",
        "guardian_name",
        "guardian_contact",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Assessment]:
        return Assessment.objects.with_progress()

    @admin.display(description="student", ordering="student__email_key")
    def student_email(self, attempt: Assessment) -> str:
        return attempt.student.email

    @admin.display(description="project", ordering="student__project__name")
    def project_name(self, attempt: Assessment) -> str:
        return attempt.student.project.name

    @admin.display(description="student")
    def student_page(self, attempt: Assessment) -> SafeString:
        return links_to([attempt.student], [attempt.student.email])

    @admin.display(description="links, newest first")
    def links(self, attempt: Assessment) -> SafeString:
        return links_to(attempt.links.newest_first())

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
        return f"{answered} of {attempt.content.layout.total}"

    @admin.display(description="answers")
    def answers(self, attempt: Assessment) -> str:
        if not attempt.completed_at:
            return "looked at when the attempt is completed"
        if not attempt.flags:
            return "nothing unusual"
        noticed = "; ".join(FLAG_WORDS.get(flag, flag) for flag in attempt.flags)
        return f"Read the result with care: {noticed}."

    @admin.display(description="recommended courses")
    def recommended(self, attempt: Assessment) -> str:
        return ", ".join(attempt.recommended_names) or "none"
