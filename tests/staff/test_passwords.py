"""How a colleague chooses a password: by which link, and which are too easy to guess."""

import html
import io
import logging
import re
import sys
from contextlib import suppress
from datetime import timedelta
from functools import partial
from urllib.parse import parse_qs, urlsplit

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client

from partners.models import AuditEvent
from staff.passwords import make_link
from tests import roles
from tests.factories import BY, PartnerFactory
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


WEAK = [
    # blank
    *("", " " * 15, "\t" * 20, " \u00a0" * 8, " \u00a0\u2003\u2009\u3000" * 3),
    # one character or one word, repeated or doubled
    *("a" * 15, "7" * 30, "z" * 100, "passwordpassword", "monkeymonkeymonkey"),
    *("abcabcabcabcabc", "password-password-1", "P@ssw0rdP@ssw0rd!"),
    # sequences
    *("123456789012345", "987654321987654", "abcdefghijklmnopqrst"),
    *("qwertyuiopasdfghjkl", "1qaz2wsx3edc4rfv"),
    # names of the service, the user and the partner
    *("assessment-service", "Assessment-Service-2026", "assessmentservice123"),
    *("chitra-chitra-2024", "chitra.rao@example.com", "chitrarao1234567", "Chitra@123456789"),
    *("north valley college", "northvalleycollege2026", "NorthValley!NorthValley!"),
    # common ones, lengthened
    *("Password12345678!", "welcome123456789", "Welcome@12345678", "Qwerty1234567890!"),
    *("administrator123", "Admin@123456789", "letmeinletmein123", "superman12345678"),
    # common ones that are long, but that zxcvbn does not know
    *("kartoffelpuffer", "stefangreil1983"),
]
STRONG = [
    "x7$Kq!pL2#vR9@m",
    "blue house tree cats",
    "time-people-work-life",
    "nine " * 3 + "x7$Kq!pL2#",
]
ACCOUNT = {"username": "chitra", "email": "chitra.rao@example.com"}


@pytest.fixture
def college():
    PartnerFactory.create(name="North Valley College")


@pytest.mark.usefixtures("college")
def test_a_weak_password_is_refused_and_a_strong_one_taken():
    taken = []
    for password in [*WEAK, *STRONG]:
        with suppress(ValidationError):
            validate_password(password, User(**ACCOUNT))
            taken.append(password)
    assert taken == STRONG


def by_page(monkeypatch, password):
    client = Client()
    client.force_login(User.objects.get())
    form = {"old_password": PASSWORD, "new_password1": password, "new_password2": password}
    answer = client.post("/admin/password_change/", form)
    if answer.status_code == 200 and answer.context["form"].errors["new_password2"]:
        raise CommandError


def by_changepassword(monkeypatch, password):
    monkeypatch.setattr("getpass.getpass", lambda prompt="": password)
    call_command("changepassword", "chitra", stdout=io.StringIO(), stderr=io.StringIO())


def from_environment(monkeypatch, password):
    User.objects.all().delete()
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", password)
    call_command("createsuperuser", **ACCOUNT, interactive=False, stdout=io.StringIO())


def by_createsuperuser(monkeypatch, password):
    User.objects.all().delete()
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda prompt="": password)
    call_command("createsuperuser", **ACCOUNT, stdout=io.StringIO(), stderr=io.StringIO())


@pytest.mark.usefixtures("college")
@pytest.mark.parametrize(
    ("way", "weak", "recorded"),
    [
        (by_page, None, ["password_changed"]),
        (by_changepassword, None, ["password_changed"]),
        (from_environment, "DJANGO_SUPERUSER_PASSWORD: ", ["added"]),
        (by_createsuperuser, None, ["added", "password_changed"]),
    ],
)
def test_each_way_to_choose_one_knows_the_account_keeps_no_weak_one_and_is_recorded(
    monkeypatch, way, weak, recorded
):
    member(**ACCOUNT, is_staff=True)

    with pytest.raises(CommandError, match=weak):
        way(monkeypatch, ACCOUNT["email"])
    assert [user.check_password(PASSWORD) for user in User.objects.all()] in ([True], [])

    way(monkeypatch, STRONG[0])
    user, is_new = User.objects.get(), "added" in recorded
    assert (user.check_password(STRONG[0]), user.is_superuser) == (True, is_new)
    first = AuditEvent.objects.about(user).earliest("pk")
    assert (actions(user), first.reason) == (recorded, "superuser" if is_new else "")
    assert first.actor.startswith("staff:" if way is by_page else "command:")
