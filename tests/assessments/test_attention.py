"""What needs attention: found, with a way to act, and silent once it is done."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from assessments.desk.attention import attention
from assessments.models import WebhookEndpoint
from assessments.webhooks.sender import Deliverer
from partners.models import LastSuccess
from partners.models.last_successes import BACKUP, PERIODS, PURGE, WEBHOOKS
from tests.assessments.attempts import marked_completed, started
from tests.factories import BY, CourseFactory, ProjectFactory, issued_token
from tests.support.commands import run

pytestmark = [pytest.mark.django_db]
NOW = datetime(2026, 11, 23, 9, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def nothing_overdue():
    # Tests with transactions of their own leave no row of the migration.
    for task in PERIODS:
        values = {"known_since": NOW, "succeeded_at": NOW}
        LastSuccess.objects.update_or_create(task=task, defaults=values)


@pytest.fixture
def live():
    """Make a project about which there is nothing to say."""
    project = ProjectFactory.create(name="Sahyadri College")
    issued_token(project, at=NOW - DAY)
    CourseFactory.create(project=project)
    return project


def token_ends(project, left=13 * DAY):
    project.access_tokens.update(expires_at=NOW + left)


def webhooks_fail(project, since=NOW - 3 * DAY):
    WebhookEndpoint.objects.set_up(project, "https://hooks.example.com/", by=BY)
    WebhookEndpoint.objects.update(switched_off_at=NOW, failing_since=since)


def courses_are_for_others(project):
    project.courses.update(entry_level="degree")


def courses_came_late(project):
    """Complete an attempt while the project has no course, then activate its course again."""
    project.courses.update(is_active=False)
    marked_completed(started(project, NOW - HOUR), names=())
    project.courses.update(is_active=True)


# What is wrong, the page on which to act, and the right to open it.
FAULTS = {
    "no token": (
        lambda project: project.access_tokens.update(expires_at=NOW),
        *("/admin/partners/project/{0.pk}/change/", "partners.view_project"),
    ),
    "no course for them": (
        courses_are_for_others,
        *("/admin/partners/project/{0.pk}/change/", "partners.view_project"),
    ),
    "results to fill": (
        courses_came_late,
        *("/admin/partners/project/{0.pk}/change/", "partners.view_project"),
    ),
    "token ends": (
        token_ends,
        *("/admin/tokens/accesstoken/{1.pk}/change/", "tokens.view_accesstoken"),
    ),
    "webhooks off": (
        webhooks_fail,
        "/admin/assessments/webhookendpoint/{0.webhook_endpoint.pk}/change/",
        "assessments.view_webhookendpoint",
    ),
}


@pytest.mark.sqlite
@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.usefixtures("bank")
def test_a_fault_of_a_live_project_is_found_with_the_page_on_which_to_act(live, name):
    fault, address, permission = FAULTS[name]
    sandbox = issued_token(ProjectFactory.create(is_test=True), at=NOW - DAY)[0].project
    assert not [*attention(NOW)]

    for project in (live, sandbox):
        fault(project)

    [finding] = attention(NOW)
    assert "Sahyadri College" in finding.says
    assert finding.permission == permission
    assert finding.address == address.format(live, live.access_tokens.get())
    live.close(by=BY)
    assert not [*attention(NOW)]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "change",
    [
        lambda project: token_ends(project, 14 * DAY),
        lambda project: project.access_tokens.get().rotate(overlap=3 * DAY, at=NOW - HOUR, by=BY),
        lambda project: webhooks_fail(project, since=None),
    ],
    ids=["token ends later", "token was rotated", "switched off by staff"],
)
def test_what_is_in_order_is_not_found(live, change):
    change(live)

    assert not [*attention(NOW)]


@pytest.mark.parametrize(
    ("known_since", "succeeded_at", "is_overdue"),
    [
        (NOW, NOW - 2 * DAY + HOUR, False),
        (NOW, NOW - 2 * DAY - HOUR, True),
        (NOW - DAY, None, False),
        (NOW - DAY - HOUR, None, True),
    ],
)
def test_a_task_is_overdue_after_twice_its_period_or_if_it_never_ran(
    known_since, succeeded_at, is_overdue
):
    values = {"known_since": known_since, "succeeded_at": succeeded_at}
    LastSuccess.objects.filter(task=PURGE).update(**values)

    assert [not finding.address for finding in attention(NOW)] == [True] * is_overdue


def test_tasks_note_their_success():
    LastSuccess.objects.update(succeeded_at=None)
    before = timezone.now()

    run("purge")
    assert not LastSuccess.objects.exclude(succeeded_at=None).exists()
    run("purge", "--apply")
    Deliverer().run_once()

    noted = LastSuccess.objects.filter(succeeded_at__gte=before)
    assert {each.task for each in noted} == {PURGE, WEBHOOKS}


def test_a_backup_is_noted_by_command_and_missed_on_postgresql_only():
    backup = LastSuccess.objects.filter(task=BACKUP)
    backup.update(succeeded_at=NOW - 2 * DAY - HOUR)
    assert len([*attention(NOW)]) == (connection.vendor == "postgresql")

    call_command("note_success", "backup")

    assert backup.filter(succeeded_at__gt=timezone.now() - HOUR).exists()
    with pytest.raises(CommandError, match="invalid choice: 'purge'"):
        call_command("note_success", "purge")
