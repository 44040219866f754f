"""A catalogue in the admin: compared, loaded, downloaded, previewed, and taken back."""

import pytest

from assessments.catalogue.catalogue import Catalogue
from assessments.catalogue.course_rows import COURSES, parse
from assessments.catalogue.headers import read_table
from assessments.models import CatalogueSnapshot
from assessments.models.course_description import FILE_COLUMNS
from partners.models import AuditEvent
from tests.assessments.catalogue_pages import EDITOR, link, names, now, press, send, url, words
from tests.assessments.catalogues import HEADER, file
from tests.factories import BY, CourseFactory
from tests.support.admin_forms import edit

pytestmark = pytest.mark.django_db

WITH_FIELDS = f"{HEADER},fields"


def catalogue_of(project, count):
    """Load a catalogue of so many courses; return the lines of its file."""
    lines = [f"C{number:03},Course {number},{number},maths" for number in range(count)]
    Catalogue(project).load(parse(file(*lines, header=WITH_FIELDS)), by=BY)
    return [WITH_FIELDS.encode(), *(line.encode() for line in lines)]


@pytest.fixture
def editor(staff):
    return staff(*EDITOR)


def test_a_file_is_compared_first_and_then_loaded(editor, project):
    catalogue_of(project, 6)
    before = now(project)
    kept = [f"C{number:03},Course {number},{number},maths" for number in range(1, 5)]
    first = "C000,Course 0,0,machines; maths"

    page = send(editor, project, file(first, "NEW,Botany,9,nature", *kept, header=WITH_FIELDS))

    said = words(page)
    assert "1 added, 1 changed, 1 deactivated ; 4 unchanged." in said
    assert "Would become inactive C005: Course 5" in said
    assert "Would be added NEW: Botany" in said
    assert "C000: Course 0 Fields of work Maths Machines; Maths Load the file" in said
    assert now(project) == before

    answer = press(editor, page)

    assert "Saved: 1 added, 1 changed, 1 deactivated." in words(answer)
    assert answer.request["PATH_INFO"] == url("catalogue", project)
    assert set(names(project)) == {"C000", "NEW", *(f"C{number:03}" for number in range(1, 5))}
    event = AuditEvent.objects.filter(action="courses.loaded").latest("pk")
    assert event.actor == f"staff:{editor.session['_auth_user_id']}"
    codes = {"added": ["NEW"], "changed": ["C000"], "deactivated": ["C005"]}
    assert event.details["codes"] == codes


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_what_is_downloaded_changes_nothing_when_it_is_loaded(editor, project, suffix):
    Catalogue(project).load(parse(file("P,Nursing,1", "Q,Law,2")), by=BY)
    CourseFactory.create(
        project=project,
        code="=BOT",
        name="Botany, with “quotes” and ; a semicolon",
        fields=["nature", "maths"],
        numerical_level=2,
        numerical_importance=1,
        entry_level="class-12",
        streams=["science-maths", "science-biology"],
        required_streams=["science-biology"],
        delivery=["doing"],
        department="Biology",
        about={"en": "Plants.", "hi": "पौधे।"},
        leads_to={"en": ["Gardener", "Botanist"]},
        url="https://college.example/botany",
    )
    CourseFactory.create(project=project, code="GONE", is_active=False)
    before = now(project)

    answer = editor.get(url("download", project), {"csv": ""} if suffix == "csv" else {})
    content = answer.getvalue()

    name = f'attachment; filename="courses-{project.project_id}.{suffix}"'
    assert answer["Content-Disposition"] == name
    assert read_table(content, COURSES).headings == list(FILE_COLUMNS)
    assert "Nothing would change." in words(send(editor, project, content))
    assert now(project) == before


def test_a_change_after_the_comparison_is_shown_and_not_lost(editor, project):
    lines = catalogue_of(project, 6)
    page = send(editor, project, b"\n".join([*lines, b"NEW,Botany,9,maths"]))
    edit(editor, url("change", project.courses.get(code="C001")), {"name": "Renamed"})

    refused = press(editor, page)

    assert "The catalogue has changed" in words(refused)
    assert "C001: Course 1 Name Renamed Course 1" in words(refused)
    assert names(project)["C001"] == "Renamed"
    assert "NEW" not in names(project)
    press(editor, refused)
    assert names(project)["C001"] == "Course 1"


def test_back_to_the_catalogue_of_before(editor, project):
    catalogue_of(project, 6)
    texts = {"about_en": "Numbers."}
    edit(editor, url("change", project.courses.get(code="C002")), texts)
    was = now(project)
    botany = file("NEW,Botany,9,maths", header=WITH_FIELDS)
    press(editor, send(editor, project, botany), missing="deactivate")
    assert set(names(project)) == {"NEW"}

    history = editor.get(link(editor.get(url("catalogue", project)), "Earlier catalogues"))
    assert len(history.context["rows"]) == 3
    answer = press(editor, editor.get(link(history, "Compare with today's")))

    assert "Saved: 6 changed, 1 deactivated." in words(answer)
    assert {code: course for code, course in now(project).items() if code != "NEW"} == was
    event = AuditEvent.objects.latest("pk")
    assert event.action == "courses.restored"
    assert event.reason.startswith("as on ")


