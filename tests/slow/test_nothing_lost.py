"""A worker is killed, a row is held, PostgreSQL lets nobody in: a share of the crash drill."""

import json
import os
import random
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psycopg
import pytest

from tests.support import hygiene, invariants
from tests.support.clients import Client, Failed, Gate, Partner, RemoteBrowser
from tests.support.cpu import descendants
from tests.support.ledger import Ledger, lost
from tests.support.server import Service
from tests.support.visits import Visits

# gunicorn's threads without a Redis: so many requests at once, and no more, are worked on.
THREADS = 8
EMAIL = "asha.rao@example.com"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def own_service(tmp_path_factory):
    """Give a service that may be mistreated."""
    service = Service("postgresql", tmp_path_factory.mktemp("mistreated"))
    try:
        service.prepare()
        service.start()
        yield service
        service.assert_no_leaks()
    finally:
        service.close()


@pytest.fixture(scope="module")
def partner(own_service):
    return Partner.onboarded(own_service.manage)


@pytest.fixture
def student(own_service):
    return RemoteBrowser(Client(Gate(own_service.port), Ledger()))


def call(service, partner, email=EMAIL):
    """Ask for a link; return status and body."""
    student = {"name": "Asha", "email": email, "mobile": "9876543210"}
    body = json.dumps({"projectId": partner.project_id, **student}).encode()
    headers = {"Content-Type": "application/json", "X-Access-Token": partner.credential}
    url = f"{service.url}/partner/get-redirect-url"
    try:
        with urlopen(Request(url, body, headers), timeout=20) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def assert_plain_500(student):
    """Assert that the student's last page, and no other, was the error page for people."""
    ledger = student.client.ledger
    assert (ledger.asked[-1].status, ledger.crashes, ledger.not_plain) == (500, 1, 0)


def test_a_killed_worker_loses_nothing(own_service, partner, times):
    """What was acknowledged is stored, once; what was not is sent again."""
    load = Visits(Gate(own_service.port), [partner], 6, pages=None, retries=True)
    with load:
        for _ in range(2 * times):
            load.until(len(load.ledger.asked) + 100)
            os.kill(random.choice(descendants(own_service.pid)), signal.SIGKILL)
        load.until(len(load.ledger.asked) + 200)

    ledger = load.ledger
    assert ledger.of("link")
    assert ledger.of("answers")
    assert lost(ledger, own_service.rows) == []
    assert invariants.violations_of(own_service) == []
    assert (ledger.complaints, ledger.crashes) == ([], 0)


def test_a_row_that_is_held_stops_no_request_but_those_that_need_it(own_service, partner, student):
    """They get an error while the row is still held, and no thread is lost to them."""
    url = hygiene.remember(call(own_service, partner)[1]["redirect-url"])
    question = student.go_on(student.answer_subjects(student.start(url)))
    answers = dict.fromkeys(question.form.questions, "3")

    with psycopg.connect(own_service.environment["DATABASE_URL"]) as holder:
        holder.execute("SELECT FROM assessments_student FOR UPDATE")
        holder.execute("SELECT FROM assessments_assessment FOR UPDATE")
        with ThreadPoolExecutor(THREADS) as pool:
            page = pool.submit(student.press, question, answers)
            calls = [pool.submit(call, own_service, partner) for _ in range(THREADS - 1)]
            told = [(status, body.get("code")) for status, body in (c.result() for c in calls)]
            assert told == [(500, "internal_error")] * (THREADS - 1)
            assert isinstance(page.exception(), Failed)
        assert_plain_500(student)
        assert call(own_service, partner, "b@example.com")[0] == 200
        holder.rollback()

    assert call(own_service, partner)[0] == 200
    assert student.press(question, answers).name == "question"


@contextmanager
def nobody_let_in(service):
    """Let PostgreSQL end all connections to the service's database, and take no more."""
    name = service.environment["DATABASE_URL"].rpartition("/")[2]
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
        )
        yield
        connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


def test_without_the_database_each_failure_is_reported_and_ends_with_it(
    own_service, partner, student
):
    """JSON for programs, a page for people; all is well at once when it is back."""
    with nobody_let_in(own_service):
        status, body = call(own_service, partner)
        with pytest.raises(Failed):
            student.open(f"{partner.path}?token={'x' * 43}")
        health = own_service.readiness()
    calls = [call(own_service, partner)[0] for _ in range(2 * THREADS)]

    assert (status, body["code"], bool(body["requestId"])) == (500, "internal_error", True)
    assert_plain_500(student)
    assert (health["status"], health["database"]) == ("failed", "failed")
    assert calls == [200] * 2 * THREADS
    assert own_service.readiness()["status"] == "ok"
