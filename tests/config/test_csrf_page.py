"""A form that the CSRF check refuses: explained, nothing lost, one press to go on."""

import html
import re

import pytest
from django.middleware.csrf import _get_new_csrf_string
from django.test import Client

pytestmark = pytest.mark.urls("tests.config.probe_urls")


OURS = [None, "null", "http://testserver", "HTTP://TestServer"]


@pytest.mark.parametrize("origin", OURS)
def test_a_form_of_ours_is_offered_again(origin):
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = _get_new_csrf_string()
    sent = {"answer": '3"><script>alert(1)</script>', "assessment": "asm_x"}
    headers = {"HTTP_ORIGIN": origin} if origin else {}

    response = client.post("/form?a=1", sent, **headers)

    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', response.text)
    fields = {name: html.unescape(value) for name, value in found}
    assert response.status_code == 403
    assert response.headers["Cache-Control"] == "no-store"
    assert "Please press once more" in response.text
    assert 'action="/form?a=1"' in response.text
    assert fields.pop("csrfmiddlewaretoken")
    assert fields == sent
    assert "<script>alert" not in response.text


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("origin", ["null", "http://testserver"])
def test_a_foreign_form_that_hid_its_origin_changes_nothing(site, origin):
    client = Client(enforce_csrf_checks=True)
    fields = {"token": "abc", "consent": "yes"}

    response = client.post("/form", fields, HTTP_ORIGIN=origin, HTTP_SEC_FETCH_SITE=site)

    assert response.status_code == 403
    assert "open your own link" in response.text
    assert "<form" not in response.text
    assert "abc" not in response.text
    assert not response.cookies