def test_a_catalogue_that_todays_rules_refuse_is_not_restored(editor, project):
    catalogue_of(project, 6)
    old = CatalogueSnapshot.objects.current(project)
    old.courses[0]["entry_level"] = "class-8"
    old.save()
    catalogue_of(project, 5)

    answer = press(editor, editor.get(url("restore", project, old)))

    assert "C000: entry_level: Value 'class-8' is not a valid choice." in words(answer)
    assert project.courses.active().count() == 5


def test_who_has_most_courses_missing_says_what_becomes_of_them(editor, project):
    lines = catalogue_of(project, 10)
    fewer = b"\n".join([*lines[:-3], b"NEW,Botany,,nature"])

    page = send(editor, project, fewer)
    assert "3 of 10 active courses are not in the file" in words(page)
    refused = press(editor, page)
    assert "Choose what happens to the courses that are not in the file." in words(refused)
    assert len(names(project)) == 10
    press(editor, refused, missing="add")
    assert len(names(project)) == 11
    assert project.courses.get(code="NEW").order > 9
    press(editor, send(editor, project, fewer), missing="deactivate")
    assert len(names(project)) == 8


def test_of_rows_with_one_name_one_is_kept_unless_the_user_keeps_all(editor, project):
    content = file("1,B.Com.,1", "2,B.Com,2", "3,Law,3")

    page = send(editor, project, content)
    assert "B.Com.: 2 rows" in words(page)
    press(editor, page)
    assert names(project) == {"1": "B.Com.", "3": "Law"}
    press(editor, send(editor, project, content), repeated="all")
    assert set(names(project)) == {"1", "2", "3"}
    # All are active, so all are proposed to stay: a file loaded again changes nothing.
    assert "Nothing would change." in words(send(editor, project, content))


def test_a_missing_field_is_chosen_and_proposals_are_confirmed_where_courses_are_compared(
    editor, project
):
    page = send(editor, project, file("BOT,Botany,1", "FND,Foundation Year,2", "XYZ,Zzz,3"))
    assert "FND: Foundation Year" in words(page)
    refused = press(editor, page, **{"field-FND": "astrology"})
    assert (refused.status_code, project.courses.exists()) == (200, False)

    press(editor, page, **{"field-FND": "art", "fields-checked": "on"})

    stored = project.courses.order_by("code").values_list("code", "fields", "is_active")
    assert [(code, fields[:1], active) for code, fields, active in stored] == [
        *(("BOT", ["life_science"], True), ("FND", ["art"], True), ("XYZ", [], False)),
    ]
    assert not project.courses.filter(fields_proposed=True).exists()


def test_codes_that_lost_their_zeros_are_named(editor, project):
    CourseFactory.create(project=project, code="001", name="Botany", fields=["nature"])
    CourseFactory.create(project=project, code="002", name="Law", fields=["law"])

    page = send(editor, project, file("1,Botany,1", "2,Zoology,2"))

    assert page.context["differences"]["respelled"] == [("001", "1", "Botany")]
    assert "001, now 1: Botany" in words(page)


def test_a_catalogue_is_previewed_for_simulated_students(editor, project, bank):
    catalogue_of(project, 6)
    CourseFactory.create(project=project, code="LAW", name="Law", fields=["law"])

    preview = editor.get(url("catalogue", project), {"preview": "1"}).context["preview"]

    of_100_lists = {"Course 4": 52, "Law": 48, "Course 5": 0}
    assert dict(preview["standings"][4:]) == of_100_lists
    assert preview["never"] == ["Course 5"]
    assert preview["often"] == [*(f"Course {number}" for number in range(5)), "Law"]


def test_previews_follow_who_takes_the_assessment(editor, project, bank):
    science = CourseFactory.create(project=project, name="B.Sc.")
    masters = CourseFactory.create(project=project, name="M.Sc.", entry_level="degree")

    page = editor.get(url("catalogue", project), {"preview": "1"})
    theirs, others = (
        editor.get(url("change", each)).context["preview"] for each in (science, masters)
    )

    assert page.context["preview"]["standings"] == [("B.Sc.", 100)]
    assert "1 active course is left out: school leavers take the assessment." in words(page)
    assert {sample["place"] for sample in theirs["samples"]} == {1}  # a student of each field
    assert any(sample["reasons"] for sample in theirs["samples"])
    assert (others["courses"], others["suits"]) == (1, False)


def test_who_onboards_may_load_the_first_courses_and_no_others(staff, project):
    onboarding = ("partners.add_project", "tokens.issue_token", "assessments.view_course")
    client = staff(*onboarding)

    press(client, send(client, project, file("BOT,Botany,1")))

    assert names(project) == {"BOT": "Botany"}
    assert client.get(url("load", project)).status_code == 403
    assert staff("assessments.view_course").get(url("load", project)).status_code == 403
