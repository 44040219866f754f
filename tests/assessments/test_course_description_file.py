"""What students read about a course, in a catalogue file: set, kept, cleared, or refused."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from assessments.models import Course
from partners.models import Project

TEXTS = "about,about_hi,leads_to,leads_to_hi,url,apply_url"
CELLS = (
    "Write programs.,प्रोग्राम लिखना।,web developer; tester ;;tester,वेब डेवलपर,"
    "https://college.example.edu/bca,http://apply.example.edu/bca"
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def load(project: Project, tmp_path: Path, header: str, cells: str) -> dict[str, int]:
    """Load a file with one course and these columns; return the counts."""
    path = tmp_path / "courses.csv"
    path.write_text(f"code,name,order,{header}\nBCA,Computer Applications,1,{cells}\n", "utf-8")
    out = io.StringIO()
    call_command("load_courses", project.project_id, str(path), json=True, stdout=out)
    counts: dict[str, int] = json.loads(out.getvalue())
    return counts


def described(project: Project) -> tuple[object, ...]:
    course: Course = project.courses.get()
    return course.about, course.leads_to, course.url, course.apply_url


def test_a_file_describes_a_course_in_each_language(project: Project, tmp_path: Path) -> None:
    assert load(project, tmp_path, TEXTS, CELLS)["added"] == 1

    assert described(project) == (
        {"en": "Write programs.", "hi": "प्रोग्राम लिखना।"},
        {"en": ["web developer", "tester"], "hi": ["वेब डेवलपर"]},
        "https://college.example.edu/bca",
        "http://apply.example.edu/bca",
    )
    assert load(project, tmp_path, TEXTS, CELLS)["unchanged"] == 1


def test_an_empty_cell_clears_its_language_alone(project: Project, tmp_path: Path) -> None:
    load(project, tmp_path, TEXTS, CELLS)

    load(project, tmp_path, "about_hi,leads_to,apply_url", ",,")

    assert described(project) == (
        {"en": "Write programs."},
        {"hi": ["वेब डेवलपर"]},
        "https://college.example.edu/bca",
        "",
    )


def test_bad_cells_are_named_with_their_line(project: Project, tmp_path: Path) -> None:
    with pytest.raises(CommandError) as refused:
        load(project, tmp_path, "about_hi,leads_to_hi,url", f"{'a' * 141},a;b;c;d,javascript:x")

    for column in ("about_hi has 141 characters", "leads_to_hi has 4 entries", "url: Enter one"):
        assert f"\nLine 2: {column}" in str(refused.value)
    assert not project.courses.exists()
