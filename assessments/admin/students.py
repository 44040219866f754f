from __future__ import annotations

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from assessments.admin.readonly import ReadOnly, links_to
from assessments.models import AssessmentLink, Student
from assessments.models.links import LinkState


@admin.register(Student)
class StudentAdmin(ReadOnly):
    list_display = ("email", "name", "mobile", "project_name", "created_at")
    list_select_related = ("project",)
    list_filter = ("project",)
    search_fields = ("email_key", "name", "mobile")
    search_help_text = "Search by e-mail address, name or mobile number."
    fields = ("project", "name", "email", "mobile", "created_at", "attempts", "invitations")

    @admin.display(description="project", ordering="project__name")
    def project_name(self, student: Student) -> str:
        return student.project.name

    @admin.display(description="assessments, newest first")
    def attempts(self, student: Student) -> SafeString:
        return links_to(student.assessments.newest_first())

    @admin.display(description="links, newest first")
    def invitations(self, student: Student) -> SafeString:
        return links_to(student.links.newest_first())


@admin.register(AssessmentLink)
class AssessmentLinkAdmin(ReadOnly):
    list_display = ("number", "student_email", "state", "project_name", "issued_at", "used_at")
    list_display_links = ("number", "student_email")
    list_select_related = ("student__project", "assessment", "access_token")
    list_filter = ("student__project",)
    search_fields = (
        "student__email_key",
        "name",
        "mobile",
        "student__mobile",
        "assessment__assessment_id",
    )
    search_help_text = (
        "Search by e-mail address, name, mobile number or AssessmentId. Never paste a link here: "
        "it is a key."
    )
    ordering: ClassVar = ["-issued_at"]
    fields = (
        "number",
        "student_page",
        "name",
        "mobile",
        "project_name",
        "state",
        "access_token",
        "issued_at",
        "expires_at",
        "used_at",
        "attempt",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[AssessmentLink]:
        return AssessmentLink.objects.with_newest_of_attempt()

    @admin.display(description="link", ordering="pk")
    def number(self, link: AssessmentLink) -> str:
        return f"#{link.pk}"

    @admin.display(description="student", ordering="student__email_key")
    def student_email(self, link: AssessmentLink) -> str:
        return link.student.email

    @admin.display(description="student")
    def student_page(self, link: AssessmentLink) -> SafeString:
        return links_to([link.student], [link.student.email])

    @admin.display(description="assessment")
    def attempt(self, link: AssessmentLink) -> SafeString:
        return links_to([link.assessment] if link.assessment else [])

    @admin.display(description="project", ordering="student__project__name")
    def project_name(self, link: AssessmentLink) -> str:
        return link.project.name

    @admin.display(description="state")
    def state(self, link: AssessmentLink) -> str:
        state = link.state_at()
        newest: int | None = link.newest_of_attempt  # type: ignore[attr-defined]  # annotated
        if state == LinkState.IN_USE and newest != link.pk:
            return f"taken over by link #{newest}"
        if state == LinkState.ENDED and link.assessment:
            return f"ended: {link.assessment.how_it_ended()}"
        return str(state.label).lower()
