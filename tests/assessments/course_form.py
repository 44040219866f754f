"""A course's own page, as an editor fills it in."""

from __future__ import annotations

import html
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from assessments.models import Course
from partners.models import Project

ADD = {
    "code": "BOT", "name": "Botany", "order": "1", "is_active": "on",
    "main_field": "life_science", "second_field": "nature", "third_field": "",
    "required_streams": ["science-biology"],
    "numerical_level": "2", "numerical_importance": "1", "abstract_level": "0",
    "abstract_importance": "0", "verbal_level": "1", "verbal_importance": "2",
    "entry_level": "class-12", "streams": ["science-biology", "arts"],
    "department": "Life Sciences", "delivery": ["group", "doing"],
}  # fmt: skip


def text(response: HttpResponse) -> str:
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def page(course: Course) -> str:
    return reverse("admin:assessments_course_change", args=[course.pk])


def add(staff: Client, project: Project, **fields: Any) -> HttpResponse:
    response: HttpResponse = staff.post(
        reverse("admin:assessments_course_add"), {**ADD, "project": project.pk, **fields}
    )
    return response
