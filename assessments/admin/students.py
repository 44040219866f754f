from __future__ import annotations

from typing import ClassVar

from django.contrib import admin

from assessments.admin.readonly import ReadOnly
from assessments.models import AssessmentLink, Student


@admin.register(Student)
class StudentAdmin(ReadOnly):
    list_display = ("name", "email", "mobile", "project", "created_at")
    list_select_related = ("project",)
    list_filter = ("project",)
    search_fields = ("email_key", "name", "mobile")
    search_help_text = "Search by e-mail address, name or mobile number."
    fields = ("project", "name", "email", "mobile", "created_at")


@admin.register(AssessmentLink)
class AssessmentLinkAdmin(ReadOnly):
    list_display = ("student_email", "project_name", "state", "issued_at", "expires_at", "used_at")
    list_select_related = ("student__project", "assessment", "access_token")
    list_filter = ("student__project",)
    search_fields = ("student__email_key", "name", "mobile", "assessment__assessment_id")
    search_help_text = "Search by e-mail address, name, mobile number or AssessmentId."
    date_hierarchy = "issued_at"
    ordering: ClassVar = ["-issued_at"]
    fields = (
        "student_email",
        "name",
        "mobile",
        "project_name",
        "state",
        "access_token",
        "issued_at",
        "expires_at",
        "used_at",
        "assessment",
    )

    @admin.display(description="student", ordering="student__email_key")
    def student_email(self, link: AssessmentLink) -> str:
        return link.student.email

    @admin.display(description="project", ordering="student__project__name")
    def project_name(self, link: AssessmentLink) -> str:
        return str(link.project)

    @admin.display(description="state")
    def state(self, link: AssessmentLink) -> str:
        return link.state_at().label
