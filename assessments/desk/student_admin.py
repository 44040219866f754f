"""Students, and support's action on one: correct the e-mail address."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.views.decorators.debug import sensitive_variables

from assessments.desk.audited_views import AuditedReading, time_column
from assessments.desk.link_actions import IssueLink, show_link
from assessments.desk.link_summary import CORRECT, WORDS, latest_link
from assessments.desk.privacy import Erase
from assessments.desk.support_actions import ReasonAboutForm, SupportAction
from assessments.models import AssessmentLink, Student
from assessments.models.identity import EMAIL_MAX
from assessments.models.students import AddressTaken, HasStarted
from partners.large_table_admin import ProjectFilter

STARTED = (
    "Nothing was changed. The address can be corrected only before anybody starts a link of the "
    "student, and this student has started one or was erased. Ask the partner to request a link "
    "with the right address: that is another student. Of the wrong one, close the attempt, or ask "
    "an administrator to erase it."
)
INVALID = "Give another e-mail address, such as asha.rao@example.com."
TAKEN = (
    "Another student of the project has this address. Issue a fresh link to that student, and "
    "cancel the links of this one."
)


class EmailForm(ReasonAboutForm):
    email = forms.CharField(
        label="The right e-mail address",
        max_length=EMAIL_MAX,
        widget=forms.EmailInput(attrs={"size": 40, "autocomplete": "off"}),
    )
    field_order = ("email", "reason")


class CorrectEmail(SupportAction):
    name, title = CORRECT, WORDS[CORRECT]
    permission = "assessments.cancel_link"
    form_class = EmailForm

    def says(self) -> list[str]:
        return [
            self.whom,
            "The student gets the right address, and their links that nobody has started are "
            "cancelled, so nobody can start one that went to the wrong address. The next page "
            "shows a fresh link once; we do not store it.",
            "The wrong address is not kept. The partner finds the student by the right one only; "
            "tell them to correct it in their system.",
        ]

    def why_not(self) -> str:
        return "" if self.row.can_correct_email else STARTED

    @sensitive_variables("link_token", "address")
    def run(self, *, email: str, reason: str) -> HttpResponse | str:
        """Correct it. Show a fresh link, or without that permission the student's page."""
        try:
            cancelled = self.row.correct_email(email, reason=reason, **self.who)
        except HasStarted:
            return self.leave_with(messages.WARNING, STARTED)
        except AddressTaken:
            raise forms.ValidationError({"email": TAKEN}) from None
        except ValueError:
            raise forms.ValidationError({"email": INVALID}) from None
        links = "1 link is" if cancelled == 1 else f"{cancelled} links are"
        said = f"The address is corrected, and {links} cancelled."
        if not self.request.user.has_perm("assessments.issue_link"):
            return said
        messages.success(self.request, said)
        link, link_token = AssessmentLink.objects.issue_by_staff(
            self.row, reason=reason, at=self.at, **self.who
        )
        address = AssessmentLink.url(self.row.project, link_token)
        return show_link(self.model_admin, self.request, self.row, link, address, self.at)


@admin.register(Student)
class StudentAdmin(AuditedReading):
    when_empty = "Students appear here with their first link."
    list_display = ("email", "name", "mobile", "project_name", "first_seen")
    list_select_related = ("project",)
    list_filter = (ProjectFilter,)
    row_actions = (IssueLink, CorrectEmail, Erase)
    fields = ("project", "name", "email", "mobile", "first_seen")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Student]:
        return Student.objects.select_related("project__partner")

    def student_of(self, row: Any) -> Student:
        student: Student = row
        return student

    def link_of(self, row: Student) -> AssessmentLink | None:
        return latest_link(row)

    first_seen = time_column("created_at", "first seen")
