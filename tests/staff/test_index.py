"""The start page: what each role finds there, and what it does not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from staff import roles
from tests.factories import UserFactory, staff_as

pytestmark = pytest.mark.django_db

LISTS = {
    roles.SUPPORT: [
        *("Partners", "Projects", "Access tokens", "Refused calls", "Webhooks"),
        *("Links", "Students", "Assessments"),
    ],
    roles.CONTENT: ["Partners", "Projects", "Courses", "Items", "Item banks"],
}


def start_page(*names: str) -> str:
    client = Client()
    client.force_login(staff_as(*names))
    response = client.get("/admin/")
    assert response.status_code == 200
    return response.content.decode()


def lists_of(page: str) -> list[str]:
    return re.findall(r'<th scope="row"[^>]*>\s*<a href="[^"]*"[^>]*>([^<]*)</a>', page)


@pytest.mark.parametrize("role", LISTS)
def test_a_role_finds_the_lists_of_its_work_and_no_other(role: str) -> None:
    found = lists_of(start_page(role))

    assert [name for name in found if name != "Figures"] == LISTS[role]


def test_a_user_without_a_role_sees_whom_to_ask() -> None:
    UserFactory.create(first_name="Io", last_name="Rao", is_superuser=True)
    staff_as(roles.ADMINISTRATOR)
    UserFactory.create(username="gone", is_superuser=True, is_active=False)

    page = start_page()

    assert "no role yet" in page
    assert "Io Rao" in page
    assert "gone" not in page
    assert "<table" not in page


def test_the_start_page_asks_few_questions(django_assert_max_num_queries: Any) -> None:
    client = Client()
    client.force_login(staff_as(roles.ADMINISTRATOR))
    for _ in range(10):
        staff_as(roles.SUPPORT)

    client.get("/admin/")
    with django_assert_max_num_queries(16):
        client.get("/admin/")
