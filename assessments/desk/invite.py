"""The pages that invite a list of students, checked as the API checks them; the file of links."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib.auth.decorators import permission_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

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
from assessments.desk.invitations import MAX_STUDENTS, Made, Standing, invite, standings_of
from assessments.models import AssessmentLink, identity
from assessments.models.identity import REFERENCE_MAX
from partners.back_office.pages import admin_page, download
from partners.models import Project, Refused, staff_actor
from partners.spreadsheet import csv_lines, text_workbook

RIGHTS = ("partners.view_project", "assessments.issue_link")
LABELS = {
    **{"name": "Name", NAME_PART: "Last name, if in a column of its own"},
    **{"email": "E-mail", "mobile": "Mobile", "reference": "Reference"},
}
REQUIRED = ("name", "email", "mobile")
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
# What staff read before they make links.
FILE_OF_LINKS = (
    "The links come in a file, once, with name, e-mail address, mobile number and reference. We "
    "neither store nor send them. Keep the file as safe as a password, pass the links on, and "
    "delete it.",
    "The file is saved to your downloads, and this page stays as it is. The project's page then "
    "lists the invitation, and how many of its links were opened, started and finished.",
)
HEADER = ("name", "email", "mobile", "reference", "link", "can be started until")
# What is wrong with a cell, in the words of who keeps the list. The API has its own.
FAULTS = {
    "name": "is no name: it has no visible character, or some that hide or turn text around",
    "email": "is no complete e-mail address, such as asha@example.com",
    "mobile": "is no number of 6 to 20 digits; +, spaces, hyphens and brackets may stand between",
    "reference": f"has other characters than A-Z, a-z, 0-9 and . _ : - or over {REFERENCE_MAX}, "
    "or is a word such as undefined",
}


def read_rows(table: Table) -> list[dict[str, Any]]:
    """Return the arguments of `issue` for each student. Faults name no student."""
    if not table.rows:
        table.faults.append("The list has headings but no student.")
    if len(table.rows) > MAX_STUDENTS:
        table.faults.append(f"The list has more than {MAX_STUDENTS:,} students. Divide it.")
        return []
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
    table.faults += group_faults(faults)
    table.faults += [
        f"{capfirst(rows_in_words(places))} have the same e-mail address. Keep one of them."
        for places in places_by_email.values()
        if len(places) > 1
    ]
    return students


STUDENTS = Kind(
    name="students",
    headings=HEADINGS,
    labels=LABELS,
    to_choose=dict.fromkeys(LABELS, "None") | dict.fromkeys(REQUIRED, "Choose a column"),
    required=REQUIRED,
    named_by=REQUIRED,
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


class LinksForm(forms.Form):
    """In which file the links come."""

    file = forms.ChoiceField(
        label="The links come as",
        choices=(("xlsx", "Excel workbook (.xlsx)"), ("csv", "CSV file")),
        initial="xlsx",
        widget=forms.RadioSelect,
    )


class InviteForm(LinksForm):
    also = forms.MultipleChoiceField(
        label="Also make a link for those who",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Without a tick, they get none and are not in the file.",
    )
    field_order = ("also", "file")

    def __init__(self, *args: Any, standings: Counter[Standing], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not standings:
            del self.fields["also"]
            return
        # Also those that were ticked, although meanwhile nobody may be left.
        also: Any = self.fields["also"]
        ticked = also.widget.value_from_datadict(self.data, self.files, "also") or ()
        also.choices = [
            (each, f"{each.label}: {standings[each]}")
            for each in Standing
            if standings[each] or each in ticked
        ]


def read_student(cells: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments of `issue` for the student of a row, and the faults of its cells."""
    cells = {name: clean_text(text) for name, text in cells.items()}
    request: Any = LinkRequest(data={"projectId": "-", **cells})
    request.is_valid()
    faults = {
        name: {
            "blank": "is empty",
            "too_long": f"is longer than {request.fields[name].max_length} characters",
            identity.TEMPLATE: "is a placeholder, as a template leaves it that is not filled in",
            identity.COMPUTED: "lost digits, as a spreadsheet computed it; enter it again as text",
        }.get(errors[0].code, FAULTS[name])
        for name, errors in request.errors.items()
    }
    mangled = ((name, fault_of_text(text)) for name, text in cells.items())
    faults |= {name: fault for name, fault in mangled if fault}
    reference = cells.get("reference", "")
    if reference and not identity.REFERENCE.fullmatch(reference):
        faults["reference"] = FAULTS["reference"]
    student = {**request.validated_data, "reference": reference}
    student.pop("projectId", None)  # validated_data is empty after a fault
    return student, [f"{LABELS[name]} {fault}" for name, fault in faults.items()]


def may_invite(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Give a view the project in place of its key, if the user may invite its students."""

    @permission_required(RIGHTS, raise_exception=True)
    @wraps(view)
    def checked(request: HttpRequest, pk: int, **kwargs: int) -> HttpResponseBase:
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
def invite_check_page(request: HttpRequest, project: Project, upload: int) -> HttpResponseBase:
    """Say what was read; then answer with the file of links, which no page shows again."""
    stored = find_upload(request, project, STUDENTS, upload)
    if not stored or stored.rows is None:
        return redirect(STUDENTS.load_page, project.pk)
    standings = Counter(standings_of(project, stored.rows, timezone.now()).values())
    data = request.POST if request.method == "POST" else None
    form = InviteForm(data, standings=standings)
    if form.is_valid():
        also, by = form.cleaned_data.get("also", ()), staff_actor(request)
        try:
            with transaction.atomic():
                stored.use(request.POST.get("read", ""))
                made = invite(project, stored.rows, also=also, by=by)
            return links_file(project, made, form.cleaned_data["file"])
        except Refused as refused:
            form.add_error(None, str(refused))
    counts = {"free": len(stored.rows) - standings.total(), "standings": standings.items()}
    return _page(request, "invite_check", project, form=form, upload=stored, **counts)


def _page(request: HttpRequest, template: str, project: Project, **context: Any) -> HttpResponse:
    title = f"Invite students of {project.name}"
    context = {
        "opts": Project._meta,
        "project": project,
        "file_of_links": FILE_OF_LINKS,
        "until": timezone.now() + project.start_by,
        **context,
    }
    return admin_page(request, f"admin/{template}.html", title, **context)


@sensitive_variables()
def links_file(project: Project, made: Sequence[Made], suffix: str) -> HttpResponseBase:
    """Answer with the links that were made. No page shows them again."""
    zone = ZoneInfo(project.time_zone)
    rows = []
    for each in made:
        mobile, reference = identity.normal_mobile(each.link.mobile), each.link.reference
        address = AssessmentLink.url(project, each.link_token)
        until = f"{each.link.expires_at.astimezone(zone):%Y-%m-%d %H:%M %Z}"
        rows.append((each.link.name, each.email, mobile, reference, address, until))
    day = f"{timezone.localtime(timezone=zone):%Y-%m-%d-%H%M}"
    is_csv = suffix == "csv"
    content = csv_lines(HEADER, rows) if is_csv else text_workbook({"Links": [HEADER, *rows]})
    return download(content, f"links-{project.project_id}-{day}.{suffix}")
