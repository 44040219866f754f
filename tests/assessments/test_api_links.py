"""get-redirect-url: one field in the answer, and a link behind it."""

from __future__ import annotations

import json
import re

import pytest
from django.conf import settings as django_settings

from assessments.models import AssessmentLink
from tests.assessments.attempts import token_of
from tests.assessments.partner import LINK, Backend, assert_problem

HOSTS = [
    "evil.example",
    "testserver.evil.example",
    "testserver:80@evil.example",
    "testserver\t",
    "[::1]",
    "",
    "testserver,evil.example",
    "TESTSERVER",
]

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


def test_it_works(api: Backend) -> None:
    response = api.link()

    answer = json.loads(response.content)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    assert list(answer) == ["redirect-url"]
    assert re.fullmatch(
        rf"http://testserver/{api.project.project_id}/assessment\?token=[A-Za-z0-9_-]{{43}}",
        answer["redirect-url"],
    )
    link = AssessmentLink.objects.for_token(
        api.project.project_id, token_of(answer["redirect-url"])
    )
    assert link.access_token == api.token
    assert (link.name, link.mobile) == ("Asha Rao", "+91 98765 43210")
    assert link.student.email == "asha.rao@example.com"
    secret = api.credential.partition(":")[2]
    everything = f"{response.content!r}{response.headers}"
    for hidden in (secret, api.token.token_id, "asha", "98765", django_settings.SECRET_KEY):
        assert hidden not in everything.lower()


@pytest.mark.parametrize("host", HOSTS)
def test_no_host_header_decides_the_address(api: Backend, host: str) -> None:
    """L15: the setting, or a 400."""
    response = api.post(LINK, api.link_body(), HTTP_HOST=host, HTTP_X_FORWARDED_HOST="evil.example")

    if response.status_code == 400:
        assert_problem(response, 400, "invalid_request")
        assert not AssessmentLink.objects.exists()
    else:
        url = json.loads(response.content)["redirect-url"]
        assert url.startswith("http://testserver/prj_")
    assert b"evil" not in response.content
