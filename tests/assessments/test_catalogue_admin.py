"""A catalogue in the admin: compared, loaded, downloaded, previewed, and taken back."""

import html
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.serializers.json import DjangoJSONEncoder
from django.urls import reverse
from django.utils import timezone

from assessments.catalogue.course_description import columns_of
from assessments.catalogue.courses_file import KNOWN_COLUMNS, parse
from assessments.models import CatalogueSnapshot, Course
from assessments.models.catalogues import Catalogue
from partners.models import AuditEvent, Project
from tests.assessments.catalogues import HEADER, file
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory
from tests.support.admin_forms import edit

pytestmark = pytest.mark.django_db
WHO = {"actor": "command:tests"}
WITH_FIELDS = f"{HEADER},fields"
EDITOR = tuple(f"assessments.{act}_course" for act in ("view", "change", "add"))


@pytest.fixture
def editor(staff):
    return staff(*EDITOR)


def catalogue_of(project, count):
    """Load a catalogue of so many courses; return the lines of its file."""
    lines = [f"C{number:03},Course {number},{number},maths" for number in range(count)]
    Catalogue(project).load(parse(file(*lines, header=WITH_FIELDS)), **WHO)
    return [WITH_FIELDS.encode(), *(line.encode() for line in lines)]


def url(name, row):
    return reverse(f"admin:assessments_course_{name}", args=[row.pk])


def send(client, project, content):
    """Send a file, and follow to the page that compares it."""
    sent = {"file": SimpleUploadedFile("courses.csv", content)}
    return client.post(url("load", project), sent, follow=True)


def press(client, page, **ticked):
    """Press the button of a page that compares."""
    seen = re.search(r'name="seen" value="([0-9a-f]{64})"', page.content.decode())
    assert seen
    return client.post(page.request["PATH_INFO"], {"seen": seen[1], **ticked}, follow=True)


def words(answer):
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split()))


def link(page, text):
    """Return the address of the first link with this text."""
    pattern = r'<a\s[^>]*href="([^"]*)"[^>]*>\s*' + text + r"\s*</a>"
    return html.unescape(re.findall(pattern, page.content.decode())[0])


def names(project):
    return dict(project.courses.active().values_list("code", "name"))


def now(project):
    return {each.code: columns_of(each.stored) for each in project.courses.all()}


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
    assert "C000: Course 0 Fields Maths Machines, Maths Load the file" in said
    assert now(project) == before

    answer = press(editor, page)

    assert "Saved: 1 added, 1 changed, 1 deactivated." in words(answer)
    assert answer.request["PATH_INFO"] == url("catalogue", project)
    assert set(names(project)) == {"C000", "NEW", *(f"C{number:03}" for number in range(1, 5))}
    event = AuditEvent.objects.filter(action="courses.loaded").latest("pk")
    assert event.actor == f"staff:{editor.session['_auth_user_id']}"
    codes = {"added": ["NEW"], "changed": ["C000"], "deactivated": ["C005"]}
    assert event.details["codes"] == codes


def test_what_is_downloaded_changes_nothing_when_it_is_loaded(editor, project):
    Catalogue(project).load(parse(file("P,Nursing,1", "Q,Law,2")), **WHO)
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

    answer = editor.get(url("download", project))
    content = b"".join(answer.streaming_content)

    assert answer["Content-Disposition"].startswith('attachment; filename="courses-prj_')
    header = ",".join(f'"{name}"' for name in KNOWN_COLUMNS)
    assert content.decode("utf-8-sig").split("\r\n")[0] == header
    assert "Nothing would change." in words(send(editor, project, content))
    assert now(project) == before


def test_the_catalogue_page_lists_courses_with_their_forms(editor, project, other_project):
    theirs = CourseFactory.create(project=other_project)
    retired = CourseFactory.create(project=project, code="A", is_active=False)
    course = CourseFactory.create(project=project, code="B", fields_proposed=True)

    page = editor.get(url("catalogue", project))

    assert [course.code for course, _ in page.context["rows"]] == ["B", "A"]
    assert link(page, "A") == url("change", retired)
    assert link(page, "B") == url("change", course)
    assert url("change", theirs) not in page.content.decode()
    assert link(page, "Download") == url("download", project)
    assert link(page, "Load a file") == url("load", project)
    proposed = editor.get(url("catalogue", project), {"show": "proposed"})
    assert [course.code for course, _ in proposed.context["rows"]] == ["B"]


def test_previews_are_of_todays_catalogue_and_of_what_a_file_would_make_of_it(editor, project):
    publish_field_bank()
    catalogue_of(project, 3)
    lines = ("C000,Course 0,0,care", "NEW,Botany,9,nature")
    page = send(editor, project, file(*lines, header=WITH_FIELDS))

    today = editor.get(url("catalogue", project), {"preview": "1"}).context["preview"]
    then = editor.get(page.request["PATH_INFO"], {"preview": "1"}).context["preview"]

    assert page.context["preview"] is None
    assert {each.code for each in today.standings} == {"C000", "C001", "C002"}
    assert {each.code for each in then.standings} == {"C000", "NEW"}
    assert {each.code: each.before for each in then.standings}["NEW"] is None


