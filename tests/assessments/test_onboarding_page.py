"""Onboarding in one page: a partner's whole beginning in one form, and the secret once."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest

from assessments.admin import onboard_page
from assessments.models import Course
from partners.models import AuditEvent, Project
from tests.assessments.onboarding import MODELS, URL, Desk, counts, secrets_in
from tests.assessments.partner import Backend
from tests.assessments.test_catalogue_file import GOOD, file
from tests.factories import PartnerFactory, ProjectFactory
from tests.support.threads import race
from tokens import crypto
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db
NOTHING = [0] * len(MODELS)
KB = 1024


@pytest.fixture(autouse=True)
def few_time_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer two: the page with all 598 takes half a second to be made."""
    monkeypatch.setattr(onboard_page, "zones", lambda: ["Asia/Dubai", "Asia/Kolkata"])


def test_the_page_asks_with_a_name_filled_in_and_changes_nothing() -> None:
    page = Desk().client.get(URL, {"partner_name": "Northern & <b>Portal"})

    assert page.status_code == 200
    assert 'value="Northern &amp; &lt;b&gt;Portal"' in page.content.decode()
    assert counts() == NOTHING


def test_one_form_makes_everything_and_the_first_call_works() -> None:
    desk = Desk()
    asked = {"time_zone": "Asia/Dubai", "consent_mode": "ask", "retention_months": "12"}

    answer = desk.send(file(GOOD), **asked, label="CRM", expires_in="90d", is_test="on")

    project, token = Project.objects.get(), AccessToken.objects.get()
    (secret,) = secrets_in(answer)
    assert answer.status_code == 200
    assert (project.partner.name, project.name) == ("Northern Portal", "Sahyadri College")
    assert project.partner.contact_email == "it@northern.example"
    assert (project.time_zone, project.consent_mode) == ("Asia/Dubai", "ask")
    assert (project.retention_months, project.is_test) == (12, True)
    assert Course.objects.get().project == project
    assert (token.project, token.label, token.lifetime) == (project, "CRM", timedelta(days=90))
    assert Backend(project, f"{token.token_id}:{secret}").link().status_code == 200


def test_every_act_is_recorded_for_the_one_who_pressed() -> None:
    desk = Desk()

    desk.send(file(GOOD))

    events = {event.action: event for event in AuditEvent.objects.all()}
    assert set(events) == {"partner.created", "project.created", "courses.loaded", "token.issued"}
    assert {event.actor for event in events.values()} == {f"staff:{desk.user.pk}"}
    assert {event.address for event in events.values()} == {"127.0.0.1"}
    assert events["token.issued"].reason == "onboarding"
    assert "northern.example" not in str(list(AuditEvent.objects.values()))


def test_the_secret_is_in_the_answer_and_nowhere_else(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    desk = Desk()

    answer = desk.send()

    (secret,) = secrets_in(answer)
    assert crypto.matches(secret, AccessToken.objects.get().secret_digest)
    assert "no-store" in answer.headers["Cache-Control"]
    assert secret not in str(desk.client.session.items())
    assert secret not in desk.client.cookies.output()
    assert secret not in caplog.text
    assert "messages" not in desk.client.cookies


@pytest.mark.parametrize("other", [{}, {"partner_name": "Southern", "project_name": "Another"}])
def test_the_same_form_again_makes_nothing_and_shows_no_secret(other: dict[str, str]) -> None:
    desk = Desk()
    sent = desk.form()
    desk.post(sent)
    before = counts()

    answer = desk.post({**sent, **other})

    assert counts() == before
    assert (answer.status_code, secrets_in(answer)) == (409, set())
    assert AccessToken.objects.get().token_id in answer.content.decode()


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


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("partner_name", " "),
        ("partner_name", "NORTHERN portal"),
        ("partner_name", "North\u202eern"),
        ("project_name", "Sahyadri\nCollege"),
        ("consent_mode", "later"),
        ("retention_months", "25"),
        ("expires_in", "1d"),
    ],
)
def test_a_wrong_value_is_an_error_of_its_field_and_nothing_is_made(field: str, value: str) -> None:
    PartnerFactory.create(name="Northern portal")
    before = counts()

    answer = Desk().send(**{"partner_name": "Sahyadri", field: value})

    assert list(answer.context["form"].errors) == [field]
    assert counts() == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "file is empty"),
        (file(GOOD, "PHY,,2,0,1,0,0,0,1"), "Line 3: name is empty."),
        (b"x" * (256 * KB + 1), "The catalogue is larger than 256 kB."),
    ],
)
def test_a_wrong_file_is_an_error_of_its_field_and_nothing_is_made(
    content: bytes, says: str
) -> None:
    answer = Desk().send(content)

    assert says in " ".join(answer.context["form"].errors["courses"])
    assert counts() == NOTHING
