"""What has been kept long enough is deleted, in small batches, once, and nothing a day earlier."""

import json
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core.management import CommandError

from assessments.keeping import retention
from assessments.management.commands import purge as purge_command
from assessments.models import (
    Answer,
    AssessmentLink,
    Attempt,
    CatalogueSnapshot,
    ItemBank,
    LinkEvent,
    RefusedCall,
    Student,
    Upload,
    WebhookEvent,
)
from partners.models import AuditEvent, Project
from partners.models.audit import KEPT_YEARS
from tests.assessments.attempts import completed, copies, issue, purge, started
from tests.assessments.webhooks.endpoints import set_up
from tests.factories import (
    BY,
    AssessmentLinkFactory,
    AttemptFactory,
    ProjectFactory,
    StudentFactory,
    UserFactory,
    issued_token,
)
from tests.support import commands
from tests.support.threads import race_in_rounds

pytestmark = pytest.mark.usefixtures("bank")
AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)
PURGED = "data.purged"
OVER = AT + 1000 * DAY


def done(project, at):
    """Make an attempt that was completed at a moment, with its link and some answers."""
    start = at - timedelta(minutes=9)
    attempt = AttemptFactory.create(
        is_completed=True,
        student__project=project,
        started_at=start,
        finish_by_at=start + timedelta(days=20),
        completed_at=at,
    )
    item = attempt.bank.item_set.order_by("order")[0]
    Answer.objects.create(attempt=attempt, position=1, item=item, shown_at=start)
    AssessmentLinkFactory.create(
        student=attempt.student, issued_at=start, used_at=start, attempt=attempt
    )
    return attempt


def ended(project, **times):
    Attempt.objects.filter(pk=started(project, AT).pk).update(**times)


def snapshot(project, digest, since):
    values = {"courses": [], "course_counts": {}, "taken_at": since, "current_since": since}
    return CatalogueSnapshot.objects.create(project=project, digest=digest, **values)


def people():
    models = (Student, AssessmentLink, Attempt, Answer, LinkEvent)
    return [model._base_manager.count() for model in models]


def attempt_with_all(project):
    LinkEvent.objects.create(link=done(project, AT).links.get(), number=1, at=AT, kind="opened")


def erased(project):
    done(project, AT).student.erase(at=AT, by=BY)


def unused_link(project):
    LinkEvent.objects.create(link=issue(project, AT)[0], number=1, at=AT, kind="robot")


def refused_calls(project):
    values = {"project": project, "access_token": issued_token(project)[0], "status": 400}
    RefusedCall.objects.create(at=AT, **values)
    return RefusedCall.objects.create(at=AT + DAY, **values)


def webhook_events(project):
    endpoint, events = set_up(project, at=AT), WebhookEvent.objects
    delivered, _, young = (
        events.send_test(endpoint, at=AT + days * DAY, by=BY) for days in (0, 0, 1)
    )
    events.filter(pk=delivered.pk).update(queued_at=None, delivered_at=AT)
    return young


def uploads(project):
    values = {"project": project, "user": UserFactory.create(), "kind": "students"}
    Upload.objects.create(created_at=AT, **values)
    return Upload.objects.create(created_at=AT + DAY, **values)


def catalogue(project, first, second):
    snapshot(project, "a", first)
    return snapshot(project, "b", second)


ATTEMPT = {"attempts": 1, "students": 1}
NIGHT = AT + 3 * DAY / 4  # half past three in the morning of the 22nd
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
UNUSED = AT + timedelta(hours=72) + 30 * DAY
# How a row is made, when it is still kept, when it goes, and what is counted then.
OF_DAY = (datetime(2028, 11, 21, 23), datetime(2028, 11, 22), ATTEMPT)
OF_NIGHT = (datetime(2028, 11, 22, 23, 59), datetime(2028, 11, 23), ATTEMPT)
LIFETIMES = {
    "an attempt with all that refers to it": (attempt_with_all, *OF_DAY),
    "an attempt of an erased student": (erased, *OF_DAY),
    "completed at night": (lambda project: done(project, NIGHT), *OF_NIGHT),
    "abandoned at night": (lambda project: ended(project, abandoned_at=NIGHT), *OF_NIGHT),
    "late at night": (lambda project: ended(project, finish_by_at=NIGHT), *OF_NIGHT),
    "open for 1000 days": (
        lambda project: ended(project, finish_by_at=OVER),
        *(AT + 900 * DAY, datetime(2031, 8, 18), ATTEMPT),
    ),
    "an unused link": (unused_link, UNUSED - SECOND, UNUSED, {"unused links": 1, "students": 1}),
    "a refused call": (
        *(refused_calls, AT + 30 * DAY, AT + 30 * DAY + SECOND, {"refused calls": 1}),
    ),
    "webhook events, delivered or not": (
        *(webhook_events, AT + 30 * DAY - SECOND, AT + 30 * DAY, {"webhook events": 2}),
    ),
    "a replaced catalogue": (
        lambda project: catalogue(project, AT - 900 * DAY, AT),
        *(AT + 730 * DAY, AT + 732 * DAY, {"catalogues": 1}),
    ),
    "uploaded files": (uploads, AT + HOUR - SECOND, AT + HOUR, {"uploads": 1}),
}


