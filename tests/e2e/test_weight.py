"""What pages weigh on the wire, from the real server. `bench/pages.py` weighs all, and times."""

from __future__ import annotations

import http.client
import json
import re

from bench.page_measures import Wire
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Student

# Bytes, with headers. The first page brings the style along.
FIRST_PAGE, FURTHER_PAGE = 14_000, 6_000
MOST_REQUESTS = 3


def weigh(student: Student, wire: Wire) -> tuple[str, int, int]:
    """Return the page's kind, its bytes and requests, and begin a new count."""
    student.page.wait_for_load_state("networkidle")
    weight = student.kind, wire.bytes, wire.requests
    wire.start()
    return weight


def test_pages_are_light_and_make_few_requests(
    partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    wire = Wire(student.page)

    student.open(partner.redirect_url(applicant))
    weights = [weigh(student, wire)]
    student.consent()
    student.press(student.page.locator("main form button[type=submit]"))
    weights.append(weigh(student, wire))
    for _ in range(6):
        student.answer()
        weights.append(weigh(student, wire))

    assert [kind for kind, _, _ in weights] == [
        "landing",
        "section",
        *["question"] * 4,
        "section",
        "question",
    ]
    assert 2000 < weights[0][1] <= FIRST_PAGE
    assert [weight for weight in weights[1:] if not 1000 < weight[1] <= FURTHER_PAGE] == []
    assert [weight for weight in weights if weight[2] > MOST_REQUESTS] == []


def get(service: Service, address: str, encoding: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
    connection.request("GET", address, headers={"Accept-Encoding": encoding})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response


def test_the_style_and_the_script_come_compressed_and_are_kept_for_ever(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.start(partner.redirect_url(applicant))
    student.go_to_question(1)
    files = re.findall(r'/static/[^"]+', student.page.content())

    assert len(files) == 2
    for file in files:
        for encoding in ("br", "gzip"):
            response = get(service, file, encoding)

            assert response.status == 200
            assert response.headers["Content-Encoding"] == encoding
            assert "immutable" in response.headers["Cache-Control"]


def test_what_partners_get_is_not_compressed(service: Service, partner: PartnerBackend) -> None:
    body = json.dumps({"projectId": partner.project_id})
    headers = {
        "Content-Type": "application/json",
        "Accept-Encoding": "gzip, br",
        "X-Access-Token": f"{partner.token_id}:{partner.token_secret}",
    }
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)

    connection.request("POST", "/partner/get-redirect-url", body, headers)
    response = connection.getresponse()

    assert len(response.read()) > 200  # shorter ones are never compressed
    assert response.status == 400
    assert "Content-Encoding" not in response.headers
    connection.close()
