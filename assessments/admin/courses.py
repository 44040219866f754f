from __future__ import annotations

from django.contrib import admin

from assessments.admin.readonly import Base
from assessments.measurement.scales import INTERESTS
from assessments.models import Course


@admin.register(Course)
class CourseAdmin(Base):
    list_display = ("name", "code", "project", "order", *INTERESTS, "is_active")
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
