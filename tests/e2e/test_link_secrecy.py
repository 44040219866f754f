"""Where a link token goes, what scanners do with it, and what a planted cookie opens."""

from __future__ import annotations

import http.client
import secrets
from urllib.parse import urlencode, urlsplit

import pytest

from tests.e2e import rows
from tests.e2e.conftest import NewStudent, link_token
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow


def test_the_link_token_is_in_the_first_get_and_the_start_only(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    link = partner.redirect_url(applicant)
    token = link_token(link)

    student.start(link)
    student.go_to_question(7)
    student.leave()

    in_addresses = [request.url for request in student.requests if token in request.url]
    in_bodies = [request.url for request in student.requests if token in (request.post_data or "")]
    in_headers = [
        request.url for request in student.requests if token in str(request.all_headers())
    ]
    assert in_addresses == [link]
    assert in_bodies == [link.partition("?")[0]]
    assert in_headers == []
    assert len(student.requests) > 8
    assert token not in service.logs()
    cookies = student.context.cookies()
    assert token not in str(cookies)
    assert all(cookie["httpOnly"] and cookie["sameSite"] == "Lax" for cookie in cookies)


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_a_robot_that_fetches_the_link_does_not_use_it(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student, method: str
) -> None:
    link = partner.redirect_url(applicant)
    before = rows.links(service, applicant)
    robots = [
        {"User-Agent": "WhatsApp/2.23.20.0"},
        {"User-Agent": "TelegramBot (like TwitterBot)", "Range": "bytes=0-1023"},
        {"User-Agent": "Mozilla/5.0", "Purpose": "prefetch", "Sec-Purpose": "prefetch"},
        {},
    ]

    for headers in robots:
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
        connection.request(method, link.removeprefix(service.url), headers=headers)
        assert connection.getresponse().status < 500
        connection.close()

    assert rows.links(service, applicant) == before
    assert service.rows("SELECT count(*) AS n FROM django_session") == [{"n": 0}]
    student.start(link)
    assert student.kind == "section"


def test_a_script_that_submits_the_form_does_not_start(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.open(partner.redirect_url(applicant))

    with student.page.expect_navigation() as navigation:
        student.page.evaluate("document.forms[0].submit()")

    assert navigation.value.status == 400
    assert student.kind == "landing"
    assert rows.links(service, applicant)[0]["used_at"] is None
    assert rows.attempts(service, applicant) == []


def test_a_robot_that_posts_the_hidden_fields_does_not_start(
    service: Service, partner: PartnerBackend, applicant: Applicant
) -> None:
    link = urlsplit(partner.redirect_url(applicant))
    csrf = secrets.token_hex(16)
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)

    connection.request(
        "POST",
        link.path,
        urlencode({"csrfmiddlewaretoken": csrf, "token": link.query.removeprefix("token=")}),
        {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"csrftoken={csrf}",
        },
    )

    assert connection.getresponse().status == 400
    connection.close()
    assert rows.links(service, applicant)[0]["used_at"] is None


def test_a_link_started_by_a_scanner_is_made_good_by_a_fresh_one(
    service: Service, partner: PartnerBackend, applicant: Applicant, new_student: NewStudent
) -> None:
    scanner, student = new_student(), new_student()
    link = partner.redirect_url(applicant)
    scanner.start(link)

    student.open(link)
    refused = student.status
    student.start(partner.redirect_url(applicant), "Continue (0 of 44 answered)")
    student.go_to_question(7)
    scanner.press("Begin part 1")

    assert refused == 410
    assert scanner.status == 403
    [attempt] = rows.attempts(service, applicant)
    assert len(rows.choices(service, attempt)) == 6


def test_planted_cookies_open_nothing(
    service: Service, partner: PartnerBackend, applicant: Applicant, new_student: NewStudent
) -> None:
    """Who plants cookies in a victim's browser holds the same ones, but not the link token."""
    planted = {"csrftoken": secrets.token_hex(16), "attempt": secrets.token_hex(32)}
    victim, attacker = new_student(), new_student()
    for browser in (victim, attacker):
        browser.context.add_cookies(
            [{"name": name, "value": value, "url": service.url} for name, value in planted.items()]
        )
    victim.start(partner.redirect_url(applicant))
    victim.go_to_question(7)
    start = f"{service.url}/{partner.project_id}/assessment"

    seen = []
    for address in (start, f"{start}/1", f"{start}/7", f"{start}/leave", f"{start}/result"):
        attacker.open(address)
        seen.append((attacker.status, applicant.name.split()[0] in attacker.text))

    assert {status for status, _named in seen} <= {403, 404}
    assert not any(named for _status, named in seen)
    held = {cookie["name"]: cookie["value"] for cookie in victim.context.cookies()}
    assert held["attempt"] != planted["attempt"]
