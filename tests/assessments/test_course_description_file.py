"""What students read about a course, in a catalogue file: set, kept, cleared, or refused."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from assessments.catalogue.courses_file import CatalogueFault, parse
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


def test_a_missing_column_changes_nothing(project: Project, tmp_path: Path) -> None:
    load(project, tmp_path, TEXTS, CELLS)
    before = described(project)

    assert load(project, tmp_path, "department", "")["unchanged"] == 1
    assert described(project) == before

    assert load(project, tmp_path, "about_hi", "ऐप बनाना।")["changed"] == 1
    assert described(project) == ({"en": "Write programs.", "hi": "ऐप बनाना।"}, *before[1:])


def test_an_empty_cell_clears_its_language_alone(project: Project, tmp_path: Path) -> None:
    load(project, tmp_path, TEXTS, CELLS)

    load(project, tmp_path, "about_hi,leads_to,apply_url", ",,")

    assert described(project) == (
        {"en": "Write programs."},
        {"hi": ["वेब डेवलपर"]},
        "https://college.example.edu/bca",
        "",
    )


@pytest.mark.parametrize(
    ("column", "cell", "fault"),
    [
        ("about", "a" * 141, "about has 141 characters; shorten it to 140."),
        ("about_hi", "ग\u202eणित", "about_hi holds a character that can't be shown (U+202E"),
        ("leads_to", "a;b;c;d", "leads_to has 4 entries; keep at most 3."),
        (
            "leads_to_hi",
            f"a;{'b' * 41}",
            "entry 2 of leads_to_hi has 41 characters; shorten it to 40.",
        ),
        ("url", "college.example.edu", "url: Enter one address that starts with https:// or http"),
        ("url", "javascript:alert(1)", "url: Enter one address that starts with https:// or http"),
        ("apply_url", "https://a:b@evil.example", "apply_url: Remove the user name and the @"),
    ],
)
def test_a_bad_cell_is_named_with_its_line(
    project: Project, tmp_path: Path, column: str, cell: str, fault: str
) -> None:
    with pytest.raises(CommandError) as refused:
        load(project, tmp_path, column, cell)

    assert f"\nLine 2: {fault}" in str(refused.value)
    assert not project.courses.exists()


def test_a_language_that_pages_do_not_have_is_an_unknown_column(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load(project, tmp_path, "about_fr", "Écrire des programmes.")

    assert "Ignored unknown columns: about_fr." in capsys.readouterr().err
    assert described(project) == ({}, {}, "", "")


def test_a_column_may_not_come_twice() -> None:
    with pytest.raises(CatalogueFault, match="The header has about_hi more than once"):
        parse(b"code,name,order,about_hi,about_hi\nBCA,Computer Applications,1,a,b\n")
