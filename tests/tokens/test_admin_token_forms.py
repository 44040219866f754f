"""Staff issue, rotate and revoke a token by buttons of the admin, and look at tokens."""

import html
import io
import logging
import re
from datetime import timedelta

import pytest
import time_machine
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from partners.models import AuditEvent
from partners.models.audit import Actor
from partners.times import moment_in_words
from tests.factories import BY, ProjectFactory, issued_token
from tests.support.admin_forms import opened
from tokens import crypto
from tokens.models import AccessToken

pytestmark = pytest.mark.django_db
LIST = "/admin/tokens/accesstoken/"
VIEW = "tokens.view_accesstoken"
ISSUE = f"{LIST}issue/"


@pytest.fixture
def admin(staff):
    rights = (f"tokens.{act}_token" for act in ("issue", "rotate", "revoke"))
    return staff(*rights, VIEW)


@pytest.fixture
def token(project):
    return issued_token(project, label="CRM")[0]


def page_of(token, act):
    return f"{LIST}{token.pk}/{act}/"


def filled(admin, token, act, **changes):
    """Open a page; return its address and what its form sends, to issue for the same project."""
    sent = {"reason": "asked for", **changes}
    if act != "issue":
        return page_of(token, act), opened(admin, page_of(token, act)).sent(sent)
    return ISSUE, opened(admin, f"{ISSUE}?project={token.project_id}").sent(sent)


def secret_in(answer):
    """Return the secret that a page shows; "" if it shows none."""
    found = crypto.SECRET.search(answer.content.decode())
    return found[0] if found else ""


@pytest.mark.parametrize("right", ["issue", "rotate", "revoke"])
def test_each_right_opens_its_own_page_alone(staff, token, right):
    client = staff(VIEW, f"tokens.{right}_token")
    pages = {"issue": ISSUE} | {act: page_of(token, act) for act in ("rotate", "revoke")}

    answers = {act: client.get(page).status_code for act, page in pages.items()}

    assert answers == dict.fromkeys(pages, 403) | {right: 200}


def test_issuing_shows_the_secret_in_an_answer_that_nobody_stores(admin):
    project = ProjectFactory.create(name="Sahyadri & Sons", time_zone="Asia/Kolkata")
    changes = {"label": "CRM", "expires_in": "90d", "reason": "second system"}
    sent = opened(admin, f"{ISSUE}?project={project.pk}").sent(changes)

    with time_machine.travel("2026-11-23T20:00Z"):
        answer = admin.post(ISSUE, sent, REMOTE_ADDR="192.0.2.7")

    token, event, secret = AccessToken.objects.get(), AuditEvent.objects.get(), secret_in(answer)
    assert crypto.matches(secret, token.secret_digest)
    assert f"X-Access-Token: {token.token_id}:{secret}" in answer.content.decode()
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    assert (token.label, token.project, token.lifetime) == ("CRM", project, timedelta(days=90))
    assert (event.action, event.actor) == ("token.issued", f"staff:{User.objects.get().pk}")
    assert (event.reason, event.address) == ("second system", "192.0.2.7")
    assert event.request_id
    assert "messages" not in admin.cookies
    assert secret not in str(admin.session.items())
    for_contact = html.unescape(answer.content.decode()).partition('id="for-contact"')[2]
    assert f"Sahyadri & Sons ({project.project_id}) on 24 November 2026." in for_contact
    assert "It ends on 22 February 2027." in for_contact


def test_rotating_shows_the_secret_of_the_successor(admin, token):
    address, sent = filled(admin, token, "rotate", overlap="30d")

    answer = admin.post(address, sent)

    token.refresh_from_db()
    ends = moment_in_words(token.expires_at, token.project.time_zone)
    assert crypto.matches(secret_in(answer), token.successor.secret_digest)
    assert f"{token.token_id}, which ends {ends}" in answer.content.decode()
    assert "no-store" in answer.headers["Cache-Control"]
    assert token.rotated_at is not None
    assert token.expires_at == token.rotated_at + timedelta(days=30)
    event = AuditEvent.objects.about(token).newest_first()[0]
    assert (event.action, event.actor) == ("token.rotated", f"staff:{User.objects.get().pk}")
    assert event.reason == f"successor {token.successor.token_id}: asked for"
    assert "It has no end." in answer.content.decode()


@pytest.mark.parametrize("act", ["issue", "rotate"])
def test_a_form_sent_again_makes_no_second_token_and_names_the_first(admin, token, act):
    address, sent = filled(admin, token, act)
    admin.post(address, sent)
    made = AccessToken.objects.exclude(pk=token.pk).get()

    answers = [admin.post(address, sent, follow=True) for _ in range(5)]

    assert AccessToken.objects.count() == 2
    for answer in answers:
        assert (answer.status_code, secret_in(answer)) == (200, "")
        assert made.token_id in answer.content.decode()


@pytest.mark.parametrize(
    "token_id", ["", "x", "tok_test_aaaaaaaaaaaaaaaa", "tok_aaaaaaaaaaaaaaaa\n"]
)
def test_a_form_whose_token_id_is_none_makes_no_token(admin, token, token_id):
    address, sent = filled(admin, token, "issue")

    answer = admin.post(address, {**sent, "token_id": token_id})

    assert (answer.status_code, secret_in(answer)) == (200, "")
    assert AccessToken.objects.get() == token


