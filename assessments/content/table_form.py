"""A form that takes a table as people keep it, and lets them choose its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from assessments.content.sheets import ACCEPTED, TableFault
from assessments.content.table_file import Table, first_of

MOST_MB = 4
AS_RECOGNISED, NO_COLUMN = "", "-"
CHOOSE_COLUMNS = "Choose the columns below, and a file once more: browsers don't keep it."


class TableForm(forms.Form):
    """A file. When valid, it has `rows` and `notes` for the user.

    `chosen` names the columns that the user may take from any heading, once a file was read.
    """

    chosen: ClassVar[Mapping[str, str]]
    required_css_class = "required"

    file = forms.FileField(widget=forms.FileInput(attrs={"accept": ACCEPTED}))
    sheet = forms.CharField(
        required=False, help_text="Of a workbook. Leave empty for the first visible one."
    )
    check = forms.BooleanField(label="Let me choose the columns", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.notes: list[str] = []
        for column, label in self.chosen.items():
            self.fields[f"column-{column}"] = forms.CharField(
                label=label, required=False, widget=forms.Select
            )

    def open_table(self, content: bytes, mapping: Mapping[str, str], sheet: str) -> Table:
        """Return the table of a file. Raises TableFault."""
        raise NotImplementedError("Subclasses must provide an open_table() method.")

    def rows_of(self, table: Table) -> list[dict[str, Any]]:
        """Return the rows of a table. Raises TableFault with the faults of all of them."""
        raise NotImplementedError("Subclasses must provide a rows_of() method.")

    @property
    def of_file(self) -> list[forms.BoundField]:
        return [field for field in self if not field.name.startswith("column-")]

    @property
    def columns(self) -> list[forms.BoundField]:
        return [self[f"column-{column}"] for column in self.chosen]

    @property
    def has_headings(self) -> bool:
        return any(each.field.widget.choices for each in self.columns)

    def clean(self) -> None:
        """Read the file. Adds the faults of all its rows as errors of `file`."""
        file = self.cleaned_data.get("file")
        if file is None:
            return
        if file.size > MOST_MB * 1024**2:
            self.add_error("file", f"The file is larger than {MOST_MB} MB.")
        else:
            self.read(file.read())

    def read(self, content: bytes, field: str = "file") -> None:
        """Set `rows` and `notes`. Adds the faults of all rows as errors of a field."""
        given = {column: self.cleaned_data[f"column-{column}"] for column in self.chosen}
        mapping = {
            column: "" if heading == NO_COLUMN else heading
            for column, heading in given.items()
            if heading != AS_RECOGNISED
        }
        try:
            table = self.open_table(content, mapping, self.cleaned_data["sheet"])
            self.notes = table.notes
            self._offer_columns(table.headings)
            if self.cleaned_data["check"] and not mapping:
                self.add_error(field, CHOOSE_COLUMNS)
                return
            self.rows = self.rows_of(table)
        except TableFault as fault:
            self.add_error(field, ValidationError(first_of(fault.findings)))
            self._offer_columns(fault.headings)

    def _offer_columns(self, headings: Sequence[str]) -> None:
        choices = [(AS_RECOGNISED, "As recognised"), (NO_COLUMN, "None")]
        for each in self.columns if headings else ():
            each.field.widget.choices = [*choices, *((name, name) for name in headings)]
