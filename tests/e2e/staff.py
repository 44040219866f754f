"""A member of staff: an account of the running service, its second factor, and the way in."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django_otp.oath import totp

from tests.support.server import Service

if TYPE_CHECKING:
    from playwright.sync_api import Page

# What a browser's console says at its worst; all else are remarks.
WORRYING = {"error", "warning"}
MAKE = """
from django.contrib.auth.models import Group, User
from django_otp.plugins.otp_totp.models import TOTPDevice
user = User.objects.create_user({name!r}, password={password!r}, is_staff=True)
user.is_superuser = {is_superuser!r}
user.save()
user.groups.set([Group.objects.get(name=name) for name in {roles!r}])
if {key!r}:
    TOTPDevice.objects.create(user=user, key={key!r}, name="phone", confirmed=True)
"""


class Staff:
    """Make an account of the service, and sign in with it as a person does.

    `Staff(service, roles=["Support"]).sign_in(page)` is all that most tests need. With
    `is_enrolled=False` the account has no second factor yet, as on its first day.
    """

    def __init__(
        self,
        service: Service,
        *,
        roles: Iterable[str] = (),
        is_superuser: bool = False,
        is_enrolled: bool = True,
    ) -> None:
        self.service = service
        self.name = f"staff-{secrets.token_hex(4)}"
        self.password = secrets.token_urlsafe(24)
        self.key = secrets.token_hex(20) if is_enrolled else ""
        program = MAKE.format(
            name=self.name,
            password=self.password,
            is_superuser=is_superuser,
            roles=list(roles),
            key=self.key,
        )
        service.manage("shell", "--verbosity", "0", "--command", program)

    def sign_in(self, page: Page, path: str = "/admin/") -> None:
        """Go to a page of the admin through both pages of the sign-in."""
        page.goto(f"{self.service.url}{path}")
        self.give_password(page)
        self.forget_codes()
        self.give_code(page, self.code())
        page.wait_for_url(f"{self.service.url}{path}")

    def give_password(self, page: Page) -> None:
        page.get_by_label("Username").fill(self.name)
        page.get_by_label("Password").fill(self.password)
        page.get_by_role("button", name="Sign in").click()

    def give_code(self, page: Page, code: str) -> None:
        page.get_by_label("Six-digit code").fill(code)
        page.get_by_role("button", name="Sign in").click()

    def code(self) -> str:
        """Return the code that the authenticator app shows now."""
        return f"{totp(bytes.fromhex(self.key)):06}"

    def forget_codes(self) -> None:
        """Do what half a minute would do: a code is taken once, and an account signs in often."""
        self.service.rows(
            "UPDATE otp_totp_totpdevice SET last_t = -1, drift = 0 WHERE key = %s",
            (self.key,),
        )
