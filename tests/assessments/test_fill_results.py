"""Results of a project that had no courses: given courses once, audited, and shown once more."""

import json
from datetime import timedelta

import pytest
from django.core.management import CommandError
from django.db import connection
from django.utils import timezone
from django.utils.html import escape

from assessments.catalogue.catalogue import Catalogue
from assessments.catalogue.filling import fill_results
from assessments.catalogue.plans import plan_rows
from assessments.desk.attention import attention
from assessments.models import Attempt, CatalogueSnapshot, WebhookEvent, ended, feed
from assessments.webhooks.sender import body_of
from measurement.wording import ENGLISH
from partners.models import AuditEvent, Project, Refused
from partners.times import rfc3339
from tests.assessments.attempts import completed, copies, inside, issue, marked_completed, started
from tests.assessments.partner import FEED
from tests.assessments.webhooks.endpoints import set_up
from tests.factories import BY, ProjectFactory, issued_token
from tests.support.commands import run
from tests.support.threads import race

NOW = timezone.now()
HOUR = timedelta(hours=1)
ROWS = [
    {"code": "B", "name": "Botany", "fields": ["nature"]},
    {"code": "Z", "name": "Zoology", "fields": ["nature", "helping"]},
]

FOR = {"": "school-leavers", "class-12": "school-leavers", "degree": "graduates"}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bank")]


def load(project, rows=ROWS):
    Catalogue(project).load(rows, by=BY)


def fill(project):
    """Fill as anew, with the project's settings of now; return how many."""
    return sum(fill_results(Project.objects.get(pk=project.pk), by=BY))


@pytest.fixture
def empty(project):
    """Give an attempt that was completed while its project had no course."""
    return completed(started(project, NOW - 2 * HOUR), NOW - HOUR)


@pytest.mark.sqlite
def test_it_gets_the_courses_and_settings_of_today_once_and_rescore_agrees(empty, project):
    Project.objects.update(takers="both", recommendation_count=3)
    load(project)
    before = Attempt.objects.values().get()

    assert fill(project) == 1

    after = Attempt.objects.get()
    stored = Attempt.objects.values().get()
    changed = {name for name in before if stored[name] != before[name]}
    assert changed == {"recommendations", "catalogue_id", "takers", "courses_filled_at"}
    assert set(after.recommended_names) == {"Botany", "Zoology"}
    assert (after.takers, after.catalogue) == ("both", CatalogueSnapshot.objects.current(project))
    assert run("rescore", "--all")[1].startswith("same 1,")
    event = AuditEvent.objects.get(action="results.filled")
    assert (event.object_id, event.details["filled"]) == (project.project_id, 1)

    load(project, [{"code": "P", "name": "Physics", "fields": ["machines"]}])
    with pytest.raises(Refused):
        fill(project)
    assert Attempt.objects.get().recommendations == after.recommendations


def abandoned(project):
    started(project, NOW - HOUR).abandon(NOW)


def erased(project):
    marked_completed(started(project, NOW - HOUR), names=()).student.erase(by=BY)


def other_subjects(project):
    """Complete it with a course that the student's subjects close: courses there were."""
    load(project, [{**ROWS[0], "required_streams": ["commerce"]}])
    attempt = completed(started(project, NOW - HOUR), NOW)
    Attempt.objects.filter(pk=attempt.pk).update(stream="arts", recommendations=[])


def filled_before(project):
    """Fill it, and let its stored catalogue have none for those who took it."""
    completed(started(project, NOW - HOUR), NOW)
    load(project)
    fill(project)
    Attempt.objects.update(takers="graduates")


def courses_for_others(project):
    """Complete it without courses, and let today's be for school leavers alone."""
    completed(started(project, NOW - HOUR), NOW)
    Project.objects.update(takers="graduates")


def of_test_project(project):
    test = ProjectFactory.create(is_test=True)
    marked_completed(started(test, NOW - HOUR), names=())
    return test


@pytest.mark.parametrize(
    "make",
    [abandoned, erased, other_subjects, filled_before, courses_for_others, of_test_project],
)
def test_no_other_attempt_is_changed(project, make, rows):
    project = make(project) or project
    load(project)
    before = rows()

    with pytest.raises(Refused):
        fill(project)

    assert rows() == before


