"""What needs attention: found, said with a way to act, and silent once it is done."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from assessments.models import ProjectDay, RefusedCall, WebhookEndpoint
from assessments.models.day_counts import count_days
from assessments.support.attention import Finding, attention
from assessments.webhooks.deliverer import Deliverer
from partners.models import AuditEvent, LastSuccess, Project
from partners.models.last_successes import BACKUP, PERIODS, PURGE, STATISTICS, WEBHOOKS
from tests.factories import (
    AssessmentLinkFactory,
    CourseFactory,
    ProjectFactory,
    UserFactory,
    issued_token,
    staff_as,
)
from tokens.models import AccessToken

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
WHO = {"actor": "command:tests"}


@pytest.fixture(autouse=True)
def nothing_overdue() -> None:
    # Tests with transactions of their own leave no row of the migration.
    for task in PERIODS:
        values = {"known_since": NOW, "succeeded_at": NOW}
        LastSuccess.objects.update_or_create(task=task, defaults=values)


@pytest.fixture
def live() -> Project:
    """Make a project about which there is nothing to say."""
    project = ProjectFactory.create(name="Sahyadri College")
    CourseFactory.create(project=project)
    return project


def found(kind: str, at: datetime = NOW) -> list[Finding]:
    return [finding for finding in attention(at) if finding.kind == kind]


def token_of(project: Project, **columns: Any) -> AccessToken:
    token, _ = issued_token(project)
    values = {"issued_at": NOW - DAY, "expires_at": None, "last_used_at": NOW, **columns}
    AccessToken.objects.filter(pk=token.pk).update(**values)
    token.refresh_from_db()
    return token


def test_a_project_in_order_needs_none(live: Project) -> None:
    token_of(live, expires_at=NOW + 15 * DAY)

    assert attention(NOW) == []


@pytest.mark.parametrize(("left", "ends_soon"), [(13 * DAY, True), (14 * DAY, False)])
def test_a_token_that_ends_within_14_days(live: Project, left: timedelta, ends_soon: bool) -> None:
    token = token_of(live, expires_at=NOW + left)

    ending = found("token_ends")

    assert bool(ending) is ends_soon
    if ending:
        says = f"The token {token.token_id} of Sahyadri College ends on 06 Dec 2026."
        assert ending == [
            Finding(
                "token_ends",
                says,
                "Rotate it",
                f"/admin/tokens/accesstoken/{token.pk}/change/",
                "tokens.view_accesstoken",
                live.project_id,
            )
        ]


def test_a_token_that_was_rotated_ends_as_planned(live: Project) -> None:
    token = token_of(live, expires_at=NOW + 90 * DAY)

    token.rotate(overlap=3 * DAY, at=NOW - HOUR, **WHO)

    assert found("token_ends") == []
    assert found("rotation_to_end") == []
    AccessToken.objects.filter(pk=token.pk).update(last_used_at=NOW)
    assert found("rotation_to_end", NOW + 0.9 * DAY) == []
    (finding,) = found("rotation_to_end", NOW + DAY)
    assert token.token_id in finding.says


def test_a_token_that_was_never_used(live: Project) -> None:
    token = token_of(live, issued_at=NOW - 7 * DAY, last_used_at=None)

    assert found("token_never_used") == []
    (finding,) = found("token_never_used", NOW + HOUR)
    assert finding.says.startswith(f"The token {token.token_id} of Sahyadri College was issued on")
    AccessToken.objects.filter(pk=token.pk).update(last_used_at=NOW)
    assert found("token_never_used", NOW + HOUR) == []


def test_a_project_without_active_courses(live: Project) -> None:
    live.courses.update(is_active=False)

    (finding,) = found("no_courses")

    assert finding.address == f"/admin/assessments/course/catalogue/{live.pk}/"


def test_fields_that_nobody_confirmed(live: Project) -> None:
    CourseFactory.create(project=live, fields=["maths"], fields_proposed=True)
    CourseFactory.create(project=live, fields=["art"], fields_proposed=True, is_active=False)

    (finding,) = found("proposed_fields")

    assert finding.says.startswith("1 course of Sahyadri College")
    assert finding.address.endswith("/?show=proposed")


def test_webhooks_that_the_deliverer_switched_off(live: Project, settings: Any) -> None:
    settings.WEBHOOK_KEY = "k" * 50
    endpoint = WebhookEndpoint.objects.set_up(live, "https://hooks.example.com/", **WHO)
    rows = WebhookEndpoint.objects.filter(pk=endpoint.pk)

    rows.update(switched_off_at=NOW)
    assert found("webhooks_off") == []
    rows.update(failing_since=NOW - 3 * DAY)
    assert [finding.project_id for finding in found("webhooks_off")] == [live.project_id]


def refuse(project: Project, count: int, at: datetime) -> None:
    token = project.access_tokens.first() or token_of(project)
    RefusedCall.objects.bulk_create(
        RefusedCall(project=project, access_token=token, at=at, status=400, code="invalid_request")
        for _ in range(count)
    )


@pytest.mark.parametrize(
    ("today", "a_day_before", "is_many"),
    [(19, 0, False), (20, 0, True), (30, 10, False), (31, 10, True)],
)
def test_more_refused_calls_than_usual(
    live: Project, today: int, a_day_before: int, is_many: bool
) -> None:
    refuse(live, today, NOW - HOUR)
    for ago in range(1, 15):
        refuse(live, a_day_before, NOW - ago * DAY - HOUR)

    assert bool(found("refused_calls")) is is_many
    if is_many:
        (finding,) = found("refused_calls")
        assert f"{today} calls of Sahyadri College were refused in 24 hours" in finding.says
        assert finding.address == f"/admin/assessments/refusedcall/?project={live.pk}"


def links_on(project: Project, *days_ago: int) -> None:
    for ago in days_ago:
        ProjectDay.objects.create(
            project=project, day=(NOW - ago * DAY).date(), counted_at=NOW, links_issued=3
        )


@pytest.mark.parametrize(
    ("days_ago", "quiet"),
    [
        ((30, 28, 26, 8), "7 days"),  # a gap of 2 days: three times is less than a week
        ((30, 28, 26, 7), ""),
        ((60, 56, 52, 14), "13 days"),  # a gap of 4 days
        ((60, 56, 52, 12), ""),
        ((60,), ""),  # no gap to compare with
        ((190, 189, 188), ""),  # too long ago to say what is usual
    ],
)
def test_a_partner_gone_quiet(live: Project, days_ago: tuple[int, ...], quiet: str) -> None:
    links_on(live, *days_ago)
    token_of(live, last_used_at=NOW - days_ago[-1] * DAY)

    findings = found("partner_quiet")

    assert [finding.says.partition(";")[0] for finding in findings] == [
        f"{live.partner.name} has made no call for {days}" for days in [quiet] if days
    ]


def test_a_call_without_a_link_counts_as_a_sign_of_life(live: Project) -> None:
    links_on(live, 40, 39, 38)
    token = token_of(live, last_used_at=NOW - 6 * DAY)

    assert found("partner_quiet") == []
    AccessToken.objects.filter(pk=token.pk).update(last_used_at=NOW - 8 * DAY)
    assert len(found("partner_quiet")) == 1


@pytest.mark.parametrize("is_test", [False, True])
def test_closed_and_test_projects_are_left_out(is_test: bool) -> None:
    project = ProjectFactory.create(is_test=is_test)
    token_of(project, expires_at=NOW + DAY, issued_at=NOW - 9 * DAY, last_used_at=None)
    refuse(project, 40, NOW - HOUR)
    links_on(project, 40, 39, 38)
    other = token_of(project, last_used_at=NOW - 38 * DAY)

    assert len(attention(NOW)) == (0 if is_test else 5)
    assert other.last_used_at
    project.close(**WHO)
    assert attention(NOW) == []


@pytest.mark.parametrize(
    ("task", "period", "says"),
    [(PURGE, DAY, "every day"), (STATISTICS, HOUR, "every hour")],
)
def test_a_task_whose_success_is_older_than_twice_its_period(
    task: str, period: timedelta, says: str
) -> None:
    assert found("overdue_task", NOW + 2 * HOUR) == []

    LastSuccess.objects.filter(task=task).update(succeeded_at=NOW - 2 * period - HOUR)

    (finding,) = found("overdue_task")
    assert finding.says.startswith(f"{task} last succeeded at ")
    assert finding.says.endswith(f"It should succeed {says}.")


def test_a_task_that_never_ran_for_a_day() -> None:
    LastSuccess.objects.filter(task=PURGE).update(succeeded_at=None, known_since=NOW)

    LastSuccess.objects.exclude(task=PURGE).update(succeeded_at=NOW + DAY)
    assert found("overdue_task", NOW + DAY) == []
    (finding,) = found("overdue_task", NOW + DAY + HOUR)
    assert finding.says == "purge never ran. It should succeed every day."


def test_the_deliverer_is_missed_only_where_there_are_webhooks(
    live: Project, settings: Any
) -> None:
    LastSuccess.objects.filter(task=WEBHOOKS).update(succeeded_at=NOW - DAY)
    assert found("overdue_task") == []

    settings.WEBHOOK_KEY = "k" * 50
    WebhookEndpoint.objects.set_up(live, "https://hooks.example.com/", **WHO)

    (finding,) = found("overdue_task")
    assert finding.says.endswith("It should succeed every 15 minutes.")


def test_tasks_note_their_success() -> None:
    LastSuccess.objects.update(succeeded_at=None)
    before = timezone.now()

    call_command("purge", stdout=io.StringIO(), stderr=io.StringIO())
    assert not LastSuccess.objects.exclude(succeeded_at=None).exists()
    call_command("purge", "--apply", stdout=io.StringIO(), stderr=io.StringIO())
    call_command("refresh_statistics", stderr=io.StringIO())
    Deliverer().run_once()

    noted = LastSuccess.objects.filter(succeeded_at__gte=before)
    assert {each.task for each in noted} == {PURGE, STATISTICS, WEBHOOKS}


def test_an_older_success_replaces_no_newer_one() -> None:
    LastSuccess.objects.note(PURGE, NOW + HOUR)
    LastSuccess.objects.note(PURGE, NOW)
    LastSuccess.objects.note("another", NOW)

    assert LastSuccess.objects.get(task=PURGE).succeeded_at == NOW + HOUR
    assert LastSuccess.objects.get(task="another").succeeded_at == NOW


def test_a_backup_is_noted_by_command_and_missed_on_postgresql_only() -> None:
    old = NOW - 2 * DAY - HOUR
    LastSuccess.objects.filter(task=BACKUP).update(succeeded_at=old)
    assert len(found("overdue_task")) == (connection.vendor == "postgresql")

    call_command("note_success", "backup")

    noted = LastSuccess.objects.get(task=BACKUP).succeeded_at
    assert noted is not None
    assert timezone.now() - noted < HOUR
    with pytest.raises(CommandError, match="invalid choice: 'purge'"):
        call_command("note_success", "purge")


def test_the_command_lists_it_and_exits_with_1(live: Project, settings: Any) -> None:
    LastSuccess.objects.update(succeeded_at=timezone.now())
    out = io.StringIO()
    call_command("attention", "--json", stdout=out)
    assert json.loads(out.getvalue()) == []
    live.courses.update(is_active=False)

    for options in (["--json"], []):
        out = io.StringIO()
        with pytest.raises(SystemExit) as ended:
            call_command("attention", *options, stdout=out)
        assert ended.value.code == 1
        if options:
            (finding,) = json.loads(out.getvalue())
            address = f"{settings.APP_URL}/admin/assessments/course/catalogue/{live.pk}/"
            assert finding["address"] == address
            assert (finding["kind"], finding["projectId"]) == ("no_courses", live.project_id)
        else:
            assert out.getvalue() == f"{finding['says']} Add courses: {address}\n"


@pytest.mark.parametrize(("role", "seen"), [("Support", 1), ("Content", 1), ("Administrator", 2)])
def test_the_first_page_shows_what_its_reader_may_act_on(
    live: Project, role: str, seen: int
) -> None:
    LastSuccess.objects.update(succeeded_at=timezone.now())
    live.courses.update(is_active=False)
    token_of(live, expires_at=timezone.now() + DAY)
    client = Client()
    client.force_login(staff_as(role))

    page = client.get("/admin/")

    assert len(page.context["attention"]) == seen
    assert "Needs attention" in page.content.decode()


def test_a_recount_is_audited(client: Client) -> None:
    at = timezone.now()
    AssessmentLinkFactory.create(issued_at=at - 3 * DAY)
    call_command("refresh_statistics", "--from", str((at - 3 * DAY).date()), stderr=io.StringIO())
    event = AuditEvent.objects.get(action="figures.recounted")
    assert event.details == {"counts": {"days": 4}}
    assert event.reason == f"{(at - 3 * DAY).date()} to {at.date()}"

    count_days([at.date()], at - HOUR)
    user = UserFactory.create(is_staff=True, is_superuser=True)
    client.force_login(user)
    client.post("/admin/assessments/projectday/count/")

    assert (
        AuditEvent.objects.filter(action="figures.recounted").latest("pk").actor
        == f"staff:{user.pk}"
    )
