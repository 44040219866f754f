"""What students read about a course, as editors write it on the course's page."""

from __future__ import annotations

import pytest
from django.test import Client

from assessments.models import Course
from partners.models import AuditEvent, Project
from tests.assessments.course_form import ADD, add, page, text
from tests.support.admin_forms import edit

TEXTS = {
    "about_en": " Writing programs\r\nand testing them. ",
    "about_hi": "प्रोग्राम लिखना।",
    "leads_to_en": "web developer\r\n\r\ntester; IT support\r\n",
    "leads_to_hi": "",
    "url": "https://college.example.edu/bca",
    "apply_url": "http://apply.example.edu/bca",
}

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def described(course: Course) -> tuple[object, ...]:
    course.refresh_from_db()
    return course.about, course.leads_to, course.url, course.apply_url


def test_each_language_has_inputs_of_its_own(admin_client: Client, project: Project) -> None:
    assert add(admin_client, project, **TEXTS).status_code == 302

    course = Course.objects.get()
    assert described(course) == (
        {"en": "Writing programs and testing them.", "hi": "प्रोग्राम लिखना।"},
        {"en": ["web developer", "tester", "IT support"]},
        "https://college.example.edu/bca",
        "http://apply.example.edu/bca",
    )
    shown = text(admin_client.get(page(course)))
    assert "What students read" in shown
    assert "web developer\ntester\nIT support</textarea>" in shown
    assert "{'en'" not in shown


def test_an_emptied_input_removes_its_language(admin_client: Client, project: Project) -> None:
    add(admin_client, project, **TEXTS)
    course = Course.objects.get()

    edit(
        admin_client, page(course), {**ADD, **TEXTS, "about_hi": " ", "leads_to_en": "", "url": ""}
    )

    assert described(course) == (
        {"en": "Writing programs and testing them."},
        {},
        "",
        "http://apply.example.edu/bca",
    )


def test_the_trail_names_the_columns_that_changed(admin_client: Client, project: Project) -> None:
    add(admin_client, project, **TEXTS)
    course = Course.objects.get()

    edit(admin_client, page(course), {**ADD, **TEXTS})
    edit(
        admin_client, page(course), {**ADD, **TEXTS, "about_hi": "ऐप बनाना।", "leads_to_hi": "टेस्टर"}
    )

    changes = AuditEvent.objects.filter(action="courses.changed").order_by("pk")
    assert [event.reason for event in changes] == ["BOT: about, leads_to"]


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("about_hi", "ग" * 141, "The text has 141 characters; shorten it to 140."),
        ("leads_to_en", "a\nb\nc\nd", "The list has 4 entries; keep at most 3."),
        ("url", "javascript:alert(1)", "Enter one address that starts with https:// or http://"),
    ],
)
def test_nonsense_is_refused_beside_its_input(
    admin_client: Client, project: Project, field: str, value: str, fault: str
) -> None:
    answer = add(admin_client, project, **{**TEXTS, field: value})

    assert fault in text(answer)
    assert list(answer.context["adminform"].form.errors) == [field]
    assert not Course.objects.exists()