@pytest.mark.parametrize("kind", LIFETIMES)
def test_rows_go_when_their_time_is_over_and_not_earlier(project, kind):
    make, kept_at, over, counts = LIFETIMES[kind]
    row_that_stays = make(project)

    assert purge(kept_at.replace(tzinfo=UTC)) == {}
    assert retention.forecast(over.replace(tzinfo=UTC)) == {project.pk: counts}
    assert purge(over.replace(tzinfo=UTC)) == {project.project_id: counts}

    assert people() == [0, 0, 0, 0, 0]
    if isinstance(row_that_stays, RefusedCall | CatalogueSnapshot | Upload | WebhookEvent):
        row_that_stays.refresh_from_db()


def test_a_student_with_a_link_since_the_look_stays(project, monkeypatch):
    link, _ = issue(project, AT)
    alone = StudentFactory.create(project=project)
    seen = [alone.pk, link.student_id]
    monkeypatch.setattr(
        retention, "_lock", lambda rows, room: seen if rows.model is Student else []
    )

    assert purge(AT) == {project.project_id: {"students": 1}}

    assert Student.objects.get() == link.student


def test_the_audit_trail_goes_after_seven_years(project):
    now = datetime.now(UTC)
    for target in (project, project.partner):
        for action, years in (("x.old", KEPT_YEARS), ("x.young", KEPT_YEARS - 2)):
            at = datetime(now.year - years, 1, 1, tzinfo=UTC) - 3 * DAY
            AuditEvent.record(action, target, at=at, by=BY)
    newest_old = AuditEvent.objects.filter(action="x.old", project=None).get()

    deleted = purge(now)

    assert deleted == {project.project_id: {"audit events": 1}, "": {"audit events": 1}}
    assert AuditEvent.objects.filter(action="x.old").count() == 0
    assert AuditEvent.objects.filter(action="x.young").count() == 2
    # of what belonged to no project, the number up to which the trail is gone
    left = AuditEvent.objects.filter(action=PURGED).get(project=None)
    assert left.object_id == f"auditevent-{newest_old.pk}"


def test_batches_are_small_and_independent(project, monkeypatch):
    """Killed after two batches, what they deleted is gone and written down; the rest is there."""
    monkeypatch.setattr(retention, "BATCH", 3)
    for number in range(8):
        student = StudentFactory.create(project=project, email_key=f"{number}@example.com")
        AssessmentLinkFactory.create(student=student, issued_at=AT - 100 * DAY)

    batches = retention.purge(AT, by=BY)
    taken = [next(batches)[1], next(batches)[1]]
    batches.close()  # type: ignore[attr-defined]  # a generator

    assert [each.total() for each in taken] == [3, 3]
    assert AssessmentLink.objects.count() == 2
    said = AuditEvent.objects.filter(action=PURGED).order_by("pk")
    assert [event.reason for event in said] == [retention.counts_in_words(each) for each in taken]
    assert purge(AT) == {project.project_id: {"unused links": 2, "students": 8}}
    assert people() == [0, 0, 0, 0, 0]


def test_a_batch_that_fails_deletes_nothing(project, monkeypatch):
    done(project, AT)
    before = people()

    def broken(*_, **__):
        raise RuntimeError("no audit")

    monkeypatch.setattr(AuditEvent, "record", broken)
    with pytest.raises(RuntimeError, match="no audit"):
        purge(OVER)

    assert people() == before


def run(*arguments):
    right = ["--clock-is-right"] if "--apply" in arguments else []
    with time_machine.travel(OVER, tick=False):
        return commands.run("purge", *arguments, *right)


def test_a_purge_deletes_and_records_what_was_forecast(project, other_project):
    for each in (project, other_project):
        done(each, AT)
    issue(project, AT)
    issue(other_project, OVER)
    catalogue(project, AT - 900 * DAY, AT - 800 * DAY)
    StudentFactory.create(project=other_project)
    for key, expiry in (("old", OVER - SECOND), ("live", OVER)):
        Session.objects.create(session_key=key, session_data="", expire_date=expiry)
    user, before = UserFactory.create(), people()

    expected = retention.forecast(OVER)

    assert people() == before
    assert expected == {
        project.pk: {"unused links": 1, "attempts": 1, "students": 2, "catalogues": 1},
        other_project.pk: {"attempts": 1, "students": 2},
        None: {"sessions": 1},
    }
    names = dict(Project.objects.values_list("pk", "project_id"))
    assert {names.get(pk, ""): counts for pk, counts in expected.items()} == purge(OVER)
    events = AuditEvent.objects.filter(action=PURGED).order_by("project")
    assert [(e.object_id, e.project, e.reason, e.at, e.actor) for e in events] == [
        (each.project_id, each, reason, OVER, BY.name)
        for each, reason in (
            (project, "unused links 1, attempts 1, students 2, catalogues 1"),
            (other_project, "attempts 1, students 2"),
        )
    ]
    assert Session.objects.get().session_key == "live"
    assert (ItemBank.objects.count(), Project.objects.count()) == (1, 2)
    user.refresh_from_db()


