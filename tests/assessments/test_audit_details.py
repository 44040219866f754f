"""What the trail says of a change: values before and after, and nothing personal or secret."""

from __future__ import annotations

import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from assessments.models import Course, WebhookEndpoint
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from assessments.models.catalogues import Catalogue
from partners.models import AuditEvent, Project
from tests.assessments.attempts import started
from tests.factories import CourseFactory, ProjectFactory, UserFactory, staff_as
from tests.support.admin_forms import edit

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
WHO = {"actor": "command:tests"}
URL = "/admin/partners/auditevent/"


def last(action: str) -> AuditEvent:
    return AuditEvent.objects.filter(action=action).latest("pk")


def test_a_setting_is_told_before_and_after(admin_client: Client) -> None:
    project = ProjectFactory.create(retention_months=24)

    edit(admin_client, f"/admin/partners/project/{project.pk}/change/", {"retention_months": "6"})

    event = last("project.changed")
    assert event.details == {"changes": {"retention_months": [24, 6]}}
    assert "retention_months" in admin_client.get(f"{URL}{event.pk}/change/").content.decode()


def test_closing_and_reopening_say_when(project: Project) -> None:
    project.close(**WHO)
    closed = project.closed_at
    project.reopen(**WHO)

    assert closed
    [[before, after]] = last("project.closed").details["changes"].values()
    assert before is None
    assert after.startswith(closed.strftime("%Y-%m-%dT%H:%M:%S"))
    assert last("project.reopened").details["changes"]["closed_at"] == [after, None]


def test_of_personal_and_secret_values_only_the_change_is_told(
    admin_client: Client, project: Project, settings: Any
) -> None:
    settings.WEBHOOK_KEY = "k" * 50
    endpoint = WebhookEndpoint.objects.set_up(project, "https://a.example/secret", **WHO)
    colleague = staff_as("Support")
    partner = project.partner

    edit(
        admin_client,
        f"/admin/partners/partner/{partner.pk}/change/",
        {"contact_email": "it@a.example"},
    )
    edit(admin_client, f"/admin/auth/user/{colleague.pk}/change/", {"last_name": "Nair"})
    endpoint.change({"url": "https://b.example/secret", "sends_reference": True}, **WHO)

    assert last("partner.changed").details == {"changes": {"contact_email": None}}
    assert last("staff.changed").details == {"changes": {"last_name": None}}
    assert last("webhook.changed").details == {
        "changes": {"url": None, "sends_reference": [False, True]}
    }
    told = str(list(AuditEvent.objects.values_list("details", "reason")))
    assert not any(word in told for word in ("a.example", "b.example", "Nair"))


def test_roles_are_told_before_and_after(admin_client: Client) -> None:
    colleague, auditor = staff_as("Support"), staff_as("Auditor").groups.get()

    edit(admin_client, f"/admin/auth/user/{colleague.pk}/change/", {"groups": [str(auditor.pk)]})

    assert last("staff.changed").details == {"roles": [["Support"], ["Auditor"]]}


def test_a_longer_deadline_is_told(bank: Any, project: Project) -> None:
    attempt = started(project)
    before = attempt.finish_by_at
    attempt.extend(before.replace(microsecond=0) + (before - attempt.started_at), **WHO)

    [[was, now]] = last("assessment.extended").details["changes"].values()
    assert was < now


def digest(project: Project) -> str:
    return CatalogueSnapshot.objects.current(project).digest


def test_a_load_tells_counts_codes_and_a_digest(project: Project) -> None:
    for code in ("GONE", "KEPT", "NEW2"):
        CourseFactory.create(project=project, code=code, fields=["machines"])
    rows = [
        {"code": "KEPT", "name": "Other", "fields": ["maths"]},
        *({"code": f"N{n:03}", "name": f"Course {n}", "fields": ["maths"]} for n in range(60)),
    ]

    before = digest(project)
    Catalogue(project).load(rows, **WHO)

    details = last("courses.loaded").details
    assert details["counts"] == {"added": 60, "changed": 1, "unchanged": 0, "deactivated": 2}
    assert details["codes"]["deactivated"] == ["GONE", "NEW2"]
    assert details["codes"]["added"] == [f"N{n:03}" for n in range(60)]
    assert details["codes"]["changed"] == ["KEPT"]
    assert details["digest_before"] == before
    assert details["digest"] == digest(project)


