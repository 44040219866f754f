"""What support staff see of links, attempts, courses and banks, and what they cannot change."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from assessments.models import Assessment, AssessmentLink, Course, Item, ItemBank, Student
from partners.models import AuditEvent, Project
from tests.assessments.attempts import answer_until, completed, issue, started, token_of, use
from tests.factories import CourseFactory, staff_with

OF_STUDENTS = (Student, AssessmentLink, Assessment)
READ_ONLY = (*OF_STUDENTS, ItemBank, Item)
MODELS = (*READ_ONLY, Course)
COURSE = {
    "code": "BOT", "name": "Botany", "order": "1", "is_active": "on",
    "realistic": "3", "investigative": "2", "artistic": "0",
    "social": "0", "enterprising": "0", "conventional": "0",
    "numerical_level": "2", "numerical_importance": "1", "abstract_level": "0",
    "abstract_importance": "0", "verbal_level": "0", "verbal_importance": "0",
}  # fmt: skip

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


@pytest.fixture
def rows(project: Project) -> dict[type, Any]:
    """Give a row of each model; the attempt is completed."""
    course = CourseFactory.create(project=project, name="Botany")
    link, _ = issue(project, name="Asha Rao", email="asha@example.com")
    attempt = completed(use(link))
    return {
        Student: link.student,
        AssessmentLink: link,
        Assessment: attempt,
        ItemBank: attempt.bank,
        Item: attempt.bank.item_set.get(code="int-R-01"),
        Course: course,
    }


@pytest.fixture
def staff(admin_user: User) -> Client:
    client = Client()
    client.force_login(admin_user)
    return client


def url(model: type, page: str, *args: Any) -> str:
    return reverse(f"admin:assessments_{model.__name__.lower()}_{page}", args=args)


def text(response: HttpResponse) -> str:
    assert response.status_code == 200
    return response.content.decode()


def find_box(page: str) -> dict[str, str]:
    """Return where the search box of a list sends to, how, and its token against forgery."""
    form = re.search(r'<form id="changelist-search".*?</form>', page, re.DOTALL)
    assert form
    assert 'name="q"' in form[0]
    method = re.search(r'method="(\w+)"', form[0])
    action = re.search(r'action="([^"]+)"', form[0])
    csrf = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', form[0])
    assert method
    assert action
    assert csrf
    return {"method": method[1], "action": action[1], "csrf": csrf[1]}


def test_every_kind_of_record_has_pages() -> None:
    expected = {model._meta.model_name for model in MODELS}
    # seen through their attempts, links, items and projects only
    hidden = {"answer", "cataloguesnapshot", "linkevent", "itemstatistics", "projectday"}

    models = {model._meta.model_name for model in apps.get_app_config("assessments").get_models()}

    assert models == expected | hidden


def test_lists_and_pages_open(rows: dict[type, Any], staff: Client) -> None:
    for model in MODELS:
        listed = staff.get(url(model, "changelist"))
        shown = staff.get(url(model, "change", rows[model].pk))

        assert str(rows[model].pk) in text(listed), model
        assert text(shown), model
        assert listed.headers["Cache-Control"] != "public"
        assert "unsafe" not in shown.headers["Content-Security-Policy"]


@pytest.mark.parametrize("model", [ItemBank, Item, Course])
def test_lists_can_be_searched(project: Project, staff: Client, model: type) -> None:
    CourseFactory.create(project=project, name="Botany")

    for query in ("int-R-01", "Botany", "'", "%", "x" * 500, "नमस्ते"):
        response = staff.get(url(model, "changelist"), {"q": query})
        assert response.status_code in {200, 302}, query
    assert staff.get(url(model, "changelist"), {"q": "\0"}).status_code == 400


def test_what_the_service_makes_cannot_be_written(rows: dict[type, Any], staff: Client) -> None:
    for model in READ_ONLY:
        before = list(model._default_manager.order_by("pk").values())  # type: ignore[attr-defined]
        fields = {field.name: "1" for field in model._meta.fields}  # type: ignore[attr-defined]

        responses = [
            staff.get(url(model, "add")),
            staff.post(url(model, "add"), fields),
            staff.post(url(model, "change", rows[model].pk), {**fields, "_save": "Save"}),
            staff.get(url(model, "delete", rows[model].pk)),
            staff.post(url(model, "delete", rows[model].pk), {"post": "yes"}),
        ]
        staff.post(
            url(model, "changelist"),
            {"action": "delete_selected", "_selected_action": [rows[model].pk], "post": "yes"},
        )

        assert [response.status_code for response in responses] == [403] * 5, model
        assert list(model._default_manager.order_by("pk").values()) == before  # type: ignore[attr-defined]
    assert not LogEntry.objects.exists()


def test_without_the_right_nothing_opens(rows: dict[type, Any]) -> None:
    nobody = Client()
    without = Client()
    without.force_login(staff_with())

    for model in MODELS:
        for page, args in (("changelist", []), ("change", [rows[model].pk])):
            assert nobody.get(url(model, page, *args)).status_code == 302, model
            assert without.get(url(model, page, *args)).status_code == 403, model


def test_the_right_to_view_is_enough_to_read(rows: dict[type, Any]) -> None:
    for model in MODELS:
        reader = Client()
        reader.force_login(staff_with(f"assessments.view_{model.__name__.lower()}"))

        assert text(reader.get(url(model, "changelist"))), model
        assert text(reader.get(url(model, "change", rows[model].pk))), model
        assert reader.post(url(model, "change", rows[model].pk), {"name": "x"}).status_code == 403


def test_a_link_shows_what_it_can_still_do(
    rows: dict[type, Any], project: Project, staff: Client
) -> None:
    unused, address = issue(project, email="unused@example.com")

    listed = text(staff.get(url(AssessmentLink, "changelist")))
    shown = text(staff.get(url(AssessmentLink, "change", unused.pk)))

    assert ">finished<" in listed
    assert ">unused<" in listed
    assert "asha@example.com" in listed
    assert "unused@example.com" in shown
    for hidden in (token_of(address), unused.token_digest):
        assert hidden not in shown


def test_an_attempt_shows_where_it_stands(
    rows: dict[type, Any], project: Project, staff: Client
) -> None:
    running = answer_until(started(project, email="running@example.com"), 12)
    left = started(project, email="left@example.com")
    left.abandon()

    listed = text(staff.get(url(Assessment, "changelist")))
    shown = text(staff.get(url(Assessment, "change", running.pk)))
    done = text(staff.get(url(Assessment, "change", rows[Assessment].pk)))

    for words in ("In progress", "Completed", "Abandoned", "12 of 44", "44 of 44", "0 of 44"):
        assert words in listed
    assert running.assessment_id in shown
    assert "12 of 44" in shown
    assert running.browser_digest not in shown
    assert "Botany" in done


def test_attempts_can_be_picked_by_status(project: Project, staff: Client) -> None:
    emails = {name: f"{name}@example.com" for name in ("done", "left", "running")}
    attempts = {name: started(project, email=email) for name, email in emails.items()}
    completed(attempts["done"])
    attempts["left"].abandon()

    for status, found in {
        "completed": {"done"},
        "abandoned": {"left"},
        "open": {"running"},
        "": set(attempts),
        "delete": set(attempts),
    }.items():
        chosen = {"status": status} if status else {}
        listed = text(staff.get(url(Assessment, "changelist"), chosen))
        assert {name for name, a in attempts.items() if a.assessment_id in listed} == found, status
    assert Assessment.objects.count() == 3


@pytest.mark.parametrize("model", OF_STUDENTS)
def test_the_box_of_a_list_of_students_posts_to_the_page_that_finds(
    project: Project, staff: Client, model: type
) -> None:
    attempt = started(project)
    box = find_box(text(staff.get(url(model, "changelist"))))
    guarded = Client(enforce_csrf_checks=True)
    guarded.cookies = staff.cookies

    assert box["method"] == "post"
    sent = {"csrfmiddlewaretoken": box["csrf"], "q": "Asha.Rao@Example.com"}
    found = guarded.post(box["action"], sent)

    assert box["action"] == reverse("admin:assessments_assessmentlink_find")
    assert found.status_code == 302
    assert found.headers["Location"] == url(Student, "change", attempt.student.pk)


@pytest.mark.parametrize("model", OF_STUDENTS)
def test_a_list_of_students_keeps_no_search_in_its_address(
    project: Project, staff: Client, model: type
) -> None:
    _, link = issue(project)
    events = AuditEvent.objects.count()

    for sought in (link, "asha.rao@example.com"):
        plain = staff.get(url(model, "changelist"), {"q": sought})
        chosen = staff.get(url(model, "changelist"), {"q": sought, "project": project.pk})

        assert (plain.status_code, chosen.status_code) == (302, 302)
        assert plain.headers["Location"] == url(model, "changelist")
        assert chosen.headers["Location"] == f"{url(model, 'changelist')}?project={project.pk}"
        assert not plain.content + chosen.content
    assert AuditEvent.objects.count() == events


@pytest.mark.parametrize("model", [Student, Assessment])
def test_who_may_not_find_has_no_box_to_find(project: Project, model: type) -> None:
    started(project)
    reader = Client()
    reader.force_login(staff_with(f"assessments.view_{model.__name__.lower()}"))

    listed = text(reader.get(url(model, "changelist")))

    assert "asha.rao@example.com" in listed
    assert 'name="q"' not in listed


@pytest.mark.parametrize("model", OF_STUDENTS)
def test_lists_of_students_are_sorted_by_no_column(
    rows: dict[type, Any], project: Project, staff: Client, model: type
) -> None:
    started(project, email="another@example.com")

    pages = [staff.get(url(model, "changelist"), {"o": order}) for order in ("1", "-2", "2.3")]

    for page in pages:
        keys = [row.pk for row in page.context["cl"].result_list]
        assert keys == sorted(keys, reverse=True)


def test_without_the_right_to_outcomes_a_page_shows_none(rows: dict[type, Any]) -> None:
    reader = Client()
    reader.force_login(staff_with("assessments.view_assessment"))
    address = url(Assessment, "change", rows[Assessment].pk)

    without = text(reader.get(address))
    listed = text(reader.get(url(Assessment, "changelist"), {"answers": "flagged"}))
    reader.force_login(staff_with("assessments.view_assessment", "assessments.view_answer"))
    seen = text(reader.get(address))

    assert "Your role does not allow you to see outcomes." in without
    assert "Botany" not in without
    assert "nothing unusual" not in without
    assert rows[Assessment].assessment_id in listed
    assert "Read with care" not in listed
    assert "Botany" in seen


def test_an_item_shows_its_text(rows: dict[type, Any], staff: Client) -> None:
    item = Item.objects.filter(section="aptitude").first()
    assert item is not None

    shown = text(staff.get(url(Item, "change", item.pk)))

    assert item.content["lines"][0] in shown


def test_the_current_bank_is_marked(bank: ItemBank, staff: Client) -> None:
    listed = text(staff.get(url(ItemBank, "changelist")))
    assert '<span class="state live">current</span>' in listed

    ItemBank.objects.update(made_current_at=None)

    listed = text(staff.get(url(ItemBank, "changelist")))
    assert ">current<" not in listed


def test_a_course_is_added_and_changed(project: Project, staff: Client) -> None:
    added = staff.post(url(Course, "add"), {**COURSE, "project": project.pk})
    course = Course.objects.get()

    changed = staff.post(
        url(Course, "change", course.pk), {**COURSE, "project": project.pk, "name": "Plants"}
    )

    course.refresh_from_db()
    assert added.status_code == changed.status_code == 302
    assert course.name == "Plants"
    assert course.project == project


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"realistic": "1", "investigative": "1"}, "Rate at least one interest 2 or 3."),
        (dict.fromkeys(("realistic", "investigative", "artistic", "social", "enterprising",
                        "conventional"), "2"), "Six equal ratings say nothing"),
        ({"realistic": "4"}, "less than or equal to 3"),
        ({"code": ""}, "This field is required."),
        ({"name": " "}, "This field is required."),
        ({"order": "-1"}, "greater than or equal to 0"),
    ],
)  # fmt: skip
def test_a_course_that_says_nothing_is_refused_in_words(
    project: Project, staff: Client, fields: dict[str, str], fault: str
) -> None:
    response = staff.post(url(Course, "add"), {**COURSE, "project": project.pk, **fields})

    assert fault in text(response)
    assert not Course.objects.exists()


def test_a_course_s_code_is_once_in_a_project(project: Project, staff: Client) -> None:
    CourseFactory.create(project=project, code="BOT")

    response = staff.post(url(Course, "add"), {**COURSE, "project": project.pk})

    assert "already exists" in text(response)
    assert Course.objects.count() == 1


def test_long_lists_ask_as_many_questions_as_short_ones(
    rows: dict[type, Any], project: Project, staff: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        CourseFactory.create(project=project)
        answer_until(started(project, email=f"{number}@example.com"), 6)

    for model in MODELS:
        staff.get(url(model, "changelist"))
        with django_assert_max_num_queries(12):
            staff.get(url(model, "changelist"))
