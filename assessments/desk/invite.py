"""The pages that invite a list of students. Each row is checked as the API checks it."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.auth.decorators import permission_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from assessments.api.links_and_results import REFERENCE_INVALID
from assessments.api.serializers import LinkRequest
from assessments.catalogue.headers import (
    NAME_PART,
    Kind,
    Place,
    Table,
    clean_text,
    comparable,
    fault_of_text,
    group_faults,
    join_names,
    rows_in_words,
)
from assessments.catalogue.upload_pages import FileForm, columns_page, find_upload, keep_file
from assessments.catalogue.workbook import TableFault
from assessments.desk.invitations import MAX_STUDENTS, AlreadyInvited, count_invited, invite
from assessments.models import AssessmentLink, identity
from partners.back_office.pages import admin_page
from partners.models import Project, Refused
from partners.models.audit import staff_actor
from partners.spreadsheet import csv_lines

RIGHTS = ("partners.view_project", "assessments.issue_link")
# What the file of links has, before the link.
DETAILS = ("name", "email", "mobile", "reference")
LABELS = {
    **{"name": "Name", NAME_PART: "Last name, if in a column of its own"},
    **{"email": "E-mail", "mobile": "Mobile", "reference": "Reference"},
}
SYNONYMS = {
    "name": (
        *("name", "student name", "name of student", "name of the student", "full name"),
        *("first name", "given name", "नाम", "छात्र का नाम", "विद्यार्थी का नाम"),
    ),
    NAME_PART: ("last name", "surname", "family name", "उपनाम"),
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
HEADER = (*DETAILS, "link", "can be started until")


def read_rows(table: Table) -> list[dict[str, Any]]:
    """Return the arguments of `issue` for each student. Faults name no student."""
    if table.faults:
        raise TableFault(*table.faults)
    if not table.rows:
        raise TableFault("The list has headings but no student.")
    if len(table.rows) > MAX_STUDENTS:
        raise TableFault(f"The list has more than {MAX_STUDENTS:,} students. Divide it.")
    join_names(table)
    faults: list[tuple[str, Place, str]] = []
    places_by_email: defaultdict[str, list[Place]] = defaultdict(list)
    students = []
    for row in table.rows:
        student, faults_of_row = read_student(row.cells)
        faults += [(fault, row.place, "") for fault in faults_of_row]
        if not faults_of_row:
            students.append(student)
            places_by_email[identity.email_key(student["email"])].append(row.place)
    findings = group_faults(faults) + [
        f"{capfirst(rows_in_words(places))} have the same e-mail address. Keep one of them."
        for places in places_by_email.values()
        if len(places) > 1
    ]
    if findings:
        raise TableFault(*findings)
    return students


STUDENTS = Kind(
    name="students",
    headings=HEADINGS,
    labels=LABELS,
    to_choose=tuple(LABELS),
    without=dict.fromkeys(("name", "email", "mobile"), "Choose a column"),
    required=("name", "email", "mobile"),
    named_by=("name", "email", "mobile"),
    read_rows=read_rows,
    load_page="admin:invite",
    columns_page="admin:invite_columns",
    apply_page="admin:invite_check",
)


class ListForm(FileForm):
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
    field_order = ("pasted", "file")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].required = False
        self.fields["file"].label = "Or choose a file"

    def clean(self) -> None:
        pasted, file = self.cleaned_data.get("pasted", "").strip(), self.cleaned_data.get("file")
        if pasted and file:
            self.add_error("pasted", "Paste the list or choose a file, not both.")
        elif not pasted and not file and not self.errors:
            self.add_error("pasted", "Paste the list, or choose a file.")
        self.content = file or pasted.encode()


class InviteForm(forms.Form):
    again = forms.BooleanField(
        label="Also make a link for those who have one already", required=False
    )


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


def may_invite(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view the project in place of its key, if the user may invite its students."""

    @permission_required(RIGHTS, raise_exception=True)
    @wraps(view)
    def checked(request: HttpRequest, pk: int, **kwargs: int) -> HttpResponse:
        project = get_object_or_404(Project.objects.select_related("partner"), pk=pk)
        return view(request, project, **kwargs)

    return checked


@may_invite
@sensitive_post_parameters("pasted")
@sensitive_variables("form")
def invite_page(request: HttpRequest, project: Project) -> HttpResponse:
    """Take a list, pasted or as a file."""
    form = ListForm(request.POST or None, request.FILES or None, limit=f"{MAX_STUDENTS:,} students")
    if form.is_valid():
        try:
            return keep_file(request, project, STUDENTS, form.content)
        except TableFault as fault:
            form.add_error("file" if form.cleaned_data["file"] else "pasted", fault.findings)
    return _page(request, "invite", project, form=form)


@may_invite
@sensitive_variables()
def invite_columns_page(request: HttpRequest, project: Project, upload: int) -> HttpResponse:
    return columns_page(request, project, STUDENTS, upload, opts=Project._meta)


@may_invite
@sensitive_variables("stored", "links")
def invite_check_page(request: HttpRequest, project: Project, upload: int) -> HttpResponse:
    """Say what was read; then answer with the file of links, which no page shows again."""
    stored = find_upload(request, project, STUDENTS, upload)
    if not stored or stored.rows is None:
        return redirect("admin:invite", project.pk)
    form = InviteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        again, by = form.cleaned_data["again"], staff_actor(request)
        try:
            with transaction.atomic():
                stored.use(request.POST.get("read", ""))
                links = invite(project, stored.rows, again=again, at=timezone.now(), by=by)
        except AlreadyInvited as already:
            [count] = already.args
            form.add_error(
                "again",
                f"{count} of the {len(stored.rows)} students {'has' if count == 1 else 'have'} a "
                "link that can be started. Nothing was made. Tick this to make another one for "
                "them too, or take them out of the list.",
            )
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            return links_file(project, stored.rows, links)
    invited = count_invited(project, stored.rows, timezone.now())
    return _page(request, "invite_check", project, form=form, upload=stored, invited=invited)


def _page(request: HttpRequest, template: str, project: Project, **context: Any) -> HttpResponse:
    title = f"Invite students of {project.name}"
    context = {"opts": Project._meta, "project": project, **context}
    return admin_page(request, f"admin/{template}.html", title, **context)


@sensitive_variables("links", "lines", "link_token", "address")
def links_file(
    project: Project, rows: Sequence[Mapping[str, str]], links: Sequence[tuple[AssessmentLink, str]]
) -> HttpResponse:
    lines = []
    for row, (link, link_token) in zip(rows, links, strict=True):
        until = timezone.localtime(link.expires_at, ZoneInfo(project.time_zone))
        address = AssessmentLink.url(project, link_token)
        lines.append([*(row[name] for name in DETAILS), address, f"{until:%Y-%m-%d %H:%M}"])
    return HttpResponse(
        "".join(csv_lines(HEADER, lines)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="links-{project.project_id}.csv"'},
    )
