from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from assessments.admin.readonly import Base
from assessments.measurement.scales import INTERESTS
from assessments.models import Course
from partners.list_filters import ListedFilters


@admin.register(Course)
class CourseAdmin(ListedFilters, Base):
    list_display = ("name", "code", "is_active", "project_name", "order", "interests")
    list_select_related = ("project",)
    list_filter = ("project", "is_active")
    search_fields = ("name", "code")
    search_help_text = "Search by name or code."
    fieldsets = (
        (None, {"fields": ("project", "code", "name", "order", "is_active")}),
        (
            "How much of each interest is in the course",
            {
                "fields": INTERESTS,
                "description": "0 = not at all, 1 = a little, 2 = much, 3 = most of the course. "
                "Rate at least one interest 2 or 3, and let the six differ.",
            },
        ),
    )

    @admin.display(description="project", ordering="project__name")
    def project_name(self, course: Course) -> str:
        return course.project.name

    @admin.display(description="R I A S E C")
    def interests(self, course: Course) -> str:
        return " ".join(str(rating) for rating in course.ratings.ratings)

    def response_add(
        self, request: HttpRequest, obj: Course, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Keep the project for the next course, which is nearly always of the same one."""
        response = super().response_add(request, obj, post_url_continue)
        if "_addanother" in request.POST:
            add = reverse("admin:assessments_course_add")
            return HttpResponseRedirect(f"{add}?project={obj.project_id}")
        return response
