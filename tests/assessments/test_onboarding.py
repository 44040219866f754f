"""To onboard a partner: everything that its backend needs for the first call, or nothing."""

import json
import logging
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.urls import reverse

from assessments.catalogue.catalogue import Catalogue
from assessments.catalogue.course_rows import parse
from assessments.desk import onboarding
from assessments.desk.onboarding import onboard
from assessments.models import Course
from partners.models import AuditEvent, Partner, Project
from tests.assessments.catalogues import GOOD, file
from tests.assessments.partner import Backend
from tests.factories import BY, PartnerFactory, ProjectFactory
from tests.support.admin_forms import opened
from tests.support.commands import run
from tests.support.threads import race
from tokens import crypto
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db
URL = "/admin/onboard/"
RIGHTS = ("partners.add_partner", "partners.add_project", "tokens.issue_token")
MODELS = (Partner, Project, AccessToken, Course, AuditEvent)
# What the page at /admin/onboard/ takes.
FIELDS = {
    "partner_name": "Northern Portal",
    "contact_email": "it@northern.example",
    "project_name": "Sahyadri College",
    "time_zone": "Asia/Kolkata",
    "consent_mode": "obtained",
    "retention_months": "24",
    "label": "first token",
    "expires_in": "",
}


@pytest.fixture(autouse=True)
def few_time_zones(monkeypatch):
    """Offer two: the page with all 598 takes half a second to be made."""
    monkeypatch.setattr(onboarding, "zones", lambda: ["Asia/Dubai", "Asia/Kolkata"])


@pytest.fixture
def desk(staff):
    return staff(*RIGHTS)


def counts():
    return [model._default_manager.count() for model in MODELS]


NOTHING = [0] * len(MODELS)


def form(desk, **fields):
    return opened(desk, URL).sent({**FIELDS, **fields})


@pytest.mark.parametrize(
    ("owner", "step"),
    [(Catalogue, "load"), (type(AccessToken.objects), "issue"), (AuditEvent, "record")],
)
def test_a_failed_step_makes_nothing(monkeypatch, owner, step):
    def fail(*args, **kwargs):
        raise RuntimeError(step)

    monkeypatch.setattr(owner, step, fail)

    with pytest.raises(RuntimeError, match=step):
        onboard("Sahyadri", "Main", courses=parse(file(GOOD)), by=BY)

    assert counts() == NOTHING


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_prints_the_pair_once(tmp_path, as_json):
    courses = tmp_path / "courses.csv"
    courses.write_bytes(file(GOOD))
    options = ["--contact-email", "it@example.com", "--courses", str(courses)]

    options += ["--json"] if as_json else []
    out, err = run("onboard_partner", "Sahyadri", "--project", "Main", *options)

    lines = json.loads(out) if as_json else dict(line.split(": ", 1) for line in out.splitlines())
    project, token = Project.objects.get(), AccessToken.objects.get()
    secret = lines.pop("TokenSecret")
    assert list(lines.items()) == [
        *(("partner", "Sahyadri"), ("project", "Main")),
        *(("projectId", project.project_id), ("TokenId", token.token_id)),
    ]
    assert crypto.matches(secret, token.secret_digest)
    assert secret not in err + str(list(AuditEvent.objects.values()))
    assert ("can't be shown again" in err) is not as_json
    assert project.partner.contact_email == "it@example.com"
    assert project.courses.get().code == "BOT"
    [actor] = set(AuditEvent.objects.values_list("actor", flat=True))
    assert actor.startswith("command:")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--project", ""], "cannot be blank"),
        (["--project", "Main", "--contact-email", "x"], "valid email address"),
        (["--project", "Main", "--courses", "/nothing.csv"], "can't be read"),
        (["--project", "Main", "--courses", "bad.csv"], "Name is empty: row 2"),
        (["--project", "Main", "--secret", "x"], "unrecognized arguments"),
    ],
)
def test_the_command_says_what_is_wrong_and_makes_nothing(arguments, fault, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bad.csv").write_bytes(file("BOT,,1"))

    with pytest.raises(CommandError, match=fault):
        run("onboard_partner", "Sahyadri", *arguments)

    assert counts() == NOTHING


def test_one_form_makes_everything_shows_the_secret_once_and_the_first_call_works(desk, caplog):
    caplog.set_level(logging.DEBUG)
    asked = {"time_zone": "Asia/Dubai", "consent_mode": "ask", "retention_months": "12"}
    asked |= {"label": "CRM", "expires_in": "90d", "is_test": "on", "takers": "graduates"}

    answer = desk.post(URL, form(desk, **asked))

    project, token = Project.objects.get(), AccessToken.objects.get()
    assert answer.status_code == 200
    assert (project.partner.name, project.name) == ("Northern Portal", "Sahyadri College")
    assert project.partner.contact_email == "it@northern.example"
    assert (project.time_zone, project.consent_mode) == ("Asia/Dubai", "ask")
    assert (project.retention_months, project.is_test) == (12, True)
    assert project.takers == "graduates"
    load = reverse("admin:assessments_course_load", args=[project.pk])
    assert f'href="{load}"' in answer.content.decode()
    assert (token.project, token.label, token.lifetime) == (project, "CRM", timedelta(days=90))
    events = {event.action: event for event in AuditEvent.objects.all()}
    assert set(events) == {"partner.created", "project.created", "token.issued"}
    who = (f"staff:{desk.session['_auth_user_id']}", "127.0.0.1")
    assert {(event.actor, event.address) for event in events.values()} == {who}
    assert events["token.issued"].reason == "onboarding"
    trail = str(list(AuditEvent.objects.values()))
    assert "northern.example" not in trail
    (secret,) = set(crypto.SECRET.findall(answer.content.decode()))
    assert "no-store" in answer.headers["Cache-Control"]
    for place in (trail, str(desk.session.items()), desk.cookies.output(), caplog.text):
        assert secret not in place
    assert "messages" not in desk.cookies
    assert Backend(project, f"{token.token_id}:{secret}").link().status_code == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_known", [False, True])
def test_the_same_form_four_times_at_once_makes_one(desk, is_known):
    if is_known:
        ProjectFactory.create(partner__name="Northern Portal")
    before = counts()
    sent = form(desk)

    answers = race([lambda: desk.post(URL, sent)] * 4)

    assert [answer.status_code for answer in answers] == [200] * 4
    assert len(set(crypto.SECRET.findall(str([answer.content for answer in answers])))) == 1
    made = [after - was for after, was in zip(counts(), before, strict=True)]
    assert made == [0 if is_known else 1, 1, 1, 0, 2 if is_known else 3]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("partner_name", "NORTHERN portal"),
        ("partner_name", "North\u202eern"),
        ("project_name", "Sahyadri\nCollege"),
        ("retention_months", "25"),
        ("expires_in", "1d"),
    ],
)
def test_a_wrong_value_is_an_error_of_its_field_and_nothing_is_made(desk, field, value):
    PartnerFactory.create(name="Northern portal")
    before = counts()

    answer = desk.post(URL, {**form(desk, partner_name="Sahyadri"), field: value})

    assert list(answer.context["form"].errors) == [field]
    assert counts() == before
