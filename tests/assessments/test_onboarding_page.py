"""Onboarding in one page: a partner's whole beginning in one form, and the secret once."""

from __future__ import annotations

import logging
from datetime import timedelta
from html import unescape

import pytest

from assessments.models import Course
from assessments.onboarding.handover import pack
from partners.models import AuditEvent, Partner, Project
from tests.assessments.onboarding import MODELS, URL, Desk, counts, secrets_in
from tests.assessments.partner import Backend
from tests.assessments.test_catalogue_file import GOOD, file
from tests.factories import ProjectFactory, issued_token
from tests.support.threads import race
from tokens import crypto
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db


def test_the_page_asks_and_changes_nothing() -> None:
    page = Desk().client.get(URL)

    text = page.content.decode()
    assert page.status_code == 200
    for words in ("Partner", "First project", "Course catalogue", "First access token"):
        assert f">{words}</h2>" in text
    assert 'enctype="multipart/form-data"' in text
    assert counts() == [0] * len(MODELS)


def test_one_form_makes_everything_and_the_first_call_works() -> None:
    desk = Desk()

    sent = desk.opened(
        courses=file(GOOD).decode(),
        time_zone="Asia/Dubai",
        start_by_minutes="7d",
        finish_by_hours="48h",
        link_rate_per_minute="50",
        results_rate_per_minute="70",
        consent_mode="ask",
        retention_months="12",
        label="CRM",
        expires_in="90d",
    )
    answer = desk.post(sent)

    project, token = Project.objects.get(), AccessToken.objects.get()
    (secret,) = secrets_in(answer)
    assert answer.status_code == 200
    assert (project.partner.name, project.name) == ("Northern Portal", "Sahyadri College")
    assert project.partner.contact_email == "it@northern.example"
    assert (project.time_zone, project.consent_mode) == ("Asia/Dubai", "ask")
    assert (project.start_by_minutes, project.finish_by_hours) == (7 * 24 * 60, 48)
    assert (project.link_rate_per_minute, project.results_rate_per_minute) == (50, 70)
    assert project.retention_months == 12
    assert Course.objects.get().project == project
    assert (token.project, token.label, token.lifetime) == (project, "CRM", timedelta(days=90))
    assert Backend(project, f"{token.token_id}:{secret}").link().status_code == 200


def test_every_act_is_recorded_for_the_one_who_pressed() -> None:
    desk = Desk()

    desk.send(courses=file(GOOD).decode())

    project, token = Project.objects.get(), AccessToken.objects.get()
    events = {event.action: event for event in AuditEvent.objects.all()}
    assert set(events) == {"partner.created", "project.created", "courses.loaded", "token.issued"}
    assert {event.actor for event in events.values()} == {f"staff:{desk.user.pk}"}
    assert {event.address for event in events.values()} == {"127.0.0.1"}
    assert events["token.issued"].object_id == token.token_id
    assert events["token.issued"].reason == "onboarding"
    assert events["courses.loaded"].project == project
    assert "northern.example" not in str(list(AuditEvent.objects.values()))


def test_the_secret_is_in_the_answer_and_nowhere_else(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    desk = Desk()

    answer = desk.send()

    (secret,) = secrets_in(answer)
    assert crypto.matches(secret, AccessToken.objects.get().secret_digest)
    assert answer.content.decode().count(secret) == 1
    assert "no-store" in answer.headers["Cache-Control"]
    assert secret not in str(desk.client.session.items())
    assert secret not in desk.client.cookies.output()
    assert secret not in caplog.text
    assert "messages" not in desk.client.cookies


def test_a_known_partner_is_used_and_it_is_said() -> None:
    known = ProjectFactory.create(partner__name="Northern Portal").partner
    Partner.objects.update(contact_email="old@northern.example")

    answer = Desk().send(contact_email="new@northern.example")

    known.refresh_from_db()
    text = answer.content.decode()
    assert known.contact_email == "old@northern.example"
    assert known.projects.count() == 2
    assert "Northern Portal existed already" in text
    assert "its contact e-mail was not changed (old@northern.example)" in text
    assert not AuditEvent.objects.filter(action="partner.created").exists()


def test_the_same_form_again_makes_nothing_and_shows_no_secret() -> None:
    desk = Desk()
    sent = desk.form(courses=file(GOOD).decode())
    desk.post(sent)
    before = counts()

    answers = [desk.post(sent) for _ in range(5)]

    assert counts() == before
    for answer in answers:
        assert answer.status_code == 409
        assert not secrets_in(answer)
        assert AccessToken.objects.get().token_id in answer.content.decode()
        assert "You submitted the page twice." in answer.content.decode()


def test_the_same_form_for_another_partner_makes_nothing() -> None:
    desk = Desk()
    sent = desk.form()
    desk.post(sent)
    before = counts()

    answer = desk.post({**sent, "partner_name": "Southern", "project_name": "Another"})

    assert answer.status_code == 409
    assert counts() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_known", [False, True])
def test_the_same_form_four_times_at_once_makes_one(is_known: bool) -> None:
    if is_known:
        ProjectFactory.create(partner__name="Northern Portal")
    before = counts()
    desk = Desk()
    sent = desk.form()

    answers = race([lambda: desk.post(sent)] * 4)

    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert sum(len(secrets_in(answer)) for answer in answers) == 1
    made = [after - was for after, was in zip(counts(), before, strict=True)]
    assert made == [0 if is_known else 1, 1, 1, 0, 2 if is_known else 3]


def test_the_pack_is_there_later_without_the_secret() -> None:
    token, secret = issued_token()
    desk = Desk("partners.view_project", "tokens.view_accesstoken")
    address = f"/admin/onboard/{token.project.pk}/pack/"

    page = desk.client.get(address)
    download = desk.client.get(address, {"token": token.token_id, "download": ""})

    assert pack(token.project, token) in unescape(page.content.decode())
    assert download.content.decode() == pack(token.project, token)
    assert download.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "attachment" in download.headers["Content-Disposition"]
    assert secret not in page.content.decode() + download.content.decode()
    assert all("no-store" in each.headers["Cache-Control"] for each in (page, download))
    assert desk.client.post(address).status_code == 405


def test_the_pack_is_of_the_newest_token_unless_one_is_named() -> None:
    old, _ = issued_token()
    new, _ = old.rotate(actor="staff:0")
    desk = Desk("partners.view_project", "tokens.view_accesstoken")
    address = f"/admin/onboard/{old.project.pk}/pack/"

    newest = desk.client.get(address).content.decode()
    named = desk.client.get(address, {"token": old.token_id}).content.decode()

    assert new.token_id in newest
    assert old.token_id not in newest
    assert old.token_id in named


def test_another_projects_token_is_not_taken_for_the_pack() -> None:
    project, (token, _) = ProjectFactory.create(), issued_token()
    desk = Desk("partners.view_project", "tokens.view_accesstoken")

    answer = desk.client.get(f"/admin/onboard/{project.pk}/pack/", {"token": token.token_id})

    assert answer.status_code == 404


def test_a_name_is_never_markup() -> None:
    answer = Desk().send(partner_name="<b>&Co</b>", project_name="<script>alert(1)</script>")

    text = answer.content.decode()
    assert secrets_in(answer)
    assert "<script>alert(1)" not in text
    assert "<b>&Co" not in text
