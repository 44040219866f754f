"""The list of courses and the page of one, whose inputs differ from the columns."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.options import ShowFacets
from django.contrib.admin.widgets import AdminURLFieldWidget
from django.core.exceptions import ValidationError
from django.db.models import Field
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import get_language_info

from assessments.catalogue.catalogue import Catalogue
from assessments.catalogue.catalogue_admin import CatalogueFiles
from assessments.catalogue.course_rows import DELIVERY_WORDS, SUBJECTS
from assessments.catalogue.plans import edit, merged
from assessments.made_up.previews import preview_course
from assessments.models import Course
from assessments.models.course_description import (
    ABOUT_MAX,
    ADDRESSES,
    KINDS_OF_WORK_MAX,
    TEXTS,
    WORK_MAX,
)
from measurement.course_names import FIELD_CHOICES, field_names
from measurement.scales import FACETS
from partners.back_office.admin_base import EditableAdmin
from partners.back_office.edit_forms import EditForm
from partners.back_office.filters import ProjectFilter
from partners.models import staff_actor

# Columns with a list of codes, and the words of their checkboxes.
CHECKBOXES = {
    "streams": SUBJECTS,
    "required_streams": SUBJECTS,
    "delivery": DELIVERY_WORDS,
}
FIELD_INPUTS = ("main_field", "second_field", "third_field")
# The inputs of texts for students, with their column and language.
TEXT_INPUTS = {
    f"{text}_{language}": (text, language) for text in TEXTS for language, _ in settings.LANGUAGES
}
HELP_TEXTS = {
    "about": "What students learn. About 70 characters fill two lines on a phone; at most "
    f"{ABOUT_MAX}.",
    "leads_to": f"Up to {KINDS_OF_WORK_MAX} kinds of work, one a line, of at most {WORK_MAX} "
    "characters each.",
}
# The parts of the page, by title, and what it says of each.
PARTS = {
    "": "",
    "Fields of work": "What the course is about, and so which students it suits. Most courses have "
    "one or two fields; the main one counts double.",
    "What students read": "Shown with the course in every result, also in earlier ones: a "
    "correction works at once. All of it is optional. Students get their own language, else "
    "English.",
    "Facts": "If an active course requires subjects, students are asked for theirs before the "
    "first part. Courses that require other subjects are listed separately, below the recommended "
    "ones.",
    "Optional: what students need at the start": "Only what students need to follow the first "
    "year. A level moves the course up for students who reached it, and down for the others, who "
    "read how to prepare; it never removes the course. Without levels, aptitude counts as average "
    "for everyone. Check the preview after a change.",
}


def text_input(text: str, language: str) -> forms.CharField:
    rows = 2 if text == "about" else KINDS_OF_WORK_MAX
    return forms.CharField(
        label=f"{text.replace('_', ' ').capitalize()}, in {get_language_info(language)['name']}",
        required=False,
        widget=forms.Textarea({"lang": language, "cols": 60, "rows": rows}),
        help_text=HELP_TEXTS[text],
    )


def field_input(label: str, help_text: str = "") -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label,
        choices=[("", "---------"), *((code, str(field)) for code, field in FIELD_CHOICES.items())],
        required=False,
        help_text=help_text,
    )


class FieldsForm(EditForm):
    """Reads the inputs of fields of work, and those of texts, which CourseForm adds."""

    main_field = field_input(
        "Main field", "Counts double. Leave empty to have fields proposed from the name."
    )
    second_field = field_input("Second field")
    third_field = field_input("Third field")
    confirmed = forms.BooleanField(
        label="Confirm the proposed fields",
        required=False,
        help_text="The service proposed these fields; no editor has checked them yet. Tick to "
        "confirm them, or choose others.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        codes = self.instance.fields if self.instance.pk else []
        self.initial.update(zip(FIELD_INPUTS, [*codes, "", "", ""], strict=False))
        for name, (text, language) in TEXT_INPUTS.items():
            stored = getattr(self.instance, text).get(language, "")
            self.initial[name] = stored if isinstance(stored, str) else "\n".join(stored)

    def lock(self, row: Any) -> None:
        # The catalogue before the course, as everywhere: another order could deadlock.
        Catalogue(row.project).lock()
        super().lock(row)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for name, (text, language) in TEXT_INPUTS.items():
            change = {language: TEXTS[text](data.get(name, ""))}
            for fault in Course(**{text: merged({}, change)}).faults().get(text, []):
                self.add_error(name, fault)
            setattr(self.instance, text, merged(getattr(self.instance, text), change))
        project = self.instance.project if self.instance.pk else data.get("project")
        others = Course.objects.filter(project=project, code__iexact=data.get("code", ""))
        if others.exclude(pk=self.instance.pk).exists():
            self.add_error("code", "Another course of the project has this code, in any case.")
        try:
            self._assign_fields(data)
        except ValidationError as refusal:
            self.add_error("main_field", refusal)
        return data

    def _assign_fields(self, data: dict[str, Any]) -> None:
        """Set the fields by `edit`, which proposes them by the name if none is chosen."""
        fields = [data[name] for name in FIELD_INPUTS if data.get(name)]
        if fields and not data.get("main_field"):
            raise ValidationError("Choose the main field before the others.")
        if len(set(fields)) < len(fields):
            raise ValidationError("Choose each field only once.")
        course = self.instance
        if course.fields_proposed and fields == course.fields and not data.get("confirmed"):
            fields = []
        edited = edit(course.as_data, {"name": data.get("name", course.name), "fields": fields})
        course.fields, course.fields_proposed = list(edited.fields), edited.fields_proposed
        if not course.pk:
            data["entry_level"] = data.get("entry_level") or edited.entry_level
        if not course.fields:
            raise ValidationError("Choose a main field: the name says nothing about it.")


CourseForm: type[FieldsForm] = type(
    "CourseForm",
    (FieldsForm,),
    {name: text_input(*column_and_language) for name, column_and_language in TEXT_INPUTS.items()},
)


@admin.register(Course)
class CourseAdmin(CatalogueFiles, EditableAdmin):
    when_empty = "Courses appear here once you add one, or load the list of a project."
    form = CourseForm
    change_form_template = "admin/assessments/course/change_form.html"
    change_list_template = "admin/assessments/course/change_list.html"
    list_display = ("name", "code", "is_active", "project_name", "order", "fields_in_words")
    list_select_related = ("project",)
    show_facets = ShowFacets.NEVER
    sortable_by = ()
    list_filter = (ProjectFilter, "is_active", "fields_proposed")
    search_fields = ("name", "code", "department")
    search_help_text = "Search by name, code or department."

    def get_fieldsets(self, request: HttpRequest, obj: Course | None = None) -> Any:
        fields: tuple[str, ...] = FIELD_INPUTS
        texts: tuple[str, ...] = (*TEXT_INPUTS, *ADDRESSES)
        if obj and not self.has_change_permission(request, obj):
            # Read-only pages have columns, not inputs. The preview shows the texts.
            fields, texts = ("fields_in_words",), ADDRESSES
        elif obj and obj.fields_proposed:
            fields = (*FIELD_INPUTS, "confirmed")
        course = ("project", "code", "name", "order", "is_active")
        facts = ("required_streams", "entry_level", "streams", "department", "delivery")
        needs = tuple((f"{facet}_level", f"{facet}_importance") for facet in FACETS)
        fieldsets: list[tuple[str, dict[str, Any]]] = [
            (title, {"fields": columns, "description": description})
            for (title, description), columns in zip(
                PARTS.items(), (course, fields, texts, facts, needs), strict=True
            )
        ]
        fieldsets[-1][1]["classes"] = ("collapse",)
        return fieldsets

    def formfield_for_dbfield(
        self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.Field | None:
        if db_field.name in CHECKBOXES:
            return forms.MultipleChoiceField(
                label=capfirst(db_field.verbose_name),
                choices=CHECKBOXES[db_field.name],
                required=False,
                widget=forms.CheckboxSelectMultiple,
                help_text=db_field.help_text,
            )
        if db_field.name in ADDRESSES:
            kwargs["widget"] = AdminURLFieldWidget(attrs={"placeholder": "https://"})
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: Course | None = None) -> Any:
        # Results of the project refer to the course, so it cannot move to another project.
        return ("project",) if obj else ()

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        # A project has few courses, and staff chose their order.
        return ("-is_active", "order", "code") if request.GET.get("project") else ("-pk",)

    @admin.display(description="fields")
    def fields_in_words(self, course: Course) -> str:
        proposed = " (proposed)" if course.fields_proposed else ""
        return f"{field_names(course.fields)}{proposed}" if course.fields else ""

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        # No preview with errors, because an invalid form has already changed the course.
        course = None if context["errors"] else kwargs.get("obj")
        context["preview"] = preview_course(course) if course else None
        context["descriptions"] = course and [
            (code, name, course.text("about", code), course.text("leads_to", code))
            for code, name in settings.LANGUAGES
        ]
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        catalogue, by = Catalogue(obj.project), staff_actor(request)
        before = catalogue.lock()
        super().save_model(request, obj, form, change)
        if not change:
            details = {"codes": {"added": [obj.code]}}
            catalogue.record("courses.added", before, details, by=by, reason=obj.code)
        elif form.changes:
            reason = f"{obj.code}: {', '.join(sorted(form.changes))}"
            details = {"courses": {obj.code: form.changes}}
            catalogue.record("courses.changed", before, details, by=by, reason=reason)
