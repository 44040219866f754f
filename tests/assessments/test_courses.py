"""A course: what it takes and tells students, and its own page in the admin."""

import html

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from assessments.models import CatalogueSnapshot, Course
from measurement.courses import ENTRY_LEVELS, TAKERS, CourseData
from measurement.field_fit import suits_takers
from partners.models import AuditEvent
from tests.factories import CourseFactory, ProjectFactory
from tests.support.admin_forms import edit

pytestmark = [pytest.mark.django_db]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("about", {"en": "a" * 141}, "The text “en” has 141 characters; shorten it to 140."),
        ("about", {"en": " "}, "The text “en” must not be empty."),
        ("about", {"fr": "Écrire"}, "Give a text for each of these languages: en, hi."),
        ("leads_to", {"en": list("abcd")}, "The list “en” has 4 entries; keep at most 3."),
        ("leads_to", {"en": ["a", "b" * 41]}, "Entry 2 of the list “en” has 41 characters"),
        ("leads_to", {"en": "tester"}, "The list “en” must have texts that are not empty."),
        ("url", "javascript:alert(1)", "starts with https:// or http://"),
        ("url", "HTTPS://college.example.edu", "starts with https:// or http://"),
        ("url", "https://college.example.edu:99999/", "starts with https:// or"),
        ("apply_url", "https://sahyadri.edu@evil.example", "no user name before the host"),
        ("apply_url", f"https://college.example.edu/{'a' * 473}", "at most 500 characters"),
        ("fields", ["botany"], "It must be a list of"),
        ("fields", ["art", "art"], "It must be a list of"),
        ("fields", [["art"]], "It must be a list of"),
        ("fields", ["art", "law", "care", "design"], "Give at most 3 fields."),
        ("order", 2**63, "less than or equal to"),
    ],
)
def test_nonsense_is_refused_with_a_remedy(column, value, says):
    course = CourseFactory.create()
    setattr(course, column, value)

    with pytest.raises(ValidationError) as refused:
        course.full_clean()

    assert list(refused.value.message_dict) == [column]
    assert says in " ".join(refused.value.message_dict[column])
    assert list(course.faults()) == [column]


@pytest.mark.sqlite
@pytest.mark.parametrize("takers", TAKERS)
def test_the_database_finds_the_courses_that_suit_who_takes_the_assessment(takers):
    project = ProjectFactory.create(takers=takers)
    for level in ["", *ENTRY_LEVELS]:
        CourseFactory.create(project=project, entry_level=level)
        CourseFactory.create(project=project, entry_level=level, is_active=False)
    active = project.courses.active().as_data()

    found = project.courses.recommendable().as_data()

    assert found == [course for course in active if suits_takers(course, takers)]
    assert found == CatalogueSnapshot.objects.current(project).recommendable(takers)


LIST = reverse("admin:assessments_course_changelist")
ADD = {
    "code": "BOT", "name": "Botany", "order": "1", "is_active": "on",
    "main_field": "life_science", "second_field": "nature", "third_field": "",
    "required_streams": ["science-biology"],
    "numerical_level": "2", "numerical_importance": "1", "abstract_level": "0",
    "abstract_importance": "0", "verbal_level": "1", "verbal_importance": "2",
    "entry_level": "class-12", "streams": ["science-biology", "arts"],
    "department": "Life Sciences", "delivery": ["group", "doing"],
    "about_en": " Writing programs\r\nand testing them. ", "about_hi": "प्रोग्राम लिखना।",
    "leads_to_en": "web developer\r\n\r\ntester; IT support\r\n", "leads_to_hi": "",
    "url": "https://college.example.edu/bca", "apply_url": "http://apply.example.edu/bca",
}  # fmt: skip
NO_FIELDS = {"main_field": "", "second_field": "", "third_field": ""}


def text(response):
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def page(course):
    return reverse("admin:assessments_course_change", args=[course.pk])


def add(staff, project, **fields):
    return staff.post(
        reverse("admin:assessments_course_add"), {**ADD, "project": project.pk, **fields}
    )