@pytest.mark.parametrize("takers", ["school-leavers", "graduates", "both"])
@pytest.mark.parametrize("levels", [[], ["degree"], ["class-12"], ["", "degree"]])
def test_one_rule_says_for_whom_there_are_courses_to_warn_to_promise_and_to_fill(
    project, takers, levels
):
    issued_token(project)
    Project.objects.update(takers=takers)
    project.refresh_from_db()
    rows = [{**ROWS[0], "code": str(n), "entry_level": level} for n, level in enumerate(levels)]
    plan = plan_rows([], rows, keep_repeated=True)
    Catalogue(project).apply(plan, "courses.loaded", by=BY)
    suited = [each for each in levels if takers in ("both", FOR[each])]

    names = ["Botany"] * len(suited[:1])
    attempt = marked_completed(started(project, NOW - HOUR), names=names)

    says = [finding.says for finding in attention() if project.name in finding.says]
    assert len(says) == (not suited)
    assert CatalogueSnapshot.objects.count_current(project) == len(suited[:1])  # of one title
    assert bool(attempt.catalogue.recommendable(takers)) is bool(suited)
    assert [*Attempt.objects.without_courses()] == [attempt] * (not suited)


def test_by_a_wrong_clock_nothing_is_filled(empty, project, monkeypatch, settings):
    load(project)
    settings.CLOCK_TOLERANCE = timedelta(seconds=30)
    wrong = timezone.now() + timedelta(minutes=5)
    monkeypatch.setattr(ended, "database_now", lambda at: wrong)

    with pytest.raises(Refused, match="clock"):
        fill(project)

    assert Attempt.objects.get().courses_filled_at is None


def test_a_student_who_is_erased_while_results_are_computed_is_left_out(
    empty, project, monkeypatch
):
    load(project)
    score = Attempt.score

    def erase_meanwhile(attempt, catalogue):
        result = score(attempt, catalogue)
        empty.student.erase(by=BY)
        return result

    monkeypatch.setattr(Attempt, "score", erase_meanwhile)

    assert fill(project) == 0

    assert Attempt.objects.get().courses_filled_at is None
    assert not AuditEvent.objects.filter(action="results.filled").exists()


def test_a_completion_by_a_clock_that_was_ahead_is_filled_after_it(project):
    ahead = timezone.now() + timedelta(seconds=20)
    completed(started(project, NOW), ahead)
    load(project)

    assert fill(project) == 1

    assert Attempt.objects.get().courses_filled_at > ahead


@pytest.mark.sqlite
def test_the_feed_shows_it_once_more_after_what_ended_meanwhile(api, monkeypatch):
    monkeypatch.setattr(feed, "HELD_BACK", timedelta(0))
    if connection.vendor == "postgresql":
        monkeypatch.setattr(feed, "shown_until", lambda at: timezone.now())
    first = completed(started(api.project, NOW - 2 * HOUR), NOW - HOUR)
    second = started(api.project, NOW - 2 * HOUR, email="other@example.com")
    second.abandon(NOW - HOUR / 2)
    before = api.read(FEED)
    load(api.project)
    fill(api.project)
    assert Attempt.objects.get(pk=first.pk).results_read_at is None

    again = api.read(FEED, cursor=before["NextCursor"])
    whole = api.read(FEED)

    [record] = again["Assessments"]
    assert record["AssessmentId"] == first.assessment_id
    assert len(record["Recommendations"]) == 2
    assert record["EndedAt"] == before["Assessments"][0]["EndedAt"]
    listed = [each["AssessmentId"] for each in whole["Assessments"]]
    assert listed == [second.assessment_id, first.assessment_id]
    assert api.read(FEED, cursor=again["NextCursor"])["Assessments"] == []


def test_the_webhook_sends_it_once_more_also_if_it_was_set_up_after_the_end(
    empty, project, other_project
):
    set_up(project)
    set_up(other_project)
    marked_completed(started(other_project, NOW - HOUR), names=())
    load(project)
    fill(project)

    event = WebhookEvent.objects.select_related("attempt__student", "endpoint").get()

    filled_at = Attempt.objects.get(pk=empty.pk).courses_filled_at
    body = json.loads(body_of(event))
    assert event.happened_at == filled_at
    assert body["timestamp"] == rfc3339(filled_at)
    assert body["data"] == {
        **{"AssessmentId": empty.assessment_id, "Status": "Completed"},
        "EndedAt": rfc3339(empty.completed_at),
    }
    WebhookEvent.objects.record_end(empty.pk, project.pk, ended.Status.COMPLETED, filled_at)
    assert WebhookEvent.objects.count() == 1


