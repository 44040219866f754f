"""A double click on a slow line: the answer that shows the secret must not be lost."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from tests.factories import issued_token, staff_with
from tokens.models import AccessToken

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytestmark = pytest.mark.django_db(transaction=True)


def slowly(route: Route) -> None:
    time.sleep(0.4)
    route.continue_()


def test_it_shows_the_secret(live_server: LiveServer, browser: Browser) -> None:
    token, _ = issued_token()
    client = Client()
    client.force_login(staff_with("tokens.rotate_token"))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context = browser.new_context()
    context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
    )
    page = context.new_page()
    page.goto(f"{live_server.url}/admin/tokens/accesstoken/{token.pk}/rotate/")
    page.route("**/rotate/", slowly)

    page.get_by_role("button", name="Rotate access token").dblclick()
    page.wait_for_selector("#token-secret", timeout=10_000)

    assert AccessToken.objects.count() == 2
    context.close()
