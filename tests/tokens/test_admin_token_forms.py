"""Staff issue, rotate and revoke a token by the buttons of the admin."""

import html
import re
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User

from partners.models import AuditEvent
from partners.times import moment_in_words
from tests.factories import AccessTokenFactory, ProjectFactory, issued_token
from tests.support.admin_forms import opened
from tokens import crypto
from tokens.models import MAX_LIVE_TOKENS, AccessToken

pytestmark = pytest.mark.django_db
LIST = "/admin/tokens/accesstoken/"
ISSUE = f"{LIST}issue/"
PAGES = ["issue", "rotate"]


@pytest.fixture
def admin(staff):
    rights = (f"tokens.{act}_token" for act in ("issue", "rotate", "revoke"))
    return staff(*rights, "tokens.view_accesstoken")


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


@pytest.mark.parametrize("act", PAGES)
def test_a_form_sent_again_makes_no_second_token_and_names_the_first(admin, token, act):
    address, sent = filled(admin, token, act)
    admin.post(address, sent)
    made = AccessToken.objects.exclude(pk=token.pk).get()

    answers = [admin.post(address, sent) for _ in range(5)]

    assert AccessToken.objects.count() == 2
    for answer in answers:
        assert (answer.status_code, secret_in(answer)) == (409, "")
        assert made.token_id in answer.content.decode()


@pytest.mark.parametrize("act", PAGES)
@pytest.mark.parametrize("once", ["", "x", "tok_aaaaaaaaaaaaaaaa", "x:y:z", "a colleague's"])
def test_a_form_that_was_not_made_for_its_user_makes_no_token(admin, staff, token, once, act):
    address, sent = filled(admin, token, act)
    if once == "a colleague's":
        colleague = staff("tokens.issue_token", "tokens.rotate_token")
        once = filled(colleague, token, act)[1]["once"]

    answer = admin.post(address, {**sent, "once": once})

    assert (answer.status_code, secret_in(answer)) == (200, "")
    assert AccessToken.objects.get() == token


def test_a_project_with_five_tokens_is_refused_and_the_form_can_be_sent_later(admin, token):
    AccessTokenFactory.create_batch(MAX_LIVE_TOKENS - 1, project=token.project)
    address, sent = filled(admin, token, "issue")

    refused = admin.post(address, sent)
    token.revoke(actor="staff:1")
    accepted = admin.post(address, sent)

    assert "has 5 live tokens" in refused.content.decode()
    assert not secret_in(refused)
    assert secret_in(accepted)


def test_a_closed_project_gets_no_token(admin, token, rows):
    address, sent = filled(admin, token, "issue")
    token.project.close(actor="staff:1")
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
    successor, _ = token.rotate(actor="staff:0")

    answer = getattr(admin, method)(address, sent, follow=True)

    assert re.search(
        rf"{token} was rotated today .* by staff:0\. Its successor is {successor}\.",
        answer.content.decode(),
    )
    assert not secret_in(answer)
    assert AccessToken.objects.count() == 2


def test_revoking_ends_the_token_and_a_second_time_says_who_did_it_and_why(admin, token):
    answer = admin.post(page_of(token, "revoke"), {"reason": "leaked"}, follow=True)

    token.refresh_from_db()
    again = admin.post(page_of(token, "revoke"), {"reason": "again"}, follow=True)

    event, user = AuditEvent.objects.about(token).newest_first()[0], User.objects.get()
    assert f"{token.token_id} is revoked." in answer.content.decode()
    assert token.revoked_at is not None
    assert token.revoke_reason == event.reason == "leaked"
    assert (event.action, event.actor) == ("token.revoked", f"staff:{user.pk}")
    says = rf"{token} was revoked today \d\d:\d\d IST by {user.username}. Reason given: leaked"
    assert re.search(says, again.content.decode())