def test_the_result_page_speaks_of_courses_once_it_has_some(project, browser):
    browser.start(issue(project)[1])
    attempt = completed(Attempt.objects.get())
    pages = [inside(name, attempt) for name in ("result", "private-link")]
    without = "".join(browser.get(page).text for page in pages)
    load(project)
    fill(project)

    result, private = (browser.get(page).text for page in pages)

    for said in ("these courses", "your courses", "ones above", "<h3>"):
        assert said not in without
    assert "none is suggested" in without
    assert result.count("<h3>") == 2
    assert escape(ENGLISH.cautions["careless"]) in result
    assert "your courses with the reasons" in private


@pytest.mark.parametrize("role", ["Support", "Content", "Auditor"])
def test_the_page_of_the_project_has_the_button_for_who_may(empty, project, staff, role):
    client = staff(roles=[role])
    page = f"/admin/partners/project/{project.pk}/"
    lacking = client.get(f"{page}change/").content.decode()
    load(project)

    shown = client.get(f"{page}change/").content.decode()
    answer = client.post(f"{page}fill/", {"reason": "The catalogue came late"})

    may = role != "Auditor"
    assert "/fill/" not in lacking
    assert ("/fill/" in shown) is (answer.status_code == 302) is may
    assert AuditEvent.objects.filter(action="results.filled").count() == may
    assert Attempt.objects.without_courses().exists() is not may


def test_the_command_says_how_many_and_fills_after_a_yes(empty, project):
    load(project)

    with pytest.raises(CommandError, match="--yes"):
        run("fill_results", project.project_id)
    assert Attempt.objects.get().courses_filled_at is None
    options = ("--yes", "--json", "--reason", "The catalogue came late")
    out, err = run("fill_results", project.project_id, *options)
    again, _ = run("fill_results", project.project_id, *options)

    assert json.loads(out) == {"withoutCourses": 1, "filled": 1}
    assert json.loads(again) == {"withoutCourses": 0, "filled": 0}
    assert "for school leavers" in err
    assert AuditEvent.objects.get(action="results.filled").reason == options[-1]


@pytest.mark.parametrize("options", [(), ("--test",), ("--courses",)])
def test_onboarding_warns_on_stderr_of_a_live_project_without_courses(tmp_path, options):
    file = tmp_path / "courses.csv"
    file.write_text("name,fields\nBotany,nature\n")
    given = [*options, *([str(file)] if "--courses" in options else [])]

    out, err = run("onboard_partner", "Acme", "--project", "College", *given, "--json")

    assert ("load_courses" in err) is (options == ())
    assert "load_courses" not in out


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
def test_two_that_fill_at_once_fill_each_once_beside_an_erasure(project, monkeypatch):
    monkeypatch.setattr("assessments.catalogue.filling.BATCH", 7)
    set_up(project)
    first = completed(started(project, NOW - 2 * HOUR), NOW - HOUR)
    attempts = copies(first, 40)
    gone = started(project, NOW - 2 * HOUR, email="gone@example.com")
    completed(gone, NOW - HOUR)
    WebhookEvent.objects.all().delete()
    load(project)

    def quietly():
        try:
            return fill(project)
        except Refused:
            return 0

    filled = race([quietly, quietly, quietly, lambda: gone.student.erase(by=BY)])

    assert sum(filled[:3]) in {41, 42}
    assert Attempt.objects.filter(courses_filled_at=None).count() == 42 - sum(filled[:3])
    kept = [first, *attempts]
    assert WebhookEvent.objects.filter(attempt__in=kept).count() == 41
    assert not WebhookEvent.objects.filter(attempt=gone).exists()
    events = AuditEvent.objects.filter(action="results.filled")
    assert sum(event.details["filled"] for event in events) == sum(filled[:3])
    assert run("rescore", "--all")[1].startswith("same 41,")
