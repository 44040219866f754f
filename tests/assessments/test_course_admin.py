"""What staff enter for a course, and what they are shown before any student is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from assessments.measurement.courses import CourseRatings
from assessments.models import Course, ItemBank
from partners.models import Project
from tests.assessments.course_form import add, page, text
from tests.factories import CourseFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(admin_user: User) -> Client:
    client = Client()
    client.force_login(admin_user)
    return client


def test_it_works(staff: Client, project: Project) -> None:
    assert add(staff, project).status_code == 302

    assert Course.objects.get().ratings == CourseRatings(
        code="BOT",
        name="Botany",
        order=1,
        ratings=(3, 2, 0, 0, 0, 0),
        levels=(2, 0, 1),
        importance=(1, 0, 2),
        department="Life Sciences",
        delivery=("group", "doing"),
        entry_level="class-12",
        streams=("science-biology", "arts"),
    )


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"verbal_level": "0"}, "The verbal level and its importance go together"),
        ({"verbal_importance": "0"}, "The verbal level and its importance go together"),
        ({"numerical_level": "4"}, "4 is not one of the available choices"),
        ({"numerical_importance": "3"}, "3 is not one of the available choices"),
        ({"entry_level": "class-8"}, "class-8 is not one of the available choices"),
        ({"streams": ["arts", "x"]}, "x is not one of the available choices"),
        ({"delivery": ["labs"]}, "labs is not one of the available choices"),
        ({"delivery": ["group", "group"]}, "each at most once"),
        ({"name": "Bot\u202eany"}, "a character that can't be shown"),
        ({"department": "Life\u202eSciences"}, "a character that can't be shown"),
    ],
)
def test_nonsense_is_refused_in_words(
    staff: Client, project: Project, fields: dict[str, Any], fault: str
) -> None:
    assert fault in text(add(staff, project, **fields))
    assert not Course.objects.exists()


def test_the_page_shows_neighbours_and_sample_students(
    staff: Client, bank: ItemBank, project: Project, other_project: Project
) -> None:
    machines = CourseFactory.create(project=project, name="Machines", realistic=3)
    CourseFactory.create(project=project, name="Engines", realistic=3, investigative=1)
    CourseFactory.create(project=project, name="Care", realistic=0, social=3)
    CourseFactory.create(project=project, name="Trade", realistic=0, enterprising=3)
    CourseFactory.create(project=project, name="Old", is_active=False)
    CourseFactory.create(project=other_project, name="Theirs")

    shown = text(staff.get(page(machines))).split("<h2>Preview</h2>")[1]

    assert "catalogue of 4 courses" in shown
    assert shown.index("Engines") < shown.index("Trade")
    assert "Old" not in shown
    assert "Theirs" not in shown
    assert shown.count('<th scope="row">') == 6
    row = re.search(r"Making and fixing</th>\s*<td>(\d+)</td>", shown)
    assert row
    assert row[1] == "1"
    assert "You liked practical work" in shown
    assert "Not among" not in shown
