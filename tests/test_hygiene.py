"""A crash of a running service writes neither a secret nor a person into its log."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator

import pytest

from tests.support import hygiene
from tests.support.server import DATABASE, Service

STUDENT = {"name": "Zarina Quill", "email": "zarina.quill@example.com", "mobile": "+919829017365"}


@pytest.fixture(scope="module")
def own_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Give a service that may be mistreated."""
    service = Service(DATABASE, tmp_path_factory.mktemp("mistreated"))
    try:
        service.prepare()
        service.start()
        yield service
    finally:
        service.close()


def test_a_crash_writes_neither_a_secret_nor_a_person_into_the_log(own_service: Service) -> None:
    """S3, A10: the traceback is there, what was being worked on is not."""
    project = json.loads(
        own_service.manage("onboard_partner", "Crash", "--project", "Course", "--json")
    )
    credential = f"{project['TokenId']}:{project['TokenSecret']}"
    body = json.dumps({"projectId": project["projectId"], **STUDENT})
    call = {"Content-Type": "application/json", "X-Access-Token": credential}
    path = "/partner/get-redirect-url"
    url = hygiene.remember(
        json.loads(sent(own_service, "POST", path, body, call)[1])["redirect-url"]
    )
    page = url.removeprefix(own_service.url)
    form = f"token={page.partition('?token=')[2]}&consent=yes&csrfmiddlewaretoken={'c' * 32}"
    browser = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"csrftoken={'c' * 32}",
        "Origin": own_service.url,
    }

    own_service.rows("ALTER TABLE assessments_assessmentlink RENAME TO gone")
    crashed = [
        sent(own_service, "POST", path, body, call),
        sent(own_service, "GET", page, "", {}),
        sent(own_service, "POST", page.partition("?")[0], form, browser),
    ]
    own_service.rows("ALTER TABLE gone RENAME TO assessments_assessmentlink")

    assert [status for status, _body in crashed] == [500, 500, 500]
    assert json.loads(crashed[0][1])["code"] == "internal_error"
    assert own_service.logs().count("Traceback") >= 3
    for text in (own_service.logs(), *(body for _status, body in crashed)):
        assert not hygiene.leaks(text)
        assert not [value for value in STUDENT.values() if value in text]


def sent(
    service: Service, method: str, path: str, body: str, headers: dict[str, str]
) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=20)
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()