def test_the_command_counts_first_and_deletes_with_apply(project, monkeypatch):
    monkeypatch.setenv("LOGNAME", "deploy")
    done(project, AT)
    issue(project, AT)
    Session.objects.create(session_key="old", session_data="", expire_date=AT)

    counted = json.loads(run("--json")[0])
    due = {"unusedLinks": 1, "attempts": 1, "students": 2, "sessions": 1, "refusedCalls": 0}
    assert counted.items() >= due.items()
    assert counted.pop("applied") is False
    stdout, stderr = run()
    of_project = f"{project.project_id}: unused links 1, attempts 1, students 2\n"
    assert stdout == f"{of_project}without a project: sessions 1\n"
    assert "Nothing was deleted" in stderr
    assert json.loads(run("--json", "--apply")[0]) == {"applied": True, **counted}
    assert people() == [0, 0, 0, 0, 0]
    assert AuditEvent.objects.get(action=PURGED).actor == "command:deploy"
    assert run("--apply") == ("", "There is nothing to delete.\n")
    issue(project, AT)
    assert run("--apply")[1] == "Deleted: unused links 1, students 1.\n"


def test_more_than_a_twentieth_of_the_attempts_needs_their_number(project, monkeypatch):
    """A wrong clock or a wrong retention must not delete a college's year in one night."""
    monkeypatch.setattr(purge_command, "MIN_ATTEMPTS", 3)
    tests = ProjectFactory.create(is_test=True)

    def make(count, at, whose):
        for _ in range(count):
            done(whose, at)

    def stored_after(*options):
        run("--apply", *options)
        return Attempt.objects.count()

    make(2, AT, project)
    make(5, AT, tests)  # not counted
    assert stored_after() == 0
    make(3, AT, project)
    make(56, AT + 900 * DAY, project)
    with pytest.raises(CommandError, match="3 of 59 attempts .* more than 5%.*--attempts 3"):
        run("--apply")
    with pytest.raises(CommandError):
        run("--apply", "--attempts", "2")
    assert Attempt.objects.count() == 59
    assert stored_after("--attempts", "3") == 56
    make(3, AT, project)
    make(1, AT + 900 * DAY, project)
    assert stored_after() == 57  # it was a twentieth


def purge_all(number):
    return sum((counts for _, counts in retention.purge(OVER, by=BY)), Counter())


def email(number):
    return f"s{number}@example.com"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_purges_at_once_share_the_work(project, other_project, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 7)
    for each in (project, other_project):
        copies(completed(started(each, AT), AT), 30)
        for number in range(20):
            issue(each, AT, email=email(number))

    [outcomes] = race_in_rounds([purge_all, purge_all, purge_all], 1)

    # What one holds another leaves, which may be a student whom the first left to it.
    total = sum(outcomes, Counter()) + purge_all(0)
    assert total == {"attempts": 62, "unused links": 40, "students": 42}
    recorded = Counter()
    for event in AuditEvent.objects.filter(action="data.purged"):
        for part in event.reason.split(", "):
            kind, _, count = part.rpartition(" ")
            recorded[kind] += int(count)
    assert recorded == total
    for model in (Student, AssessmentLink, Attempt, Answer):
        assert not model.objects.exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_purge_beside_a_call_leaves_the_new_link_and_a_student(project):
    rounds = 12
    for number in range(rounds):
        issue(project, AT, email=email(number))

    def ask(number):
        return issue(project, OVER, email=email(number))[0].pk

    outcomes = race_in_rounds([purge_all, ask], rounds)

    links = AssessmentLink.objects.select_related("student")
    fresh = {link.pk: link.student.email_key for link in links if link.issued_at == OVER}
    assert fresh == {pk: email(number) for number, (_, pk) in enumerate(outcomes)}
    purge_all(0)
    assert Student.objects.count() == rounds


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_purge_beside_an_erasure_deletes_all_and_fails_neither(project):
    rounds = 8
    students = []
    for number in range(rounds):
        attempt = completed(started(project, AT, email=email(number)), AT)
        issue(project, AT, email=email(number))
        students.append(attempt.student)

    def erase(number):
        try:
            return students[number].erase(at=OVER, by=BY)
        except Student.DoesNotExist:
            return "gone"

    outcomes = race_in_rounds([erase, purge_all], rounds)

    assert all(receipt for receipt, _ in outcomes)
    purge_all(0)
    assert not Student.objects.exists()
    assert not Attempt.objects.exists()
