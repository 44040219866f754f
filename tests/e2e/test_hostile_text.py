"""Markup in every text that others write: it is shown as it stands and runs nowhere."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.conftest import onboard
from tests.support.backend import Applicant
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow

INTERESTS = ("realistic", "investigative", "artistic", "social", "enterprising", "conventional")
PAYLOADS = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "{{7*7}}{% now 'Y' %}${7*7}",
    "javascript:alert(1)//",
    "</title></textarea><iframe src='//evil.example'>",
]


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    """Give a catalogue whose course names are payloads."""
    file = tmp_path / "courses.csv"
    with file.open("w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["code", "name", "order", *INTERESTS])
        for number, payload in enumerate(PAYLOADS):
            ratings = [3 if number == interest else 0 for interest in range(len(INTERESTS))]
            table.writerow([f"C{number}", payload, number, *ratings])
    return file


def test_markup_in_names_and_courses_is_only_text(
    service: Service, applicant: Applicant, student: Student, catalogue: Path
) -> None:
    project = PAYLOADS[1]
    partner = onboard(service, project, catalogue)
    hostile = replace(applicant, name=PAYLOADS[2])

    student.open(partner.redirect_url(hostile))
    landing = student.text
    student.consent()
    student.press("Start")
    student.answer_to_the_end()

    assert f"Hello {hostile.name}." in landing
    assert project in landing
    assert hostile.name in student.heading
    assert student.recommended
    assert set(student.recommended) <= set(PAYLOADS)
    [record] = partner.assessments(hostile.email)
    assert record["Recommendations"] == student.recommended
    assert student.page.locator("iframe, img, main script").count() == 0
