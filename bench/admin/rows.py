"""Fill a database with two years of students.

Models fill the small tables, and one attempt is really answered; SQL does the rest.
"""

import io
from contextlib import contextmanager
from datetime import timedelta

from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from assessments.catalogue import course_rows
from assessments.desk.onboarding import FIRST_LABEL, onboard
from assessments.models import ItemBank
from assessments.models.catalogue_snapshots import CatalogueSnapshot
from bench import rows
from bench.rows import OFFSET
from bench.stack import COURSES
from partners.models import Project
from partners.models.audit import Actor
from tests.support import prepare
from tests.support.databases import PostgreSQLDatabase
from tokens.models import AccessToken

COURSES_EACH, STAFF, DAYS = 12, 12, 730
PROJECTS = "%(of_project)s::bigint[]"
# Students are spread unevenly: the largest of 1,000 projects has 3 % of them.
PROJECT = f"({PROJECTS})[1 + floor(cardinality({PROJECTS}) * power(random(), 2))]"
# Most students have one attempt, some have two, the first one has many. Of a hundred attempts, 78
# are completed and 8 left. The others were not finished in time or, if they began today, are open,
# like the last but one.
ATTEMPTS = f"""
SELECT n, at, n <> %(students)s - 1 AND n::bigint * 7919 %% 1000 < 780 AS is_completed,
  n <> %(students)s - 1 AND n::bigint * 7919 %% 1000 BETWEEN 780 AND 859 AS is_left,
  n %% 10 < 7 AS is_read,
  {OFFSET} + CASE WHEN n %% (%(students)s / 25) = 0 THEN 1
    WHEN n %% 10 = 3 THEN 1 + n::bigint * 7919 %% (n / 2 + 1) ELSE n END AS student_id
FROM (SELECT n, {rows.AT.format(count="%(students)s")}) numbered
"""
# Of thirteen links, ten are used, each by a different attempt, and three expire.
LINKS = f"""
SELECT n, a.student_id, CASE WHEN n %% 13 < 10 THEN a.id END AS attempt_id,
  a.started_at - make_interval(hours => n %% 60) AS issued_at,
  CASE WHEN n %% 13 < 10 THEN a.started_at END AS used_at
FROM generate_series(0, 13 * %(students)s / 10 - 1) n
JOIN assessments_attempt a
  ON a.id = {OFFSET} + n / 13 * 10 + CASE WHEN n %% 13 < 10 THEN n %% 13 + 1 ELSE 5 END
"""
LINK_EVENTS = """
INSERT INTO assessments_linkevent (link_id, number, at, kind, what)
SELECT id, 1, issued_at, 'opened', '' FROM assessments_assessmentlink ORDER BY id DESC
LIMIT %(students)s / 2
"""
# The newest attempts, which lists show first, have all their answers; older ones have two.
ANSWERS = f"""
INSERT INTO assessments_answer
    (attempt_id, position, item_id, shown_at, choice, answered_at, language)
SELECT a.id, t.position, t.item_id, a.started_at + make_interval(secs => 10 * t.position - 8),
  t.choice, a.started_at + make_interval(secs => 10 * t.position), 'en'
FROM assessments_attempt a
JOIN assessments_answer t ON t.attempt_id < {OFFSET}
WHERE a.id > {OFFSET}
  AND (t.position <= 2
    OR a.id > {OFFSET} + %(students)s - 3 * %(students)s / (%(positions)s - 12))
  AND (a.completed_at IS NOT NULL OR t.position <= 1 + a.id %% 97)
ORDER BY a.id, t.position
"""
# Object ids are those of `AuditEvent.record`.
AUDIT_EVENTS = f"""
INSERT INTO partners_auditevent (at, actor, action, object_type, object_id, project_id, address,
  request_id, reason, details)
SELECT at, 'staff:' || (%(staff)s::int[])[1 + n %% 12], (%(actions)s::text[])[place], kind,
  CASE kind WHEN 'project' THEN p.project_id
    WHEN 'accesstoken' THEN (SELECT max(token_id) FROM tokens_accesstoken WHERE project_id = p.id)
    ELSE kind || '-' || ({OFFSET} + n) END,
  p.id, '192.0.2.7', left(md5('request' || n), 32), '', '{{}}'
FROM (SELECT *, (%(kinds)s::text[])[place] AS kind
  FROM (SELECT n, 1 + n %% cardinality(%(kinds)s::text[]) AS place,
    {rows.AT.format(count="(3 * %(students)s / 10)")}) numbered) placed
JOIN partners_project p ON p.id = ({PROJECTS})[1 + n %% cardinality({PROJECTS})]
ORDER BY n
"""
# The action and kind of eighteen events.
ACTIONS = [
    *8 * [("student.read", "student")],
    *4 * [("student.listed", "student")],
    *3 * [("link.issued", "assessmentlink")],
    *(("token.issued", "accesstoken"), ("token.rotated", "accesstoken")),
    ("project.changed", "project"),
]
MORE = {"events of links": LINK_EVENTS, "answers": ANSWERS, "audit events": AUDIT_EVENTS}


@contextmanager
def filled_database(server_url, scale):
    """Create a database, with a million attempts at a scale of 1, and drop it in the end."""
    database = PostgreSQLDatabase(server_url)
    try:
        connection.close()
        connection.settings_dict["NAME"] = database.url.rpartition("/")[2]
        ContentType.objects.clear_cache()
        ItemBank.cached.cache_clear()
        call_command("migrate", verbosity=0)
        fill(scale)
        yield
    finally:
        connection.close()
        database.drop()


def fill(scale):
    call_command("load_items", "--make-current", stdout=io.StringIO(), stderr=io.StringIO())
    projects = small_rows(max(10, round(1000 * scale)))
    done = prepare.completed(projects[0])
    actions, kinds = map(list, zip(*ACTIONS, strict=True))
    values = {
        "days": DAYS,
        "students": max(1000, int(1000 * scale) * 1000),
        "of_project": [project.pk for project in projects],
        "positions": done.cached_bank.layout.total,
        "staff": list(User.objects.values_list("pk", flat=True)),
        "actions": actions,
        "kinds": kinds,
    }
    with connection.cursor() as cursor:
        rows.fill(cursor, values, PROJECT, ATTEMPTS, LINKS, MORE)


def small_rows(count):
    """Fill the small tables and return the projects, the largest first."""
    now = timezone.now()
    since = now - timedelta(days=DAYS + 2)
    courses = course_rows.parse(COURSES.read_bytes())[:COURSES_EACH]
    partners, projects, by = max(4, count * 2 // 5), [], Actor("staff:1")
    for n in range(count):
        partner, project = f"University {n % partners:04}", f"College {n:04}"
        made = onboard(partner, project, courses=courses, at=since, by=by)[0].project
        for label in ("CRM", "web site"):
            AccessToken.objects.issue(made, label=label, at=since, by=by)
        CatalogueSnapshot.objects.current(made)
        projects.append(made)
    Project.objects.filter(name__regex="(49|99)$").update(closed_at=now)
    AccessToken.objects.filter(label=FIRST_LABEL).update(revoked_at=now)
    AccessToken.objects.filter(label="CRM").update(last_used_at=now)
    for number in range(STAFF):
        User.objects.create(username=f"staff{number}", is_staff=True)
    return projects
