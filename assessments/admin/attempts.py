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
    list_filter = (StatusFilter, "student__project")
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
        "bank",
        "language",
        "consent_version",
        "consented_at",
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

    @admin.display(description="status")
    def status(self, attempt: Assessment) -> str:
        return attempt.status_at().label

    @admin.display(description="answered")
    def progress(self, attempt: Assessment) -> str:
        answered: int = attempt.answered  # type: ignore[attr-defined]  # of with_progress()
        return f"{answered} of {attempt.content.layout.total}"

    @admin.display(description="recommended courses")
    def recommended(self, attempt: Assessment) -> str:
        return ", ".join(attempt.recommended_names) or "none"