def test_a_change_after_the_comparison_is_shown_and_not_lost(editor, project):
    lines = catalogue_of(project, 6)
    page = send(editor, project, b"\n".join([*lines, b"NEW,Botany,9,maths"]))
    edit(editor, url("change", project.courses.get(code="C001")), {"name": "Renamed"})

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
        (file("BOT,,x"), "Line 2: name is empty."),
        (file("BOT,Zzz,1"), "BOT: Choose a main field"),
        (b"x" * (4 * 1024 * 1024 + 1), "The file is larger than 4 MB."),
    ],
    ids=["empty", "header", "row", "no field", "large"],
)
def test_a_file_with_faults_is_refused_beside_its_input(editor, project, content, says):
    answer = send(editor, project, content)

    assert answer.status_code == 200
    assert says in words(answer)
    assert not CatalogueSnapshot.objects.exists()
    assert not project.courses.exists()


def test_back_to_the_catalogue_of_before(editor, project):
    catalogue_of(project, 6)
    Course.objects.filter(code="C002").update(about={"en": "Numbers."})
    was = now(project)
    botany = file("NEW,Botany,9,maths", header=WITH_FIELDS)
    press(editor, send(editor, project, botany), confirmed="on")
    assert set(names(project)) == {"NEW"}

    history = editor.get(link(editor.get(url("catalogue", project)), "Earlier catalogues"))
    [mine, _] = [event.who for _, event in history.context["rows"] if event]
    assert mine.startswith("staff")
    answer = press(editor, editor.get(link(history, "Compare with today's")), confirmed="on")

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

    answer = press(editor, editor.get(url("compare", old)))

    assert "C000: entry_level: Value 'class-8' is not a valid choice." in words(answer)
    assert project.courses.active().count() == 5


def deactivate(editor, *courses):
    action = {"action": "deactivate", "_selected_action": [each.pk for each in courses]}
    return editor.post(reverse("admin:assessments_course_changelist"), action, follow=True)


def test_chosen_courses_are_deactivated_after_a_look_and_a_tick_for_more_than_a_fifth(
    editor, project
):
    catalogue_of(project, 10)
    chosen = project.courses.filter(code__in=["C001", "C002", "C003"])

    refused = deactivate(editor, *chosen, CourseFactory.create())
    assert "Choose courses of one project" in words(refused)
    assert Course.objects.active().count() == 11

    page = deactivate(editor, *chosen)
    assert "Would become inactive C001: Course 1 C002: Course 2 C003: Course 3" in words(page)
    refused = press(editor, page)
    assert "Tick the box to confirm that these courses become inactive." in words(refused)
    assert project.courses.active().count() == 10
    press(editor, refused, confirmed="on")
    assert project.courses.active().count() == 7


@pytest.mark.parametrize("rights", [(), EDITOR[:1]])
def test_who_may_not_change_courses_changes_none(project, staff, rights):
    lines = catalogue_of(project, 6)
    snapshot = CatalogueSnapshot.objects.current(project)
    catalogue_of(project, 5)
    client = staff(*rights)
    seen = CatalogueSnapshot.objects.current(project).digest

    answers = [
        client.get(url("earlier", project)),
        send(client, project, b"\n".join(lines)),
        client.get(url("compare", snapshot)),
        client.post(url("compare", snapshot), {"seen": seen}),
    ]

    looked = 200 if rights else 403
    assert [answer.status_code for answer in answers] == [looked, 403, 403, 403]
    assert project.courses.active().count() == 5


def as_json(values):
    return json.loads(json.dumps(values, cls=DjangoJSONEncoder))


def settings_of(project):
    row = Project.objects.get(pk=project.pk)
    return as_json({each.name: each.value_from_object(row) for each in row._meta.concrete_fields})


@pytest.mark.sqlite
def test_the_trail_tells_settings_and_catalogue_as_they_stood_at_noon(admin_client, project):
    page = f"/admin/partners/project/{project.pk}/change/"
    Catalogue(project).load(parse(file("A,Nursing,1", "B,Law,2", "C,Botany,3")), **WHO)
    course = CourseFactory.create(project=project, code="D", fields=["maths"], about={"en": "x"})
    noon, settings, courses = timezone.now(), settings_of(project), as_json(now(project))

    edit(admin_client, page, {"retention_months": "6", "name": "Renamed", "accent": "rose"})
    edit(admin_client, url("change", course), {"about_en": "New text."})
    nursing = project.courses.get(code="A")
    edit(admin_client, url("change", nursing), {"name": "Care", "order": "9"})
    project.close(**WHO)
    project.reopen(**WHO)
    project.close(**WHO)
    press(admin_client, send(admin_client, project, file("E,Zoology,1")), confirmed="on")
    edit(admin_client, page, {"retention_months": "12", "return_url": "https://college.example/"})
    earlier = CatalogueSnapshot.objects.earlier(project)[3]
    later = CatalogueSnapshot.objects.current(project).digest
    Catalogue(project).take(earlier, seen=later, may_deactivate_many=True, **WHO)
    edit(admin_client, url("change", course), {"order": "7"})
    assert settings_of(project) != settings
    assert as_json(now(project)) != courses
    assert Course.objects.get(code="E").is_active is False

    rebuilt = settings_of(project)
    digest = CatalogueSnapshot.objects.current(project).digest
    for event in AuditEvent.objects.about(project).filter(at__gt=noon).order_by("-pk"):
        for column, (before, after) in event.details.get("changes", {}).items():
            assert rebuilt[column] == after, column
            rebuilt[column] = before
        if "digest" in event.details:
            assert event.details["digest"] == digest
            digest = event.details["digest_before"]
    snapshot = CatalogueSnapshot.objects.get(project=project, digest=digest)
    assert rebuilt == settings
    assert as_json(snapshot.columns) == courses
