"""The command that makes a project's catalogue what a file says."""

import pytest
from django.core.management import CommandError

from partners.models import AuditEvent
from tests.assessments.catalogues import GOOD, HEADER, file
from tests.factories import CourseFactory
from tests.support.commands import run

ZOOLOGY = "ZOO,B.Sc. Zoology,20"
TEXTS = f"{HEADER},about_hi,leads_to_hi,url"

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def load(project, tmp_path):
    """Give a function that loads a file, and returns what stood on stdout and stderr."""

    def load(content, *options):
        path = tmp_path / "courses.csv"
        path.write_bytes(content)
        return run("load_courses", project.project_id, str(path), *options)

    return load


def test_it_works(load, project, other_project):
    old = CourseFactory.create(
        project=project, code="BOT", name="Old name", order=1, fields=["art"], fields_proposed=True
    )
    theirs = CourseFactory.create(project=other_project, code="BOT", name="Theirs")

    out, err = load(file(GOOD, ZOOLOGY, "FND,Foundation Year,2"))

    botany, foundation, zoology = project.courses.order_by("code")
    assert out == ""
    assert "added 2, changed 1" in err
    assert "Field missing, so inactive: FND  Foundation Year" in err
    assert (foundation.fields, foundation.is_active) == ([], False)
    assert (botany.pk, botany.name, botany.order) == (old.pk, "B.Sc. Botany", 10)
    assert botany.fields[0] == "life_science"
    assert zoology.is_active
    event = AuditEvent.objects.about(project).get(action="courses.loaded")
    assert event.actor.startswith("command:")
    assert event.project == project
    theirs.refresh_from_db()
    assert (theirs.name, theirs.is_active) == ("Theirs", True)


@pytest.mark.parametrize("options", [(), ("--check",)])
@pytest.mark.parametrize(
    ("content", "faults"),
    [
        (file(), ["headings but no course"]),
        (file(ZOOLOGY, ",Che,x", "CHE,Chem,y"), [
            "was not loaded", "\nCode is empty: row 3", "Order is “x”", "Order is “y”"]),
        (file(f"B,Botany,1,{'a' * 141},a;b;c;d,javascript:x", header=TEXTS), [
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


def test_columns_and_a_sheet_are_chosen_by_options(load, project):
    content = file("7,BOT,Botany", header="Roll,Short,Long")

    load(content, "--map", "code=Short", "--map", "name=Long")

    assert [(each.code, each.name) for each in project.courses.all()] == [("BOT", "Botany")]
    for wrong in ("short=Short", "code"):
        with pytest.raises(CommandError):
            load(content, "--map", wrong)
