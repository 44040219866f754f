"""Onboarding in one page: a partner's whole beginning in one form, and the secret once."""

from __future__ import annotations

import logging
from datetime import timedelta
from html import unescape

import pytest
from django.conf import settings

from assessments.models import Course
from assessments.onboarding.handover import pack
from partners.models import AuditEvent, Partner, Project
from tests.assessments.onboarding import MODELS, RIGHTS, URL, Desk, counts, secrets_in
from tests.assessments.partner import Backend
from tests.assessments.test_catalogue_file import GOOD, file
from tests.factories import ProjectFactory, UserFactory, issued_token
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
    assert f"use the default of {settings.LINK_RATE_PER_MINUTE}." in text
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


def test_what_is_left_as_it_came_is_the_default_of_a_project() -> None:
    Desk().send()

    made, default = Project.objects.get(), Project()
    for name in ("time_zone", "start_by_minutes", "finish_by_hours", "link_rate_per_minute"):
        assert getattr(made, name) == getattr(default, name)
    for name in ("results_rate_per_minute", "consent_mode", "retention_months"):
        assert getattr(made, name) == getattr(default, name)


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


def test_the_pack_stands_beside_it_without_the_secret() -> None:
    answer = Desk().send()

    text = unescape(answer.content.decode())
    handed_over = pack(Project.objects.get(), AccessToken.objects.get())
    assert handed_over in text
    assert not crypto.SECRET.search(handed_over)


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


def test_the_page_of_a_partner_leads_here_with_its_name() -> None:
    partner = ProjectFactory.create(partner__name="Northern Portal").partner
    desk = Desk(*RIGHTS, "partners.view_partner")

    page = desk.client.get(f"/admin/partners/partner/{partner.pk}/change/").content.decode()
    here = desk.client.get(URL, {"partner": partner.pk}).content.decode()

    assert f'href="{URL}?partner={partner.pk}"' in page
    assert 'value="Northern Portal"' in here
    assert "The project is added to Northern Portal." in here


@pytest.mark.parametrize("partner", ["0", "9" * 30])
def test_an_unknown_partner_in_the_address_is_a_404(partner: str) -> None:
    assert Desk().client.get(URL, {"partner": partner}).status_code == 404


def test_a_catalogue_comes_as_a_file_too() -> None:
    answer = Desk().send(file(GOOD, "PHY,Physics,2,0,3,0,0,0,1"))

    assert sorted(Course.objects.values_list("code", flat=True)) == ["BOT", "PHY"]
    assert "A catalogue of 2 courses." in answer.content.decode()


def test_a_file_counts_instead_of_what_is_pasted() -> None:
    Desk().send(file(GOOD), courses=file("PHY,Physics,2,0,3,0,0,0,1").decode())

    assert Course.objects.get().code == "BOT"


def test_columns_that_mean_nothing_are_named() -> None:
    header, row = file(GOOD).decode().splitlines()

    answer = Desk().send(courses=f"{header},seats\n{row},60\n")

    assert (
        "These columns are not part of a catalogue and were ignored: seats."
        in answer.content.decode()
    )
    assert Course.objects.count() == 1


def test_without_a_catalogue_it_is_said() -> None:
    answer = Desk().send()

    assert "No catalogue. Assessments recommend no courses until" in answer.content.decode()


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


@pytest.mark.django_db(transaction=True)
def test_of_two_who_onboard_one_project_at_once_one_is_told() -> None:
    desks = [Desk(), Desk()]
    forms = [desk.form() for desk in desks]

    answers = race(
        [
            lambda desk=desk, sent=sent: desk.post(sent)
            for desk, sent in zip(desks, forms, strict=True)
        ]
    )

    texts = sorted((answer.content.decode() for answer in answers), key=len)
    assert [answer.status_code for answer in answers] == [200, 200]
    assert sum(len(secrets_in(answer)) for answer in answers) == 1
    assert any("of this name" in text for text in texts)
    assert (Project.objects.count(), AccessToken.objects.count()) == (1, 1)


def test_all_three_rights_are_needed() -> None:
    for missing in RIGHTS:
        desk = Desk(*(right for right in RIGHTS if right != missing))

        assert desk.client.get(URL).status_code == 403
        assert desk.client.post(URL, {"partner_name": "x"}).status_code == 403
        assert counts() == [0] * len(MODELS)


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


def test_the_pack_of_a_dead_token_says_so() -> None:
    token, _ = issued_token()
    token.revoke(actor="staff:0")
    desk = Desk("partners.view_project", "tokens.issue_token", "tokens.view_accesstoken")
    address = f"/admin/onboard/{token.project.pk}/pack/"

    named = desk.client.get(address, {"token": token.token_id}).content.decode()
    newest = desk.client.get(address).content.decode()

    assert "is Revoked, so every call with it is refused." in named
    assert "No live access token:" in newest
    assert 'id="pack"' not in newest
    assert f"/admin/tokens/accesstoken/issue/?project={token.project.pk}" in newest


def test_another_projects_token_is_not_taken_for_the_pack() -> None:
    project, (token, _) = ProjectFactory.create(), issued_token()
    desk = Desk("partners.view_project", "tokens.view_accesstoken")

    answer = desk.client.get(f"/admin/onboard/{project.pk}/pack/", {"token": token.token_id})

    assert answer.status_code == 404


def test_the_pack_needs_the_right_to_see_projects() -> None:
    token, _ = issued_token()

    answer = Desk("tokens.issue_token").client.get(f"/admin/onboard/{token.project.pk}/pack/")

    assert answer.status_code == 403


def test_who_may_onboard_finds_the_page_in_the_list_of_partners() -> None:
    desks = [Desk(*RIGHTS, "partners.view_partner"), Desk("partners.view_partner")]

    pages = [each.client.get("/admin/partners/partner/").content.decode() for each in desks]

    assert [f'href="{URL}"' in page for page in pages] == [True, False]


def test_a_name_is_never_markup() -> None:
    answer = Desk().send(partner_name="<b>&Co</b>", project_name="<script>alert(1)</script>")

    text = answer.content.decode()
    assert secrets_in(answer)
    assert "<script>alert(1)" not in text
    assert "<b>&Co" not in text


def test_a_superuser_may() -> None:
    assert secrets_in(Desk(user=UserFactory.create(is_superuser=True)).send())
