"""What needs a chromium of its own: a crash in the middle, and cookies switched off."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e import chromium, rows
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Student

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


def test_after_a_crash_the_link_goes_on_with_the_attempt(
    service: Service,
    partner: PartnerBackend,
    applicant: Applicant,
    browser: Browser,
    tmp_path: Path,
) -> None:
    from playwright.sync_api import Error

    link = partner.redirect_url(applicant)
    context = chromium.open_profile(browser.browser_type, tmp_path)
    student = Student(context, service.url)
    student.start(link)
    student.go_to_question(7)
    chromium.let_cookies_reach_the_disk(context, tmp_path, "attempt")
    [before] = rows.attempts(service, applicant)

    chromium.kill(tmp_path)
    with contextlib.suppress(Error):
        context.close()
    context = chromium.open_profile(browser.browser_type, tmp_path)
    student = Student(context, service.url)
    student.open(f"{service.url}/{partner.project_id}/assessment")
    by_address = student.kind, student.position
    student.open(link)

    assert by_address == ("question", 7)
    assert (student.kind, student.position) == ("question", 7)
    assert rows.attempts(service, applicant) == [before]
    assert sorted(rows.choices(service, before)) == [1, 2, 3, 4, 5, 6]
    assert student.complaints() == []
    context.close()


def test_with_cookies_blocked_the_page_says_so_and_the_link_is_kept(
    service: Service,
    partner: PartnerBackend,
    applicant: Applicant,
    browser: Browser,
    tmp_path: Path,
) -> None:
    link = partner.redirect_url(applicant)
    chromium.block_cookies(tmp_path)
    context = chromium.open_profile(browser.browser_type, tmp_path)
    student = Student(context, service.url)

    student.start(link)
    said = student.text
    student.press("Continue")

    assert student.status == 403
    assert "block cookies" in student.heading
    assert "Your link has not been used up." in said
    assert context.cookies() == []
    assert rows.links(service, applicant)[0]["used_at"] is None
    assert rows.attempts(service, applicant) == []
    assert student.complaints() == []
    context.close()
