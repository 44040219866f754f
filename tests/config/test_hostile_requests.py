"""What no browser and no partner sends: answered with 4xx by Django, never with a crash."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from django.core.files import uploadedfile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

# The lists that staff filter, each with a date and with an own field that is no filter.
DATES = [
    "partners/auditevent/?at__year=9999",
    "partners/auditevent/?at__year=99999",
    "partners/auditevent/?at__gte=9999-12-31T23:59:59-14:00",
    "partners/project/?created_at__year=9999",
    "partners/partner/?created_at__year=99999",
    "assessments/assessment/?started_at__year=9999",
    "assessments/assessment/?student__project__created_at__year=99999",
    "assessments/assessmentlink/?issued_at__year=0",
    "assessments/student/?created_at__year=99999",
    "assessments/course/?name__regex=(",
]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/admin/login/%00",
        "/admin/partners/auditevent/?action=%00",
        "/admin/autocomplete/?term=%00&app_label=tokens",
    ],
)
def test_a_nul_in_an_address_of_the_admin_is_refused(admin_client: Client, path: str) -> None:
    response = admin_client.get(path)

    assert response.status_code == 400
    assert "This page cannot be opened" in response.content.decode()


@pytest.mark.parametrize("path", ["/partner/%00", "/partner/get-redirect-url%00?a=%00"])
def test_a_nul_under_partner_is_a_wrong_path(client: Client, path: str) -> None:
    response = client.post(path)

    assert response.status_code == 404
    assert response.json()["code"] == "not_found"


@pytest.mark.django_db
@pytest.mark.parametrize("address", DATES)
def test_a_list_refuses_the_filters_that_it_does_not_show(
    admin_client: Client, address: str
) -> None:
    response = admin_client.get(f"/admin/{address}")

    assert response.status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "partners/auditevent/?period=30&action=project&project=1",
        "partners/auditevent/?action=project.closed&q=prj_aaaaaaaaaaaaaaaa",
        "partners/project/?state=closed",
        "assessments/assessment/?status=open&project=1",
        "assessments/student/?project=1",
        "assessments/item/?bank=1&section=interests&scale=realistic",
        "assessments/course/?is_active__exact=1&project=1",
    ],
)
def test_a_list_takes_the_filters_that_it_shows(admin_client: Client, address: str) -> None:
    response = admin_client.get(f"/admin/{address}")

    assert response.status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    "value", ['"abcdefgh\\000"', '"\\000"', "x" * 31, "X" * 32, "a" * 33, "'; --" * 8, "é" * 32]
)
def test_a_session_cookie_that_cannot_be_one_is_none(value: str) -> None:
    client = Client(raise_request_exception=False)

    response = client.get("/admin/", HTTP_COOKIE=f"sessionid={value}")

    assert response.status_code == 302
    assert response.headers["Location"].startswith("/admin/login/")


@pytest.mark.urls("tests.config.probe_urls")
def test_a_file_is_refused_before_it_is_written(client: Client) -> None:
    file = SimpleUploadedFile("long.bin", b"x" * 900_000)

    with mock.patch.object(uploadedfile, "tempfile") as disk:
        response = client.post("/form", {"answer": "3", "file": file})

    assert response.status_code == 400
    assert not disk.mock_calls


class Unread:
    """A body that fails the test when it is read."""

    def read(self, *args: Any) -> bytes:
        raise AssertionError("the body was read")

    readline = read


@pytest.mark.parametrize("length", ["1048577", "99999999999999999999", "9" * 5000, "-1", "junk"])
@pytest.mark.parametrize("path", ["/nothing", "/admin/login/", "/partner/get-redirect-url", "/"])
def test_too_long_a_body_is_refused_unread(client: Client, path: str, length: str) -> None:
    response = client.generic(
        "POST",
        path,
        content_type="multipart/form-data; boundary=b",
        **{"CONTENT_LENGTH": length, "wsgi.input": Unread()},  # type: ignore[arg-type]
    )

    assert response.status_code == 400
    if path.startswith("/partner/"):
        assert response.json()["code"] == "invalid_request"
        assert "16384 bytes" in response.json()["detail"]
    else:
        title = "cannot be opened" if path.startswith("/admin/") else "could not be opened"
        assert f"This page {title}" in response.content.decode()
