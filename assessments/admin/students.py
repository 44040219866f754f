from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils import timezone

from assessments.admin import link_actions, link_summary, privacy
from assessments.admin.audited_views import AuditedReading
from assessments.admin.readonly import ReadOnly
from assessments.models import Student
from partners.large_table_admin import LargeTableAdmin, ProjectFilter


@admin.register(Student)
class StudentAdmin(AuditedReading, LargeTableAdmin, ReadOnly):
    change_form_template = "admin/assessments/link_summary.html"
    list_display = ("email", "name", "mobile", "project_name", "first_seen")
    list_select_related = ("project",)
    list_filter = (ProjectFilter,)
    fields = ("project", "name", "email", "mobile", "first_seen")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Student]:
        return Student.objects.select_related("project__partner")

    def get_urls(self) -> list[URLPattern]:
        issue = path(
            "<int:pk>/issue/",
            self.admin_site.admin_view(self.issue_view),
            name="assessments_student_issue",
        )
        return [issue, *privacy.student_urls(self), *super().get_urls()]

    def issue_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        return link_actions.issue(self, request, pk)

    def student_of(self, row: Any) -> Student:
        student: Student = row
        return student

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: models.Model | None = None,
    ) -> HttpResponse:
        if isinstance(obj, Student):
            at = timezone.now()
            context |= link_summary.context_of(request, obj, link_summary.latest_link(obj), at, obj)
        return super().render_change_form(request, context, add, change, form_url, obj)

    @admin.display(description="project")
    def project_name(self, student: Student) -> str:
        return student.project.name

    @admin.display(description="first seen")
    def first_seen(self, student: Student) -> str:
        return link_summary.moments(student, timezone.now())(student.created_at)
