"""The command that makes a project's catalogue what a file says."""

import io

import pytest
from django.core.management import CommandError, call_command

from partners.models import AuditEvent
from tests.assessments.catalogues import GOOD, HEADER, file
from tests.factories import CourseFactory

ZOOLOGY = "ZOO,B.Sc. Zoology,20"

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def load(project, tmp_path):
    """Give a function that loads a file, and returns what stood on stdout and stderr."""

    def load(content, *options):
        path = tmp_path / "courses.csv"
        path.write_bytes(content)
        out, err = io.StringIO(), io.StringIO()
        call_command(
            "load_courses", project.project_id, str(path), *options, stdout=out, stderr=err
        )
        return out.getvalue(), err.getvalue()

    return load


def with_columns(columns, *cells):
    """Return a file of one course with these further columns."""
    return file(",".join(["BOT,Botany,1", *cells]), header=f"{HEADER},{columns}")


def test_it_works(load, project, other_project):
    old = CourseFactory.create(project=project, code="BOT", name="Old name", order=1, fields=[])
    theirs = CourseFactory.create(project=other_project, code="BOT", name="Theirs")

    out, err = load(file(GOOD, ZOOLOGY))

    botany, zoology = project.courses.order_by("code")
    assert out == ""
    assert "added 1, changed 1" in err
    assert (botany.pk, botany.name, botany.order) == (old.pk, "B.Sc. Botany", 10)
    assert botany.fields[0] == "life_science"
    assert zoology.is_active
    event = AuditEvent.objects.about(project).get(action="courses.loaded")
    assert event.actor.startswith("command:")
    assert event.project == project
    theirs.refresh_from_db()
    assert (theirs.name, theirs.is_active) == ("Theirs", True)


def test_a_column_that_is_left_out_keeps_what_a_course_has(load, project):
    load(with_columns("department", "Life Sciences"))
    project.courses.update(numerical_level=2, numerical_importance=1, streams=["arts"])

    load(file("BOT,Plants,1"))
    course = project.courses.get()
    assert (course.name, course.department) == ("Plants", "Life Sciences")
    assert (course.numerical_level, course.numerical_importance) == (2, 1)
    assert course.streams == ["arts"]

    load(with_columns("department", ""))
    assert project.courses.get().department == ""


@pytest.mark.parametrize("options", [(), ("--check",)])
@pytest.mark.parametrize(
    ("content", "faults"),
    [
        (file(), ["a header but no course"]),
        (file(ZOOLOGY, ",,x", "CHE,Chem,y"), [
            "was not loaded", "Line 3: code is empty", "Line 3: order is 'x'",
            "Line 4: order is 'y'"]),
        (file("BOT,Botany,1", "FND,Foundation Year,2"), ["FND: Choose a main field"]),
        (with_columns("about_hi,leads_to_hi,url", "a" * 141, "a;b;c;d", "javascript:x"), [
            "\nLine 2: about_hi has 141 characters", "\nLine 2: leads_to_hi has 4 entries",
            "\nLine 2: url: Enter one"]),
    ],
    ids=["header alone", "rows", "no clue to fields", "texts"],
)  # fmt: skip
def test_all_or_nothing_and_each_fault_named(load, options, content, faults, rows):
    load(file(GOOD))
    before = rows()

    with pytest.raises(CommandError) as refused:
        load(content, *options)

    assert [fault for fault in faults if fault not in str(refused.value)] == []
    assert rows() == before


def test_it_asks_before_it_deactivates_more_than_a_fifth(load, project, rows):
    courses = CourseFactory.create_batch(10, project=project, fields=["machines"])
    lines = [f"{course.code},{course.name},{course.order}" for course in courses]
    before = rows()

    with pytest.raises(CommandError, match="no terminal to confirm at. Add --yes"):
        load(file(*lines[:7]))
    assert rows() == before

    load(file(*lines[:8]))
    assert project.courses.active().count() == 8
    load(file(*lines[:3]), "--check")
    assert project.courses.active().count() == 8
    load(file(*lines[:3]), "--yes")
    assert project.courses.active().count() == 3


def test_a_file_gives_fields_in_their_order_or_has_them_proposed(load, project):
    def state():
        course = project.courses.get()
        return course.fields, course.fields_proposed, course.required_streams

    columns = "fields,required_streams"
    load(with_columns(columns, " Nature ;art; life_science;", "science-biology"))
    assert state() == (["nature", "art", "life_science"], False, ["science-biology"])

    # An empty cell proposes fields again and clears the subjects.
    load(with_columns(columns, "", ""))
    assert state() == (["life_science", "nature"], True, [])

    load(with_columns("fields", "life_science;nature"))
    assert state() == (["life_science", "nature"], False, [])
