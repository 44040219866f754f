"""Which passwords of staff are too easy to guess, on a page and by a command."""

import io
import sys

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from tests.factories import PartnerFactory
from tests.staff.accounts import PASSWORD, member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_sign_in", "college")]

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


def change(browser, password):
    """Change your own password; return whether it was refused."""
    form = {"old_password": PASSWORD, "new_password1": password, "new_password2": password}
    answer = browser.post("/admin/password_change/", form)
    return answer.status_code == 200 and bool(answer.context["form"].errors["new_password2"])


@pytest.mark.parametrize("password", WEAK)
def test_a_weak_password_is_refused_by_page_and_command(client, monkeypatch, password):
    client.force_login(user := member(**ACCOUNT, is_staff=True))

    assert change(client, password)

    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    with pytest.raises(CommandError):
        by_changepassword(monkeypatch, password)
    User.objects.all().delete()
    with pytest.raises(CommandError, match="DJANGO_SUPERUSER_PASSWORD"):
        from_environment(monkeypatch, password)
    with pytest.raises(CommandError):
        by_createsuperuser(monkeypatch, password)
    assert not User.objects.exists()


@pytest.mark.parametrize("password", STRONG)
def test_a_strong_one_is_taken(client, monkeypatch, password):
    client.force_login(user := member(**ACCOUNT, is_staff=True))

    assert not change(client, password)

    user.refresh_from_db()
    assert user.check_password(password)
    for command in (by_changepassword, from_environment, by_createsuperuser):
        if command is not by_changepassword:
            User.objects.all().delete()
        command(monkeypatch, password)
        assert User.objects.get().check_password(password)


def by_changepassword(monkeypatch, password):
    monkeypatch.setattr("getpass.getpass", lambda prompt="": password)
    call_command("changepassword", "chitra", stdout=io.StringIO(), stderr=io.StringIO())


def from_environment(monkeypatch, password):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", password)
    options = {"interactive": False, "stdout": io.StringIO()}
    call_command("createsuperuser", **ACCOUNT, **options)
    monkeypatch.delenv("DJANGO_SUPERUSER_PASSWORD")


def by_createsuperuser(monkeypatch, password):
    """Type the user name, the e-mail address, and each time the same password."""
    monkeypatch.delenv("DJANGO_SUPERUSER_PASSWORD", raising=False)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("getpass.getpass", lambda prompt="": password)
    typed = iter(ACCOUNT.values())
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    call_command("createsuperuser", stdout=io.StringIO(), stderr=io.StringIO())