@pytest.fixture
def course(admin_client, project):
    assert add(admin_client, project).status_code == 302
    return Course.objects.get()


def test_codes_that_differ_by_case_alone_are_refused(admin_client, course):
    answer = add(admin_client, course.project, code=course.code.lower())

    assert list(answer.context["errors"])
    assert Course.objects.count() == 1


def test_a_course_is_added_with_texts_in_each_language(admin_client, course):
    assert course.as_data == CourseData(
        code="BOT",
        name="Botany",
        order=1,
        numerical_level=2,
        numerical_importance=1,
        verbal_level=1,
        verbal_importance=2,
        department="Life Sciences",
        delivery=("group", "doing"),
        entry_level="class-12",
        streams=("science-biology", "arts"),
        fields=("life_science", "nature"),
        required_streams=("science-biology",),
        about={"en": "Writing programs and testing them.", "hi": "प्रोग्राम लिखना।"},
        leads_to={"en": ["web developer", "tester", "IT support"]},
        url="https://college.example.edu/bca",
        apply_url="http://apply.example.edu/bca",
    )
    shown = text(admin_client.get(page(course)))
    assert "web developer\ntester\nIT support</textarea>" in shown
    assert "{'en'" not in shown


@pytest.mark.parametrize(
    ("fields", "fault", "inputs"),
    [
        ({"verbal_level": "0"}, "The verbal level and its importance", ["verbal_level"]),
        ({"main_field": ""}, "Choose the main field before the others.", ["main_field"]),
        ({"second_field": "life_science"}, "Choose each field only once.", ["main_field"]),
        ({**NO_FIELDS, "name": "Foundation Year"}, "Choose a main field", ["main_field"]),
        ({"delivery": ["group", "group"]}, "each at most once", ["delivery"]),
        ({"leads_to_en": "a\nb\nc\nd"}, "The list “en” has 4 entries; keep", ["leads_to_en"]),
    ],
)
def test_nonsense_is_refused_beside_its_input(admin_client, project, fields, fault, inputs):
    answer = add(admin_client, project, **fields)

    assert fault in text(answer)
    assert set(inputs) <= set(answer.context["adminform"].form.errors)
    assert not Course.objects.exists()


def test_proposed_fields_stay_proposed_until_an_editor_confirms_or_changes_them(
    admin_client, project
):
    def state(course):
        course.refresh_from_db()
        asks = "Confirm the proposed fields" in text(admin_client.get(page(course)))
        assert asks is course.fields_proposed
        assert ("(proposed)" in text(admin_client.get(LIST))) is course.fields_proposed
        return course.fields, course.fields_proposed

    add(admin_client, project, **NO_FIELDS)
    course = Course.objects.get()
    assert state(course) == (["life_science", "nature"], True)
    assert "Biology; Farming and nature (proposed)" in text(admin_client.get(LIST))

    edit(admin_client, page(course), {**ADD, "name": "Green Skills"})
    assert state(course) == (["life_science", "nature"], True)
    edit(admin_client, page(course), {**ADD, "confirmed": "on"})
    assert state(course) == (["life_science", "nature"], False)

    Course.objects.update(fields_proposed=True)
    edit(admin_client, page(course), {**ADD, "second_field": "teaching"})
    assert state(course) == (["life_science", "teaching"], False)


def test_each_act_on_a_course_is_in_the_trail(admin_client, project, course):
    edit(admin_client, page(course), ADD)
    edit(admin_client, page(course), {**ADD, "name": "Plants", "order": "2"})
    edit(admin_client, page(course), {"about_hi": "ऐप बनाना।", "leads_to_hi": "टेस्टर"})

    events = AuditEvent.objects.filter(action__startswith="courses.").order_by("pk")
    assert list(events.values_list("action", "reason", "project")) == [
        ("courses.added", "BOT", project.pk),
        ("courses.changed", "BOT: name, order", project.pk),
        ("courses.changed", "BOT: about, leads_to", project.pk),
    ]
