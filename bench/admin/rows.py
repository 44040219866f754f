"""Fill a migrated, empty database with two years of students.

Models fill the small tables. A few attempts are really answered; SQL copies the rest from them.
"""

from __future__ import annotations

import io
import json
import random
import secrets
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from assessments.content import courses_file
from assessments.models import Assessment, AssessmentLink, Course
from assessments.models.catalogues import CatalogueSnapshot
from bench.admin.statements import SEQUENCES, STATEMENTS
from partners.models import Partner, Project
from tests.support import prepare
from tokens import crypto
from tokens.models import AccessToken

ROOT = Path(__file__).resolve().parents[2]
COURSES = ROOT / "assessments" / "demo" / "courses.csv"
COURSES_EACH, TOKENS_EACH, STAFF, TEMPLATES = 12, 3, 12, 8
DAYS = 730
FIRST = (
    "Asha Ravi Meera Arjun Kiran Divya Rohan Sunita Vikram Leela Farid Anita John Priya Omar Tara"
)
LAST = (
    "Rao Sharma Iyer Khan Patel Das Nair Singh Gupta Menon Fernandes Reddy Bose Joshi Mehta Pillai"
)


def sizes(scale: float) -> dict[str, int]:
    """Return the number of rows of each kind; at full scale as in docs/performance.md."""
    many = max(1000, int(1000 * scale) * 1000)
    return {
        "projects": max(10, round(1000 * scale)),
        "students": many,
        "attempts": many,
        "answers": 5 * many,
        "links": 13 * many // 10,
        "link_events": many // 2,
        "audit_events": 3 * many // 10,
        "log_entries": many // 50,
    }


def fill(scale: float) -> Iterator[tuple[str, float]]:
    """Create all rows; yield each kind and the seconds that it took."""
    size, begun = sizes(scale), time.monotonic()
    call_command(
        "load_items", "--make-current", verbosity=0, stdout=io.StringIO(), stderr=io.StringIO()
    )
    projects = small_rows(size["projects"])
    yield "projects, tokens, courses, staff, item bank", time.monotonic() - begun
    begun = time.monotonic()
    answered = templates(projects[0])
    yield f"{TEMPLATES} attempts to copy", time.monotonic() - begun
    with connection.cursor() as cursor:
        # Checking every foreign key would take longer than creating the rows.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute("SET synchronous_commit = off")
        cursor.execute("SELECT setseed(0.5)")
        temporary_tables(cursor, projects, answered)
        values = {
            **size,
            "days_back": DAYS,
            "now": timezone.now(),
            "bank": answered[0].bank_id,
            "first": FIRST.split(),
            "last": LAST.split(),
            "of_project": [project.pk for project in projects],
            "positions": answered[0].cached_bank.layout.total,
            "staff": list(User.objects.values_list("pk", flat=True)),
        }
        for what, statement in STATEMENTS:
            begun = time.monotonic()
            cursor.execute(statement, values)
            yield f"{cursor.rowcount:,} {what}", time.monotonic() - begun
        cursor.execute(SEQUENCES)
        cursor.execute("SET session_replication_role = DEFAULT")
        begun = time.monotonic()
        cursor.execute("VACUUM ANALYZE")
    yield "vacuumed and analysed", time.monotonic() - begun


def small_rows(count: int) -> list[Project]:
    """Fill the small tables and return the projects, the largest first."""
    now = timezone.now()
    since = now - timedelta(days=DAYS + 2)
    partners = Partner.objects.bulk_create(
        Partner(name=f"University {n:04}", contact_email=f"it{n}@example.org", created_at=since)
        for n in range(max(4, count * 2 // 5))
    )
    projects = Project.objects.bulk_create(
        Project(
            partner=partners[n % len(partners)],
            name=f"{LAST.split()[n % 16]} College {n:04}",
            created_at=since,
            closed_at=now if n % 50 == 49 else None,
        )
        for n in range(count)
    )
    AccessToken.objects.bulk_create(
        AccessToken(
            project=project,
            secret_digest=crypto.digest(crypto.new_secret()),
            label=f"CRM {number}",
            issued_at=since + timedelta(days=number * 300),
            revoked_at=now if number == 0 else None,
            last_used_at=now if number == 2 else None,
        )
        for project in projects
        for number in range(TOKENS_EACH)
    )
    rows = courses_file.parse(COURSES.read_bytes())[:COURSES_EACH]
    Course.objects.bulk_create(
        Course(project=project, **row) for project in projects for row in rows
    )
    for project in projects:
        CatalogueSnapshot.objects.current(project)
    for number in range(STAFF):
        User.objects.create(username=f"staff{number}", is_staff=True)
    return projects


def templates(project: Project) -> list[Assessment]:
    """Really answer a few attempts, one of them carelessly, and return them."""
    draw = random.Random("templates")
    found = []
    for number in range(TEMPLATES):
        at = timezone.now() - timedelta(days=DAYS + 1)
        link, _ = AssessmentLink.objects.issue(
            project,
            name=f"Template {number}",
            email=f"template{number}@example.com",
            mobile="9876543210",
            at=at,
        )
        attempt = link.start(secrets.token_hex(32), language="en", at=at)
        while not attempt.completed_at:
            at += timedelta(seconds=2 if number == 0 else 12)
            _answer_page(attempt, draw, at, same=number == 0)
            attempt.refresh_from_db()
        found.append(attempt)
    return found


def _answer_page(attempt: Assessment, draw: random.Random, at: Any, *, same: bool) -> None:
    position = attempt.read_answers().resume_position
    prepare.begin(attempt, position, at)
    choices = {}
    for answer in attempt.read_answers().page(position):
        offered = [option.value for option in answer.item.options]
        choices[answer.position] = offered[0] if same else draw.choice(offered)
    attempt.record(position, choices, at)


def temporary_tables(cursor: Any, projects: list[Project], attempts: list[Assessment]) -> None:
    """Create the tables that the statements copy from."""
    cursor.execute(
        "CREATE TEMPORARY TABLE of_project (project_id bigint PRIMARY KEY, token_id bigint,"
        " catalogue_id bigint);"
        "INSERT INTO of_project SELECT p.id,"
        " (SELECT max(t.id) FROM tokens_accesstoken t WHERE t.project_id = p.id),"
        " (SELECT max(c.id) FROM assessments_cataloguesnapshot c WHERE c.project_id = p.id)"
        " FROM partners_project p;"
        "CREATE TEMPORARY TABLE template (k int PRIMARY KEY, profile jsonb, recommendations jsonb);"
        "CREATE TEMPORARY TABLE template_answer (k int, position int, item_id bigint, choice int)"
    )
    for k, attempt in enumerate(attempts):
        cursor.execute(
            "INSERT INTO template VALUES (%s, %s, %s)",
            (k, json.dumps(attempt.profile), json.dumps(attempt.recommendations)),
        )
        cursor.executemany(
            "INSERT INTO template_answer VALUES (%s, %s, %s, %s)",
            [(k, a.position, a.item_id, a.choice) for a in attempt.answers.all()],
        )
    cursor.execute("ANALYZE of_project; ANALYZE template; ANALYZE template_answer")
