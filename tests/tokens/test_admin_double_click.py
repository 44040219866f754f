"""A double click on a slow line: the answer that shows the secret must not be lost."""

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client

from tests.factories import issued_token, staff_with
from tokens.models import AccessToken

if TYPE_CHECKING:
    pass

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


# Added by chromium to every answer, in ms.
SLOW_LINE = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}


def test_it_shows_the_secret(live_server, chromium):
    token, _ = issued_token()
    client = Client()
    client.force_login(staff_with("tokens.rotate_token"))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context = chromium.new_context()
    context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
    )
    page = context.new_page()
    page.goto(f"{live_server.url}/admin/tokens/accesstoken/{token.pk}/rotate/")
    context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW_LINE)
    button = page.get_by_role("button", name="Rotate access token").bounding_box()
    assert button is not None
    middle = button["x"] + button["width"] / 2, button["y"] + button["height"] / 2

    page.mouse.click(*middle)
    page.wait_for_timeout(100)  # long enough for the server to have acted
    page.mouse.click(*middle)
    page.wait_for_selector("#token-secret", timeout=10_000)

    assert AccessToken.objects.count() == 2
    context.close()
