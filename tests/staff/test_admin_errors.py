"""What staff read when a page of theirs cannot be shown: plain words, and a way back."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin import AdminSite
from django.test import Client
from django.urls import reverse

from partners.models import AuditEvent
from staff import roles
from tests.factories import UserFactory, staff_as

pytestmark = pytest.mark.django_db

OF_STUDENTS = ("data-page=", "student.css", "sent you the link", "your own link")


@pytest.fixture
def client() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory.create(is_superuser=True, first_name="Io"))
    return client


def client_of(*names: str) -> Client:
    client = Client()
    client.force_login(staff_as(*names))
    return client


def read(response: Any, status: int, title: str) -> str:
    """Return an error page, which has the look of the staff's site."""
    page: str = response.content.decode()
    assert response.status_code == status
    assert page.count("<h1") == 1
    assert f"<h1>{title}</h1>" in page
    assert "admin.css" in page
    assert 'href="/admin/"' in page
    assert "Traceback" not in page
    assert not [words for words in OF_STUDENTS if words in page]
    return page


@pytest.mark.parametrize(
    "path",
    [
        "nothing/<b>at</b>/all",
        "partners/project/99999999999999999999999/change/",
        "partners/project/<b>1/change/",
        "partners/project/0/close/",
        "assessments/item/0/preview/",
        "auth/user/0/password/",
        "r/1/1/",
        "r/99999999999999999999999/1/",
    ],
)
def test_what_is_not_there_is_a_404_of_the_staff(client: Client, path: str) -> None:
    response = client.get(f"/admin/{path}")

    page = read(response, 404, "Page not found")
    assert "Back to the start page" in page
    assert "<b>" not in page
    assert "99999999999999999999999" not in page
    assert "logout-form" in page


def test_a_refusal_leads_back_and_is_recorded() -> None:
    response = client_of(roles.SUPPORT).get(reverse("admin:partners_auditevent_changelist"))

    assert "Back to the start page" in read(response, 403, "You cannot open this page")
    event = AuditEvent.objects.latest("pk")
    assert (event.action, event.reason) == ("staff.refused", "GET partners_auditevent_changelist")


@pytest.mark.parametrize(
    "query",
    ["?name__regex=(", "?a=%00", "?_to_field=name&_popup=1", "?created_at__year=99999"],
)
def test_an_address_that_is_not_taken_is_a_400_of_the_staff(client: Client, query: str) -> None:
    response = client.get(f"/admin/partners/project/{query}")

    page = read(response, 400, "This page cannot be opened")
    assert "regex" not in page


def test_a_crash_is_a_500_with_its_number(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: object, **kwargs: object) -> None:
        raise RuntimeError("the secret is sec_abc")

    monkeypatch.setattr(AdminSite, "each_context", crash)

    response = client.get("/admin/")

    page = read(response, 500, "Something went wrong on our side")
    assert response.headers["X-Request-ID"] in page
    assert "sec_abc" not in page
    assert "Io" not in page.replace("Partner Assessment Service", "")


def test_a_sign_in_that_was_open_too_long_is_explained_without_the_password() -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "x" * 32

    response = client.post("/admin/login/", {"username": "io", "password": "seven green kettles"})

    page = read(response, 403, "Please send the form again")
    assert "kettles" not in page
    assert "logout-form" not in page


def test_a_form_of_a_foreign_site_is_refused() -> None:
    response = Client(enforce_csrf_checks=True).post(
        "/admin/login/", {"username": "io"}, HTTP_ORIGIN="https://evil.example"
    )

    page = read(response, 403, "This did not come from our page")
    assert "nothing was changed" in page
