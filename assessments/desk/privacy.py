"""Admin actions: erase a student, and export a project's results."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils import timezone

from assessments.desk import exports
from assessments.desk.audited_views import SupportAction
from assessments.models import Student
from assessments.models.students import REASON_MAX
from partners.actions import Action, ReasonForm, reason_field
from partners.models import Project

CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


class EraseForm(ReasonForm):
    reason = reason_field(REASON_MAX)


class ExportForm(forms.Form):
    since = forms.DateField(
        label="Ended since",
        required=False,
        help_text="Only attempts that ended on or after this day (UTC). Leave empty for all.",
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    file = forms.ChoiceField(
        choices=[("csv", "CSV, for a spreadsheet"), ("json", "JSON, for a program")],
        help_text="In a CSV file, text that begins like a formula is preceded by an apostrophe, so "
        "that a spreadsheet does not run it.",
    )


class Erase(SupportAction):
    name, title = "erase", "Erase student"
    permission = "assessments.erase_student"
    form_class = EraseForm
    template_name = "admin/assessments/student/erase.html"
    in_summary = False
    is_final = True

    def ask(self, form: forms.BaseForm) -> HttpResponse:
        """Ask, or show the number under which the audit trail knows the erasure."""
        if not self.row.is_erased:
            return super().ask(form)
        context = {
            **self.model_admin.admin_site.each_context(self.request),
            "opts": self.model_admin.opts,
            "title": "Student erased",
            "student": self.row,
            "left": self.row.touched(),
        }
        return TemplateResponse(self.request, "admin/assessments/student/erased.html", context)

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        others = Student.objects.elsewhere(self.row)
        return super().get_context_data(touched=self.row.touched(), others=others, **context)

    def run(self, *, reason: str) -> HttpResponse:
        self.row.erase(reason=reason, **self.who)
        return HttpResponseRedirect(self.request.path)


class ExportResults(Action):
    """Asks for a start date and a format, then streams the file of a project."""

    name, title, button = "export", "Export results", "Download"
    permission = "assessments.export_results"
    form_class = ExportForm
    may_repeat = True

    def get_row(self, pk: int) -> None:
        self.project = get_object_or_404(Project.objects.select_related("partner"), pk=pk)

    @property
    def back(self) -> str:
        return f"{self.address('changelist')}?project={self.project.pk}"

    def says(self) -> list[str]:
        return [
            f"The file contains the finished attempts of project {self.project}: student, status, "
            "times, recommended courses and, for completed attempts, scores.",
            "It contains personal data. This export is logged. Keep the file where only the people "
            "who need it can read it, and delete it when you no longer need it.",
        ]

    def run(self, *, since: date | None, file: exports.Format) -> HttpResponseBase:
        pieces = exports.results(self.project, file, since=since, **self.who)
        name = f"results-{self.project.project_id}-{timezone.now():%Y-%m-%d}.{file}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingHttpResponse(pieces, content_type=CONTENT_TYPES[file], headers=headers)
