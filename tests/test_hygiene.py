"""The check that runs after every real service finds what it is there to find."""

from __future__ import annotations

import http.client
import json
import secrets
from collections.abc import Iterator

import pytest

from tests.support import hygiene
from tests.support.server import DATABASE, Service
from tokens import crypto

STUDENT = {"name": "Zarina Quill", "email": "zarina.quill@example.com", "mobile": "+919829017365"}


@pytest.fixture(scope="module")
def own_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Give a service that may be mistreated, with a secret on its command line."""
    service = Service(DATABASE, tmp_path_factory.mktemp("mistreated"))
    try:
        service.prepare()
        service.start("--name", crypto.new_secret())
        yield service
    finally:
        service.close()


@pytest.mark.parametrize("address", ["assessment?token=", "result?key="])
def test_a_leaked_secret_is_found_anywhere(address: str) -> None:
    token = secrets.token_urlsafe(32)

    hygiene.remember(f"https://assess.example.com/prj_x/{address}{token}")

    assert hygiene.leaks(f"cookie={token};") == [token]


def test_what_is_shaped_like_a_secret_is_found_unannounced() -> None:
    secret = crypto.new_secret()

    assert hygiene.leaks(f"X-Access-Token: tok_1:{secret}") == [secret]
    assert hygiene.leaks(f"digest {crypto.digest(secret)}") == []


def test_a_secret_in_a_table_fails_the_run(own_service: Service) -> None:
    own_service.rows(
        "INSERT INTO django_session (session_key, session_data, expire_date)"
        " VALUES ('k', %s, '2030-01-01')",
        (crypto.new_secret(),),
    )

    with pytest.raises(AssertionError, match="a secret in django_session"):
        own_service.assert_no_leaks()
    own_service.rows("DELETE FROM django_session")


def test_a_secret_in_the_process_list_fails_the_run(own_service: Service) -> None:
    with pytest.raises(AssertionError, match="a secret in the process list"):
        own_service.assert_no_leaks()
    assert len(hygiene.command_lines(own_service.pid)) == 2  # gunicorn and its one worker


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
