from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Field
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.text import capfirst

from assessments.admin.readonly import Base
from assessments.course_preview import Preview, preview
from assessments.measurement.courses import DELIVERY, STREAMS
from assessments.measurement.reason_wording import STREAM_WORDS
from assessments.measurement.scales import FACETS, INTERESTS
from assessments.measurement.wording import PREFERENCE_WORDS
from assessments.models import Course, ItemBank
from partners.list_filters import ListedFilters

# Both ends of every scale, in its order: the order of DELIVERY.
WAYS = [words for ends in PREFERENCE_WORDS["en"].values() for words in ends]
# Columns that hold a list of words, with the words and what staff read of them.
TICKS = {
    "streams": [(code, STREAM_WORDS["en"][code]) for code in STREAMS],
    "delivery": list(zip(DELIVERY, WAYS, strict=True)),
}


@admin.register(Course)
class CourseAdmin(ListedFilters, Base):
    change_form_template = "admin/assessments/course/change_form.html"
    list_display = ("name", "code", "is_active", "project_name", "order", "interests")
    list_select_related = ("project",)
    list_filter = ("project", "is_active")
    search_fields = ("name", "code", "department")
    search_help_text = "Search by name, code or department."
    fieldsets = (
        (None, {"fields": ("project", "code", "name", "order", "is_active")}),
        (
            "How much of each interest is in the course",
            {
                "fields": INTERESTS,
                "description": "0 = not at all, 1 = a little, 2 = much, 3 = most of the course. "
                "Rate at least one interest 2 or 3, and let the six differ. What counts is how a "
                "course differs from the others: rate all of them by the same measure.",
            },
        ),
        (
            "What it asks at the start",
            {
                "fields": tuple((f"{facet}_level", f"{facet}_importance") for facet in FACETS),
                "description": "Only what is needed to follow the first year. A level moves the "
                "course up for students who have shown it and down for those who have not yet, "
                "who then read how to prepare; it never removes the course. With no level at all, "
                "aptitude counts as middling for everybody. Look at the preview after a change.",
            },
        ),
        ("Facts", {"fields": ("entry_level", "streams", "department", "delivery")}),
    )

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
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    @admin.display(description="project", ordering="project__name")
    def project_name(self, course: Course) -> str:
        return course.project.name

    @admin.display(description="R I A S E C")
    def interests(self, course: Course) -> str:
        return " ".join(str(rating) for rating in course.ratings.ratings)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Add the preview of the course as it was saved last."""
        course = self.get_object(request, object_id)
        shown = preview_of(course) if course and self.has_view_permission(request, course) else None
        context = {**(extra_context or {}), "preview": shown}
        return super().change_view(request, object_id, form_url, context)

    def response_add(
        self, request: HttpRequest, obj: Course, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Keep the project for the next course, which is nearly always of the same one."""
        response = super().response_add(request, obj, post_url_continue)
        if "_addanother" in request.POST:
            add = reverse("admin:assessments_course_add")
            return HttpResponseRedirect(f"{add}?project={obj.project_id}")
        return response


def preview_of(course: Course) -> Preview | None:
    """Return how the course stands among its project's other active ones; None without a bank."""
    try:
        bank = ItemBank.objects.current()
    except ItemBank.DoesNotExist:
        return None
    scoring = ItemBank.cached(bank.pk).scoring
    project = course.project
    return preview(
        course.ratings,
        project.courses.active().exclude(pk=course.pk).ratings(),
        scoring.weights,
        scoring.ranking,
        project.recommendation_count,
    )
