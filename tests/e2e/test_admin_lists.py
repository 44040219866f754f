"""The lists of the admin fit a window of 1280 px, with the longest values of everyday."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from tests.e2e.staff import Staff
from tests.support.server import Service

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

ROWS = "from tests.staff.rows import make_rows; make_rows()"
LONG = (
    "UPDATE partners_partner SET name = 'The Maharaja Sayajirao University of Baroda'",
    "UPDATE partners_project SET name = 'Faculty of Technology and Engineering, evening'",
    "UPDATE assessments_student SET email ="
    " 'venkatanarasimharaju.varipeta' || id || '@example.com'",
    "UPDATE tokens_accesstoken SET label = 'CRM of the admissions office, second server'",
    "UPDATE assessments_course SET name = 'BTech Electronics and Communication Engineering'",
    "UPDATE auth_user SET email = 'venkatanarasimharaju.varipeta' || id || '@example.com'",
)
OVERFLOW = """() => [...document.querySelectorAll(".results, html")].map(
    part => part.scrollWidth - part.clientWidth)"""


def lists() -> list[str]:
    """Return the addresses of the lists of all models in the admin."""
    models = [model._meta for model in apps.get_models() if admin.site.is_registered(model)]
    return [reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist") for meta in models]


def test_no_list_is_cut_at_1280_px(browser: Browser, start_service: Callable[..., Service]) -> None:
    service = start_service(WEBHOOK_KEY=secrets.token_urlsafe(50))
    service.manage("shell", "--verbosity", "0", "--command", ROWS)
    for statement in LONG:
        service.rows(statement)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    Staff(service, is_superuser=True).sign_in(page)

    cut = []
    for address in lists():
        answer = page.goto(f"{service.url}{address}")
        assert answer
        assert answer.status == 200, address
        cut += [address for over in page.evaluate(OVERFLOW) if over > 0]

    assert cut == []
    assert len(lists()) >= 14
    page.close()
