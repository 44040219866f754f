from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path

from assessments.admin import link_actions, privacy, student_actions
from assessments.admin.audited_views import AuditedReading
from assessments.admin.link_summary import latest_link
from assessments.models import AssessmentLink, Student
from partners.large_table_admin import ProjectFilter


@admin.register(Student)
class StudentAdmin(AuditedReading):
    list_display = ("email", "name", "mobile", "project_name", "first_seen")
    list_select_related = ("project",)
    list_filter = (ProjectFilter,)
    fields = ("project", "name", "email", "mobile", "first_seen")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Student]:
        return Student.objects.select_related("project__partner")

    def get_urls(self) -> list[URLPattern]:
        issue = self.admin_site.admin_view(partial(link_actions.issue, self))
        correct = self.admin_site.admin_view(partial(student_actions.correct_email, self))
        erase = self.admin_site.admin_view(partial(privacy.erase, self))
        return [
            path("<int:pk>/issue/", issue, name="assessments_student_issue"),
            path("<int:pk>/correct-email/", correct, name="assessments_student_correct_email"),
            path("<int:pk>/erase/", erase, name="assessments_student_erase"),
            *super().get_urls(),
        ]

    def student_of(self, row: Any) -> Student:
        student: Student = row
        return student

    def link_of(self, row: Student) -> AssessmentLink | None:
        return latest_link(row)

    @admin.display(description="first seen")
    def first_seen(self, student: Student) -> str:
        return self.when(student, student.created_at)
