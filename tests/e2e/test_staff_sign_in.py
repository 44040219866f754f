"""Staff sign in: the first time, with a code of the app, with a recovery code."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.staff import WORRYING, Staff
from tests.support.server import Service

pytestmark = pytest.mark.slow


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """Give a phone's page; at the end its console may hold no complaint."""
    context = chromium.new_context(viewport={"width": 360, "height": 640})
    page = context.new_page()
    complaints: list[str] = []
    # An error or a warning: chromium also remarks on a field that it need not focus.
    page.on("console", lambda said: said.type in WORRYING and complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


def set_up(staff: Staff, page: Page) -> list[str]:
    """Type the key into the app, confirm its code, and return the recovery codes."""
    key = page.locator("code.key").inner_text().replace(" ", "")
    staff.key = base64.b32decode(key).hex()
    page.get_by_label("Six-digit code").fill(staff.code())
    page.get_by_role("button", name="Confirm").click()
    page.get_by_text("You won't see them again").wait_for()
    return page.locator(".codes code").all_inner_texts()


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    page.get_by_text("You have signed out.").wait_for()


def test_the_first_sign_in_sets_up_what_the_next_ones_need(service: Service, page: Page) -> None:
    staff = Staff(service, is_superuser=True, is_enrolled=False)
    students = f"{service.url}/admin/assessments/student/"

    page.goto(students)
    staff.give_password(page)
    codes = set_up(staff, page)
    page.get_by_role("link", name="I have saved them. Continue").click()
    page.wait_for_url(students)
    sign_out(page)

    staff.sign_in(page)
    page.get_by_role("link", name="Your account").click()
    page.get_by_text("10 of 10 left").wait_for()
    sign_out(page)

    staff.give_password(page)
    staff.give_code(page, codes[3].upper())
    page.get_by_role("link", name="Your account").click()
    page.get_by_text("9 of 10 left").wait_for()

    assert len(set(codes)) == 10
    assert all(re.fullmatch(r"([a-z2-7]{4}-){3}[a-z2-7]{4}", code) for code in codes)
    dump = str(service.rows("SELECT token FROM otp_static_statictoken"))
    assert not any(code in dump or code.replace("-", "") in dump for code in codes)
    logs = service.logs()
    assert not any(secret in logs for secret in [*codes, staff.password, staff.key])


def test_a_new_colleague_chooses_a_password_by_a_link(service: Service, page: Page) -> None:
    administrator = Staff(service, is_superuser=True)
    colleague = Staff(service, is_enrolled=False)
    [row] = service.rows("SELECT id FROM auth_user WHERE username = %s", (colleague.name,))
    administrator.sign_in(page, f"/admin/auth/user/{row['id']}/change/")

    page.get_by_role("link", name="Make a link to choose a password").click()
    page.get_by_role("button", name="Make the link").click()
    link = page.locator("#password-link").inner_text()
    page.context.clear_cookies()
    page.goto(link)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_label("New password:").fill(password := "nine purple kettles sing")
    page.get_by_label("New password confirmation:").fill(password)
    page.get_by_role("button", name="Set the password").click()
    page.get_by_text("Your password is set.").wait_for()
    colleague.password = password
    colleague.give_password(page)
    page.locator("code.key").wait_for()  # the second factor, to be set up

    secret = link.partition("token=")[2].partition("-")[2]
    assert secret not in service.logs()
    assert secret not in str(service.rows("SELECT * FROM django_session"))
