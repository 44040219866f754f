"""The start page: the lists of each role, and whom to ask without a role. Queries of lists."""

import re

import pytest

from staff import roles

pytestmark = pytest.mark.django_db

OF_SUPPORT = ["Partners", "Projects", "Access tokens", "Refused calls", "Webhooks"]
OF_SUPPORT += ["Links", "Students", "Assessments", "Courses", "Figures"]


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


def test_a_list_is_headed_as_the_menu_names_it(admin_client):
    menu = admin_client.get("/admin/").content.decode()
    found = re.findall(r'<th scope="row"[^>]*>\s*<a href="([^"]*)"[^>]*>([^<]*)</a>', menu)

    assert len(found) > 10
    for address, name in found:
        page = admin_client.get(address).content.decode()
        assert re.search(rf"<h1>\s*{name}", page), name