def test_a_closed_project_gets_no_token(admin, token, rows):
    address, sent = filled(admin, token, "issue")
    token.project.close(by=BY)
    before = rows()

    offered = opened(admin, ISSUE).controls["project"].offers
    issued = admin.post(address, sent)
    rotated = admin.get(page_of(token, "rotate"), follow=True)

    assert offered == [""]
    assert (issued.status_code, secret_in(issued)) == (200, "")
    assert f"Project {token.project.project_id} is closed." in rotated.content.decode()
    assert rows() == before


@pytest.mark.parametrize("method", ["get", "post"])
def test_rotating_a_second_time_leads_to_the_successor(admin, token, method):
    address, sent = filled(admin, token, "rotate")
    successor, _ = token.rotate(by=BY)

    answer = getattr(admin, method)(address, sent, follow=True)

    assert re.search(
        rf"{token} was rotated today .*\. Its successor is {successor}\.", answer.content.decode()
    )
    assert not secret_in(answer)
    assert AccessToken.objects.count() == 2


def test_revoking_ends_the_token_and_a_second_time_says_when_and_why(admin, token):
    answer = admin.post(page_of(token, "revoke"), {"reason": "leaked"}, follow=True)

    token.refresh_from_db()
    again = admin.post(page_of(token, "revoke"), {"reason": "again"}, follow=True)

    event, user = AuditEvent.objects.about(token).newest_first()[0], User.objects.get()
    assert f"{token.token_id} is revoked." in answer.content.decode()
    assert token.revoked_at is not None
    assert token.revoke_reason == event.reason == "leaked"
    assert (event.action, event.actor) == ("token.revoked", f"staff:{user.pk}")
    says = rf"{token} was revoked today \d\d:\d\d IST. Reason given: leaked"
    assert re.search(says, again.content.decode())


# --- the list and the page of tokens, which edit nothing


def text_of(client, address, **query):
    answer = client.get(address, query)
    assert answer.status_code == 200
    return re.sub(r"\s*\n\s*", "", answer.content.decode())


def test_the_list_is_narrowed_to_a_state_and_says_if_the_project_is_closed(admin):
    token, _ = issued_token()
    issued_token()
    successor, _ = token.rotate(by=BY)
    token.project.close(by=BY)
    closed = '<span class="state closed">project closed</span>'

    text = text_of(admin, LIST, state="ending")

    assert set(re.findall(r">(tok_\w+)</a></th>", text)) == {token.token_id}
    assert closed in text
    assert closed in text_of(admin, page_of(successor, "change"))


def test_the_page_of_a_token_shows_its_history_and_no_secret(admin):
    token, secret = issued_token()
    successor, _ = token.rotate(by=Actor("staff:0"))
    token.revoke(reason="leaked after all", by=BY)

    text = text_of(admin, page_of(token, "change"))

    shown = ("token.issued", "token.rotated", "token.revoked", "leaked after all", "staff:0")
    assert not [words for words in (*shown, successor.token_id) if words not in text]
    assert not [words for words in (secret, token.secret_digest) if words in text]


@pytest.mark.parametrize(
    ("ended", "closed", "offers"),
    [
        ("revoked", False, True),
        ("", False, False),
        ("rotated", False, False),
        ("revoked", True, False),
    ],
)
def test_the_page_of_a_token_that_ended_without_successor_leads_to_issuing_another(
    admin, project, token, ended, closed, offers
):
    if ended == "rotated":
        token.rotate(overlap=timedelta(), by=BY)
    elif ended:
        token.revoke(by=BY, reason="leaked")
    if closed:
        project.close(by=BY, reason="over")

    shown = admin.get(f"{LIST}{token.pk}/change/").content.decode()

    assert (f'href="{ISSUE}?project={project.pk}"' in shown) == offers


def test_the_page_of_an_ending_token_shows_when_it_and_its_successor_were_used(staff):
    token, _ = issued_token(at=timezone.now() - timedelta(days=10))
    token.rotate(by=BY)

    text = text_of(staff(VIEW), page_of(token, "change"))

    assert "Last call with it: never; with its successor: never." in text


ADMIN, RESULTS = "/admin/tokens/accesstoken/", "/partner/get-assessments-info"


def test_no_secret_is_stored_or_logged(admin_client, project, caplog):
    caplog.set_level(logging.DEBUG)
    token, secret = issued_token(project)
    secrets = [secret]
    stdout, stderr = io.StringIO(), io.StringIO()

    for url, fields in (
        (f"{ADMIN}issue/", {"project": project.pk, "reason": "asked for"}),
        (f"{ADMIN}{token.pk}/rotate/", {"overlap": "7d", "reason": "leaked"}),
    ):
        answer = admin_client.post(url, opened(admin_client, url).sent(fields))
        secrets += set(crypto.SECRET.findall(answer.content.decode()))
    call_command("issue_token", project.project_id, "--json", stdout=stdout, stderr=stderr)
    secrets += crypto.SECRET.findall(stdout.getvalue())
    for each in secrets:
        for token_id in (crypto.new_token_id(), token.token_id):
            body = {"projectId": project.project_id, "email": "a@example.com"}
            headers = {"X-Access-Token": f"{token_id}:{each}"}
            admin_client.post(RESULTS, body, "application/json", headers=headers)
    admin_client.get(ADMIN)

    # tokens, audit trail, sessions, the admin's log
    models = apps.get_models(include_auto_created=True)
    stored = "\n".join(str(list(model._base_manager.values())) for model in models)
    assert len(set(secrets)) == 4
    for each in secrets:
        for text in (stored, caplog.text, admin_client.cookies.output(), stderr.getvalue()):
            assert each not in text
    assert crypto.digest(secret) in stored
