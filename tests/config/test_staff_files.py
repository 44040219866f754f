"""A file in a form: kept small and in memory for staff in the admin, refused to anybody else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.core.files import uploadedfile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from assessments.admin import catalogue_files, onboard_page
from assessments.admin.catalogue_files import LoadForm
from config import parsing
from config.middleware import TAKES_FILES
from partners.models import Project
from tests.factories import ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db
ADMIN = "/admin/onboard/"
KB = 1024


def file(size: int) -> SimpleUploadedFile:
    return SimpleUploadedFile("courses.csv", b"x" * size, "text/csv")


@pytest.fixture
def project() -> Project:
    return ProjectFactory.create()


@pytest.fixture
def disk() -> Iterator[mock.Mock]:
    """Watch what would write a file."""
    with mock.patch.object(uploadedfile, "tempfile") as disk:
        yield disk


@pytest.fixture
def kept() -> Iterator[mock.Mock]:
    """Watch what would keep a file in memory."""
    with mock.patch.object(parsing, "InMemoryUploadedFile") as kept:
        yield kept


@dataclass
class Received:
    """What a form was given of a file, read before the request closes it."""

    name: str | None
    size: int | None
    content: bytes


@pytest.fixture
def received() -> Iterator[list[Received]]:
    """Give the files that the onboarding page receives."""
    files: list[Received] = []
    asked = onboard_page.OnboardForm

    def form(data: Any, **given: Any) -> Any:
        for file in (given["files"] or {}).values():
            files.append(Received(file.name, file.size, file.read()))
            file.seek(0)
        return asked(data, **given)

    with mock.patch.object(onboard_page, "OnboardForm", form):
        yield files


def test_a_small_file_of_staff_stays_in_memory(
    admin_client: Client, disk: mock.Mock, received: list[Received]
) -> None:
    answer = admin_client.post(ADMIN, {"courses": file(200 * KB), "label": "x"})

    (got,) = received
    assert answer.status_code == 200
    assert got == Received("courses.csv", 200 * KB, b"x" * 200 * KB)
    assert not disk.mock_calls


@pytest.mark.parametrize("size", [4096 * KB, 4096 * KB + 1, 5000 * KB])
def test_of_a_longer_file_only_the_beginning_is_kept(
    admin_client: Client, disk: mock.Mock, project: Project, size: int
) -> None:
    received: list[Received] = []

    def form(data: Any, files: Any) -> LoadForm:
        got = files["file"]
        received.append(Received(got.name, got.size, got.read()))
        got.seek(0)
        return LoadForm(data, files)

    with mock.patch.object(catalogue_files, "LoadForm", form):
        answer = admin_client.post(
            f"/admin/assessments/course/catalogue/{project.pk}/load/", {"file": file(size)}
        )

    (got,) = received
    assert answer.status_code == 200
    assert got.size == size
    assert len(got.content) == 4096 * KB == settings.FILE_UPLOAD_MAX_MEMORY_SIZE
    assert not disk.mock_calls


def test_only_the_page_that_loads_a_catalogue_takes_a_long_body(
    admin_client: Client, kept: mock.Mock, project: Project
) -> None:
    assert admin_client.post(ADMIN, {"courses": file(1024 * KB), "label": "x"}).status_code == 400
    assert not kept.mock_calls
    loads = reverse("admin:assessments_course_load", args=[project.pk])
    assert TAKES_FILES.fullmatch(loads)
    assert admin_client.post(loads, {"file": file(5200 * KB)}).status_code == 400
    assert not kept.mock_calls


@pytest.mark.parametrize("path", ["/admin/login/", ADMIN, "/admin/", "/admin/nowhere/"])
def test_nobody_else_sends_one_to_the_admin(kept: mock.Mock, path: str) -> None:
    student = Client()
    student.force_login(UserFactory.create(is_staff=False))
    gone = UserFactory.create(is_superuser=True)
    former = Client()
    former.force_login(gone)
    gone.is_active = False
    gone.save()

    for client in (Client(), student, former):
        answer = client.post(path, {"courses": file(10), "label": "x"})
        # led to the sign-in unread, or refused at the file
        assert answer.status_code in {302, 400}
    assert not kept.mock_calls


@pytest.mark.parametrize(
    "path", ["/prj_x/assessment", "/prj_x/assessment/1", "/", "/docs/", "/administer/", "/Admin/x"]
)
def test_outside_the_admin_staff_send_none_either(
    admin_client: Client, kept: mock.Mock, path: str
) -> None:
    answer = admin_client.post(path, {"answer": "3", "file": file(10)})

    assert answer.status_code in {400, 404, 405}
    assert not kept.mock_calls


def test_a_file_without_the_csrf_token_gets_nowhere(
    received: list[Received],
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(UserFactory.create(is_superuser=True))

    answer = client.post(ADMIN, {"courses": file(10), "label": "x"})

    assert answer.status_code == 403
    assert received == []
