"""A catalogue as a file: compared, loaded, downloaded; and the way back to an earlier one."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from assessments.catalogue.course_description import columns_of
from assessments.catalogue.courses_file import KNOWN_COLUMNS, parse
from assessments.models import Course
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from assessments.models.catalogues import Catalogue
from partners.models import AuditEvent, Project
from tests.assessments.test_catalogue_file import file
from tests.assessments.two_stages import publish_field_bank
from tests.assessments.workbooks import workbook
from tests.factories import CourseFactory, UserFactory
from tests.support.admin_forms import edit, opened

pytestmark = pytest.mark.django_db
WHO = {"actor": "command:tests"}
HEADER = "code,name,order,fields"


@pytest.fixture
def editor() -> Client:
    user = UserFactory.create(is_staff=True, username="priya")
    names = ("view_course", "change_course", "add_course")
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    client = Client()
    client.force_login(user)
    return client


def catalogue_of(project: Project, count: int) -> list[bytes]:
    """Load a catalogue of so many courses; return the lines of its file."""
    lines = [f"C{number:03},Course {number},{number},maths" for number in range(count)]
    Catalogue(project).load(parse(file(*lines, header=HEADER)), **WHO)
    return [line.encode() for line in lines]


def send(client: Client, project: Project, content: bytes) -> Any:
    """Send a file, and follow to the page that compares it."""
    sent = {"file": SimpleUploadedFile("courses.csv", content)}
    return client.post(
        reverse("admin:assessments_course_load", args=[project.pk]), sent, follow=True
    )


def press(client: Client, page: Any, **ticked: str) -> Any:
    """Press the button of a page that compares."""
    seen = re.search(r'name="seen" value="([0-9a-f]{64})"', page.content.decode())
    assert seen
    return client.post(page.request["PATH_INFO"], {"seen": seen[1], **ticked}, follow=True)


def words(answer: Any) -> str:
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split()))


def change_page(course: Course) -> str:
    return reverse("admin:assessments_course_change", args=[course.pk])


def catalogue_page(project: Project) -> str:
    return reverse("admin:assessments_course_catalogue", args=[project.pk])


def link(page: Any, text: str) -> str:
    """Return the address of the link with this text."""
    found = re.findall(r'<a\s[^>]*href="([^"]*)"[^>]*>\s*' + text + r"\s*</a>", words_of(page))
    assert found, text
    return html.unescape(found[0])


def names(project: Project) -> dict[str, str]:
    return dict(project.courses.active().values_list("code", "name"))


def now(project: Project) -> Mapping[str, Any]:
    return {each.code: columns_of(each.stored) for each in project.courses.all()}


@pytest.mark.parametrize("as_workbook", [False, True])
def test_a_file_is_compared_first_and_then_loaded(
    editor: Client, project: Project, as_workbook: bool
) -> None:
    catalogue_of(project, 6)
    before = now(project)
    kept = [f"C{number:03},Course {number},{number},maths" for number in range(1, 5)]
    text = file("C000,Course 0,0,machines; maths", "NEW,Botany,9,nature", *kept, header=HEADER)

    page = send(editor, project, workbook(text) if as_workbook else text)

    said = words(page)
    assert "1 added, 1 changed, 1 deactivated ; 4 unchanged." in said
    assert "Would become inactive C005: Course 5" in said
    assert "Would be added NEW: Botany" in said
    assert "C000: Course 0 Fields Maths Machines, Maths Load the file" in said
    assert now(project) == before

    answer = press(editor, page)

    assert "Saved: 1 added, 1 changed, 1 deactivated." in words(answer)
    assert set(names(project)) == {"C000", "NEW", *(f"C{number:03}" for number in range(1, 5))}
    event = AuditEvent.objects.filter(action="courses.loaded").latest("pk")
    assert event.actor == f"staff:{get_user_model().objects.get().pk}"
    assert event.details["codes"] == {
        "added": ["NEW"],
        "changed": ["C000"],
        "deactivated": ["C005"],
    }


def test_a_catalogue_is_edited_in_a_spreadsheet_and_restored(
    editor: Client, project: Project
) -> None:
    catalogue_of(project, 6)
    before = now(project)
    page = editor.get(catalogue_page(project))
    assert [course.code for course, _ in page.context["rows"]] == list(before)

    downloaded = editor.get(link(page, "Download"))
    book = load_workbook(io.BytesIO(workbook(b"".join(downloaded.streaming_content)[3:])))
    sheet = book.active
    column = {cell.value: cell.column for cell in sheet[1]}
    sheet.cell(2, column["name"]).value = "Algebra"
    sheet.delete_rows(7)
    edited = io.BytesIO()
    book.save(edited)
    load = link(page, "Load a file")
    sent = opened(editor, load).sent(
        {"file": SimpleUploadedFile("courses.xlsx", edited.getvalue())}
    )
    compared = editor.post(load, sent, follow=True)

    assert "1 changed, 1 deactivated" in words(compared)
    assert now(project) == before

    loaded = press(editor, compared)

    assert loaded.request["PATH_INFO"] == catalogue_page(project)
    assert names(project)["C000"] == "Algebra"
    assert "C005" not in names(project)

    history = editor.get(link(loaded, "Earlier catalogues"))
    press(editor, editor.get(link(history, "Compare with today's")))

    assert now(project) == before


def test_the_catalogue_page_lists_courses_with_their_forms(
    editor: Client, project: Project, other_project: Project
) -> None:
    theirs = CourseFactory.create(project=other_project)
    retired = CourseFactory.create(project=project, code="A", fields=["maths"], is_active=False)
    course = CourseFactory.create(project=project, code="B", fields=["maths"], fields_proposed=True)

    page = editor.get(catalogue_page(project))

    assert [course.code for course, _ in page.context["rows"]] == ["B", "A"]
    assert link(page, "A") == change_page(retired)
    assert link(page, "B") == change_page(course)
    assert change_page(theirs) not in words_of(page)
    proposed = editor.get(catalogue_page(project), {"show": "proposed"})
    assert [course.code for course, _ in proposed.context["rows"]] == ["B"]


def test_previews_are_of_todays_catalogue_and_of_what_a_file_would_make_of_it(
    editor: Client, project: Project
) -> None:
    publish_field_bank()
    catalogue_of(project, 3)
    page = send(editor, project, file("C000,Course 0,0,care", "NEW,Botany,9,nature", header=HEADER))

    today = editor.get(catalogue_page(project), {"preview": "1"}).context["preview"]
    then = editor.get(page.request["PATH_INFO"], {"preview": "1"}).context["preview"]

    assert page.context["preview"] is None
    assert {each.code for each in today.standings} == {"C000", "C001", "C002"}
    assert {each.code: each.before for each in then.standings}["NEW"] is None
    assert {each.code for each in then.standings} == {"C000", "NEW"}


def test_what_is_downloaded_changes_nothing_when_it_is_loaded(
    editor: Client, project: Project
) -> None:
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
    Catalogue(project).load(parse(file("P,Nursing,1", "Q,Law,2", header="code,name,order")), **WHO)
    Course.objects.filter(code="=BOT").update(is_active=True)
    CourseFactory.create(project=project, code="GONE", is_active=False)
    before = now(project)

    address = reverse("admin:assessments_course_download", args=[project.pk])
    answer = editor.get(address)
    content = b"".join(answer.streaming_content)

    assert answer["Content-Disposition"].startswith('attachment; filename="courses-prj_')
    assert content.decode("utf-8-sig").split("\r\n")[0] == ",".join(
        f'"{name}"' for name in KNOWN_COLUMNS
    )
    page = send(editor, project, content)
    assert "Nothing would change." in words(page)
    assert now(project) == before


def test_a_file_that_deactivates_more_than_a_fifth_asks(editor: Client, project: Project) -> None:
    lines = catalogue_of(project, 10)
    page = send(editor, project, b"\n".join([HEADER.encode(), *lines[:7]]))

    refused = press(editor, page)

    assert "Tick the box to confirm that these courses become inactive." in words(refused)
    assert project.courses.active().count() == 10
    press(editor, refused, confirmed="on")
    assert project.courses.active().count() == 7


def test_a_change_after_the_comparison_is_shown_and_not_lost(
    editor: Client, project: Project
) -> None:
    lines = catalogue_of(project, 6)
    page = send(editor, project, b"\n".join([HEADER.encode(), *lines, b"NEW,Botany,9,maths"]))
    course = project.courses.get(code="C001")
    edit(editor, change_page(course), {"name": "Renamed"})

    refused = press(editor, page)

    assert "somebody changed the catalogue meanwhile" in words(refused).lower()
    assert "C001: Course 1 Name Renamed Course 1" in words(refused)
    assert names(project)["C001"] == "Renamed"
    assert "NEW" not in names(project)
    press(editor, refused)
    assert names(project)["C001"] == "Course 1"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "The submitted file is empty."),
        (b"a,b\n1,2\n", "The header lacks code, name, order."),
        (file("BOT,,x", header="code,name,order"), "Line 2: name is empty."),
        (file("BOT,Zzz,1", header="code,name,order"), "BOT: Choose a main field"),
        (b"x" * (4 * 1024 * 1024 + 1), "The file is larger than 4 MB."),
    ],
    ids=["empty", "header", "row", "no field", "large"],
)
def test_a_file_with_faults_is_refused_beside_its_input(
    editor: Client, project: Project, content: bytes, says: str
) -> None:
    answer = send(editor, project, content)

    assert answer.status_code == 200
    assert says in words(answer)
    assert not CatalogueSnapshot.objects.exists()
    assert not project.courses.exists()


def test_back_to_the_catalogue_of_before(editor: Client, project: Project) -> None:
    catalogue_of(project, 6)
    before = now(project)
    Course.objects.filter(code="C002").update(about={"en": "Numbers."})
    was = now(project)
    press(editor, send(editor, project, file("NEW,Botany,9,maths", header=HEADER)), confirmed="on")
    assert set(names(project)) == {"NEW"}

    listed = editor.get(reverse("admin:assessments_course_earlier", args=[project.pk]))
    assert [event.who for _, event in listed.context["rows"] if event] == [
        "priya",
        "command:tests",
    ]
    addresses = re.findall(r"/admin/assessments/course/catalogue/compare/\d+/", words_of(listed))
    answer = press(editor, editor.get(addresses[0]), confirmed="on")

    assert "Saved: 6 changed, 1 deactivated." in words(answer)
    assert {code: course for code, course in now(project).items() if code != "NEW"} == was != before
    event = AuditEvent.objects.latest("pk")
    assert event.action == "courses.restored"
    assert event.reason.startswith("as on ")


def words_of(answer: Any) -> str:
    return str(answer.content.decode())


def test_a_catalogue_that_todays_rules_refuse_is_not_restored(
    editor: Client, project: Project
) -> None:
    catalogue_of(project, 6)
    old = CatalogueSnapshot.objects.current(project)
    old.courses[0]["entry_level"] = "class-8"
    old.save()
    catalogue_of(project, 5)

    page = editor.get(reverse("admin:assessments_course_compare", args=[old.pk]))
    answer = press(editor, page)

    assert "C000: entry_level: Value 'class-8' is not a valid choice." in words(answer)
    assert project.courses.active().count() == 5


def test_chosen_courses_are_deactivated_after_a_look(editor: Client, project: Project) -> None:
    catalogue_of(project, 10)
    chosen = project.courses.filter(code__in=["C001", "C002", "C003"])
    action = {"action": "deactivate", "_selected_action": [each.pk for each in chosen]}

    page = editor.post(reverse("admin:assessments_course_changelist"), action, follow=True)

    assert "Would become inactive C001: Course 1 C002: Course 2 C003: Course 3" in words(page)
    assert project.courses.active().count() == 10
    press(editor, page, confirmed="on")
    assert project.courses.active().count() == 7


def test_chosen_courses_of_two_projects_are_refused(editor: Client, project: Project) -> None:
    courses = [CourseFactory.create(project=project), CourseFactory.create()]
    action = {"action": "deactivate", "_selected_action": [each.pk for each in courses]}

    page = editor.post(reverse("admin:assessments_course_changelist"), action, follow=True)

    assert "Choose courses of one project" in words(page)
    assert Course.objects.active().count() == 2


@pytest.mark.parametrize("rights", [(), ("view_course",)])
def test_who_may_not_change_courses_changes_none(project: Project, rights: tuple[str, ...]) -> None:
    lines = catalogue_of(project, 6)
    snapshot = CatalogueSnapshot.objects.current(project)
    catalogue_of(project, 5)
    user = UserFactory.create(is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client = Client()
    client.force_login(user)
    compare = reverse("admin:assessments_course_compare", args=[snapshot.pk])
    earlier = reverse("admin:assessments_course_earlier", args=[project.pk])

    looked = 200 if rights else 403
    assert send(client, project, b"\n".join([HEADER.encode(), *lines])).status_code == 403
    assert client.get(earlier).status_code == looked
    assert client.get(compare).status_code == 403
    seen = CatalogueSnapshot.objects.current(project).digest
    assert client.post(compare, {"seen": seen}).status_code == 403
    assert project.courses.active().count() == 5
