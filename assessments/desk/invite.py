"""The page that invites a list of students: it checks each row as the API does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from assessments.api.links_and_results import REFERENCE_INVALID
from assessments.api.serializers import LinkRequest
from assessments.catalogue.headers import (
    Table,
    TableForm,
    clean_text,
    comparable,
    fault_of_text,
    group_faults,
    rows_in_words,
)
from assessments.catalogue.workbook import TableFault
from assessments.desk.invitations import MAX_STUDENTS, AlreadyInvited, invite
from assessments.models import AssessmentLink, identity
from partners.back_office.pages import admin_page
from partners.models import Project, Refused
from partners.models.audit import staff_actor
from partners.spreadsheet import csv_lines

RIGHTS = ("partners.view_project", "assessments.issue_link")
LABELS = {"name": "Name", "email": "E-mail", "mobile": "Mobile", "reference": "Reference"}
SYNONYMS = {
    "name": (
        *("name", "student name", "name of student", "name of the student", "full name"),
        *("नाम", "छात्र का नाम", "विद्यार्थी का नाम"),
    ),
    "email": (
        *("email", "email address", "email id", "mail", "mail id"),
        *("e mail", "e mail address", "e mail id", "ईमेल", "ई मेल", "ईमेल आईडी"),
    ),
    "mobile": (
        *("mobile", "mobile number", "mobile no", "phone", "phone number", "phone no"),
        *("contact", "contact number", "contact no", "whatsapp", "whatsapp number"),
        *("मोबाइल", "मोबाइल नंबर", "मोबाइल नं", "फोन", "फोन नंबर", "दूरभाष"),
    ),
    "reference": (
        *("reference", "application number", "application no", "application id"),
        *("registration number", "registration no", "enrolment number", "roll number", "roll no"),
        *("app no", "आवेदन संख्या", "आवेदन क्रमांक", "पंजीकरण संख्या", "अनुक्रमांक"),
    ),
}
HEADINGS = {name: tuple(map(comparable, headings)) for name, headings in SYNONYMS.items()}
HEADER = (*LABELS, "link", "can be started until")


class InviteForm(TableForm):
    synonyms, required_column, labels = HEADINGS, "email", LABELS
    named_by = ("name", "email", "mobile")
    limit = f"{MAX_STUDENTS:,} students"

    pasted = forms.CharField(
        label="Paste the list",
        required=False,
        strip=False,
        widget=forms.Textarea(
            {"rows": 8, "cols": 80, "autocomplete": "off", "spellcheck": "false"}
        ),
        help_text="With a line of headings: name, e-mail, mobile and, if you like, reference. "
        "Cells copied from a spreadsheet are fine.",
    )
    again = forms.BooleanField(
        label="Also make a link for those who have one already", required=False
    )
    field_order = ("pasted", "file", "sheet", "check", "again")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].required = False
        self.fields["file"].label = "Or choose a file"

    def clean(self) -> None:
        pasted, file = self.cleaned_data.get("pasted", "").strip(), self.cleaned_data.get("file")
        if pasted and file:
            self.add_error("pasted", "Paste the list or choose a file, not both.")
        elif not pasted and not file:
            self.add_error("pasted", "Paste the list, or choose a file.")
        elif pasted:
            self.read(pasted.encode(), "pasted")
        else:
            super().clean()

    def read_rows(self, table: Table) -> list[dict[str, Any]]:
        """Return the arguments of `issue` for each student. Faults name no student."""
        lacking = [LABELS[name] for name in ("name", "mobile") if name not in table.columns]
        if lacking:
            fault = f"No column for {' and '.join(lacking)}. Choose it."
            raise TableFault(fault, headings=table.headings)
        if not table.rows:
            raise TableFault("The list has headings but no student.")
        if len(table.rows) > MAX_STUDENTS:
            raise TableFault(f"The list has more than {MAX_STUDENTS:,} students. Divide it.")
        faults: list[tuple[str, int, str]] = []
        rows_by_email: defaultdict[str, list[int]] = defaultdict(list)
        students = []
        for row in table.rows:
            student, faults_of_row = read_student(row.cells)
            faults += [(fault, row.number, "") for fault in faults_of_row]
            if not faults_of_row:
                students.append(student)
                rows_by_email[identity.email_key(student["email"])].append(row.number)
        findings = group_faults(faults) + [
            f"{rows_in_words(numbers).capitalize()} have the same e-mail address. Keep one of them."
            for numbers in rows_by_email.values()
            if len(numbers) > 1
        ]
        if findings:
            raise TableFault(*findings)
        return students


def read_student(cells: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments of `issue` for the student of a row, and the faults of its cells."""
    cells = {name: clean_text(text) for name, text in cells.items()}
    request = LinkRequest(data={"projectId": "-", **cells})
    request.is_valid()
    faults = {name: str(errors[0]) for name, errors in request.errors.items()}
    mangled = ((name, fault_of_text(text)) for name, text in cells.items())
    faults |= {name: f"It {fault}." for name, fault in mangled if fault}
    reference = cells.get("reference", "")
    if reference and not identity.REFERENCE.fullmatch(reference):
        faults["reference"] = REFERENCE_INVALID.replace("the header", "it")
    student = {**request.validated_data, "reference": reference}
    student.pop("projectId", None)  # validated_data is empty after a fault
    return student, [f"{LABELS[name]}: {fault.rstrip('.')}" for name, fault in faults.items()]


@permission_required(RIGHTS, raise_exception=True)
@sensitive_post_parameters("pasted")
@sensitive_variables("form", "links")
def invite_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form; answer a valid list with the file of its links, which no page shows again."""
    project = get_object_or_404(Project.objects.select_related("partner"), pk=pk)
    form = InviteForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        try:
            links = invite(
                project,
                form.rows,
                again=form.cleaned_data["again"],
                at=timezone.now(),
                by=staff_actor(request),
            )
        except AlreadyInvited as already:
            [count] = already.args
            form.add_error(
                "again",
                f"{count} of the {len(form.rows)} students {'has' if count == 1 else 'have'} a "
                "link that can be started. Nothing was made. Tick this to make another one for "
                "them too, or take them out of the list.",
            )
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            return links_file(project, form.rows, links)
    title, opts = f"Invite students of {project.name}", Project._meta
    return admin_page(request, "admin/invite.html", title, opts=opts, project=project, form=form)


@sensitive_variables("links", "lines", "link_token", "address")
def links_file(
    project: Project, rows: Sequence[Mapping[str, str]], links: Sequence[tuple[AssessmentLink, str]]
) -> HttpResponse:
    lines = []
    for row, (link, link_token) in zip(rows, links, strict=True):
        until = timezone.localtime(link.expires_at, ZoneInfo(project.time_zone))
        address = AssessmentLink.url(project, link_token)
        lines.append([*(row[name] for name in LABELS), address, f"{until:%Y-%m-%d %H:%M}"])
    return HttpResponse(
        "".join(csv_lines(HEADER, lines)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="links-{project.project_id}.csv"'},
    )
