"""Erasing a student and exporting a project's results, for the staff who have the right to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone

from assessments.admin.audited_views import READ, looked_at
from assessments.admin.reasons import ReasonAboutForm
from assessments.models import Student
from assessments.models.students import REASON_MAX, Touched
from assessments.support import exports
from partners.confirmation import confirmation
from partners.models import AuditEvent, Project
from partners.origin import of_staff

CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


def student_urls(model_admin: admin.ModelAdmin[Any]) -> list[URLPattern]:
    """Return the addresses that a student's page leads to."""

    def erase(request: HttpRequest, pk: int) -> HttpResponse:
        return erase_view(model_admin, request, pk)

    view = model_admin.admin_site.admin_view(erase)
    return [path("<int:pk>/erase/", view, name="assessments_student_erase")]


def project_urls(model_admin: admin.ModelAdmin[Any]) -> list[URLPattern]:
    """Return the addresses that a project's figures lead to."""

    def export(request: HttpRequest, pk: int) -> HttpResponseBase:
        return export_view(model_admin, request, pk)

    view = model_admin.admin_site.admin_view(export)
    return [path("<int:pk>/export/", view, name="assessments_projectday_export")]


class EraseForm(ReasonAboutForm):
    reason = forms.CharField(
        max_length=REASON_MAX,
        help_text="For example “asked for by letter”. It is kept in the audit trail for years: no "
        "name, e-mail address or number of the student.",
        widget=forms.TextInput(attrs={"size": 60}),
    )


class ExportForm(forms.Form):
    since = forms.DateField(
        label="Ended since",
        required=False,
        help_text="Only attempts that ended on this day (UTC) or later. Empty: all that are kept.",
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    file = forms.ChoiceField(
        choices=[("csv", "CSV, for a spreadsheet"), ("json", "JSON, for a program")],
        help_text="In the CSV a text that begins like a formula has an apostrophe before it, so "
        "that no spreadsheet executes it.",
    )


def erase_view(model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
    """Say what will be erased and ask for a reason; of who is erased, show the receipt."""
    if not request.user.has_perm("assessments.erase_student"):
        raise PermissionDenied
    student = get_object_or_404(Student.objects.select_related("project__partner"), pk=pk)
    if student.is_erased:
        return receipt(model_admin, request, student)
    form = EraseForm(request.POST or None, student=student)
    if form.is_valid():
        student.erase(reason=form.cleaned_data["reason"], **of_staff(request))
        return HttpResponseRedirect(reverse("admin:assessments_student_erase", args=[pk]))
    page = looked_at("the page “Erase student”")
    AuditEvent.record(READ, student, reason=page, **of_staff(request))
    return confirmation(
        model_admin,
        request,
        title="Erase student",
        says=says(student, student.touched(), Student.objects.elsewhere(student)),
        form=form,
        button="Erase student",
        target=student,
        is_final=True,
    )


def says(student: Student, touched: Touched, others: Iterable[Student]) -> list[str]:
    """Say what an erasure does, with the counts of what it touches, and where it does nothing."""
    guardians = f", and the guardian of {count(touched.guardians, 'attempt')}"
    return [
        f"The student {student.email} of project {student.project} will be erased: at once, and "
        "nobody can undo it.",
        "Erased: name, e-mail address and mobile number of the student and of "
        f"{count(touched.links, 'link')}{guardians if touched.guardians else ''}.",
        f"Ended: {count(touched.startable, 'link')} that can still be started, and "
        f"{count(touched.open, 'open attempt')}. No link and no browser of the student opens "
        "anything any more.",
        f"Kept without a name, for the figures: {count(touched.attempts, 'attempt')} with "
        f"{count(touched.answers, 'answer')}, and the results. The partner can no longer read "
        "them.",
        "Not reached: what the partner has stored. Tell them, if the student asks for that too. If "
        "they ask for a link with the same e-mail address again, it makes a new student.",
        *also_in(list(others)),
    ]


def also_in(others: list[Student]) -> list[str]:
    """Say in which other projects the same e-mail address is a student's, if in any."""
    if not others:
        return []
    named = ", ".join(f"{each.project} (student {each.pk})" for each in others)
    return [
        f"Not touched: {count(len(others), 'student')} of the same e-mail address in other "
        f"projects: {named}. If the person asks for that too, erase each on its own page. Note "
        "them now: once the address is erased, no page can name them.",
    ]


def count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def receipt(
    model_admin: admin.ModelAdmin[Any], request: HttpRequest, student: Student
) -> HttpResponse:
    """Show the number under which the audit trail knows the erasure."""
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "media": model_admin.media,
        "title": "Student erased",
        "student": student,
        "left": student.touched(),
    }
    return TemplateResponse(request, "admin/assessments/student/erased.html", context)


def export_view(
    model_admin: admin.ModelAdmin[Any], request: HttpRequest, pk: int
) -> HttpResponseBase:
    """Ask for day and kind of file, then send it as it is read."""
    if not request.user.has_perm("assessments.export_results"):
        raise PermissionDenied
    project = get_object_or_404(Project.objects.select_related("partner"), pk=pk)
    form = ExportForm(request.POST or None)
    if form.is_valid():
        file = form.cleaned_data["file"]
        pieces = exports.results(
            project, file, since=form.cleaned_data["since"], **of_staff(request)
        )
        name = re.sub(r"[^A-Za-z0-9_-]", "", project.project_id)
        headers = {
            "Content-Disposition": "attachment; "
            f'filename="results-{name}-{timezone.now():%Y-%m-%d}.{file}"',
        }
        return StreamingHttpResponse(pieces, content_type=CONTENT_TYPES[file], headers=headers)
    figures = reverse("admin:assessments_projectday_changelist")
    return confirmation(
        model_admin,
        request,
        title="Export results",
        says=[
            f"A file with the finished attempts of project {project}: who took them, status, "
            "times, recommended courses, and the scores of those that were completed.",
            "It holds personal data. That you made it stands in the audit trail; keep it where "
            "only those can read it who have to, and delete it when it has served.",
        ],
        form=form,
        button="Download",
        may_repeat=True,
        back=f"{figures}?project={project.pk}",
    )
