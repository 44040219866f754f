"""Staff accounts with password and authenticator app, and the pages where they sign in."""

import base64
import re

from django.contrib.auth.models import Group
from django.urls import reverse
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice

from partners.models import AuditEvent
from tests.factories import UserFactory, staff_as

LOGIN, CODE, SET_UP = "/admin/login/", "/admin/login/code/", "/admin/login/set-up/"
PASSWORD = "correct-horse-battery"


def page(name, *args):
    return reverse(f"admin:auth_{name}", args=args)


def role(name):
    staff_as(name)
    return Group.objects.get(name=name)


def form_of(user, **changes):
    """Return what the page of an account sends when nothing but these is changed."""
    names = ("username", "first_name", "last_name", "email")
    groups = [group.pk for group in user.groups.all()]
    values = {name: getattr(user, name) for name in names}
    return {**values, "is_active": "on", "groups": groups, **changes}


def member(**values):
    user = UserFactory.build(**values)
    user.set_password(PASSWORD)
    user.save()
    return user


def with_app(user):
    return TOTPDevice.objects.create(user=user, name="app", confirmed=True)


def code_of(device, steps=0):
    """Return what the app shows, now or so many half minutes later."""
    return f"{totp(device.bin_key, drift=steps):06}"


def wrong_code_of(device):
    near = {code_of(device, steps) for steps in (-1, 0, 1)}
    return next(code for code in ("000000", "111111", "222222", "333333") if code not in near)


def give_password(client, user, password=PASSWORD, **extra):
    return client.post(LOGIN, {"username": user.username, "password": password}, **extra)


def sign_in(client, user, device):
    """Sign in with password and code. The app's memory is cleared, as after half a minute."""
    TOTPDevice.objects.filter(pk=device.pk).update(last_t=-1, drift=0)
    give_password(client, user)
    return client.post(CODE, {"code": code_of(device)})


def new_app(client):
    """Read the key off the page into an app."""
    found = re.search(r'<code class="key">([A-Z2-7 ]+)</code>', client.get(SET_UP).content.decode())
    assert found
    return TOTPDevice(key=base64.b32decode(found[1].replace(" ", "")).hex())


def codes_on(answer):
    return re.findall(r"<code>([a-z2-7-]+)</code>", answer.content.decode())


def set_up(client, **fields):
    """Confirm the code of a new app; return the device and the recovery codes."""
    app = new_app(client)
    answer = client.post(SET_UP, {"code": code_of(app), **fields})
    return TOTPDevice.objects.get(key=app.key), codes_on(answer)


def is_in(client):
    return bool(client.get("/admin/").status_code == 200)


def actions(user):
    """Return what the audit trail says of an account, oldest first."""
    events = AuditEvent.objects.about(user).order_by("pk")
    return [event.action.removeprefix("staff.") for event in events]
