"""The page on which a colleague chooses a password: what it takes, and what it leaves behind."""

from __future__ import annotations

import html
import logging
from datetime import timedelta
from functools import partial

import pytest
import time_machine
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from partners.models import AuditEvent
from staff import password_links, roles
from staff.sign_in_limits import TRIES_OF_ACCOUNT
from tests.factories import staff_as
from tests.staff.codes import CODE, PASSWORD, actions, give_password, is_in, member, with_app
from tests.staff.password_links import CHOOSE, NEW, choose, make_link, token_of
from tests.support.admin_forms import opened
from tests.support.threads import race

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_sign_in")]


@pytest.fixture
def administrator() -> Client:
    client = Client()
    client.force_login(staff_as(roles.ADMINISTRATOR))
    return client


@pytest.fixture
def user() -> User:
    return member(username="bina")


def test_old_sessions_end_with_the_use_of_a_link_and_not_before(
    administrator: Client, user: User
) -> None:
    theirs = Client()
    give_password(theirs, user)
    user.refresh_from_db()

    link = make_link(administrator, user)
    assert is_in(theirs)
    assert User.objects.get(pk=user.pk).check_password(PASSWORD)

    choose(link)
    assert not is_in(theirs)
    assert is_in(administrator)


@pytest.mark.usefixtures("required")
def test_the_second_factor_is_still_asked_for(user: User) -> None:
    device = with_app(user)
    made = password_links.make_link(user, actor="command:tests")
    link = made.removeprefix(settings.APP_URL)
    browser = Client()
    form = opened(browser, link)

    browser.post(form.action, form.sent({"new_password1": NEW, "new_password2": NEW}))

    assert not is_in(browser)
    assert not Session.objects.exists()
    assert give_password(browser, user, NEW)["Location"] == CODE
    assert not is_in(browser)
    device.refresh_from_db()
    assert device.confirmed


@pytest.mark.parametrize(
    ("password", "again", "said"),
    [
        ("kettles", None, "at least 15 characters"),
        ("1q2w3e4r5t6y7u8i9o", None, "too common"),
        ("bina.das@example.com", None, "too similar to the email address"),
        (NEW, f"{NEW}!", "The two password fields didn’t match."),
    ],
)
def test_a_weak_password_is_refused_with_the_reason(
    administrator: Client, user: User, password: str, again: str | None, said: str
) -> None:
    user.email = "bina.das@example.com"
    user.save()
    link = make_link(administrator, user)

    answer = choose(link, password, again)

    shown = html.unescape(answer.content.decode())
    assert answer.status_code == 200
    assert said in shown
    assert "must contain at least 15 characters" in shown  # the help
    assert password not in shown.replace(user.email, "")
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    assert actions(user) == ["password_link_made"]
    assert choose(link).status_code == 302


def test_the_token_is_in_no_log_row_cookie_or_message(
    administrator: Client, user: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    browser = Client()
    link = make_link(administrator, user)
    token = token_of(link)

    shown = browser.get(link)
    form = opened(browser, link)
    browser.post(form.action, form.sent({"new_password1": "weak", "new_password2": "weak"}))
    to_sign_in = browser.post(form.action, form.sent({"new_password1": NEW, "new_password2": NEW}))
    browser.get(link)
    administrator.get("/admin/")

    secret = token.partition("-")[2]
    models = apps.get_models(include_auto_created=True)
    stored = "\n".join(str(list(model._base_manager.values())) for model in models)
    sessions = str([session.get_decoded() for session in Session.objects.all()])
    cookies = browser.cookies.output() + administrator.cookies.output()
    for text in (stored, sessions, cookies, caplog.text, to_sign_in["Location"], form.action):
        assert secret not in text
        assert NEW not in text
    assert "sessionid" not in browser.cookies
    assert shown["Referrer-Policy"] == "strict-origin"
    assert "no-store" in shown["Cache-Control"]


def test_another_site_cannot_send_the_form(administrator: Client, user: User) -> None:
    link = make_link(administrator, user)
    browser = Client(enforce_csrf_checks=True)
    form = {"token": token_of(link), "new_password1": NEW, "new_password2": NEW}

    answer = browser.post(CHOOSE, form)

    user.refresh_from_db()
    assert answer.status_code == 403
    assert token_of(link) not in answer.content.decode()
    assert user.check_password(PASSWORD)


def test_a_session_that_is_over_does_not_hide_the_link(
    administrator: Client, user: User, still: time_machine.Traveller
) -> None:
    give_password(administrator, user)
    user.refresh_from_db()
    boss = Client()
    boss.force_login(staff_as(roles.ADMINISTRATOR))
    link = make_link(boss, user)
    still.shift(timedelta(minutes=31))

    assert administrator.get(link).status_code == 200


@pytest.mark.usefixtures("still")  # tries are counted by the minute
def test_a_link_gives_no_more_tries_to_sign_in(administrator: Client, user: User) -> None:
    link = make_link(administrator, user)
    for _ in range(TRIES_OF_ACCOUNT):
        give_password(Client(), user, "a guess")

    choose(link)

    refused = give_password(Client(), user, NEW)
    assert refused.status_code == 429
    assert "Too many tries. Wait" in refused.content.decode()


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "0-cnx2ab-0123456789abcdef0123456789abcdef",
        "999999999999999999-cnx2ab-0123456789abcdef0123456789abcdef",
        "9" * 5000 + "-cnx2ab-0123",
        "1-",
        "1-a-b-c",
        "١-cnx2ab-0123456789abcdef0123456789abcdef",
        f"1-{'z' * 5000}-0",
    ],
)
def test_what_is_no_token_gets_the_page_of_a_dead_link(token: str) -> None:
    answers = [Client().get(CHOOSE, {"token": token}), Client().post(CHOOSE, {"token": token})]

    assert [answer.status_code for answer in answers] == [410, 410]
    assert not AuditEvent.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_use_a_link_at_once_one_is_told_that_it_is_dead() -> None:
    words, browsers = (NEW, f"{NEW} again"), (Client(), Client())
    for number in range(10):
        user = member(username=f"user-{number}")
        token = token_of(password_links.make_link(user, actor="command:tests"))

        def send(browser: Client, word: str, token: str = token) -> int:
            form = {"token": token, "new_password1": word, "new_password2": word}
            return browser.post(CHOOSE, form).status_code

        answers = race([partial(send, *each) for each in zip(browsers, words, strict=True)])

        assert sorted(answers) == [302, 410]
        user.refresh_from_db()
        assert user.check_password(words[answers.index(302)])
        assert actions(user) == ["password_link_made", "password_chosen"]


def test_reading_does_not_use_a_link(administrator: Client, user: User) -> None:
    link = make_link(administrator, user)

    read = [getattr(Client(), method)(link) for method in ("get", "head", "options", "get")]

    assert [answer.status_code for answer in read] == [200] * 4
    choose(link)
    user.refresh_from_db()
    assert user.check_password(NEW)
