"""A project's whole catalogue in one table: previewed, and saved all or nothing."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from assessments.measurement.scales import INTERESTS
from assessments.models import Course, ItemBank
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from assessments.models.catalogues import Catalogue
from partners.models import AuditEvent, Project
from tests.assessments.catalogue_page import address, rows, save, text, three_courses, typed
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory, staff_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor() -> Client:
    client = Client()
    client.force_login(staff_with("assessments.view_course", "assessments.change_course"))
    return client


@pytest.fixture
def courses(project: Project) -> list[Course]:
    return three_courses(project)


def test_all_courses_of_the_project_stand_in_one_table(
    editor: Client, project: Project, courses: list[Course], other_project: Project
) -> None:
    CourseFactory.create(project=other_project, name="Theirs")

    shown = text(editor.get(address(project)))

    assert shown.index("Machines") < shown.index("Care") < shown.index("Trade")
    assert "Theirs" not in shown
    assert shown.count('type="number"') == 3 * 7
    for course in courses:
        assert reverse("admin:assessments_course_change", args=[course.pk]) in shown
        assert f'name="course-{course.pk}-code"' not in shown
    assert "style=" not in shown


def test_what_the_page_shows_comes_back_unchanged(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    """What a browser would send of the page as it is changes nothing."""
    Course.objects.filter(pk=courses[0].pk).update(is_active=False, fields_proposed=True)
    CourseFactory.create(project=project, fields=["machines"])  # with derived ratings
    shown = editor.get(address(project), {"show": "all"}).content.decode()
    before = rows(project)

    inputs = re.findall(r"<input[^>]*name=\"(course-[^\"]+)\"[^>]*>", shown)
    tags = re.findall(r"<input[^>]*name=\"course-[^>]*>", shown)
    sent = {
        name: html.unescape(found[1]) if (found := re.search(r'value="([^"]*)"', tag)) else "on"
        for name, tag in zip(inputs, tags, strict=True)
        if 'type="checkbox"' not in tag or "checked" in tag
    }
    for select in re.findall(r"<select[^>]*course-.*?</select>", shown, re.S):
        name = re.search(r'name="(course-[^"]+)"', select)
        chosen = re.search(r'value="([^"]*)"\s+selected', select)
        assert name
        sent[name[1]] = chosen[1] if chosen else ""
    response = editor.post(address(project), {**sent, "_save": "1"}, follow=True)

    assert "Saved: 0 courses changed." in text(response)
    assert rows(project) == before
    assert not AuditEvent.objects.filter(action="courses.changed").exists()


def test_changes_are_saved_together_and_counted_in_words(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    machines, care, trade = courses
    fields = typed(
        *courses, MAC_name="Machines and Tools", MAC_is_active=False, CAR_order=9, CAR_artistic=2
    )

    response = editor.post(address(project), {**fields, "_save": "1"}, follow=True)

    machines.refresh_from_db()
    care.refresh_from_db()
    assert "Saved: 2 courses changed." in text(response)
    assert (machines.name, machines.is_active, machines.realistic) == (
        "Machines and Tools",
        False,
        3,
    )
    assert (care.order, care.artistic, care.social) == (9, 2, 3)
    event = AuditEvent.objects.get(action="courses.changed")
    assert event.project == project
    assert event.actor.startswith("staff:")
    assert event.reason == "MAC, CAR: artistic, is_active, name, order"


@pytest.mark.parametrize(
    ("column", "value", "fault"),
    [
        ("realistic", "4", "Realistic: give a whole number from 0 to 3."),
        ("realistic", "", "Give all six ratings, or leave all six empty."),
        ("main_field", "", "Main field: Choose the main field before the others."),
        ("main_field", "maths", "Main field: Choose each field only once."),
        ("main_field", "cars", "Main field: Select a valid choice. cars is not one"),
        ("realistic", "two", "Realistic: give a whole number from 0 to 3."),
        ("realistic", "1", "Rate at least one interest 2 or 3."),
        ("order", "-1", "Order: give a whole number from 0 to 100000."),
        ("order", "100001", "Order: give a whole number from 0 to 100000."),
        ("order", "9" * 40, "Order: give a whole number from 0 to 100000."),
        ("name", " ", "Name: This field is required."),
        ("name", "x" * 201, "Name: Ensure this value has at most 200 characters"),
        ("name", "Mach\u202eines", "a character that can't be shown"),
    ],
)
def test_one_error_keeps_everything_from_being_saved(
    editor: Client, project: Project, courses: list[Course], column: str, value: str, fault: str
) -> None:
    before = rows(project)
    fields = typed(*courses, CAR_name="Caring", **{f"MAC_{column}": value})

    shown = text(save(editor, project, fields))

    assert rows(project) == before
    assert "Nothing was saved." in shown
    assert "1 course has an error:" in shown
    assert fault in shown
    assert 'value="Caring"' in shown
    # beside its row, and said to whoever hears the field
    assert shown.count(f'aria-describedby="faults-{courses[0].pk}"') == 1


def test_fields_are_changed_in_the_table_and_derived_ratings_follow(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    machines, care, _ = courses
    fields = typed(*courses, MAC_main_field="computers", CAR_second_field="", CAR_third_field="")
    fields |= {f"course-{care.pk}-{interest}": "" for interest in INTERESTS}

    save(editor, project, fields)

    machines.refresh_from_db()
    care.refresh_from_db()
    assert (machines.fields, machines.ratings.ratings) == (
        ["computers", "maths"],
        (3, 0, 0, 0, 0, 0),
    )
    assert (care.fields, care.ratings.ratings) == (["care"], (0, 0, 0, 3, 0, 0))
    save(editor, project, typed(machines, care, CAR_main_field="office"))
    care.refresh_from_db()
    assert (care.fields, care.ratings.ratings) == (["office"], (0, 0, 0, 0, 0, 3))


def test_a_proposal_stays_one_until_it_is_confirmed_or_changed(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    Course.objects.update(fields_proposed=True)
    courses = list(Catalogue(project).sheet())
    assert text(editor.get(address(project))).count("tick to confirm") == 3

    save(
        editor,
        project,
        typed(*courses, MAC_name="Tools", CAR_confirmed="on", TRA_second_field="office"),
    )

    assert {course.code: course.fields_proposed for course in Course.objects.all()} == {
        "MAC": True,
        "CAR": False,
        "TRA": False,
    }
    assert text(editor.get(address(project))).count("tick to confirm") == 1


def test_a_course_without_fields_gets_proposed_ones_when_it_is_edited(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    """A release that knew no fields may have added it."""
    course = CourseFactory.create(project=project, code="PHY", name="Physics", fields=[])

    save(editor, project, typed(*courses, course, PHY_order=7))

    course.refresh_from_db()
    assert (course.fields, course.fields_proposed) == (["physical_science", "maths"], True)


def test_the_preview_shows_what_is_typed_and_saves_nothing(
    editor: Client, bank: ItemBank, project: Project, courses: list[Course]
) -> None:
    for number in range(5):
        CourseFactory.create(project=project, order=9, artistic=number % 3, conventional=number % 2)
    before = rows(project)
    fields = typed(*courses, MAC_name="Machines and Tools", CAR_is_active=False)

    shown = text(editor.post(address(project), {**fields, "_preview": "1"}))

    preview = shown.split('id="preview"')[1].split("</section>")[0]
    assert rows(project) == before
    assert not AuditEvent.objects.filter(action="courses.changed").exists()
    assert "200 simulated students" in preview
    assert "Machines and Tools" in preview
    assert "Care" not in preview
    assert 'value="Machines and Tools"' in shown.split("</section>")[1]


def test_by_fields_the_preview_gives_advice_about_fields(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    publish_field_bank()
    for name in ("Engines", "Motors"):
        CourseFactory.create(project=project, name=name, fields=["machines"])

    shown = text(editor.post(address(project), {**typed(*courses), "_preview": "1"}))

    preview = shown.split('id="preview"')[1].split("</section>")[0]
    words = " ".join(re.sub(r"<.*?>", " ", preview).split())
    assert "Nearly the same fields: Engines and Motors (1.00)" in words
    assert "give them different fields" in preview
    assert "ratings" not in preview


@pytest.mark.slow
def test_fifteen_courses_ask_as_many_questions_as_three(
    editor: Client, bank: ItemBank, project: Project, courses: list[Course]
) -> None:
    def asked(fields: dict[str, Any]) -> int:
        with CaptureQueriesContext(connection) as queries:
            editor.get(address(project))
            editor.post(address(project), {**fields, "_preview": "1"})
            save(editor, project, fields)
        return len(queries)

    asked(typed(*courses))
    few = asked(typed(*courses, MAC_name="Tools"))
    more = CourseFactory.create_batch(12, project=project, social=1)
    CatalogueSnapshot.objects.current(project)  # a catalogue that no change made is stored first

    assert asked(typed(*more, **{f"{course.code}_name": "New" for course in more})) == few
    assert Course.objects.filter(name="New").count() == 12


@pytest.mark.parametrize("rights", [(), ("assessments.view_course",), ("assessments.add_course",)])
def test_only_who_may_change_courses_comes_in(project: Project, rights: tuple[str, ...]) -> None:
    client = Client()
    client.force_login(staff_with(*rights))

    assert client.get(address(project)).status_code == 403
    assert client.post(address(project), {"_save": "1"}).status_code == 403


def test_the_table_shows_active_courses_unless_one_asks_for_others(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    Course.objects.filter(code="MAC").update(is_active=False, department="Engineering")
    Course.objects.filter(code="CAR").update(fields_proposed=True)

    def shown(**query: str) -> list[str]:
        page = editor.get(address(project), query)
        return [row.course.code for row in page.context["sheet"].rows]

    assert shown() == shown(show="nonsense") == ["CAR", "TRA"]
    assert shown(show="inactive") == ["MAC"]
    assert shown(show="proposed") == ["CAR"]
    assert shown(show="all") == ["MAC", "CAR", "TRA"]
    assert shown(show="all", q="ENGIN") == ["MAC"]
    assert shown(q="tra") == shown(q="Trade ") == ["TRA"]
    assert shown(q="nothing like it") == []
    assert "No course is like this." in text(editor.get(address(project), {"q": "nothing like it"}))


def test_turning_the_page_saves_what_was_typed(editor: Client, project: Project) -> None:
    many = CourseFactory.create_batch(70, project=project, fields=["maths"])
    first = sorted(many, key=lambda course: (course.order, course.code))[0]
    where = f"{address(project)}?show=all"
    fields = typed(first, **{f"{first.code}_name": "Typed"})

    turned = editor.post(where, {**fields, "_page": "2"})

    first.refresh_from_db()
    assert first.name == "Typed"
    assert turned["Location"] == f"{address(project)}?show=all&q=&page=2"
    assert editor.get(turned["Location"]).context["page"].number == 2


def test_a_page_with_an_error_is_not_left(
    editor: Client, project: Project, courses: list[Course]
) -> None:
    before = rows(project)

    answer = editor.post(address(project), {**typed(*courses, MAC_order="x"), "_page": "2"})

    assert "Nothing was saved." in text(answer)
    assert rows(project) == before
