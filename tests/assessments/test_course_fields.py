"""Fields of a course in a catalogue file: chosen, proposed, kept, and ratings that follow them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from assessments.catalogue.courses_file import CatalogueFault, parse
from assessments.catalogue.field_choices import FIELD_CHOICES
from assessments.measurement.fields import FIELDS
from assessments.models import Course
from partners.models import Project
from tests.factories import CourseFactory

RATINGS = "realistic,investigative,artistic,social,enterprising,conventional"

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


def ratings(course: Course) -> str:
    return " ".join(str(rating) for rating in course.ratings.ratings)


def test_editors_choose_among_all_fields() -> None:
    assert list(FIELD_CHOICES) == list(FIELDS)
    assert len({choice.name for choice in FIELD_CHOICES.values()}) == len(FIELDS)


def test_a_file_gives_fields_in_their_order_and_required_subjects(
    project: Project, tmp_path: Path
) -> None:
    header = "code,name,order,fields,required_streams"
    load(project, tmp_path, header, "BOT,Botany,1, Nature ;art; life_science;,science-biology")

    course = course_of(project)
    assert course.fields == ["nature", "art", "life_science"]
    assert not course.fields_proposed
    assert course.required_streams == ["science-biology"]
    assert course.ratings.fields == ("nature", "art", "life_science")
    assert course.ratings.required_streams == ("science-biology",)
    assert ratings(course) == "3 3 2 0 0 0"


def test_an_old_file_gets_proposed_fields_and_keeps_its_ratings(
    project: Project, tmp_path: Path
) -> None:
    said = load(project, tmp_path, f"code,name,order,{RATINGS}", "BOT,Botany,1,1,3,0,0,0,0")

    course = course_of(project)
    assert course.fields == ["life_science", "nature"]
    assert course.fields_proposed
    assert ratings(course) == "1 3 0 0 0 0"
    assert "Courses with proposed fields: 1." in said


def test_a_missing_column_keeps_the_fields_an_editor_chose(
    project: Project, tmp_path: Path
) -> None:
    CourseFactory.create(
        project=project, code="BOT", fields=["design"], required_streams=["arts"], artistic=1
    )

    load(project, tmp_path, "code,name,order", "BOT,Botany,1")

    course = course_of(project)
    assert (course.name, course.fields, course.fields_proposed) == ("Botany", ["design"], False)
    assert course.required_streams == ["arts"]
    assert ratings(course) == "3 0 1 0 0 0"


def test_an_empty_cell_proposes_fields_again_and_clears_subjects(
    project: Project, tmp_path: Path
) -> None:
    CourseFactory.create(
        project=project, code="BOT", fields=["design"], required_streams=["arts"], artistic=1
    )

    load(project, tmp_path, "code,name,order,fields,required_streams", "BOT,Botany,1,,")

    course = course_of(project)
    assert (course.fields, course.fields_proposed) == (["life_science", "nature"], True)
    assert course.required_streams == []
    assert ratings(course) == "3 0 1 0 0 0"


def test_fields_in_a_file_confirm_a_proposal(project: Project, tmp_path: Path) -> None:
    load(project, tmp_path, "code,name,order,fields", "BOT,Botany,1,")
    assert course_of(project).fields_proposed

    load(project, tmp_path, "code,name,order,fields", "BOT,Botany,1,life_science;nature")

    assert not course_of(project).fields_proposed


def test_empty_ratings_are_derived_and_follow_the_fields(project: Project, tmp_path: Path) -> None:
    header = f"code,name,order,fields,{RATINGS}"
    load(project, tmp_path, header, "BOT,Botany,1,nature,,,,,,")
    assert ratings(course_of(project)) == "3 3 0 0 0 0"

    load(project, tmp_path, "code,name,order,fields", "BOT,Botany,1,care")
    assert ratings(course_of(project)) == "0 0 0 3 0 0"

    load(project, tmp_path, header, "BOT,Botany,1,care,1,0,0,3,0,0")
    load(project, tmp_path, "code,name,order,fields", "BOT,Botany,1,art")
    assert ratings(course_of(project)) == "1 0 0 3 0 0"


def test_a_proposal_loaded_twice_changes_nothing(project: Project, tmp_path: Path) -> None:
    load(project, tmp_path, "code,name,order,fields", "BOT,Botany,1,")

    assert "changed 0, unchanged 1" in load(
        project, tmp_path, "code,name,order,fields", "BOT,Botany,1,"
    )


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
    with pytest.raises(CommandError, match="FND: Choose a main field, or give the six ratings"):
        load(project, tmp_path, "code,name,order", "BOT,Botany,1", "FND,Foundation Year,2")

    assert not project.courses.exists()


@pytest.mark.parametrize(
    ("header", "row", "fault"),
    [
        ("fields", "botany", "Line 2: fields has 'botany', it must be one of: machines, building"),
        ("fields", "art;design;writing;media", "Line 2: fields has 4 fields; give at most 3."),
        ("required_streams", "maths", "Line 2: required_streams has 'maths', it must be one of:"),
        (RATINGS, "3,,,,,", "Line 2: investigative is '', it must be a whole number 0-3."),
        ("realistic,social", "3,0", "The header lacks investigative, artistic"),
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
