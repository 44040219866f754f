"""Use the service on the database that DATABASE_URL names, and check its answers.

For deploy/drills/restore.py. It creates a partner, an account and a student, so never run it on the
production database. Requests go through the whole service except gunicorn, inside this process.
Exit status 0 if every step succeeded; the first failure ends it.
"""

from __future__ import annotations

import io
import json
import os
import secrets
import sys
from types import SimpleNamespace
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client

from assessments.models import Assessment, AssessmentLink
from config.wsgi import application
from deploy.drills.restore import Failed, progress
from tests.support.browser import Browser
from tests.support.staff_sign_in import sign_in

HOST = settings.APP_URL.partition("//")[2]
NAME = f"drill-{secrets.token_hex(4)}"
EMAIL = f"{NAME}@example.com"


def served(environ: dict[str, Any]) -> HttpResponse:
    """Answer a request of Django's test client with the WSGI application."""
    begun: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]], *error: Any) -> None:
        begun.append((status, headers))

    content = b"".join(application(environ, start_response))
    [(status, headers)] = begun
    response = HttpResponse(content, status=int(status.split()[0]))
    for name, value in headers:
        if name == "Set-Cookie":
            response.cookies.load(value)
        else:
            response.headers[name] = value
    response.wsgi_request = SimpleNamespace()
    return response


class OurClient(Client):
    """Sends requests like a browser that uses the service's public address."""

    def __init__(self) -> None:
        super().__init__(headers={"host": HOST, "origin": settings.APP_URL})
        self.handler = served

    def generic(self, *args: Any, **extra: Any) -> HttpResponse:
        extra["secure"] = settings.SECURE_COOKIES
        return super().generic(*args, **extra)


def browser() -> Browser:
    made = Browser()
    made.client = OurClient()
    return made


def expect(is_so: bool, what: str) -> None:
    if not is_so:
        raise Failed(what)


def upgrade() -> None:
    """Migrate to this release, and check that the service is ready."""
    call_command("migrate", verbosity=0, interactive=False)
    answer = OurClient().get("/readyz")
    expect(answer.status_code == 200, f"/readyz answers {answer.status_code}")
    progress("migrated to this release, /readyz is content")


def sign_in_as_staff() -> None:
    """Sign in as a new member of staff, with password and authenticator app."""
    password = secrets.token_urlsafe(24)
    User.objects.create_superuser(NAME, password=password)
    staff = browser()
    sign_in(staff, NAME, password)
    page = staff.get("/admin/assessments/student/")
    expect(page.status == 200, f"the students' list answers {page.status}")
    progress("a member of staff signs in and sees the students")


def use_a_link() -> None:
    """Take a link from the partner's call to a stored answer, then read the results."""
    printed = io.StringIO()
    silent = io.StringIO()
    arguments = ("onboard_partner", NAME, "--project", NAME, "--json")
    call_command(*arguments, stdout=printed, stderr=silent)
    made = json.loads(printed.getvalue())

    def call(operation: str, **fields: str) -> Any:
        answer = OurClient().post(
            f"/partner/{operation}",
            {"projectId": made["projectId"], "email": EMAIL, **fields},
            content_type="application/json",
            headers={"X-Access-Token": f"{made['TokenId']}:{made['TokenSecret']}"},
        )
        expect(answer.status_code == 200, f"{operation} answers {answer.content!r}")
        return answer.json()

    url = call("get-redirect-url", name="Restore Drill", mobile="9876543210")["redirect-url"]
    student = browser()
    page = student.start(url.removeprefix(settings.APP_URL))
    while page.name == "section":
        page = student.go_on(page)
    expect(page.name == "question", f"after the start comes {page.name or page.status}")
    after = student.answer(page)
    expect(after.status == 200, f"an answer is answered by {after.status}")
    link = AssessmentLink.objects.get(student__email_key=EMAIL)
    attempt = link.assessment
    expect(attempt is not None, "the link is not used")
    stored = attempt.answers.exclude(choice=None).count() if attempt else 0
    expect(stored == len(page.form.questions), f"{stored} answers are stored")
    expect(call("get-assessments-info") == [], "an open attempt is told to the partner")
    progress("a link is issued, started and answered")


def score_again() -> None:
    """Score the newest stored result again: answers, bank and catalogue must all be there."""
    newest = Assessment.objects.completed().order_by("-pk").first()
    if newest is None:
        progress("no result to score again: the backup has none")
        return
    said = io.StringIO()
    try:
        call_command("rescore", newest.assessment_id, stdout=said, stderr=said)
    except Exception as error:
        raise Failed(f"rescore: {said.getvalue()} {error}") from error
    progress(f"{newest.assessment_id} scores as it did")


def main() -> int:
    for step in (upgrade, sign_in_as_staff, use_a_link, score_again):
        try:
            step()
        except Exception as error:  # any error means that nothing was verified
            print(f"FAIL {step.__name__}: {type(error).__name__}: {error}", flush=True)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
