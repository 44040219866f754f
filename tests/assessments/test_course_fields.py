"""Fields of a course in a catalogue file: chosen, proposed and kept."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from assessments.catalogue.courses_file import CatalogueFault, parse
from assessments.models import Course
from partners.models import Project
from tests.factories import CourseFactory

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def load(project: Project, tmp_path: Path, header: str, *rows: str, check: bool = False) -> str:
    """Run load_courses on these lines; return what it said."""
    path = tmp_path / "courses.csv"
    path.write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    said = io.StringIO()
    call_command("load_courses", project.project_id, str(path), check=check, stderr=said)
    return said.getvalue()


def course_of(project: Project) -> Course:
    return project.courses.get()


def test_a_file_gives_fields_in_their_order_and_required_subjects(
    project: Project, tmp_path: Path
) -> None:
    header = "code,name,order,fields,required_streams"
    load(project, tmp_path, header, "BOT,Botany,1, Nature ;art; life_science;,science-biology")

    course = course_of(project)
    assert course.fields == ["nature", "art", "life_science"]
    assert not course.fields_proposed
    assert course.required_streams == ["science-biology"]
    assert course.as_data.fields == ("nature", "art", "life_science")
    assert course.as_data.required_streams == ("science-biology",)


def test_the_ratings_of_other_systems_are_named_and_left_out(
    project: Project, tmp_path: Path
) -> None:
    said = load(project, tmp_path, "code,name,order,realistic,social", "BOT,Botany,1,1,3")

    course = course_of(project)
    assert (course.fields, course.fields_proposed) == (["life_science", "nature"], True)
    assert "Ignored unknown columns: realistic, social." in said
    assert "Courses with proposed fields: 1." in said


def test_an_empty_cell_proposes_fields_again_and_clears_subjects(
    project: Project, tmp_path: Path
) -> None:
    CourseFactory.create(project=project, code="BOT", fields=["design"], required_streams=["arts"])

    load(project, tmp_path, "code,name,order,fields,required_streams", "BOT,Botany,1,,")

    course = course_of(project)
    assert (course.fields, course.fields_proposed) == (["life_science", "nature"], True)
    assert course.required_streams == []


def test_fields_in_a_file_confirm_a_proposal(project: Project, tmp_path: Path) -> None:
    load(project, tmp_path, "code,name,order,fields", "BOT,Botany,1,")
    assert course_of(project).fields_proposed

    load(project, tmp_path, "code,name,order,fields", "BOT,Botany,1,life_science;nature")

    assert not course_of(project).fields_proposed


def test_a_check_lists_the_proposals_and_loads_nothing(project: Project, tmp_path: Path) -> None:
    said = load(
        project,
        tmp_path,
        "code,name,order,fields",
        "BOT,Botany,1,",
        "ART,Painting,2,art",
        check=True,
    )

    assert "Proposed fields" in said
    assert "BOT  Botany: life_science;nature" in said
    assert "ART" not in said
    assert not project.courses.exists()


def test_a_new_course_without_any_clue_is_refused(project: Project, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="FND: Choose a main field"):
        load(project, tmp_path, "code,name,order", "BOT,Botany,1", "FND,Foundation Year,2")

    assert not project.courses.exists()


@pytest.mark.parametrize(
    ("header", "row", "fault"),
    [
        ("fields", "botany", "Line 2: fields has 'botany', it must be one of: machines, building"),
        ("fields", "art;design;writing;media", "Line 2: fields has 4 fields; give at most 3."),
    ],
)
def test_a_bad_cell_is_named(header: str, row: str, fault: str) -> None:
    with pytest.raises(CatalogueFault) as refused:
        parse(f"code,name,order,{header}\nBOT,Botany,1,{row}\n".encode())

    assert refused.value.findings[0].startswith(fault)


@pytest.mark.parametrize("fields", ["art", ["botany"], ["art", "art"], ["art"] * 4, [["art"]]])
def test_a_course_takes_only_up_to_three_different_fields(fields: object) -> None:
    course = CourseFactory.create()
    course.fields = fields

    with pytest.raises(ValidationError) as refused:
        course.full_clean()

    assert "fields" in refused.value.message_dict
