"""The link with which a colleague chooses a password: who makes it, and when it ends."""

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
from pytest_django import Settings

from partners.models import AuditEvent
from staff import password_links, roles
from tests.factories import staff_as
from tests.staff.accounts import form_of, page
from tests.staff.codes import CODE, LOGIN, PASSWORD, actions, give_password, is_in, member, with_app
from tests.staff.password_links import (
    CHOOSE,
    NEW,
    assert_dead,
    choose,
    make_link,
    shown_link,
    token_of,
)
from tests.support.admin_forms import edit, opened
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


def test_a_new_colleague_chooses_a_password_and_signs_in(administrator: Client) -> None:
    link = shown_link(administrator.post(page("user_add"), {"username": "chitra"}))
    user = User.objects.get(username="chitra")

    answer = choose(link.removeprefix(settings.APP_URL))

    user.refresh_from_db()
    assert answer["Location"] == f"{LOGIN}?ended=password"
    assert "Your password is set." in Client().get(answer["Location"]).content.decode()
    assert user.check_password(NEW)
    browser = Client()
    give_password(browser, user, NEW)
    assert is_in(browser)
    assert actions(user) == ["added", "password_link_made", "password_chosen", "signed_in"]
    chosen = AuditEvent.objects.get(action="staff.password_chosen")
    assert (chosen.actor, chosen.address) == ("unknown", "127.0.0.1")


def test_a_link_works_once(administrator: Client, user: User) -> None:
    link = make_link(administrator, user)
    late = Client()
    form = opened(late, link)  # open in another window

    choose(link)

    again = late.post(
        form.action, form.sent({"new_password1": "y" * 20, "new_password2": "y" * 20})
    )
    assert again.status_code == 410
    assert_dead(link, user, NEW)
    assert actions(user) == ["password_link_made", "password_chosen"]


def test_a_link_works_for_a_day_and_no_longer(
    administrator: Client, user: User, still: time_machine.Traveller
) -> None:
    link = make_link(administrator, user)

    still.shift(timedelta(hours=24))
    assert Client().get(link).status_code == 200

    still.shift(timedelta(seconds=1))
    assert_dead(link, user)


def test_a_link_ends_with_a_sign_in_and_with_another_address(
    administrator: Client, user: User
) -> None:
    link = make_link(administrator, user)
    give_password(Client(), user)
    assert_dead(link, user)

    user.refresh_from_db()
    link = make_link(administrator, user)
    edit(
        administrator, page("user_change", user.pk), form_of(user, email="b@example.com", groups=[])
    )
    assert_dead(link, user)


@pytest.mark.parametrize("values", [{"is_active": False}, {"is_staff": False}])
def test_an_account_that_cannot_sign_in_has_no_link(
    administrator: Client, user: User, values: dict[str, bool]
) -> None:
    link = make_link(administrator, user)
    User.objects.filter(pk=user.pk).update(**values)

    asked = administrator.get(page("user_password_change", user.pk))
    pressed = administrator.post(page("user_password_change", user.pk), follow=True)

    assert asked.status_code == 302
    assert "no link for this account" in pressed.content.decode()
    assert page("user_password_change", user.pk) not in pressed.content.decode()
    assert actions(user) == ["password_link_made"]
    assert_dead(link, user)


def test_a_token_fits_its_own_account_only(administrator: Client, user: User) -> None:
    other = member()
    token = token_of(make_link(administrator, other)).partition("-")[2]

    assert_dead(f"{CHOOSE}?token={user.pk}-{token}", user)


def test_the_link_is_shown_once_and_names_our_host(
    administrator: Client, user: User, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    settings.APP_URL = "https://assess.example.com"

    answer = administrator.post(
        page("user_password_change", user.pk), headers={"host": "evil.example"}
    )

    link = shown_link(answer)
    assert link.startswith("https://assess.example.com/admin/choose-password/?token=")
    assert "evil.example" not in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert "data-copy" in answer.content.decode()
    for path in (page("user_change", user.pk), page("user_password_change", user.pk)):
        assert "choose-password" not in administrator.get(path).content.decode()


# --- the page


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
