"""Two browsers at every form of the staff's site that shows again what was saved with it."""

import html

import pytest
from django.test import Client

from tests.factories import UserFactory
from tests.staff.rows import address, make_rows, staff_pages
from tests.support.admin_forms import edit, forms_of, opened

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def signed_in():
    client = Client()
    client.force_login(UserFactory.create(is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize(
    ("page", "field", "theirs", "mine"),
    [
        ("partners_partner_change", "name", "Acme", "Apex"),
        ("partners_project_change", "name", "Riverside", "Lakeside"),
        ("assessments_course_change", "name", "Botany", "Biology"),
        (
            "assessments_webhookendpoint_edit",
            "url",
            "https://a.example.com/hook",
            "https://b.example.com/hook",
        ),
        ("auth_user_change", "first_name", "Asha", "Bina"),
    ],
)
def test_no_save_overwrites_anothers_value_unasked(page, field, theirs, mine):
    where = address(page, dict(staff_pages())[page], make_rows())
    client = signed_in()
    form = opened(client, where)
    edit(signed_in(), where, {field: theirs})

    refused = client.post(where, form.sent({field: mine, "_save": "1"}))

    assert "while you were editing" in html.unescape(refused.content.decode())
    assert opened(client, where).controls[field].sends == [theirs]
    [again] = forms_of(refused)
    client.post(where, again.sent({"_save": "1"}))
    assert opened(client, where).controls[field].sends == [mine]
