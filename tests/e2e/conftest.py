from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.backend import Applicant, PartnerBackend
from tests.support.hygiene import leaks
from tests.support.server import ROOT, Service
from tests.support.student import Student

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CATALOGUE = ROOT / "assessments" / "demo" / "courses.csv"


def onboard(service: Service, project: str, courses: Path = CATALOGUE) -> PartnerBackend:
    """Onboard a project as the support contact does it, by the command."""
    return PartnerBackend.from_onboarding(
        service.url,
        service.manage(
            "onboard_partner", "Vidya", "--project", project, "--courses", str(courses), "--json"
        ),
    )


@pytest.fixture(scope="session")
def partner(service: Service) -> PartnerBackend:
    """Give a partner's backend. Tests share its project and use students of their own."""
    return onboard(service, "Sahyadri College")


@pytest.fixture
def applicant() -> Applicant:
    """Give a student of one's own, with details that are found again wherever they leak to."""
    number = secrets.randbelow(10**8)
    return Applicant("Meenakshi Iyer", f"meenakshi.{number}@example.com", f"+91 98{number:08}")


NewStudent = Callable[..., Student]


@pytest.fixture
def new_student(chromium: Browser, service: Service) -> Iterator[NewStudent]:
    """Give a function that hands a student a fresh browser; at the end none may complain."""
    students = []

    def new(**options: Any) -> Student:
        student = Student(chromium.new_context(**options), service.url)
        students.append(student)
        return student

    yield new
    complaints = [complaint for student in students for complaint in student.complaints()]
    complaints += [leak for student in students for leak in leaks(str(student.context.cookies()))]
    for student in students:
        student.context.close()
    assert not complaints


@pytest.fixture
def student(new_student: NewStudent) -> Student:
    """Give a student with a browser of their own."""
    return new_student()


@pytest.fixture
def at_the_first_page(partner: PartnerBackend, applicant: Applicant) -> Callable[[Student], None]:
    """Give a function that lets a student answer the first page, unsent."""

    def begin(student: Student) -> None:
        student.start(partner.redirect_url(applicant))
        student.go_to_question(1)
        student.choose()

    return begin


@pytest.fixture(autouse=True)
def nothing_crashed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test during which the shared service logged a crash or an answer of 5xx."""
    if "service" not in request.fixturenames:
        yield
        return
    service: Service = request.getfixturevalue("service")
    before = len(service.logs())
    yield
    new = [json.loads(line) for line in service.logs()[before:].splitlines()]
    assert [
        line
        for line in new
        if line["level"] in {"ERROR", "CRITICAL"} or line.get("status", 0) >= 500
    ] == []


def link_token(url: str) -> str:
    """Return the link token of a redirect-url."""
    found = re.search(r"\?token=([A-Za-z0-9_-]+)$", url)
    assert found
    return found[1]
