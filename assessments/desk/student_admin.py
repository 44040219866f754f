"""Students, and what staff do for one: issue a fresh link, correct the address, erase them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.debug import sensitive_variables

from assessments.desk.audited_views import AuditedReading, SupportAction, latest_link, time_column
from assessments.models import AssessmentLink, Attempt, Student
from assessments.models.identity import EMAIL_MAX
from assessments.models.link_history import progress
from assessments.models.links import LinkUnavailable
from assessments.models.students import REASON_MAX, AddressTaken, HasStarted
from partners.back_office.actions import ReasonForm, reason_field
from partners.back_office.admin_base import admin_page
from partners.back_office.large_table_admin import ProjectFilter

PROJECT_CLOSED = (
    "The project is closed, so its links cannot be started. If the partner wants that, reopen the "
    "project first."
)
ALREADY_STARTED = (
    "Nothing was changed. The address can be corrected only before anybody starts a link of the "
    "student, and this student has started one or was erased. Ask the partner to request a link "
    "with the right address: that is another student. Of the wrong one, close the attempt, or ask "
    "an administrator to erase it."
)


class FreshLinkForm(ReasonForm):
    mobile = forms.ChoiceField(
        label="The student's mobile number",
        error_messages={
            "required": "Ask the student for the number, then choose it.",
            "invalid_choice": "Choose one of the numbers in the list.",
        },
    )
    field_order = ("mobile", "reason")

    def __init__(self, *args: Any, numbers: Mapping[str, Attempt | None], **options: Any) -> None:
        super().__init__(*args, **options)
        if len(numbers) == 1:
            del self.fields["mobile"]
            return
        choices = [("", "Choose a number")]
        for mobile, attempt in numbers.items():
            effect = "starts a new attempt"
            if attempt:
                effect = f"continues {attempt}, {progress(attempt)}"
            choices.append((mobile, f"{mobile}: {effect}"))
        cast("forms.ChoiceField", self.fields["mobile"]).choices = choices


class StudentAction(SupportAction):
    @sensitive_variables("context")
    def show_page(self, template: str, title: str, **context: Any) -> HttpResponse:
        context |= {"opts": self.model_admin.opts, "student": self.row}
        return admin_page(self.request, f"admin/assessments/{template}", title, **context)

    @sensitive_variables("link_token", "address")
    def show_link(self, link: AssessmentLink, link_token: str) -> HttpResponse:
        address = AssessmentLink.url(self.row.project, link_token)
        title = "Send this link to the student"
        return self.show_page("fresh_link.html", title, link=link, address=address)


class IssueLink(StudentAction):
    name, title = "issue", "Issue a fresh link"
    permission = "assessments.issue_link"
    form_class = FreshLinkForm
    template_name = "admin/assessments/student/issue.html"

    @cached_property
    def numbers(self) -> dict[str, Attempt | None]:
        return AssessmentLink.objects.numbers_for(self.row, self.at)

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "numbers": self.numbers}

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        mobile, attempt = next(iter(self.numbers.items()))
        return super().get_context_data(
            until=self.when(self.at + self.row.project.start_by),
            mobile=mobile,
            continues=progress(attempt) if attempt else "",
            has_open=self.row.attempts.open(self.at).exists(),
            **context,
        )

    def refusal(self) -> str:
        if self.row.is_erased:
            return "This student was erased, so there is nobody to send a link to."
        return PROJECT_CLOSED if self.row.project.is_closed else ""

    @sensitive_variables("link_token")
    def run(self, *, reason: str, mobile: str = "") -> HttpResponse | None:
        try:
            link, link_token = AssessmentLink.objects.issue_by_staff(
                self.row, mobile=mobile, by=self.by, reason=reason, at=self.at
            )
        except LinkUnavailable:  # closed or erased meanwhile
            self.row.refresh_from_db()
            return None
        return self.show_link(link, link_token)


class EmailForm(ReasonForm):
    email = forms.CharField(
        label="The right e-mail address",
        max_length=EMAIL_MAX,
        widget=forms.EmailInput(attrs={"size": 40, "autocomplete": "off"}),
    )
    field_order = ("email", "reason")


class CorrectEmail(StudentAction):
    name, title = "correct-email", "Correct the e-mail address"
    template_name = "admin/assessments/student/correct_email.html"
    permission = "assessments.cancel_link"
    form_class = EmailForm

    def refusal(self) -> str:
        if self.row.project.is_closed:
            return PROJECT_CLOSED
        return "" if self.row.can_correct_email else ALREADY_STARTED

    @sensitive_variables("link_token")
    def run(self, *, email: str, reason: str) -> HttpResponse | str:
        try:
            cancelled = self.row.correct_email(email, by=self.by, reason=reason)
        except HasStarted:
            return self.leave_with(messages.WARNING, ALREADY_STARTED)
        except AddressTaken:
            error = (
                "Another student of the project has this address. Issue a fresh link to that "
                "student, and cancel the links of this one."
            )
            raise forms.ValidationError({"email": error}) from None
        except ValueError:
            error = "Give another e-mail address, such as asha.rao@example.com."
            raise forms.ValidationError({"email": error}) from None
        links = "1 link is" if cancelled == 1 else f"{cancelled} links are"
        message = f"The address is corrected, and {links} cancelled."
        if not self.request.user.has_perm("assessments.issue_link"):
            return message
        messages.success(self.request, message)
        link, link_token = AssessmentLink.objects.issue_by_staff(
            self.row, by=self.by, reason=reason, at=self.at
        )
        return self.show_link(link, link_token)


class EraseForm(ReasonForm):
    reason = reason_field(REASON_MAX)


class Erase(StudentAction):
    name, title = "erase", "Erase student"
    permission = "assessments.erase_student"
    form_class = EraseForm
    template_name = "admin/assessments/student/erase.html"
    in_summary = False
    is_final = True

    def ask(self, form: forms.BaseForm) -> HttpResponse:
        """Ask; once the student is erased, show the receipt of the erasure."""
        if not self.row.is_erased:
            return super().ask(form)
        left = self.row.row_counts()
        return self.show_page("student/erased.html", "Student erased", left=left)

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        others = Student.objects.elsewhere(self.row)
        return super().get_context_data(kept=self.row.row_counts(), others=others, **context)

    def run(self, *, reason: str) -> HttpResponse:
        self.row.erase(by=self.by, reason=reason)
        return HttpResponseRedirect(self.request.path)


@admin.register(Student)
class StudentAdmin(AuditedReading):
    when_empty = "Students appear here with their first link."
    list_display = ("email", "name", "mobile", "project_name", "first_seen")
    list_filter = (ProjectFilter,)
    row_actions = (IssueLink, CorrectEmail, Erase)
    fields = ("project", "name", "email", "mobile", "first_seen")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Student]:
        return Student.objects.select_related("project__partner")

    def link_of(self, row: Student) -> AssessmentLink | None:
        return latest_link(row)

    first_seen = time_column("created_at", "first seen")
