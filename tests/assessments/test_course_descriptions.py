"""What students read about a course: which texts it takes, and in which language they come back."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from assessments.catalogue.course_description import CourseDescription
from assessments.models import Course
from partners.models import Project
from tests.factories import CourseFactory

PAGE, APPLY = "https://college.example.edu/bca", "http://apply.example.edu:8080/?course=bca#form"
TEXTS: dict[str, Any] = {
    "about": {"en": "Write programs and build web pages.", "hi": "प्रोग्राम लिखना और वेब पेज बनाना।"},
    "leads_to": {"en": ["web developer", "tester"], "hi": ["वेब डेवलपर", "टेस्टर"]},
    "url": PAGE,
    "apply_url": APPLY,
}

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_texts_come_in_the_language_asked_for(
    project: Project, django_assert_num_queries: Any
) -> None:
    CourseFactory.create(project=project, code="BCA", **TEXTS)
    CourseFactory.create(project=project, code="BA")
    CourseFactory.create(project=project, code="BSC")

    with django_assert_num_queries(1):
        found = Course.objects.descriptions(project, ["BCA", "BA", "GONE"], "hi")

    assert found == {
        "BCA": CourseDescription(
            "प्रोग्राम लिखना और वेब पेज बनाना।", ("वेब डेवलपर", "टेस्टर"), PAGE, APPLY
        ),
        "BA": CourseDescription("", (), "", ""),
    }


def test_a_missing_language_falls_back_to_english(project: Project) -> None:
    CourseFactory.create(
        project=project,
        code="BCA",
        about={"en": "Write programs."},
        leads_to={"hi": ["टेस्टर"]},
    )

    def found(language: str) -> CourseDescription:
        return Course.objects.descriptions(project, ["BCA"], language)["BCA"]

    assert found("hi") == CourseDescription("Write programs.", ("टेस्टर",))
    assert found("en") == CourseDescription("Write programs.", ())


def test_an_inactive_course_offers_no_application(project: Project) -> None:
    CourseFactory.create(project=project, code="BCA", is_active=False, **TEXTS)

    assert Course.objects.descriptions(project, ["BCA"], "en") == {
        "BCA": CourseDescription(
            "Write programs and build web pages.", ("web developer", "tester"), PAGE
        )
    }


def test_other_projects_describe_their_own_courses(
    project: Project, other_project: Project
) -> None:
    CourseFactory.create(project=other_project, code="BCA", **TEXTS)

    assert Course.objects.descriptions(project, ["BCA"], "en") == {}


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("about", {"en": "a" * 141}, "The text “en” has 141 characters; shorten it to 140."),
        ("about", {"en": " "}, "The text “en” must not be empty."),
        ("about", {"fr": "Écrire"}, "Give a text for each of these languages: en, hi."),
        ("leads_to", {"en": list("abcd")}, "The list “en” has 4 entries; keep at most 3."),
        (
            "leads_to",
            {"en": ["a", "b" * 41]},
            "Entry 2 of the list “en” has 41 characters; shorten it to 40.",
        ),
        ("leads_to", {"en": "tester"}, "The list “en” must have texts that are not empty."),
        ("url", "javascript:alert(1)", "starts with https:// or http://"),
        ("url", "https://college.example.edu/b ca", "starts with https:// or http://"),
        ("url", "HTTPS://college.example.edu", "Write https:// in lower case."),
        ("url", "https://college.example.edu:99999/", "The port after the host is not valid."),
        ("apply_url", "https://sahyadri.edu@evil.example", "Remove the user name and the @"),
        ("apply_url", f"https://college.example.edu/{'a' * 473}", "give one of at most 500."),
    ],
)
def test_nonsense_is_refused_with_a_remedy(column: str, value: Any, says: str) -> None:
    course = CourseFactory.create()
    setattr(course, column, value)

    with pytest.raises(ValidationError) as refused:
        course.full_clean()

    assert column in refused.value.message_dict
    assert says in " ".join(refused.value.message_dict[column])


def test_descriptions_are_no_part_of_what_ranks_a_course() -> None:
    """A corrected address works at once, also on results that were stored earlier."""
    course = CourseFactory.create()
    before = course.as_data

    for column, value in TEXTS.items():
        setattr(course, column, value)

    assert course.as_data == before
