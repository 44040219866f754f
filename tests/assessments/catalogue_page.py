"""The table of a project's courses as its page sends it."""

from __future__ import annotations

import html
import json
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from assessments.models import Course
from assessments.models.catalogues import Catalogue
from partners.edit_forms import as_sent
from partners.models import Project
from tests.factories import CourseFactory


def three_courses(project: Project) -> list[Course]:
    """Make three courses, each about something else."""
    return [
        CourseFactory.create(
            project=project, code="MAC", name="Machines", order=1, fields=["machines", "maths"]
        ),
        CourseFactory.create(
            project=project,
            code="CAR",
            name="Care",
            order=2,
            fields=["care", "life_science"],
            realistic=0,
            social=3,
        ),
        CourseFactory.create(
            project=project,
            code="TRA",
            name="Trade",
            order=3,
            fields=["business", "accounts"],
            realistic=0,
            enterprising=3,
        ),
    ]


def address(project: Project) -> str:
    return reverse("admin:assessments_course_catalogue", args=[project.pk])


def text(response: HttpResponse) -> str:
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def typed(*courses: Course, **changes: Any) -> dict[str, Any]:
    """Return what the page of these courses sends, with `CODE_column=value` typed over it."""
    fields: dict[str, Any] = {}
    for course in courses:
        shown = {name: as_sent(value) for name, value in course.inputs.items()}
        for name, value in shown.items():
            fields[f"course-{course.pk}-{name}"] = value
        fields[f"course-{course.pk}-shown"] = json.dumps(shown)
        for name, value in changes.items():
            code, _, column = name.partition("_")
            if code == course.code:
                fields[f"course-{course.pk}-{column}"] = value
        for ticked in ("is_active", "confirmed"):
            if not fields[f"course-{course.pk}-{ticked}"]:
                del fields[f"course-{course.pk}-{ticked}"]
    return fields


def save(editor: Client, project: Project, fields: dict[str, Any]) -> HttpResponse:
    response: HttpResponse = editor.post(address(project), {**fields, "_save": "1"})
    return response


def rows(project: Project) -> list[dict[str, Any]]:
    return list(Catalogue(project).sheet().values())
