"""The command that makes a project's catalogue what a file says."""

import pytest
from django.core.management import CommandError

from partners.models import AuditEvent
from tests.assessments.catalogues import GOOD, HEADER, file
from tests.factories import CourseFactory
from tests.support.commands import run

ZOOLOGY = "ZOO,B.Sc. Zoology,20"

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def load(project, tmp_path):
    """Give a function that loads a file, and returns what stood on stdout and stderr."""

    def load(content, *options):
        path = tmp_path / "courses.csv"
        path.write_bytes(content)
        return run("load_courses", project.project_id, str(path), *options)

    return load


def with_columns(columns, *cells):
    return file(",".join(["BOT,Botany,1", *cells]), header=f"{HEADER},{columns}")


def test_it_works(load, project, other_project):
    old = CourseFactory.create(
        project=project, code="BOT", name="Old name", order=1, fields=["art"], fields_proposed=True
    )
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


def test_without_codes_a_course_is_known_by_its_name_and_keeps_what_was_chosen(load, project):
    CourseFactory.create(project=project, code="c002", name="B.A. History", is_active=False)
    load(file("B.Sc. Botany", "B.Sc. Zoology", header="Programme"))
    project.courses.filter(name="B.Sc. Zoology").update(fields=["art"], fields_proposed=False)

    load(file("B.A. Hindi", "BSc  Botany", "B.Sc. Zoology", "B.A. History", header="Programme"))

    courses = project.courses.order_by("order").values_list("code", "name", "is_active")
    assert list(courses) == [
        ("C004", "B.A. Hindi", True),
        ("C001", "BSc Botany", True),
        ("C003", "B.Sc. Zoology", True),
        ("c002", "B.A. History", True),
    ]
    assert project.courses.get(code="C003").fields == ["art"]


def test_a_column_that_is_left_out_keeps_what_a_course_has(load, project):
    load(with_columns("department", "Life Sciences"))
    facts = {"numerical_level": 2, "numerical_importance": 1, "streams": ["arts"]}
    project.courses.update(**facts, fields=["art"], fields_proposed=False)

    load(file("BOT,Plant Science,1"))
    course = project.courses.get()
    assert (course.name, course.department) == ("Plant Science", "Life Sciences")
    assert (course.numerical_level, course.numerical_importance) == (2, 1)
    assert (course.streams, course.fields) == (["arts"], ["art"])

    load(with_columns("department", ""))
    assert project.courses.get().department == ""


@pytest.mark.parametrize("options", [(), ("--check",)])
@pytest.mark.parametrize(
    ("content", "faults"),
    [
        (file(), ["headings but no course"]),
        (file(ZOOLOGY, ",Che,x", "CHE,Chem,y"), [
            "was not loaded", "\nCode is empty: row 3", "Order is “x”", "Order is “y”"]),
        (with_columns("about_hi,leads_to_hi,url", "a" * 141, "a;b;c;d", "javascript:x"), [
            "\nAbout: The text “hi” has 141 char", "\nLeads to: The list “hi” has 4 entries",
            "\nCourse page: Enter one"]),
    ],
    ids=["header alone", "rows", "texts"],
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

    # An empty cell chooses nothing, and clears the subjects.
    load(with_columns(columns, "", ""))
    assert state() == (["nature", "art", "life_science"], False, [])

    load(with_columns("fields", "life_science;nature"))
    assert state() == (["life_science", "nature"], False, [])


def test_a_name_that_says_nothing_waits_for_a_field_and_stops_nothing(load, project):
    content = file(GOOD, "FND,Foundation Year,2")

    _, err = load(content)

    assert "Field missing, so inactive: FND  Foundation Year" in err
    foundation = project.courses.get(code="FND")
    assert (foundation.fields, foundation.is_active) == ([], False)
    project.courses.filter(code="FND").update(fields=["art"], is_active=True)
    load(content)
    foundation.refresh_from_db()
    assert (foundation.fields, foundation.is_active) == (["art"], True)


def test_the_entry_level_of_a_new_course_is_proposed_from_its_name(load, project):
    CourseFactory.create(project=project, code="OLD", name="M.A. History", entry_level="")
    header = f"{HEADER},entry_level"

    load(file("OLD,M.A. History,1,", "M,M.Sc. Botany,2,", "N,MBA,3,class-12", "B,B.Sc. Botany,4,",
              header=header))  # fmt: skip

    levels = dict(project.courses.values_list("code", "entry_level"))
    assert levels == {"OLD": "", "M": "degree", "N": "class-12", "B": ""}


def test_codes_compare_without_case(load, project):
    CourseFactory.create(project=project, code="Bot", name="Old", fields=["nature"])

    load(file(GOOD))

    assert [(each.code, each.name) for each in project.courses.all()] == [("Bot", "B.Sc. Botany")]


def test_columns_and_a_sheet_are_chosen_by_options(load, project):
    content = file("7,BOT,Botany", header="Roll,Short,Long")

    load(content, "--map", "code=Short", "--map", "name=Long")

    assert [(each.code, each.name) for each in project.courses.all()] == [("BOT", "Botany")]
    for wrong in ("short=Short", "code"):
        with pytest.raises(CommandError):
            load(content, "--map", wrong)
