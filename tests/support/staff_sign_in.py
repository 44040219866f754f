"""The first sign-in of a member of staff, which sets up an authenticator app."""

from __future__ import annotations

import base64
import re

from django_otp.oath import totp

from tests.support.browser import Browser

_KEY = re.compile(r'<code class="key">([A-Z2-7 ]+)</code>')


def sign_in(browser: Browser, username: str, password: str) -> None:
    """Sign in with password and app. Raise AssertionError if no app is asked for."""
    _fill_in(browser, "/admin/login/", username=username, password=password)
    shown = _KEY.search(browser.get("/admin/login/set-up/").text)
    assert shown, "after the password nothing asks for a second factor"
    key = base64.b32decode(shown[1].replace(" ", ""))
    _fill_in(browser, "/admin/login/set-up/", code=f"{totp(key):06}")


def _fill_in(browser: Browser, path: str, **values: str) -> None:
    """Send the form of a page that has fields of these names."""
    forms = browser.get(path).forms
    names = [{control.get("name", "") for control in form.inputs} for form in forms]
    [form] = [form for form, its in zip(forms, names, strict=True) if its >= values.keys()]
    browser.client.post(path, form.filled | values)
