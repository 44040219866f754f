"""The command that makes a project's catalogue what a file says."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessments.models import Course
from partners.models import AuditEvent, Project
from tests.assessments.test_catalogue_file import GOOD, HEADER, file
from tests.assessments.workbooks import workbook
from tests.factories import CourseFactory

ZOOLOGY = "ZOO,B.Sc. Zoology,20"

pytestmark = pytest.mark.django_db


def load(project: Project, content: bytes, tmp_path: Path, *options: str) -> tuple[str, str]:
    """Run the command; return what stood on stdout and stderr."""
    path = tmp_path / "courses.csv"
    path.write_bytes(content)
    out, err = io.StringIO(), io.StringIO()
    call_command("load_courses", project.project_id, str(path), *options, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def rows(project: Project) -> list[dict[str, Any]]:
    return list(project.courses.order_by("code").values())


def test_it_works(project: Project, tmp_path: Path) -> None:
    out, err = load(project, file(GOOD, ZOOLOGY), tmp_path)

    botany, zoology = project.courses.order_by("code")
    assert out == ""
    assert "added 2" in err
    assert (botany.name, botany.order, botany.fields[0]) == ("B.Sc. Botany", 10, "life_science")
    assert zoology.is_active


def test_the_code_is_the_key(project: Project, tmp_path: Path) -> None:
    course = CourseFactory.create(project=project, code="BOT", name="Old name", order=1)

    load(project, file(GOOD), tmp_path)

    course.refresh_from_db()
    assert (course.name, course.order) == ("B.Sc. Botany", 10)
    assert project.courses.count() == 1


def test_a_course_that_is_gone_becomes_inactive_and_comes_back(
    project: Project, tmp_path: Path
) -> None:
    load(project, file(GOOD, ZOOLOGY), tmp_path)
    before = rows(project)

    load(project, file(GOOD), tmp_path, "--yes")
    assert not project.courses.get(code="ZOO").is_active

    load(project, file(GOOD, ZOOLOGY), tmp_path)
    assert rows(project) == before


def test_the_same_file_again_changes_nothing(project: Project, tmp_path: Path) -> None:
    load(project, file(GOOD, ZOOLOGY), tmp_path)
    before = rows(project)

    out, _ = load(project, file(ZOOLOGY, GOOD), tmp_path, "--json")

    assert json.loads(out) == {"added": 0, "changed": 0, "unchanged": 2, "deactivated": 0}
    assert rows(project) == before


def test_a_header_alone_does_not_empty_the_catalogue(project: Project, tmp_path: Path) -> None:
    load(project, file(GOOD), tmp_path)

    with pytest.raises(CommandError, match="a header but no course"):
        load(project, file(), tmp_path)

    assert project.courses.get().is_active


def with_department(row: str, department: str) -> bytes:
    return file(f"{row},{department}", header=f"{HEADER},department")


def test_a_column_that_is_left_out_keeps_what_a_course_has(
    project: Project, tmp_path: Path
) -> None:
    load(project, with_department(GOOD, "Life Sciences"), tmp_path)
    project.courses.update(numerical_level=2, numerical_importance=1, streams=["arts"])

    load(project, file(GOOD.replace("Botany", "Plants")), tmp_path)
    load(project, with_department(ZOOLOGY.replace("ZOO", "BOT"), "Zoology"), tmp_path)

    course = project.courses.get()
    assert (course.name, course.department) == ("B.Sc. Zoology", "Zoology")
    assert (course.numerical_level, course.numerical_importance) == (2, 1)
    assert course.streams == ["arts"]


def test_an_empty_cell_takes_away_what_a_course_had(project: Project, tmp_path: Path) -> None:
    load(project, with_department(GOOD, "Life Sciences"), tmp_path)

    load(project, with_department(GOOD, ""), tmp_path)

    assert project.courses.get().department == ""


def test_all_or_nothing_and_each_bad_row_named(project: Project, tmp_path: Path) -> None:
    load(project, file(GOOD), tmp_path)
    before = rows(project)

    with pytest.raises(CommandError) as refused:
        load(project, file(ZOOLOGY, ",,x", "CHE,Chem,y"), tmp_path)

    message = str(refused.value)
    assert "was not loaded" in message
    for words in (
        "Line 3: code is empty",
        "Line 3: order is 'x'",
        "Line 4: order is 'y'",
    ):
        assert words in message
    assert rows(project) == before


def test_check_names_faults_and_loads_nothing(project: Project, tmp_path: Path) -> None:
    out, _ = load(project, file(GOOD, ZOOLOGY), tmp_path, "--check", "--json")

    assert json.loads(out) == {"added": 2, "changed": 0, "unchanged": 0, "deactivated": 0}
    assert rows(project) == []
    assert not AuditEvent.objects.filter(action="courses.loaded").exists()
    with pytest.raises(CommandError, match="Line 2"):
        load(project, file(",Y,1"), tmp_path, "--check")


def test_check_counts_the_courses_that_would_become_inactive(
    project: Project, tmp_path: Path
) -> None:
    load(project, file(GOOD, ZOOLOGY), tmp_path)

    out, _ = load(project, file(GOOD), tmp_path, "--check", "--json")

    assert json.loads(out)["deactivated"] == 1
    assert Course.objects.active().count() == 2


def test_other_projects_keep_theirs(
    project: Project, other_project: Project, tmp_path: Path
) -> None:
    theirs = CourseFactory.create(project=other_project, code="BOT", name="Theirs")

    load(project, file(GOOD), tmp_path)

    theirs.refresh_from_db()
    assert theirs.name == "Theirs"
    assert theirs.is_active


def test_it_leaves_an_audit_row(project: Project, tmp_path: Path) -> None:
    load(project, file(GOOD), tmp_path)

    event = AuditEvent.objects.about(project).get(action="courses.loaded")
    assert event.actor.startswith("command:")
    assert event.project == project


def test_a_load_that_fails_in_the_middle_leaves_nothing(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    CourseFactory.create(project=project, code="OLD")
    before = rows(project)

    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("no audit")

    monkeypatch.setattr(AuditEvent, "record", fail)
    with pytest.raises(RuntimeError, match="no audit"):
        load(project, file(GOOD), tmp_path, "--yes")

    assert rows(project) == before


def test_it_asks_before_it_deactivates_more_than_a_fifth(project: Project, tmp_path: Path) -> None:
    courses = CourseFactory.create_batch(10, project=project, fields=["machines"])
    lines = [f"{course.code},{course.name},{course.order}" for course in courses]
    before = rows(project)

    def keep(count: int, *options: str) -> None:
        load(project, file(*lines[:count], header="code,name,order"), tmp_path, *options)

    with pytest.raises(CommandError, match="no terminal to confirm at. Add --yes"):
        keep(7)
    assert rows(project) == before
    assert not AuditEvent.objects.exists()

    keep(8)
    assert project.courses.active().count() == 8
    keep(3, "--check")
    assert project.courses.active().count() == 8
    keep(3, "--yes")
    assert project.courses.active().count() == 3


def test_a_workbook_is_loaded_as_a_file_of_text_is(project: Project, tmp_path: Path) -> None:
    load(project, file(GOOD, ZOOLOGY), tmp_path)
    before = rows(project)

    out, _ = load(project, workbook(file(GOOD, ZOOLOGY)), tmp_path, "--json")

    assert json.loads(out)["unchanged"] == 2
    assert rows(project) == before
