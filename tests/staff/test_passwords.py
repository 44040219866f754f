"""Which passwords of staff are too easy to guess, on a page and by a command."""

import io
import sys
from contextlib import suppress

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client

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


@pytest.mark.parametrize("way", [by_page, by_changepassword, from_environment, by_createsuperuser])
def test_each_way_to_choose_one_knows_the_account_and_keeps_no_weak_one(monkeypatch, way):
    member(**ACCOUNT, is_staff=True)

    with pytest.raises(CommandError):
        way(monkeypatch, ACCOUNT["email"])
    assert [user.check_password(PASSWORD) for user in User.objects.all()] in ([True], [])

    way(monkeypatch, STRONG[0])
    assert User.objects.get().check_password(STRONG[0])
