"""Which requests of a browser carry the link token."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import link_token
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
