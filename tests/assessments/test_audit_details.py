"""What the audit trail says: values before and after, and nothing personal or secret."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse

from assessments.catalogue.catalogue import Catalogue
from assessments.models import AssessmentLink, Attempt, Student, WebhookEndpoint
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from partners.models import AuditEvent
from tests.assessments.attempts import started
from tests.assessments.link_actions import VIEW
from tests.factories import BY, CourseFactory, staff_as
from tests.support.admin_forms import edit
from tests.support.commands import run

pytestmark = [pytest.mark.django_db]
URL = "/admin/partners/auditevent/"


def last(action):
    return AuditEvent.objects.filter(action=action).latest("pk")


@pytest.mark.sqlite
def test_values_are_recorded_before_and_after_but_not_personal_or_secret_ones(
    admin_client, project, settings
):
    settings.WEBHOOK_KEY = "k" * 50
    endpoint = WebhookEndpoint.objects.set_up(project, "https://a.example/secret", by=BY)
    colleague, auditor = staff_as("Support"), staff_as("Auditor").groups.get()
    user = f"/admin/auth/user/{colleague.pk}/change/"
    partner = f"/admin/partners/partner/{project.partner_id}/change/"

    edit(admin_client, partner, {"contact_email": "it@a.example"})
    assert last("partner.changed").details == {"changes": {"contact_email": None}}
    edit(admin_client, user, {"last_name": "Nair"})
    assert last("staff.changed").details == {"changes": {"last_name": None}}
    edit(admin_client, user, {"groups": [str(auditor.pk)]})
    assert last("staff.changed").details == {"roles": [["Support"], ["Auditor"]]}
    endpoint.change({"url": "https://b.example/secret", "sends_reference": True}, by=BY)
    changes = {"url": None, "sends_reference": [False, True]}
    assert last("webhook.changed").details == {"changes": changes}
    edit(admin_client, f"/admin/partners/project/{project.pk}/change/", {"retention_months": "6"})
    event = last("project.changed")
    assert event.details == {"changes": {"retention_months": [24, 6]}}
    assert "retention_months" in admin_client.get(f"{URL}{event.pk}/change/").content.decode()
    recorded = str(list(AuditEvent.objects.values_list("details", "reason")))
    assert not any(word in recorded for word in ("a.example", "b.example", "Nair"))


def test_a_load_of_courses_records_counts_codes_and_digests(project):
    def digest():
        return CatalogueSnapshot.objects.current(project).digest

    for code in ("GONE", "KEPT", "NEW2"):
        CourseFactory.create(project=project, code=code, fields=["machines"])
    rows = [
        {"code": "KEPT", "name": "Other", "fields": ["maths"]},
        *({"code": f"N{n:03}", "name": f"Course {n}", "fields": ["maths"]} for n in range(60)),
    ]

    before = digest()
    Catalogue(project).load(rows, by=BY)

    details, loaded = last("courses.loaded").details, digest()
    assert details["counts"] == {"added": 60, "changed": 1, "unchanged": 0, "deactivated": 2}
    assert details["codes"]["deactivated"] == ["GONE", "NEW2"]
    assert details["codes"]["added"] == [f"N{n:03}" for n in range(60)]
    assert details["codes"]["changed"] == ["KEPT"]
    assert (details["digest_before"], details["digest"]) == (before, loaded)
    assert before != loaded


@pytest.mark.parametrize("model", [Student, AssessmentLink, Attempt])
def test_a_reader_of_a_page_or_a_list_is_in_the_trail(bank, project, staff, model):
    attempt, row = started(project), model.objects.get()
    for number in range(2):
        started(project, email=f"s{number}@example.com")
    page, before = f"admin:assessments_{model._meta.model_name}_", AuditEvent.objects.count()
    reader = staff(*VIEW)

    reader.get(reverse(f"{page}change", args=[row.pk]))
    reader.get(reverse(f"{page}changelist"))
    reader.get(reverse(f"{page}changelist"), {"project": "no such project"})

    number, name = reader.session["_auth_user_id"], str(model._meta.verbose_name)
    events = AuditEvent.objects.order_by("pk")[before:]
    assert {event.actor for event in events} == {f"staff:{number}"}
    assert [(e.action, e.object_id, e.project, e.reason) for e in events] == [
        ("student.read", f"student-{attempt.student_id}", project, f"looked at: {row}"),
        ("student.listed", f"user-{number}", None, f"{name}: 3 rows"),
        ("student.listed", f"user-{number}", None, f"{name}: 0 rows"),
    ]


def exported(*options):
    return [json.loads(line) for line in run("export_audit", *options)[0].splitlines()]


@pytest.mark.sqlite
def test_the_trail_is_exported_from_an_id_on_but_for_the_last_minute(project, monkeypatch):
    project.close(reason="unpaid", by=BY)
    assert exported() == []  # not yet

    monkeypatch.setattr("assessments.models.feed.HELD_BACK", timedelta(days=-1))
    monkeypatch.setattr("assessments.models.feed.BEFORE_WRITERS", timedelta(days=-1))
    project.reopen(by=BY)
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
