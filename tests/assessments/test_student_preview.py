"""The preview of a project's student pages, for staff."""

from itertools import product

import pytest

from assessments.made_up.student_preview import PAGES
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory
from tests.support.browser import Page

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def catalogue(project):
    publish_field_bank()
    for name in ("Botany", "Nursing", "Accounting"):
        CourseFactory(project=project, name=name, fields=["care"])


def address(project, name, language="en"):
    path = f"/admin/partners/project/{project.pk}/student-pages/{name}/"
    return f"{path}?language={language}"


def test_a_preview_is_the_students_page_and_writes_no_row(catalogue, project, staff, rows):
    viewer, before = staff("partners.view_project"), rows()
    for name, language in product(PAGES, ["en", "hi"]):
        response = viewer.get(address(project, name, language))

        page = Page(response)
        assert (response.status_code, page.name) == (200, PAGES[name][1].replace("_", "-"))
        assert f'<html lang="{language}"' in page.text
        assert f'data-accent="{project.accent}"' in page.text
        assert "<b>Example</b>" in page.text
    assert rows() == before


def test_the_forms_of_a_preview_lead_to_the_next_page(catalogue, project, staff, rows):
    viewer, before, path = staff("partners.view_project"), rows(), address(project, "landing")

    seen = []
    for _page in PAGES:
        path = viewer.post(path, {"consent": "yes", "answer": "1"}).url
        seen.append(path)

    assert seen == [address(project, name) for name in [*list(PAGES)[1:], "landing"]]
    assert rows() == before


def test_the_result_has_no_course_that_asks_for_a_degree(catalogue, project, staff):
    CourseFactory(project=project, name="M.Sc. Nursing", fields=["care"], entry_level="degree")

    result = staff("partners.view_project").get(address(project, "result"))

    assert result.context["recommended_count"] == 3


@pytest.mark.parametrize("name", ["nothing", "result"])
def test_without_such_a_page_or_a_bank_a_preview_is_not_found(project, staff, name):
    assert staff("partners.view_project").get(address(project, name)).status_code == 404