def test_the_digest_is_that_of_the_whole_catalogue(project: Project) -> None:
    course = CourseFactory.create(project=project, name="Old", is_active=False)
    before = digest(project)

    Course.objects.filter(pk=course.pk).update(about={"en": "New."})
    CourseFactory.create(name="Another project's")

    after = digest(project)
    assert before != after
    Course.objects.filter(pk=course.pk).update(about={})
    assert digest(project) == before


def test_a_list_shows_acts_unless_one_searches_or_asks_for_more(admin_client: Client) -> None:
    colleague = UserFactory.create(username="priya")
    for action in ("staff.signed_in", "student.listed", "staff.changed"):
        AuditEvent.record(action, colleague, **WHO)

    def shown(**query: str) -> set[str]:
        text = admin_client.get(URL, query).content.decode()
        return {each for each in ("signed_in", "listed", "changed") if f".{each}</td>" in text}

    assert shown() == {"changed"}
    assert shown(action="reads") == {"listed"}
    assert shown(action="sign_ins") == {"signed_in"}
    assert (
        shown(action="all") == shown(q=f"user-{colleague.pk}") == {"signed_in", "listed", "changed"}
    )


def test_a_refused_attempt_is_recorded(project: Project) -> None:
    content = Client()
    reader = staff_as("Content")
    content.force_login(reader)

    refused = content.post(f"/admin/partners/project/{project.pk}/close/", {"reason": "mine"})

    assert refused.status_code == 403
    event = last("staff.refused")
    assert (event.actor, event.reason) == (f"staff:{reader.pk}", "POST partners_project_close")


def test_a_superuser_and_a_password_of_a_command_are_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "short")
    options: dict[str, Any] = {"username": "root", "email": "", "interactive": False}
    with pytest.raises(CommandError, match="DJANGO_SUPERUSER_PASSWORD: .*too short"):
        call_command("createsuperuser", **options)
    assert not User.objects.exists()

    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "nine purple kettles sing")
    call_command("createsuperuser", **options, stdout=io.StringIO())
    root = User.objects.get()
    assert root.is_superuser
    event = last("staff.added")
    assert (event.object_id, event.reason) == (f"user-{root.pk}", "superuser")
    assert event.actor.startswith("command:")

    monkeypatch.setattr("getpass.getpass", lambda prompt: "eleven yellow kettles hum")
    call_command("changepassword", "root", stdout=io.StringIO())
    root.refresh_from_db()
    assert root.check_password("eleven yellow kettles hum")
    assert last("staff.password_changed").object_id == f"user-{root.pk}"


def exported(*options: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("export_audit", *options, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_the_trail_is_exported_from_an_id_on_but_for_the_last_minute(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.close(reason="unpaid", **WHO)
    assert exported() == []  # not yet

    monkeypatch.setattr("assessments.models.feed.HELD_BACK", timedelta(days=-1))
    monkeypatch.setattr("assessments.models.feed.BEFORE_WRITERS", timedelta(days=-1))
    project.reopen(**WHO)
    lines = exported()

    closed, reopened = lines[-2:]
    assert list(closed) == [
        *("id", "at", "actor", "action", "objectType", "objectId"),
        *("projectId", "address", "requestId", "reason", "details"),
    ]
    assert (closed["action"], closed["reason"]) == ("project.closed", "unpaid")
    assert closed["projectId"] == closed["objectId"] == project.project_id
    assert closed["details"]["changes"]["closed_at"][0] is None
    assert exported("--from", str(reopened["id"])) == [reopened]
    assert exported("--from", str(reopened["id"] + 1)) == []
