"""Students, and support's action on one: correct the e-mail address."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.desk import link_actions, privacy
from assessments.desk.audited_views import AuditedReading, time_column
from assessments.desk.confirmed_actions import ReasonAboutForm, ask, back, support_action
from assessments.desk.link_actions import show_link
from assessments.desk.link_summary import CORRECT, latest_link
from assessments.models import AssessmentLink, Student
from assessments.models.identity import EMAIL_MAX
from assessments.models.students import AddressTaken, HasStarted, ReasonNamesThePerson
from partners.large_table_admin import ProjectFilter
from partners.models.audit import staff_actor

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


@support_action("cancel_link")
def correct_email(
    model_admin: admin.ModelAdmin[Any], request: HttpRequest, student: Student
) -> HttpResponse:
    if not student.may_move:
        return back(request, student, messages.WARNING, STARTED)
    form = EmailForm(request.POST or None, student=student)
    if form.is_valid():
        try:
            cancelled = student.correct_email(
                form.cleaned_data["email"],
                reason=form.cleaned_data["reason"],
                **staff_actor(request),
            )
        except HasStarted:
            return back(request, student, messages.WARNING, STARTED)
        except AddressTaken:
            form.add_error("email", TAKEN)
        except ReasonNamesThePerson:
            raise
        except ValueError:
            form.add_error("email", INVALID)
        else:
            return _corrected(model_admin, request, student, cancelled, form.cleaned_data["reason"])
    return ask(
        model_admin,
        request,
        student,
        CORRECT,
        form,
        "The student gets the right address, and their links that nobody has started are "
        "cancelled, so nobody can start one that went to the wrong address. The next page shows a "
        "fresh link once; we do not store it.",
        "The wrong address is not kept. The partner finds the student by the right one only; "
        "tell them to correct it in their system.",
    )


@sensitive_variables("link_token", "address")
def _corrected(
    model_admin: admin.ModelAdmin[Any],
    request: HttpRequest,
    student: Student,
    cancelled: int,
    reason: str,
) -> HttpResponse:
    """Show a fresh link for the right address; without the permission, the student's page."""
    links = "1 link is" if cancelled == 1 else f"{cancelled} links are"
    said = f"The address is corrected, and {links} cancelled."
    if not request.user.has_perm("assessments.issue_link"):
        return back(request, student, messages.SUCCESS, said)
    messages.success(request, said)
    at = timezone.now()
    link, link_token = AssessmentLink.objects.issue_by_staff(
        student, reason=reason, at=at, **staff_actor(request)
    )
    address = AssessmentLink.url(student.project, link_token)
    return show_link(model_admin, request, student, link, address, at)


@admin.register(Student)
class StudentAdmin(AuditedReading):
    list_display = ("email", "name", "mobile", "project_name", "first_seen")
    list_select_related = ("project",)
    list_filter = (ProjectFilter,)
    acts: ClassVar = {
        "issue": link_actions.issue,
        "correct-email": correct_email,
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

    first_seen = time_column("created_at", "first seen")
