from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

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
    acts: ClassVar = {
        "issue": link_actions.issue,
        "correct-email": student_actions.correct_email,
        "erase": privacy.erase,
    }
    fields = ("project", "name", "email", "mobile", "first_seen")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Student]:
        return Student.objects.select_related("project__partner")

    def student_of(self, row: Any) -> Student:
        student: Student = row
        return student

    def link_of(self, row: Student) -> AssessmentLink | None:
        return latest_link(row)

    @admin.display(description="first seen")
    def first_seen(self, student: Student) -> str:
        return self.when(student, student.created_at)
