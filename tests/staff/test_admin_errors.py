"""A page of the staff's site that cannot be shown: a page in its look, with a way back."""

from itertools import chain

import pytest
from django.contrib.admin import AdminSite
from django.test import Client
from django.urls import reverse

from partners.models import AuditEvent
from tests.factories import UserFactory
from tests.staff.rows import make_rows, staff_pages

pytestmark = pytest.mark.django_db

OF_STUDENTS = ("data-page=", "student.css", "sent you the link", "your own link")


@pytest.fixture
def client():
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory.create(is_superuser=True, first_name="Io"))
    return client


def assert_error(response, status, title):
    """Assert that it is an error page of the staff's site; return its text."""
    page = response.content.decode()
    assert response.status_code == status
    assert page.count("<h1") == 1
    assert f"<h1>{title}</h1>" in page
    assert "staff/theme.css" in page
    assert 'href="/admin/"' in page
    assert "Traceback" not in page
    assert not [words for words in OF_STUDENTS if words in page]
    return page


@pytest.mark.parametrize(
    "path",
    [
        *("nothing/<b>at</b>/all", "partners/project/0/close/"),
        *("assessments/item/0/preview/", "r/1/1/"),
    ],
)
def test_what_is_not_there_is_a_404(client, path):
    page = assert_error(client.get(f"/admin/{path}"), 404, "Page not found")

    assert "<b>" not in page
    assert "logout-form" in page


def test_a_refusal_is_a_403_and_recorded(staff):
    response = staff(roles=("Support",)).get("/admin/partners/auditevent/")

    assert_error(response, 403, "You cannot open this page")
    event = AuditEvent.objects.latest("pk")
    assert (event.action, event.reason) == ("staff.refused", "GET partners_auditevent_changelist")


def test_a_list_takes_its_filters_and_refuses_every_other(client):
    # Each list, with a date or an own field that is no filter of it, and with those that are.
    for address, status in (
        *((f"partners/project/?{query}", 400) for query in ("name__regex=(", "a=%00")),
        ("partners/project/?_to_field=name&_popup=1", 400),
        ("partners/project/?created_at__year=99999", 400),
        *(("partners/auditevent/?at__year=99999", 400), ("partners/project/?state=closed", 200)),
        ("partners/auditevent/?at__gte=9999-12-31T23:59:59-14:00", 400),
        ("partners/auditevent/?period=30&action=project&project=1", 200),
        ("assessments/attempt/?student__project__created_at__year=99999", 400),
        ("assessments/attempt/?status=open&project=1", 200),
        ("assessments/assessmentlink/?issued_at__year=0", 400),
        ("assessments/student/?project=1", 200),
        ("assessments/item/?bank=1&section=interests&scale=realistic", 200),
        ("assessments/course/?is_active__exact=1&project=1", 200),
        # A NUL, which PostgreSQL does not take.
        *(("login/%00", 400), ("partners/auditevent/?action=%00", 400)),
        ("autocomplete/?app_label=partners&model_name=project&field_name=partner", 404),
    ):
        response = client.get(f"/admin/{address}")
        assert response.status_code == status, address
        if status == 400:
            assert "regex" not in assert_error(response, 400, "This page cannot be opened")


def test_each_choice_that_a_list_offers_opens(client):
    make_rows()
    opened = 0
    for name in (name for name, _ in staff_pages() if name.endswith("_changelist")):
        page = client.get(reverse(f"admin:{name}"))
        cl = page.context.get("cl")  # figures have none
        filters = cl.filter_specs if cl else []
        for choice in chain.from_iterable(each.choices(cl) for each in filters):
            if query := choice.get("query_string"):
                assert client.get(page.request["PATH_INFO"] + query).status_code == 200, query
                opened += 1
    assert opened > 100


def test_a_crash_is_a_500_with_its_number_and_nothing_else(client, monkeypatch):
    def crash(*args, **kwargs):
        raise RuntimeError("the secret is sec_abc")

    monkeypatch.setattr(AdminSite, "each_context", crash)

    response = client.get("/admin/")

    page = assert_error(response, 500, "Something went wrong on our side")
    assert response.headers["X-Request-ID"] in page
    assert "sec_abc" not in page
    assert "Io" not in page.replace("Partner Assessment Service", "")


@pytest.mark.parametrize(
    ("origin", "title"),
    [
        ({}, "Please send the form again"),  # the sign-in page was open for too long
        ({"HTTP_ORIGIN": "https://evil.example"}, "This did not come from our page"),
    ],
)
def test_a_form_without_its_token_is_a_403_that_does_not_repeat_it(origin, title):
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "x" * 32
    form = {"username": "io", "password": "seven green kettles"}

    page = assert_error(client.post("/admin/login/", form, **origin), 403, title)

    assert "kettles" not in page
    assert "logout-form" not in page
