from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.widgets import AdminURLFieldWidget
from django.db.models import Field
from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst

from assessments.content.catalogue_files import CatalogueFiles
from assessments.content.course_form import INPUTS, CourseForm
from assessments.content.field_choices import DELIVERY_WORDS, FIELD_INPUTS, field_names
from assessments.content.previews import preview
from assessments.models import Course, ItemBank, course_description
from assessments.models.catalogues import Catalogue
from measurement.courses import STREAMS
from measurement.reason_wording import STREAM_WORDS
from measurement.scales import FACETS
from partners.admin_base import ListedFilters
from partners.edit_forms import EditAdmin
from partners.large_table_admin import LargeTableAdmin, ProjectFilter
from partners.models.audit import staff_actor

# Columns that hold a list of codes, with their choices.
SUBJECTS = [(code, STREAM_WORDS["en"][code]) for code in STREAMS]
TICKS = {
    "streams": SUBJECTS,
    "required_streams": SUBJECTS,
    "delivery": list(DELIVERY_WORDS.items()),
}


@admin.register(Course)
class CourseAdmin(CatalogueFiles, EditAdmin, ListedFilters, LargeTableAdmin):
    when_empty = "Courses appear here once you add one, or load the list of a project."
    form = CourseForm
    change_form_template = "admin/assessments/course/change_form.html"
    change_list_template = "admin/assessments/course/change_list.html"
    list_display = ("name", "code", "is_active", "project_name", "order", "fields_shown")
    list_select_related = ("project",)
    list_filter = (ProjectFilter, "is_active", "fields_proposed")
    search_fields = ("name", "code", "department")
    search_help_text = "Search by name, code or department."

    def get_fieldsets(self, request: HttpRequest, obj: Course | None = None) -> Any:
        fields: tuple[str, ...] = FIELD_INPUTS
        texts: tuple[str, ...] = (*INPUTS, *course_description.ADDRESSES)
        if obj and not self.has_change_permission(request, obj):
            # No inputs, but columns; the preview has the texts.
            fields, texts = ("fields_shown",), course_description.ADDRESSES
        elif obj and obj.fields_proposed:
            fields = (*FIELD_INPUTS, "confirmed")
        return [
            (None, {"fields": ("project", "code", "name", "order", "is_active")}),
            (
                "Fields of work",
                {
                    "fields": fields,
                    "description": "What the course is about, and so which students it suits. "
                    "Most courses have one or two fields; the main one counts double.",
                },
            ),
            (
                "What students read",
                {
                    "fields": texts,
                    "description": "Shown with the course in every result, also in earlier ones: a "
                    "correction works at once. All of it is optional. Students get their own "
                    "language, else English.",
                },
            ),
            (
                "Facts",
                {
                    "fields": (
                        *("required_streams", "entry_level", "streams"),
                        *("department", "delivery"),
                    ),
                    "description": "If an active course requires subjects, students are asked for "
                    "theirs before the first part. Courses that require other subjects are listed "
                    "separately, below the recommended ones.",
                },
            ),
            (
                "Optional: what students need at the start",
                {
                    "classes": ("collapse",),
                    "fields": tuple((f"{facet}_level", f"{facet}_importance") for facet in FACETS),
                    "description": "Only what students need to follow the first year. A level "
                    "moves the course up for students who reached it, and down for the others, "
                    "who read how to prepare; it never removes the course. Without levels, "
                    "aptitude counts as average for everyone. Check the preview after a change.",
                },
            ),
        ]

    def formfield_for_dbfield(
        self, db_field: Field[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.Field | None:
        if db_field.name in TICKS:
            return forms.MultipleChoiceField(
                label=capfirst(db_field.verbose_name),
                choices=TICKS[db_field.name],
                required=False,
                widget=forms.CheckboxSelectMultiple,
                help_text=db_field.help_text,
            )
        if db_field.name in course_description.ADDRESSES:
            kwargs["widget"] = AdminURLFieldWidget(attrs={"placeholder": "https://"})
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: Course | None = None) -> Any:
        # Results of the project refer to the course, so it cannot move to another project.
        return ("project",) if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Results refer to the code of a course, so it is made inactive instead.
        return False

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        # A project has few courses, and staff chose their order.
        return ("-is_active", "order", "code") if request.GET.get("project") else ("-pk",)

    @admin.display(description="project")
    def project_name(self, course: Course) -> str:
        return course.project.name_in_lists

    @admin.display(description="fields")
    def fields_shown(self, course: Course) -> str:
        proposed = " (proposed)" if course.fields_proposed else ""
        return f"{field_names(course.fields)}{proposed}" if course.fields else ""

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Add the preview of the edited course if requested, else of the saved one.

        A course with errors has no preview.
        """
        form = context["adminform"].form
        context["is_typed"] = getattr(form, "is_preview", False)
        # An invalid form has already changed its course.
        course = form.instance if context["is_typed"] else kwargs.get("obj")
        if form.errors:
            course = None
        context["preview"] = preview_of(course) if course else None
        # What students read about it, in each language that pages have.
        context["descriptions"] = course and [
            {"code": code, "name": name, "text": course.description(code)}
            for code, name in settings.LANGUAGES
        ]
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        catalogue, actor = Catalogue(obj.project), staff_actor(request)
        before = catalogue.lock()
        super().save_model(request, obj, form, change)
        if not change or form.changes:
            catalogue.record(obj, before, form.changes if change else None, **actor)


def preview_of(course: Course) -> dict[str, Any] | None:
    """Compare a course with its project's other active ones. Returns None without a bank."""
    scoring = ItemBank.objects.current_scoring()
    if scoring is None:
        return None
    project = course.project
    return preview(
        course.as_data,
        project.courses.active().exclude(pk=course.pk).as_data(),
        scoring,
        ItemBank.objects.current().names("en"),
        project.recommendation_count,
    )
