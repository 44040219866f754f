"""What needs attention: found, with a way to act, and silent once it is done."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from assessments.models import RefusedCall, WebhookEndpoint
from assessments.support.attention import Finding, attention
from assessments.webhooks.sender import Deliverer
from partners.models import LastSuccess, Project
from partners.models.last_successes import BACKUP, PERIODS, PURGE, WEBHOOKS
from tests.factories import CourseFactory, ProjectFactory, issued_token, staff_as

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
    issued_token(project, at=NOW - DAY)
    return project


def found(kind: str, at: datetime = NOW) -> list[Finding]:
    return [finding for finding in attention(at) if finding.kind == kind]


def token_ends(project: Project, left: timedelta = 13 * DAY) -> None:
    project.access_tokens.update(expires_at=NOW + left)


def webhooks_fail(project: Project) -> None:
    endpoint = WebhookEndpoint.objects.set_up(project, "https://hooks.example.com/", **WHO)
    rows = WebhookEndpoint.objects.filter(pk=endpoint.pk)
    rows.update(switched_off_at=NOW, failing_since=NOW - 3 * DAY)


def refuse(project: Project, count: int = 20) -> None:
    token, values = project.access_tokens.get(), {"status": 429, "code": "rate_limited"}
    for at in (NOW - HOUR, NOW - DAY):  # the second is too long ago
        RefusedCall.objects.create(
            project=project, access_token=token, at=at, count=count, **values
        )


FAULTS: list[tuple[Callable[[Project], Any], str, str, str]] = [
    (
        lambda project: project.access_tokens.update(expires_at=NOW),
        *("project", "/admin/partners/project/{0.pk}/change/", "partners.view_project"),
    ),
    (
        token_ends,
        "project",
        "/admin/tokens/accesstoken/{1.pk}/change/",
        "tokens.view_accesstoken",
    ),
    (
        lambda project: project.courses.update(is_active=False),
        "project",
        "/admin/assessments/course/catalogue/{0.pk}/",
        "assessments.change_course",
    ),
    (
        webhooks_fail,
        "project",
        "/admin/assessments/webhookendpoint/{0.webhook_endpoint.pk}/change/",
        "assessments.view_webhookendpoint",
    ),
    (
        refuse,
        "refused_calls",
        "/admin/assessments/refusedcall/?project={0.pk}",
        "tokens.view_accesstoken",
    ),
]


@pytest.mark.parametrize(
    ("fault", "kind", "address", "permission"),
    FAULTS,
    ids=["no token", "token ends", "no course", "webhooks off", "refused calls"],
)
def test_a_fault_is_found_with_the_page_on_which_to_act(
    live: Project, fault: Callable[[Project], Any], kind: str, address: str, permission: str
) -> None:
    assert attention(NOW) == []

    fault(live)

    [finding] = attention(NOW)
    assert "Sahyadri College" in finding.says
    assert finding.address == address.format(live, live.access_tokens.get())
    assert (finding.kind, finding.permission) == (kind, permission)
    assert finding.project_id == live.project_id
    live.close(**WHO)
    assert attention(NOW) == []


def switch_off(project: Project) -> None:
    webhooks_fail(project)
    WebhookEndpoint.objects.update(failing_since=None)


@pytest.mark.parametrize(
    "change",
    [
        lambda project: token_ends(project, 14 * DAY),
        lambda project: project.access_tokens.get().rotate(overlap=3 * DAY, at=NOW - HOUR, **WHO),
        lambda project: refuse(project, 19),
        switch_off,
    ],
    ids=["token ends later", "token was rotated", "few refused calls", "switched off by staff"],
)
def test_what_is_in_order_is_not_found(live: Project, change: Callable[[Project], Any]) -> None:
    change(live)

    assert attention(NOW) == []


def test_test_projects_are_left_out() -> None:
    project = ProjectFactory.create(is_test=True)
    issued_token(project, at=NOW - DAY)
    for fault, *_ in FAULTS[1:]:
        fault(project)

    assert attention(NOW) == []


def test_a_task_whose_success_is_older_than_twice_its_period_or_that_never_ran() -> None:
    purge = LastSuccess.objects.filter(task=PURGE)

    for known_since, succeeded_at, is_overdue in (
        (NOW, NOW - 2 * DAY + HOUR, False),
        (NOW, NOW - 2 * DAY - HOUR, True),
        (NOW - DAY, None, False),
        (NOW - DAY - HOUR, None, True),
    ):
        purge.update(known_since=known_since, succeeded_at=succeeded_at)
        assert bool(found("overdue_task")) is is_overdue


def test_the_deliverer_is_missed_only_where_there_are_webhooks(live: Project) -> None:
    LastSuccess.objects.filter(task=WEBHOOKS).update(succeeded_at=NOW - DAY)
    assert found("overdue_task") == []

    WebhookEndpoint.objects.set_up(live, "https://hooks.example.com/", **WHO)

    assert len(found("overdue_task")) == 1


@pytest.mark.parametrize(("waiting", "is_behind"), [(None, False), (10, False), (11, True)])
def test_an_archive_of_the_log_that_is_behind(
    waiting: int | None, is_behind: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assessments.support.attention.segments_waiting", lambda: waiting)

    assert bool(found("overdue_task")) is is_behind


def test_tasks_note_their_success() -> None:
    LastSuccess.objects.update(succeeded_at=None)
    before = timezone.now()

    call_command("purge", stdout=io.StringIO(), stderr=io.StringIO())
    assert not LastSuccess.objects.exclude(succeeded_at=None).exists()
    call_command("purge", "--apply", stdout=io.StringIO(), stderr=io.StringIO())
    Deliverer().run_once()

    noted = LastSuccess.objects.filter(succeeded_at__gte=before)
    assert {each.task for each in noted} == {PURGE, WEBHOOKS}


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
    address = f"{settings.APP_URL}/admin/assessments/course/catalogue/{live.pk}/"

    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("attention", "--json", stdout=out)

    assert ended.value.code == 1
    (finding,) = json.loads(out.getvalue())
    assert set(finding) == {"kind", "says", "act", "address", "projectId"}
    assert (finding["address"], finding["projectId"]) == (address, live.project_id)


@pytest.mark.parametrize(("role", "seen"), [("Support", 1), ("Administrator", 2)])
def test_the_first_page_shows_what_its_reader_may_act_on(
    live: Project, role: str, seen: int
) -> None:
    LastSuccess.objects.update(succeeded_at=timezone.now())
    live.courses.update(is_active=False)
    live.access_tokens.update(expires_at=timezone.now() + DAY)
    client = Client()
    client.force_login(staff_as(role))

    page = client.get("/admin/")

    assert len(page.context["attention"]) == seen
    assert "Needs attention" in page.content.decode()
