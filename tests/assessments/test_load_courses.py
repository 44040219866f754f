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
from tests.assessments.test_catalogue_file import GOOD, file
from tests.factories import CourseFactory

ZOOLOGY = "ZOO,B.Sc. Zoology,20,1,3,0,1,0,0"

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
    assert (botany.name, botany.order, botany.investigative) == ("B.Sc. Botany", 10, 3)
    assert zoology.is_active


def test_counts_as_json(project: Project, tmp_path: Path) -> None:
    load(project, file(GOOD, ZOOLOGY, "OLD,Old,1,3,0,0,0,0,0"), tmp_path)

    changed = ZOOLOGY.replace("Zoology", "Animal Science")
    out, err = load(project, file(GOOD, changed, "NEW,New,1,3,0,0,0,0,0"), tmp_path, "--json")

    assert json.loads(out) == {"added": 1, "changed": 1, "unchanged": 1, "deactivated": 1}
    assert err == ""


def test_the_code_is_the_key(project: Project, tmp_path: Path) -> None:
    course = CourseFactory.create(project=project, code="BOT", name="Old name", realistic=3)

    load(project, file(GOOD), tmp_path)

    course.refresh_from_db()
    assert course.name == "B.Sc. Botany"
    assert (course.realistic, course.investigative) == (2, 3)
    assert project.courses.count() == 1


def test_a_course_that_is_gone_becomes_inactive_and_comes_back(
    project: Project, tmp_path: Path
) -> None:
    load(project, file(GOOD, ZOOLOGY), tmp_path)
    before = rows(project)

    load(project, file(GOOD), tmp_path)
    assert not project.courses.get(code="ZOO").is_active

    load(project, file(GOOD, ZOOLOGY), tmp_path)
    assert rows(project) == before


def test_the_same_file_again_changes_nothing(project: Project, tmp_path: Path) -> None:
    load(project, file(GOOD, ZOOLOGY), tmp_path)
    before = rows(project)

    out, _ = load(project, file(ZOOLOGY, GOOD), tmp_path, "--json")

    assert json.loads(out) == {"added": 0, "changed": 0, "unchanged": 2, "deactivated": 0}
    assert rows(project) == before


def test_all_or_nothing_and_each_bad_row_named(project: Project, tmp_path: Path) -> None:
    load(project, file(GOOD), tmp_path)
    before = rows(project)

    with pytest.raises(CommandError) as refused:
        load(project, file(ZOOLOGY, ",,x,9,0,0,0,0,0", "CHE,Chem,1,0,0,0,0,0,0"), tmp_path)

    message = str(refused.value)
    assert "was not loaded" in message
    for words in ("Line 3: code is empty", "Line 3: realistic is '9'", "Line 4: no interest"):
        assert words in message
    assert rows(project) == before


def test_check_names_faults_and_loads_nothing(project: Project, tmp_path: Path) -> None:
    out, _ = load(project, file(GOOD, ZOOLOGY), tmp_path, "--check", "--json")

    assert json.loads(out) == {"rows": 2}
    assert rows(project) == []
    with pytest.raises(CommandError, match="Line 2"):
        load(project, file("X,Y,1,0,0,0,0,0,0"), tmp_path, "--check")


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
        load(project, file(GOOD), tmp_path)

    assert rows(project) == before


def test_an_unknown_project(project: Project, tmp_path: Path) -> None:
    project.project_id = "prj_AAAAAAAAAAAAAAAA"

    with pytest.raises(CommandError, match="There is no project prj_AAAAAAAAAAAAAAAA"):
        load(project, file(GOOD), tmp_path)

    assert not Course.objects.exists()


def test_a_file_that_does_not_exist(project: Project, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"nothing\.csv can't be read: No such file"):
        call_command("load_courses", project.project_id, str(tmp_path / "nothing.csv"))
