"""The link with which a colleague chooses a password: who makes it, and when it ends."""

import html
import logging
import re
from datetime import timedelta
from functools import partial
from urllib.parse import parse_qs, urlsplit

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from partners.models import AuditEvent
from staff.passwords import make_link
from tests import roles
from tests.factories import BY
from tests.staff.accounts import (
    CODE,
    LOGIN,
    PASSWORD,
    actions,
    give_password,
    is_in,
    member,
    page,
    with_app,
)
from tests.support.admin_forms import opened
from tests.support.threads import race

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_sign_in")]

CHOOSE = "/admin/choose-password/"
NEW = "nine purple kettles sing"


@pytest.fixture
def administrator(staff):
    return staff(roles=(roles.ADMINISTRATOR,))


@pytest.fixture
def user():
    return member(username="bina", email="bina.das@example.com")


@pytest.fixture
def link(user):
    return link_of(user)


def link_of(user):
    """Make a link; return it without its host."""
    made = make_link(user, by=BY)
    return made.removeprefix(settings.APP_URL)


def shown_link(answer):
    found = re.search(r'id="password-link"[^>]*>([^<]+)<', answer.content.decode())
    assert found
    return html.unescape(found[1])


def token_of(link):
    [token] = parse_qs(urlsplit(link).query)["token"]
    return token


def passwords(password=NEW, again=""):
    return {"new_password1": password, "new_password2": again or password}


def choose(link, *words):
    browser = Client()
    form = opened(browser, link)
    return browser.post(form.action, form.sent(passwords(*words)))


def assert_dead(link, user, password=PASSWORD):
    """Check that the link neither opens nor sets a password."""
    form = {"token": token_of(link), **passwords("x" * 20)}
    for answer in (Client().get(link), Client().post(CHOOSE, form)):
        assert answer.status_code == 410
        assert "Ask an administrator for a new link." in answer.content.decode()
        assert 'type="password"' not in answer.content.decode()
    user.refresh_from_db()
    assert user.check_password(password)


def test_a_new_colleague_chooses_a_password_and_signs_in(administrator):
    link = shown_link(administrator.post(page("user_add"), {"username": "chitra"}))
    user = User.objects.get(username="chitra")

    answer = choose(link.removeprefix(settings.APP_URL))

    assert answer["Location"] == f"{LOGIN}?ended=password"
    browser = Client()
    assert browser.get(answer["Location"]).context["ended"].startswith("Your password is set.")
    give_password(browser, user, NEW)
    assert is_in(browser)
    assert actions(user) == ["added", "password_link_made", "password_chosen", "signed_in"]
    chosen = AuditEvent.objects.get(action="staff.password_chosen")
    assert (chosen.actor, chosen.address) == ("unknown", "127.0.0.1")


def test_a_weak_password_is_refused_and_the_link_still_works(user, link):
    assert choose(link, "Password12345678!").status_code == 200
    user.refresh_from_db()
    assert user.check_password(PASSWORD)

    assert choose(link).status_code == 302


def test_a_link_is_shown_once_and_names_our_host(administrator, user, settings):
    settings.ALLOWED_HOSTS = ["*"]
    settings.APP_URL = "https://assess.example.com"
    button, account = page("user_password_link", user.pk), page("user_change", user.pk)

    answer = administrator.post(button, headers={"host": "evil.example"})

    assert shown_link(answer).startswith(f"https://assess.example.com{CHOOSE}?token={user.pk}-")
    assert "evil.example" not in answer.content.decode()
    assert "data-copy" in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    for path in (account, button):
        assert "choose-password" not in administrator.get(path).content.decode()


def test_a_link_works_once_and_its_use_ends_old_sessions(user):
    late, theirs = Client(), Client()
    give_password(theirs, user)
    user.refresh_from_db()
    link = link_of(user)
    form = opened(late, link)  # open in another window
    assert is_in(theirs)
    assert User.objects.get().check_password(PASSWORD)

    choose(link)

    assert not is_in(theirs)
    assert late.post(form.action, form.sent(passwords("y" * 20))).status_code == 410
    assert_dead(link, user, NEW)
    assert actions(user) == ["signed_in", "password_link_made", "password_chosen"]


def test_a_link_works_for_a_day_for_its_own_account_and_no_longer(still, user, link):
    other = member()
    assert_dead(link.replace(f"token={user.pk}-", f"token={other.pk}-"), other)
    still.shift(timedelta(hours=24))
    assert Client().get(link).status_code == 200

    still.shift(timedelta(seconds=1))
    assert_dead(link, user)


def test_a_link_ends_with_a_sign_in(user, link):
    give_password(Client(), user)

    assert_dead(link, user)


@pytest.mark.parametrize("values", [{"is_active": False}, {"is_staff": False}])
def test_an_account_that_cannot_sign_in_has_no_link(administrator, user, link, values):
    button = page("user_password_link", user.pk)
    User.objects.filter(pk=user.pk).update(**values)

    asked = administrator.get(button)
    pressed = administrator.post(button, follow=True)

    assert asked.status_code == 302
    assert "no link for this account" in pressed.content.decode()
    assert button not in pressed.content.decode()
    assert actions(user) == ["password_link_made"]
    assert_dead(link, user)


@pytest.mark.usefixtures("required")
def test_the_second_factor_is_still_asked_for(user, link):
    device, browser = with_app(user), Client()
    form = opened(browser, link)

    browser.post(form.action, form.sent(passwords()))

    assert not is_in(browser)
    assert not Session.objects.exists()
    assert give_password(browser, user, NEW)["Location"] == CODE
    assert not is_in(browser)
    device.refresh_from_db()
    assert device.confirmed


def test_the_token_is_in_no_log_row_cookie_or_message(administrator, user, caplog):
    caplog.set_level(logging.DEBUG)
    browser = Client()
    made = shown_link(administrator.post(page("user_password_link", user.pk)))
    link = made.removeprefix(settings.APP_URL)

    shown, form = browser.get(link), opened(browser, link)
    browser.post(form.action, form.sent(passwords("weak")))
    to_sign_in = browser.post(form.action, form.sent(passwords()))
    browser.get(link)
    administrator.get("/admin/")

    secret = token_of(link).partition("-")[2]
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


@pytest.mark.django_db(transaction=True)
def test_of_two_who_use_a_link_at_once_one_sets_a_password():
    words, browsers = (NEW, f"{NEW} again"), (Client(), Client())
    for number in range(10):
        user = member(username=f"user-{number}")
        token = token_of(link_of(user))

        forms = [{"token": token, **passwords(word)} for word in words]
        posts = zip(browsers, forms, strict=True)
        answers = race([partial(browser.post, CHOOSE, form) for browser, form in posts])

        statuses = [answer.status_code for answer in answers]
        assert sorted(statuses) == [302, 410]
        user.refresh_from_db()
        assert user.check_password(words[statuses.index(302)])
        assert actions(user) == ["password_link_made", "password_chosen"]
