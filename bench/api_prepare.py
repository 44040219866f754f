"""Make the projects that bench/api.py calls for. Runs inside `manage.py shell`."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assessments.catalogue import courses_file
from assessments.models import Course
from assessments.models.attempts import Assessment
from partners.models import Partner, Project
from tests.support.prepare import answer_but_the_last_page, issue
from tokens.models import AccessToken

COURSES = Path(__file__).resolve().parent.parent / "assessments" / "demo" / "courses.csv"


@dataclass(frozen=True)
class Caller:
    """A project and its token."""

    project_id: str
    credential: str
    project: int
    token: int


def callers(count: int) -> dict[str, Any]:
    """Make a partner with so many projects. Return `callers`, and the key of `attempt`.

    The attempt is a completed one, really answered, for copies.
    """
    partner = Partner.objects.create(name="Bench")
    made = [_caller(partner, number) for number in range(count)]
    attempt = _completed(Project.objects.get(pk=made[0].project))
    return {"callers": [asdict(caller) for caller in made], "attempt": attempt.pk}


def _caller(partner: Partner, number: int) -> Caller:
    project = Project.objects.create(partner=partner, name=f"Project {number}")
    token, secret = AccessToken.objects.issue(project, actor="command:bench")
    return Caller(project.project_id, f"{token.token_id}:{secret}", project.pk, token.pk)


def _completed(project: Project) -> Assessment:
    rows = courses_file.parse(COURSES.read_bytes())
    Course.objects.bulk_create(Course(project=project, **row) for row in rows)
    link, _ = issue(project, "template")
    attempt = link.start(secrets.token_hex(32), consent_version="bench", language="en")
    last_page = answer_but_the_last_page(attempt)
    attempt.record(last_page[0], dict.fromkeys(last_page, 1))
    attempt.refresh_from_db()
    assert attempt.completed_at, "The last page did not complete the attempt."
    return attempt
