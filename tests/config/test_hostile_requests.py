"""What no browser and no partner sends: answered with 4xx by Django, never with a crash.

Also files in forms: kept small and in memory for staff in the admin, refused to anybody else.
"""

from unittest import mock

import pytest
from django.conf import settings
from django.core.files import uploadedfile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from assessments.admin import catalogue_files, onboard_page
from config import parsing
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
ONBOARD = "/admin/onboard/"
KB = 1024
Received = list[tuple[str, int, bytes]]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        # Each list, with a date or an own field that is no filter of it, and with those that are.
        ("partners/auditevent/?at__year=9999", 400),
        ("partners/auditevent/?at__year=99999", 400),
        ("partners/auditevent/?at__gte=9999-12-31T23:59:59-14:00", 400),
        ("partners/auditevent/?period=30&action=project&project=1", 200),
        ("partners/auditevent/?action=project.closed&q=prj_aaaaaaaaaaaaaaaa", 200),
        ("partners/project/?created_at__year=9999", 400),
        ("partners/project/?state=closed", 200),
        ("partners/partner/?created_at__year=99999", 400),
        ("assessments/assessment/?started_at__year=9999", 400),
        ("assessments/assessment/?student__project__created_at__year=99999", 400),
        ("assessments/assessment/?status=open&project=1", 200),
        ("assessments/assessmentlink/?issued_at__year=0", 400),
        ("assessments/student/?created_at__year=99999", 400),
        ("assessments/student/?project=1", 200),
        ("assessments/item/?bank=1&section=interests&scale=realistic", 200),
        ("assessments/course/?name__regex=(", 400),
        ("assessments/course/?is_active__exact=1&project=1", 200),
        # A NUL, which PostgreSQL does not take.
        ("login/%00", 400),
        ("partners/auditevent/?action=%00", 400),
        ("autocomplete/?term=%00&app_label=tokens", 400),
    ],
)
def test_a_list_of_staff_takes_its_filters_and_refuses_every_other(admin_client, address, status):
    response = admin_client.get(f"/admin/{address}")

    assert response.status_code == status
    assert status == 200 or 'class="change-list"' not in response.text


@pytest.mark.parametrize("path", ["/partner/%00", "/partner/get-redirect-url%00?a=%00"])
def test_a_nul_under_partner_is_a_wrong_path(client, path):
    response = client.post(path)

    assert (response.status_code, response.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "value", ['"abcdefgh\\000"', '"\\000"', "x" * 31, "X" * 32, "a" * 33, "'; --" * 8, "é" * 32]
)
def test_a_session_cookie_that_cannot_be_one_is_none(client, value):
    response = client.get("/admin/", HTTP_COOKIE=f"sessionid={value}")

    assert response.status_code == 302
    assert response.headers["Location"].startswith("/admin/login/")


class Unread:
    """A body that fails the test when it is read."""

    def read(self, *args):
        raise AssertionError("the body was read")

    readline = read


@pytest.mark.parametrize("length", ["1048577", "9" * 20, "9" * 5000, "-1", "junk"])
@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/partner/get-redirect-url", '"code": "invalid_request"'),
        ("/partner/get-redirect-url", "16384 bytes"),
        ("/admin/login/", "This page cannot be opened"),
        *((path, "This page could not be opened") for path in ("/", "/nothing")),
    ],
)
def test_too_long_a_body_is_refused_unread(client, path, says, length):
    response = client.generic(
        "POST",
        path,
        content_type="multipart/form-data; boundary=b",
        **{"CONTENT_LENGTH": length, "wsgi.input": Unread()},  # type: ignore[arg-type]
    )

    assert response.status_code == 400
    assert says in response.text


def file(size):
    return SimpleUploadedFile("courses.csv", b"x" * size, "text/csv")


@pytest.fixture
def disk():
    """Watch what would write a file."""
    with mock.patch.object(uploadedfile, "tempfile") as disk:
        yield disk


@pytest.fixture
def kept():
    """Watch what would keep a file in memory."""
    with mock.patch.object(parsing, "InMemoryUploadedFile") as kept:
        yield kept


@pytest.fixture
def received(monkeypatch):
    """Give name, size and content of each file that a form of staff is given."""
    found = []

    def watch(module, name):
        form = getattr(module, name)

        def watched(data, files=None, **given):
            for each in (files or {}).values():
                found.append((each.name, each.size, each.read()))
                each.seek(0)
            return form(data, files=files, **given)

        monkeypatch.setattr(module, name, watched)

    watch(onboard_page, "OnboardForm")
    watch(catalogue_files, "LoadForm")
    return found


@pytest.fixture
def catalogue(project):
    """Give the address where staff load a catalogue, the only one that takes a long body."""
    return reverse("admin:assessments_course_load", args=[project.pk])


@pytest.mark.parametrize("size", [200 * KB, 4096 * KB, 4096 * KB + 1, 5000 * KB])
def test_of_a_file_of_staff_the_beginning_is_kept_in_memory(
    admin_client, disk, received, catalogue, size
):
    page, field = (ONBOARD, "courses") if size == 200 * KB else (catalogue, "file")

    response = admin_client.post(page, {field: file(size), "label": "x"})

    [(name, said, content)] = received
    assert response.status_code == 200
    assert (name, said) == ("courses.csv", size)
    assert content == b"x" * min(size, 4096 * KB)
    assert settings.FILE_UPLOAD_MAX_MEMORY_SIZE == 4096 * KB
    assert not disk.mock_calls


def test_only_the_page_that_loads_a_catalogue_takes_a_long_body(admin_client, kept, catalogue):
    elsewhere = admin_client.post(ONBOARD, {"courses": file(1024 * KB), "label": "x"})
    too_long = admin_client.post(catalogue, {"file": file(5200 * KB)})

    assert (elsewhere.status_code, too_long.status_code) == (400, 400)
    assert not kept.mock_calls


@pytest.mark.parametrize("who", ["nobody", "a student", "former staff"])
@pytest.mark.parametrize("path", ["/admin/login/", ONBOARD, "/admin/", "/admin/nowhere/"])
def test_nobody_else_sends_a_file_to_the_admin(client, kept, path, who):
    if who != "nobody":
        user = UserFactory.create(
            is_staff=who == "former staff", is_superuser=who == "former staff"
        )
        client.force_login(user)
        user.is_active = who != "former staff"
        user.save()

    response = client.post(path, {"courses": file(10), "label": "x"})

    # led to the sign-in unread, or refused at the file
    assert response.status_code in {302, 400}
    assert not kept.mock_calls


@pytest.mark.urls("tests.config.probe_urls")
@pytest.mark.parametrize(
    ("path", "status"),
    [
        *(("/prj_x/assessment", 404), ("/prj_x/assessment/1", 404), ("/", 404), ("/docs/", 405)),
        *(("/administer/", 404), ("/Admin/x", 404), ("/form", 400)),
    ],
)
def test_outside_the_admin_staff_send_no_file_either(admin_client, disk, kept, path, status):
    response = admin_client.post(path, {"answer": "3", "file": file(900 * KB)})

    assert response.status_code == status
    assert not disk.mock_calls
    assert not kept.mock_calls


def test_a_file_without_the_csrf_token_gets_nowhere(received):
    client = Client(enforce_csrf_checks=True)
    client.force_login(UserFactory.create(is_superuser=True))

    response = client.post(ONBOARD, {"courses": file(10), "label": "x"})

    assert (response.status_code, received) == (403, [])
