"""The start page: the lists of each role, and whom to ask without a role. Queries of lists."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from staff import roles
from tests.factories import UserFactory, issued_token, staff_as

pytestmark = pytest.mark.django_db

OF_SUPPORT = ["Partners", "Projects", "Access tokens", "Refused calls", "Webhooks"]
OF_SUPPORT += ["Links", "Students", "Assessments", "Figures"]


@pytest.mark.parametrize(
    ("role", "lists"),
    [
        (roles.SUPPORT, OF_SUPPORT),
        (roles.CONTENT, ["Partners", "Projects", "Courses", "Items", "Item banks", "Figures"]),
    ],
)
def test_a_role_finds_the_lists_of_its_work_and_no_other(staff, role, lists):
    page = staff(roles=(role,)).get("/admin/").content.decode()

    assert re.findall(r'<th scope="row"[^>]*>\s*<a href="[^"]*"[^>]*>([^<]*)</a>', page) == lists


def test_a_user_without_a_role_sees_whom_to_ask(staff):
    UserFactory.create(first_name="Io", last_name="Rao", is_superuser=True)
    staff_as(roles.ADMINISTRATOR)
    UserFactory.create(username="gone", is_superuser=True, is_active=False)

    page = staff().get("/admin/").content.decode()

    assert "Io Rao" in page
    assert "gone" not in page
    assert "<table" not in page


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("", 16),
        ("tokens/accesstoken/", 12),
        ("partners/partner/", 10),
        ("partners/project/", 10),
        ("partners/auditevent/", 10),
    ],
)
def test_the_start_page_and_the_lists_take_few_queries_for_many_rows(
    staff, django_assert_max_num_queries, path, most
):
    client, at = staff(roles=(roles.ADMINISTRATOR,)), timezone.now()
    for _ in range(12):
        staff_as(roles.SUPPORT)
        token, _ = issued_token(at=at - timedelta(days=10))
        token.rotate(at=at - timedelta(days=2), actor="staff:0")

    client.get("/admin/")
    with django_assert_max_num_queries(most):
        assert client.get(f"/admin/{path}").status_code == 200
