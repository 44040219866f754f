"""The link to choose a password, as an administrator makes it and a colleague uses it."""

from __future__ import annotations

import html
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests.staff.accounts import page
from tests.staff.codes import PASSWORD
from tests.support.admin_forms import opened

CHOOSE = "/admin/choose-password/"
NEW = "nine purple kettles sing"


def shown_link(answer: Any) -> str:
    found = re.search(r'id="password-link"[^>]*>([^<]+)<', answer.content.decode())
    assert found
    return html.unescape(found[1])


def make_link(administrator: Client, user: User) -> str:
    """Press the button, and return the link without the host."""
    link = shown_link(administrator.post(page("user_password_change", user.pk)))
    assert link.startswith(f"{settings.APP_URL}{CHOOSE}?token=")
    return link.removeprefix(settings.APP_URL)


def token_of(link: str) -> str:
    [token] = parse_qs(urlsplit(link).query)["token"]
    return token


def choose(link: str, password: str = NEW, again: str | None = None) -> Any:
    """Open the link in a new browser, and send its form."""
    browser = Client()
    form = opened(browser, link)
    passwords = {"new_password1": password, "new_password2": again or password}
    return browser.post(form.action, form.sent(passwords))


def assert_dead(link: str, user: User, password: str = PASSWORD) -> None:
    """Check that the link neither opens nor sets a password."""
    form = {"token": token_of(link), "new_password1": "x" * 20, "new_password2": "x" * 20}
    for answer in (Client().get(link), Client().post(CHOOSE, form)):
        assert answer.status_code == 410
        assert "Ask an administrator for a new link." in answer.content.decode()
        assert 'type="password"' not in answer.content.decode()
    user.refresh_from_db()
    assert user.check_password(password)
