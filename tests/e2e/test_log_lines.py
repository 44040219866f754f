"""The whole log of a run, with good calls and bad ones: JSON, and nobody's data in it."""

from __future__ import annotations

import http.client
import json
import secrets
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

import pytest

from tests.e2e.conftest import link_token
from tests.support.backend import Applicant, PartnerBackend, Refused
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow


@pytest.fixture
def send(service: Service) -> Callable[..., int]:
    """Give a function that sends one request as it stands and returns the status."""

    def send(method: str, path: str, body: str = "", **headers: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body.encode(), names)
        status = connection.getresponse().status
        connection.close()
        return status

    return send


def test_no_line_holds_a_secret_or_a_persons_data(
    service: Service,
    partner: PartnerBackend,
    applicant: Applicant,
    student: Student,
    send: Callable[..., int],
) -> None:
    wrong = replace(partner, token_secret=partner.token_secret[:-3] + "AAA")
    credential = f"{partner.token_id}:{partner.token_secret}"
    unknown_token = secrets.token_urlsafe(32)
    start = f"/{partner.project_id}/assessment"
    link = partner.redirect_url(applicant)
    student.start(link)
    student.go_to_question(7)
    student.leave()
    partner.assessments(applicant.email)

    with pytest.raises(Refused):
        wrong.redirect_url(applicant)
    with pytest.raises(Refused):
        partner.redirect_url(replace(applicant, mobile=applicant.mobile + "x"))
    cut_off = f'{{"projectId": "{partner.project_id}", "email": "{applicant.email}"'
    statuses = [
        send(
            "POST",
            "/partner/get-assessments-info",
            cut_off,
            X_Access_Token=credential,
            Content_Type="application/json",
        ),
        send("GET", f"{start}?token={unknown_token}"),
        send("GET", f"/{partner.project_id}/result?key={unknown_token}"),
        send("GET", f"/partner/{quote(applicant.email)}", X_Access_Token=credential),
        send("GET", f"/nowhere/{applicant.email}/{quote(applicant.mobile)}?token={unknown_token}"),
        send("GET", "/healthz", X_Request_ID=applicant.email, User_Agent=applicant.email),
        send("POST", start, f"token={unknown_token}", Referer=link),
    ]

    assert statuses == [400, 404, 404, 404, 404, 200, 403]
    logged = service.logs()
    number = applicant.mobile.removeprefix("+91 ")
    for private in (
        partner.token_secret,
        partner.token_secret.removeprefix("sec_")[:20],
        link_token(link),
        unknown_token,
        applicant.email,
        applicant.email.partition("@")[0],
        quote(applicant.email, safe=""),
        applicant.mobile,
        number,
        applicant.name.split()[0],
    ):
        assert private not in logged
    lines = [json.loads(line) for line in logged.splitlines()]
    assert all(line["time"].endswith("+00:00") and line["level"] for line in lines)
    of_start = [line for line in lines if line.get("path") == start]
    assert {"GET", "POST"} <= {line["method"] for line in of_start}
    assert all(line["request_id"] for line in of_start)
