"""get-redirect-url: one field in the answer, and a link behind it."""

import json
import re

import pytest
from django.conf import settings as django_settings

from assessments.models import AssessmentLink
from tests.assessments.attempts import token_of
from tests.assessments.partner import LINK, assert_problem

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


def test_a_call_makes_a_link_and_answers_with_its_address_alone(api):
    response = api.link()

    answer = json.loads(response.content)
    assert response.status_code == 200
    assert list(answer) == ["redirect-url"]
    assert re.fullmatch(
        rf"http://testserver/{api.project.project_id}/assessment\?token=[A-Za-z0-9_-]{{22}}",
        answer["redirect-url"],
    )
    link_token = token_of(answer["redirect-url"])
    link = AssessmentLink.objects.for_token(api.project.project_id, link_token)
    assert response.headers["X-Link-Id"] == link.link_id
    assert (link.access_token, link.reference) == (api.token, "")
    assert (link.name, link.mobile) == ("Asha Rao", "+91 98765 43201")
    assert link.student.email == "asha.rao@example.com"
    secret = api.credential.partition(":")[2]
    everything = f"{response.content!r}{response.headers}".lower()
    for hidden in (secret, api.token.token_id, "asha", "98765", django_settings.SECRET_KEY):
        assert hidden.lower() not in everything


def test_a_link_keeps_the_partners_reference_and_none_is_made_for_an_odd_one(api):
    for reference in ("", "x" * 65, "a b", "आशा", "a@b.example", "NaN"):
        response = api.post(LINK, api.link_body(), headers={"X-Reference": reference})
        assert_problem(response, 400, "invalid_request", [("X-Reference", "invalid")])
        assert not reference or reference.encode() not in response.content
    assert not AssessmentLink.objects.exists()
    for reference in ("2026:IN_00.17", "x" * 64):
        response = api.post(LINK, api.link_body(), headers={"X-Reference": reference})
        assert (response.status_code, list(json.loads(response.content))) == (200, ["redirect-url"])
        assert AssessmentLink.objects.latest("pk").reference == reference


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "testserver.evil.example", "testserver:80@evil.example", "[::1]"),
        *("testserver\t", "", "testserver,evil.example", "TESTSERVER"),
    ],
)
def test_no_host_header_decides_the_address(api, host):
    response = api.post(LINK, api.link_body(), HTTP_HOST=host, HTTP_X_FORWARDED_HOST="evil.example")

    if host != "TESTSERVER":
        assert_problem(response, 400, "invalid_request")
        assert not AssessmentLink.objects.exists()
    else:
        assert json.loads(response.content)["redirect-url"].startswith("http://testserver/prj_")
    assert b"evil" not in response.content
