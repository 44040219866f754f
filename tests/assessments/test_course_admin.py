"""What staff enter for a course, and what they are shown before any student is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from assessments.catalogue.course_preview import preview, sample_student
from assessments.measurement.courses import CourseRatings
from assessments.measurement.scales import INTERESTS
from assessments.models import Course, ItemBank
from partners.models import Project
from tests.assessments.course_form import add, page, text
from tests.assessments.profiles import PURE, RANKING, WEIGHTS, demo_courses
from tests.factories import CourseFactory, staff_with

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


def test_nothing_has_to_be_ticked(staff: Client, project: Project) -> None:
    add(staff, project, streams=[], delivery=[], entry_level="", department="")

    course = Course.objects.get()
    assert (course.streams, course.delivery) == ([], [])


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


def test_an_error_of_levels_stands_beside_its_field(staff: Client, project: Project) -> None:
    shown = text(add(staff, project, verbal_level="0", numerical_importance="0"))

    assert re.search(r'id="id_verbal_level_error".*?choose a level, or importance 0', shown, re.S)
    assert re.search(
        r'id="id_numerical_importance_error".*?choose 1 or 2, or no level', shown, re.S
    )
    assert 'class="errorlist nonfield"' not in shown


@pytest.mark.parametrize("order", ["100001", "99999999999999999999"])
def test_the_order_has_an_end(staff: Client, project: Project, order: str) -> None:
    response = add(staff, project, order=order)

    assert "errorlist" in text(response)
    assert not Course.objects.exists()


def test_every_field_says_what_it_is_for(staff: Client) -> None:
    shown = text(staff.get(reverse("admin:assessments_course_add")))

    fields = [field for field in Course._meta.fields if field.name not in {"id", "project"}]
    assert len(fields) == 20
    for field in fields:
        assert field.help_text, field.name
        assert str(field.help_text) in shown, field.name


def test_a_new_course_has_no_preview_yet(staff: Client, bank: ItemBank) -> None:
    shown = text(staff.get(reverse("admin:assessments_course_add")))

    assert "After the first save" in shown
    assert "Six sample students" not in shown


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


def test_where_a_course_is_not_shown_there_are_no_reasons(
    staff: Client, bank: ItemBank, project: Project
) -> None:
    Project.objects.update(recommendation_count=3)
    machines = CourseFactory.create(project=project, realistic=3)
    for interest in ("investigative", "artistic", "social", "enterprising", "conventional"):
        CourseFactory.create(project=project, realistic=0, **{interest: 3})

    shown = text(staff.get(page(machines)))

    assert shown.count("Not among the 3 courses that are shown.") == 3


def test_words_that_have_left_the_vocabulary_do_not_break_the_page(
    staff: Client, bank: ItemBank, project: Project
) -> None:
    course = CourseFactory.create(project=project)
    Course.objects.filter(pk=course.pk).update(streams=["gone"], delivery=["labs", "group"])

    assert "Six sample students" in text(staff.get(page(course)))


def test_the_only_course_has_no_neighbours(staff: Client, bank: ItemBank, project: Project) -> None:
    shown = text(staff.get(page(CourseFactory.create(project=project))))

    assert "There is no other active course" in shown
    assert "catalogue of 1 course." in shown


def test_without_a_bank_there_is_no_preview(staff: Client, project: Project) -> None:
    shown = text(staff.get(page(CourseFactory.create(project=project))))

    assert "no item bank is loaded" in shown


def test_who_may_only_look_sees_the_preview_too(bank: ItemBank, project: Project) -> None:
    reader = Client()
    reader.force_login(staff_with("assessments.view_course"))
    course = CourseFactory.create(project=project, streams=["arts"])

    assert "Six sample students" in text(reader.get(page(course)))


def test_who_may_not_look_sees_nothing(bank: ItemBank, project: Project) -> None:
    nobody = Client()
    nobody.force_login(staff_with())

    assert nobody.get(page(CourseFactory.create(project=project))).status_code == 403


def test_a_course_that_does_not_exist(staff: Client, bank: ItemBank) -> None:
    response = staff.get(reverse("admin:assessments_course_change", args=[1]))

    assert response.status_code == 404


def test_a_long_catalogue_asks_as_many_questions_as_a_short_one(
    staff: Client, bank: ItemBank, project: Project, django_assert_num_queries: Any
) -> None:
    course = CourseFactory.create(project=project)
    CourseFactory.create_batch(4, project=project, social=2)
    staff.get(page(course))
    with django_assert_num_queries(6):
        staff.get(page(course))

    CourseFactory.create_batch(20, project=project, artistic=2)
    with django_assert_num_queries(6):
        staff.get(page(course))


def test_each_sample_student_has_one_favourite() -> None:
    for interest in INTERESTS:
        profile = sample_student(interest)
        means = {name: profile.interests.scales[name].mean for name in INTERESTS}

        assert max(means, key=lambda name: means[name]) == interest
        assert not profile.interests.is_flat


def test_a_course_of_one_interest_is_first_with_who_likes_it_most() -> None:
    for place, course in enumerate(PURE):
        others = [each for each in PURE if each is not course]

        shown = preview(course, others, WEIGHTS, RANKING, 5)

        assert shown.samples[place].place == 1
        assert sum(sample.place == 1 for sample in shown.samples) == 1


def test_the_demo_s_neighbours_are_those_one_would_expect() -> None:
    courses = {course.code: course for course in demo_courses()}
    course = courses.pop("BTECH-MEC")

    shown = preview(course, list(courses.values()), WEIGHTS, RANKING, 5)

    names = [neighbour.name for neighbour in shown.nearest]
    assert {"BTech Civil Engineering", "BSc Agriculture"} <= set(names)
    correlations = [neighbour.correlation for neighbour in shown.nearest]
    assert correlations == sorted(correlations, reverse=True)
