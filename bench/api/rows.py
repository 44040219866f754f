"""The rows that calls work on: a few created by the service, and any number of copies."""

import psycopg

from bench.api.calls import Caller
from tests.support.clients import Client, Gate, Partner, RemoteBrowser
from tests.support.ledger import Ledger

OFFSET = 1000  # the service's own rows come first

# Students arrived evenly over 400 days. Four of five have one completed attempt, whose results the
# partner has read; the fifth has an unused link.
_NUMBERED = (
    "(SELECT n, now() - interval '400 days' * (1 - n::float8 / %(students)s) AS at"
    " FROM generate_series(1, %(students)s::int) n) numbered"
)
_PROJECT = "(%(projects)s::bigint[])[1 + n %% cardinality(%(projects)s::bigint[])]"
_STUDENTS = f"""
INSERT INTO assessments_student (id, project_id, email_key, email, name, mobile, created_at)
SELECT {OFFSET} + n, {_PROJECT},
  left(md5(n::text), 8) || '.' || n || '@example.com',
  left(md5(n::text), 8) || '.' || n || '@example.com',
  'Student ' || n, '+9198' || lpad((n * 7919::bigint %% 100000000)::text, 8, '0'), at
FROM {_NUMBERED}
"""
_ATTEMPTS = f"""
INSERT INTO assessments_assessment (id, assessment_id, student_id, project_id, bank_id, language,
  browser_digest, consent_version, consented_at, started_at, finish_by_at, completed_at,
  results_read_at, profile, recommendations, catalogue_id, retention_months, moves, stream,
  guardian_name, guardian_contact, dismissed)
SELECT {OFFSET} + n, 'asm_' || left(md5('attempt' || n), 16), {OFFSET} + n, {_PROJECT},
  done.bank_id, 'en',
  md5('browser' || n) || md5('other' || n), 'bench', at, at, at + interval '24 hours',
  at + make_interval(mins => (15 + n %% 30)::int), at + interval '1 hour', done.profile,
  done.recommendations, done.catalogue_id, 24, 0, '', '', '', '[]'
FROM {_NUMBERED},
  (SELECT * FROM assessments_assessment WHERE id < {OFFSET} AND completed_at IS NOT NULL) done
WHERE n %% 5 > 0
"""
_LINKS = f"""
INSERT INTO assessments_assessmentlink (student_id, token_digest, name, mobile, issued_at,
  expires_at, used_at, assessment_id, link_id, reference)
SELECT {OFFSET} + n, md5('link' || n) || md5('token' || n), 'Student ' || n, '9876543210', at,
  at + interval '72 hours', CASE WHEN n %% 5 > 0 THEN at END,
  CASE WHEN n %% 5 > 0 THEN {OFFSET} + n END, 'lnk_' || left(md5('id' || n), 16), ''
FROM {_NUMBERED}
"""
_NEXT_STUDENT = (
    "SELECT setval(pg_get_serial_sequence('assessments_student', 'id'), max(id))"
    " FROM assessments_student"
)
# A crash would only spoil this run. Later calls are durable again.
_WHILE_FILLING = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off"}


def onboard(service, count):
    """Create `count` projects with a token each; complete one student's attempt."""
    partners = [Partner.onboarded(service.manage) for _ in range(count)]
    browser = RemoteBrowser(Client(Gate(service.port), Ledger()))
    browser.finish(browser.start(partners[0].link(browser.client, "first@example.com")))
    rows = service.rows("SELECT project_id, id FROM partners_project")
    keys = {row["project_id"]: row["id"] for row in rows}
    return [Caller(each.project_id, keys[each.project_id], each.credential) for each in partners]


def copy_database(cluster, source, target):
    """Replace a service's database with a copy of another's. Neither service may run."""
    old, new = (each.environment["DATABASE_URL"].rpartition("/")[2] for each in (source, target))
    cluster.execute(f'DROP DATABASE "{new}"', f'CREATE DATABASE "{new}" TEMPLATE "{old}"')


def fill(cluster, service, projects, attempts):
    """Add attempts to projects, given by primary key; return the number of students.

    Indexes and constraints stay. Foreign keys are not checked, because that would take too long.
    """
    students = -(-attempts * 5 // 4)
    values = {"students": students, "projects": list(projects)}
    with psycopg.connect(service.environment["DATABASE_URL"], autocommit=True) as connection:
        with cluster.altered(_WHILE_FILLING):
            connection.execute("SET session_replication_role = replica")
            for statement in (_STUDENTS, _ATTEMPTS, _LINKS):
                connection.execute(statement, values)
        for statement in (_NEXT_STUDENT, "VACUUM ANALYZE", "CHECKPOINT"):
            connection.execute(statement)
    return students
