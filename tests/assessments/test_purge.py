"""What has been kept long enough is deleted, and nothing a day earlier."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta

import pytest
from django.contrib.sessions.models import Session

from assessments.models import (
    Assessment,
    AssessmentLink,
    CatalogueSnapshot,
    ItemBank,
    LinkEvent,
    RefusedCall,
    Student,
    retention,
)
from partners.models import AuditEvent, Project
from partners.models.audit import KEPT_YEARS
from partners.times import kept_until
from tests.assessments.attempts import answer_until, issue, started
from tests.assessments.purging import AT, DAY, PURGED, WHO, done, purge, rows, snapshot
from tests.factories import (
    AssessmentLinkFactory,
    StudentFactory,
    UserFactory,
    issued_token,
)

pytestmark = pytest.mark.usefixtures("bank")


def test_an_attempt_goes_with_all_that_hangs_on_it(project: Project) -> None:
    attempt = done(project, AT)
    LinkEvent.objects.create(link=attempt.links.get(), number=1, at=AT, kind="opened")

    assert purge(datetime(2028, 11, 21, 23, tzinfo=UTC)) == {}
    deleted = purge(datetime(2028, 11, 22, tzinfo=UTC))

    assert deleted == {project.project_id: {"attempts": 1, "students": 1}}
    assert rows() == [0, 0, 0, 0, 0]


def ended(**times: datetime) -> Callable[[Project], Assessment]:
    def make(project: Project) -> Assessment:
        attempt = started(project, AT)
        Assessment.objects.filter(pk=attempt.pk).update(**times)
        return attempt

    return make


@pytest.mark.parametrize(
    "make",
    [
        lambda project: done(project, AT + 3 * DAY / 4),
        ended(abandoned_at=AT + 3 * DAY / 4),
        ended(finish_by_at=AT + 3 * DAY / 4),
    ],
    ids=["completed", "abandoned", "late"],
)
def test_the_months_count_from_the_end(
    project: Project, make: Callable[[Project], Assessment]
) -> None:
    """It ends on the 22nd, at half past three in the morning."""
    make(project)

    assert purge(datetime(2028, 11, 22, 23, 59, tzinfo=UTC)) == {}
    assert purge(datetime(2028, 11, 23, tzinfo=UTC))[project.project_id]["attempts"] == 1


def test_an_attempt_has_months_of_its_own_whatever_the_project_says_later(
    project: Project,
) -> None:
    Project.objects.update(retention_months=3)
    project.refresh_from_db()
    short = started(project, AT)
    Project.objects.update(retention_months=24)
    project.refresh_from_db()
    long = started(project, AT, email="other@example.com")
    Project.objects.update(retention_months=1)
    Assessment.objects.update(abandoned_at=AT)

    purge(datetime(2027, 2, 22, tzinfo=UTC))

    assert (short.retention_months, long.retention_months) == (3, 24)
    assert Assessment.objects.get() == long
    assert Student.objects.get() == long.student


@pytest.mark.parametrize("months", range(1, 25))
def test_every_number_of_months_is_looked_at(project: Project, months: int) -> None:
    end = datetime(2026, 1, 31, 12, tzinfo=UTC)
    done(project, end, months=months)
    last = datetime.combine(kept_until(end.date(), months), time(23, 59), tzinfo=UTC)

    assert purge(last) == {}
    assert purge(last + timedelta(minutes=1))


def test_an_open_attempt_and_its_links_stay(project: Project) -> None:
    attempt = answer_until(started(project, AT), 6, AT)
    Assessment.objects.filter(pk=attempt.pk).update(finish_by_at=AT + 1000 * DAY)
    before = rows()

    assert purge(AT + 900 * DAY) == {}

    assert rows() == before


def test_an_unused_link_goes_thirty_days_after_its_expiry(project: Project) -> None:
    link, _ = issue(project, AT)
    LinkEvent.objects.create(link=link, number=1, at=AT, kind="robot")
    over = link.expires_at + 30 * DAY

    assert purge(over - timedelta(seconds=1)) == {}
    assert purge(over) == {project.project_id: {"unused links": 1, "students": 1}}

    assert rows() == [0, 0, 0, 0, 0]


def test_a_refused_call_goes_after_thirty_days(project: Project) -> None:
    token, _ = issued_token(project)
    for at in (AT, AT + DAY):
        RefusedCall.objects.create(project=project, access_token=token, at=at, status=400)

    assert purge(AT + 30 * DAY) == {}
    assert purge(AT + 30 * DAY + timedelta(seconds=1)) == {project.project_id: {"refused calls": 1}}

    assert RefusedCall.objects.get().at == AT + DAY


def test_a_used_link_stays_as_long_as_its_attempt(project: Project) -> None:
    attempt = done(project, AT)

    assert purge(AT + 100 * DAY) == {}

    assert attempt.links.count() == 1


def test_a_student_stays_while_anything_is_kept(project: Project) -> None:
    student = done(project, AT - 400 * DAY, months=12).student
    link = AssessmentLinkFactory.create(student=student, issued_at=AT + 365 * DAY)

    deleted = purge(AT + 366 * DAY)

    assert deleted == {project.project_id: {"attempts": 1}}
    assert Student.objects.get() == link.student
    assert AssessmentLink.objects.get() == link


def test_a_student_without_a_link_or_an_attempt_goes(project: Project) -> None:
    StudentFactory.create(project=project)

    assert purge(AT) == {project.project_id: {"students": 1}}

    assert not Student.objects.exists()


def test_a_student_who_got_a_link_since_the_look_stays(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, _ = issue(project, AT)
    alone = StudentFactory.create(project=project)
    seen = [alone.pk, link.student_id]
    monkeypatch.setattr(
        retention, "_lock", lambda rows, room: seen if rows.model is Student else []
    )

    assert purge(AT) == {project.project_id: {"students": 1}}

    assert Student.objects.get() == link.student


def test_an_erased_student_goes_with_the_last_attempt(project: Project) -> None:
    done(project, AT)
    Student.objects.get().erase(at=AT, actor=WHO)

    purge(datetime(2028, 11, 22, tzinfo=UTC))

    assert rows() == [0, 0, 0, 0, 0]
    assert AuditEvent.objects.filter(action="student.erased").count() == 1


def test_a_catalogue_goes_with_the_last_result_that_refers_to_it(project: Project) -> None:
    old = snapshot(project, "a", AT - 900 * DAY)
    newest = snapshot(project, "b", AT - 800 * DAY)
    used = snapshot(project, "c", AT - 950 * DAY)
    kept = done(project, AT)
    Assessment.objects.filter(pk=kept.pk).update(catalogue=used)
    CatalogueSnapshot.objects.exclude(digest__in="abc").delete()

    assert purge(AT) == {project.project_id: {"catalogues": 1}}

    assert set(CatalogueSnapshot.objects.all()) == {newest, used}
    assert old.pk is not None


def test_a_replaced_catalogue_can_be_restored_for_24_months(project: Project) -> None:
    first = snapshot(project, "a", AT - 900 * DAY)
    second = snapshot(project, "b", AT - 10 * DAY)
    replaced = AT - 10 * DAY

    assert purge(replaced + 730 * DAY) == {}
    assert purge(replaced + 732 * DAY) == {project.project_id: {"catalogues": 1}}

    assert CatalogueSnapshot.objects.get() == second
    assert first.pk is not None


def test_a_file_that_nobody_loaded_goes_after_seven_days(project: Project) -> None:
    offered = snapshot(project, "a", AT)
    CatalogueSnapshot.objects.filter(pk=offered.pk).update(current_since=None)
    current = snapshot(project, "b", AT - 900 * DAY)

    assert purge(AT + 6 * DAY) == {}
    assert purge(AT + 7 * DAY) == {project.project_id: {"catalogues": 1}}

    assert CatalogueSnapshot.objects.get() == current


def years_old(years: int) -> datetime:
    return datetime(datetime.now(UTC).year - years, 1, 1, tzinfo=UTC) - 3 * DAY


def test_the_audit_trail_goes_after_seven_years(project: Project) -> None:
    now = datetime.now(UTC)
    partner = project.partner
    for target in (project, partner):
        AuditEvent.record("x.old", target, at=years_old(KEPT_YEARS), actor=WHO)
        AuditEvent.record("x.young", target, at=years_old(KEPT_YEARS - 2), actor=WHO)
    newest_old = AuditEvent.objects.filter(action="x.old", project=None).get()

    deleted = purge(now)

    assert deleted == {project.project_id: {"audit events": 1}, "": {"audit events": 1}}
    assert AuditEvent.objects.filter(action="x.old").count() == 0
    assert AuditEvent.objects.filter(action="x.young").count() == 2
    # of what belonged to no project, the number up to which the trail is gone
    left = AuditEvent.objects.filter(action=PURGED).get(project=None)
    assert left.object_id == f"auditevent-{newest_old.pk}"


def test_expired_sessions_of_staff_go(db: None) -> None:
    for key, expiry in (("old", AT - DAY), ("live", AT + DAY)):
        Session.objects.create(session_key=key, session_data="", expire_date=expiry)

    assert purge(AT) == {"": {"sessions": 1}}

    assert Session.objects.get().session_key == "live"


def test_banks_figures_projects_and_staff_stay(project: Project) -> None:
    done(project, AT)
    user = UserFactory.create()

    purge(AT + 1000 * DAY)

    assert (ItemBank.objects.count(), Project.objects.count()) == (1, 1)
    assert type(user).objects.filter(pk=user.pk).exists()
