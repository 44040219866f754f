"""The form that onboards a partner, on one page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.forms.models import fields_for_model
from django.forms.utils import pretty_name
from django.http import QueryDict

from assessments.catalogue.courses_file import (
    COLUMNS,
    CatalogueFault,
    first_of,
    open_table,
    rows_of,
)
from assessments.catalogue.table_file import ACCEPTED, Table
from assessments.onboarding.onboard import (
    LABEL,
    SETTINGS,
    known_partner,
)
from partners.length_fields import LENGTH_FIELDS
from partners.models import Partner, Project
from partners.plain_text import validate_plain_text
from partners.times import zones
from tokens.forms import NewTokenForm

# The text comes back in a form, with all else in it.
MOST_BYTES = 256 * 1024
TOO_LARGE = (
    f"The catalogue is larger than {MOST_BYTES // 1024} kB. Onboard without it, and load it on the "
    "page of the project's courses."
)
WIDE = {"size": 60}
# A select that always has a value, so it is not marked as optional.
CHOSEN = {"expires_in"}
FIELDSETS = (
    (
        "Partner",
        "A new name creates a partner. The name of an existing partner adds a project to it.",
        ("partner_name", "contact_email"),
    ),
    (
        "First project",
        "Other settings have defaults: recommended courses, accent colour, return address. You "
        "can change everything later on the project's page, except whether it is a test project.",
        ("project_name", "is_test", *(name for name in SETTINGS if name != "is_test")),
    ),
    (
        "Course catalogue",
        "Without courses, completed assessments recommend nothing. You can add courses later.",
        ("courses_file", "courses"),
    ),
    (
        "First access token",
        "The next page shows the secret once. Have a secure way to send it ready.",
        ("label", "expires_in"),
    ),
)


class OnboardForm(NewTokenForm):
    """The form. When valid, `project_settings` and `rows` are the arguments of `onboard`."""

    partner_name = forms.CharField(
        label="Partner",
        max_length=200,
        validators=[validate_plain_text],
        widget=forms.TextInput(attrs=WIDE),
        help_text="The organisation that integrates with us.",
    )
    contact_email = forms.EmailField(
        label="Contact e-mail",
        required=False,
        widget=forms.EmailInput(attrs=WIDE),
        help_text="For a new partner. An existing partner keeps its own.",
    )
    project_name = forms.CharField(
        label="Project",
        max_length=200,
        validators=[validate_plain_text],
        widget=forms.TextInput(attrs=WIDE),
        help_text="Shown on student pages, for example the name of the college.",
    )
    courses_file = forms.FileField(
        label="Catalogue file",
        required=False,
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
        help_text=f"An Excel workbook (.xlsx) or a CSV file, {MOST_BYTES // 1024} kB at most.",
    )
    courses = forms.CharField(
        label="Or paste the catalogue",
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 6, "cols": 80, "spellcheck": "false"}),
        help_text=f"The first line names the columns: {', '.join(COLUMNS)} and optional ones. "
        "A file chosen above takes precedence, and its text is then shown here.",
    )

    def __init__(self, data: Any = None, *, partner: Partner | None = None, **kwargs: Any) -> None:
        initial = {"label": LABEL, **kwargs.pop("initial", {})}
        if partner:
            initial["partner_name"] = partner.name
        super().__init__(data, initial=initial, **kwargs)
        for name, length_field in LENGTH_FIELDS.items():
            self.fields[name] = length_field(initial=getattr(Project(), name))
        for name, field in fields_for_model(Project, fields=SETTINGS).items():
            self.fields.setdefault(name, field)
        self.fields["time_zone"].widget = forms.Select(choices=[(zone, zone) for zone in zones()])
        for name, field in self.fields.items():
            if not (field.required or name in CHOSEN or isinstance(field, forms.BooleanField)):
                field.label = f"{field.label or pretty_name(name)} (optional)"
        self.rows: list[dict[str, Any]] = []
        self.notes: list[str] = []

    def fieldsets(self) -> Iterator[tuple[str, str, list[BoundField]]]:
        """Yield the parts of the page as (title, description, fields)."""
        for title, about, names in FIELDSETS:
            yield title, about, [self[name] for name in names]

    @property
    def project_settings(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in SETTINGS}

    def clean_partner_name(self) -> str:
        name: str = self.cleaned_data["partner_name"]
        known_partner(name)
        return name

    def clean_courses_file(self) -> Table | None:
        """Return the file's table, and copy it into the text field for a redisplay."""
        file = self.cleaned_data["courses_file"]
        if not file:
            return None
        if file.size > MOST_BYTES:
            raise ValidationError(TOO_LARGE)
        try:
            table = open_table(file.read())
        except CatalogueFault as fault:
            raise ValidationError(first_of(fault.findings)) from fault
        text = table.as_csv()
        if len(text) > MOST_BYTES:
            raise ValidationError(TOO_LARGE)
        kept = cast("QueryDict", self.data).copy()
        kept["courses"] = text
        self.data = kept
        return table

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if "courses_file" not in data:
            return data
        try:
            table = data["courses_file"] or open_table(data.get("courses", "").encode())
            if table.header:
                self.rows = rows_of(table)
                self.notes = table.notes
        except CatalogueFault as fault:
            self.add_error("courses", first_of(fault.findings))
        return data
