"""The pages on which a user loads a list, and says where its columns are."""

from itertools import zip_longest
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.catalogue.headers import LETTERS, Kind, Table, comparable, first_findings
from assessments.catalogue.uploads import GONE, Upload
from assessments.catalogue.workbook import ACCEPTED, TableFault
from partners.back_office.pages import admin_page
from partners.models import Project

MAX_MB = 4
MAX_SHOWN = 80  # characters of a line
COLUMN_PREFIX = "column-"
DISCARD = "discard"  # the name of a button


class FileForm(forms.Form):
    required_css_class = "required"

    file = forms.FileField(widget=forms.FileInput(attrs={"accept": ACCEPTED}))

    def __init__(self, *args: Any, limit: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].help_text = (
            f"An Excel workbook (.xlsx) or a CSV file of at most {MAX_MB} MB and {limit}, as you "
            "keep it: sheet, headings and columns are recognised, and can be chosen."
        )

    def clean_file(self) -> bytes | None:
        file = self.cleaned_data["file"]
        if file and file.size > MAX_MB * 1024**2:
            raise ValidationError(f"The file is larger than {MAX_MB} MB.")
        return file.read() if file else None


class ColumnsForm(forms.Form):
    """Where the headings and columns are. Shows what was recognised, or chosen before."""

    required_css_class = "required"

    def __init__(self, table: Table, kind: Kind, data: Any = None) -> None:
        super().__init__(data)
        self.table, self.kind = table, kind
        if len(table.sheets) > 1:
            self.fields["sheets"] = forms.MultipleChoiceField(
                widget=forms.CheckboxSelectMultiple,
                choices=[(title, title) for title in table.sheets],
                initial=table.read,
            )
        lines = [(line.number, line_in_words(line.number, line.cells)) for line in table.lines]
        self.fields["header"] = forms.TypedChoiceField(
            label="Headings",
            coerce=int,
            choices=[*lines, (0, "The file has no headings")],
            initial=table.header,
        )
        compared = [comparable(heading) for heading in table.headings]
        letters = LETTERS[: len(compared)]
        values = [
            heading if heading and compared.count(same) == 1 and heading not in letters else letter
            for heading, same, letter in zip(table.headings, compared, letters, strict=True)
        ]
        samples = table.headings if table.header else table.lines[0].cells
        columns = [
            (value, f"Column {letter}, {sample[:MAX_SHOWN]}" if sample else f"Column {letter}")
            for letter, value, sample in zip_longest(letters, values, samples, fillvalue="")
        ]
        for column, none in kind.to_choose.items():
            # Not required: in other sheets or lines, columns are recognised anew.
            self.fields[COLUMN_PREFIX + column] = forms.ChoiceField(
                label=kind.labels[column],
                required=False,
                choices=[("", none), *columns],
                initial=values[table.places[column]] if column in table.places else "",
            )

    @property
    def choices(self) -> dict[str, Any]:
        """The attributes of Choices. Columns are recognised anew in other sheets or lines.

        What was recognised is no choice: another sheet may have other headings. Letters are.
        """
        sheets = self.cleaned_data.get("sheets", [])
        header = self.cleaned_data["header"]
        columns = {}
        for column in self.kind.to_choose:
            name = COLUMN_PREFIX + column
            value, was_chosen = self.cleaned_data[name], column in self.table.chosen
            if was_chosen or value in LETTERS or value != self.fields[name].initial:
                columns[column] = value
        if sheets and sheets != self.table.read:
            return {"sheets": sheets}
        if header != self.table.header:
            columns = {}
        return {"sheets": sheets, "header": header, "columns": columns}


@sensitive_variables()
def keep_file(request: HttpRequest, project: Project, kind: Kind, content: bytes) -> HttpResponse:
    """Keep a file, and go on: to its columns if something is to be chosen or mended.

    Raises TableFault if the file can't be read at all; nothing is kept then.
    """
    user = cast("User", request.user)
    upload = Upload(project=project, user=user, kind=kind.name, content=content)
    table = upload.read(kind)
    Upload.objects.expired(upload.created_at).delete()
    upload.save()
    page = kind.columns_page if table.faults else kind.apply_page
    return redirect(page, project.pk, upload.pk)


def find_upload(request: HttpRequest, project: Project, kind: Kind, pk: int) -> Upload | None:
    """Return the upload if it is this user's and open, else None with a message about it."""
    uploads = Upload.objects.open(timezone.now()).filter(kind=kind.name, project=project)
    upload = uploads.filter(user=request.user.pk, pk=pk).first()
    if upload is None:
        messages.warning(request, GONE)
    return upload


@sensitive_variables()
def columns_page(
    request: HttpRequest, project: Project, kind: Kind, pk: int, **context: Any
) -> HttpResponse:
    """Show what was read of a file and what is wrong, and take other choices; or discard it."""
    if not (upload := find_upload(request, project, kind, pk)):
        return redirect(kind.load_page, project.pk)
    if DISCARD in request.POST:
        upload.delete()
        return redirect(kind.load_page, project.pk)
    table = upload.read(kind)
    form = ColumnsForm(table, kind, request.POST or None)
    if form.is_valid():
        upload.choices = form.choices
        try:
            table = upload.read(kind)
            upload.store_reading()
        except TableFault as fault:  # in a sheet that was not read before
            table.faults = fault.findings
        else:
            # That page says so if the upload was used meanwhile.
            page = kind.columns_page if table.faults else kind.apply_page
            return redirect(page, project.pk, upload.pk)
    return admin_page(
        request,
        "admin/columns.html",
        "Check the columns",
        project=project,
        form=form,
        faults=first_findings(table.faults),
        upload=upload,
        load_page=kind.load_page,
        **context,
    )


def line_in_words(number: int, cells: list[str]) -> str:
    text = " | ".join(filter(None, cells))
    return f"Row {number}: {text[:MAX_SHOWN]}{'…' if len(text) > MAX_SHOWN else ''}"
