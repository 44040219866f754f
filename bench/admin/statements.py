"""SQL that fills the big tables. A row's contents follow from its number."""

from __future__ import annotations

from collections.abc import Iterable

# The first rows belong to the few attempts that were really answered.
OFFSET = 1000
# The time of the n-th row. Times are spread evenly over two years; the last one is now.
_AT = "(%(now)s - make_interval(secs => %(days_back)s * 86400.0 * (1 - n::float8 / %(count)s)))"


def _at(count: str) -> str:
    return _AT.replace("%(count)s", f"%({count})s")


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


# Students are spread unevenly: the largest of 1,000 projects has 3 % of them.
STUDENTS = f"""
INSERT INTO assessments_student (id, project_id, email_key, email, name, mobile, created_at)
SELECT {OFFSET} + n,
  (%(of_project)s::bigint[])[1 + floor(%(projects)s * power(random(), 2))],
  lower(first || '.' || last) || n || '@example.com',
  first || '.' || last || n || '@Example.com',
  first || ' ' || last,
  '+9198' || lpad((n / 2)::text, 8, '0'),
  {_at("students")}
FROM generate_series(1, %(students)s) n,
LATERAL (SELECT (%(first)s::text[])[1 + n %% 16] AS first,
  (%(last)s::text[])[1 + n / 16 %% 16] AS last) names
"""

# Most students have one attempt, some have two, the first one has many. Of a hundred attempts, 78
# are completed and 8 left. The others were not finished in time or, if they began today, are open,
# like the last but one.
ATTEMPTS = f"""
INSERT INTO assessments_assessment (id, assessment_id, student_id, project_id, bank_id, language,
  browser_digest, consent_version, consented_at, is_minor, guardian_name, guardian_contact,
  started_at, finish_by_at, completed_at, abandoned_at, retention_months, results_read_at, profile,
  recommendations, catalogue_id, moves, stream, dismissed)
SELECT {OFFSET} + n, 'asm_' || left(md5('attempt' || n), 16), s.id, s.project_id, %(bank)s,
  CASE WHEN n %% 3 = 0 THEN 'hi' ELSE 'en' END,
  md5('browser' || n) || md5('other' || n), '1', at, NULL, '', '', at, at + interval '24 hours',
  CASE WHEN is_completed THEN at + make_interval(mins => 15 + n %% 30) END,
  CASE WHEN is_left THEN at + interval '10 minutes' END, 24,
  CASE WHEN is_completed AND n %% 10 < 7 THEN at + interval '1 hour' END,
  CASE WHEN is_completed THEN t.profile END,
  CASE WHEN is_completed THEN t.recommendations END,
  CASE WHEN is_completed THEN p.catalogue_id END, 0, '', '[]'
FROM generate_series(1, %(attempts)s) n
JOIN template t ON t.k = n %% 8,
LATERAL (SELECT {_at("attempts")} AS at,
  n <> %(attempts)s - 1 AND n::bigint * 7919 %% 1000 < 780 AS is_completed,
  n <> %(attempts)s - 1 AND n::bigint * 7919 %% 1000 BETWEEN 780 AND 859 AS is_left,
  {OFFSET} + CASE WHEN n %% (%(attempts)s / 25) = 0 THEN 1
    WHEN n %% 10 = 3 THEN 1 + n::bigint * 7919 %% (n / 2 + 1) ELSE n END AS student_id) kind
JOIN assessments_student s ON s.id = kind.student_id
JOIN of_project p ON p.project_id = s.project_id
ORDER BY n
"""

# Of thirteen links, ten are used, each by a different attempt, and three expire.
LINKS = f"""
INSERT INTO assessments_assessmentlink (id, student_id, access_token_id, token_digest, name, mobile,
  issued_at, expires_at, used_at, assessment_id, link_id, reference)
SELECT {OFFSET} + m, s.id, p.token_id, md5('link' || m) || md5('token' || m), s.name, s.mobile,
  issued_at, issued_at + interval '72 hours', CASE WHEN is_used THEN a.started_at END,
  CASE WHEN is_used THEN a.id END, 'lnk_' || left(md5('id' || m), 16), ''
FROM generate_series(0, %(links)s - 1) m,
LATERAL (SELECT m %% 13 < 10 AS is_used,
  m / 13 * 10 + CASE WHEN m %% 13 < 10 THEN m %% 13 + 1 ELSE 5 END AS n) which
JOIN assessments_assessment a ON a.id = {OFFSET} + n
JOIN assessments_student s ON s.id = a.student_id
JOIN of_project p ON p.project_id = s.project_id,
LATERAL (SELECT a.started_at - make_interval(hours => m %% 60) AS issued_at) issue
ORDER BY m
"""

LINK_EVENTS = """
INSERT INTO assessments_linkevent (link_id, number, at, kind, what)
SELECT l.id, number, l.issued_at + make_interval(mins => number),
  CASE number WHEN 1 THEN 'robot' ELSE 'opened' END,
  CASE number WHEN 1 THEN 'WhatsApp' ELSE '' END
FROM (SELECT id, issued_at FROM assessments_assessmentlink ORDER BY id DESC
  LIMIT %(link_events)s / 2) l, generate_series(1, 2) number
"""

# The newest attempts, which lists show first, have all their answers; older ones have two.
ANSWERS = f"""
INSERT INTO assessments_answer
    (assessment_id, position, item_id, shown_at, choice, answered_at, language)
SELECT a.id, t.position, t.item_id, a.started_at + make_interval(secs => 10 * t.position - 8),
  t.choice, a.started_at + make_interval(secs => 10 * t.position), 'en'
FROM assessments_assessment a
JOIN template_answer t ON t.k = (a.id - {OFFSET}) %% 8
WHERE a.id > {OFFSET}
  AND (t.position <= 2
    OR a.id > {OFFSET} + %(attempts)s - (%(answers)s - 2 * %(attempts)s) / (%(positions)s - 12))
  AND (a.completed_at IS NOT NULL OR t.position <= 1 + a.id %% 97)
ORDER BY a.id, t.position
"""

_ACTIONS = [
    ("student.read", "student", 8),
    ("student.listed", "user", 4),
    ("link.issued", "assessmentlink", 2),
    ("staff.signed_in", "user", 2),
    ("token.issued", "accesstoken", 1),
    ("token.rotated", "accesstoken", 1),
    ("project.changed", "project", 1),
    ("assessment.closed", "assessment", 1),
]
_EACH = [(action, kind) for action, kind, times in _ACTIONS for _ in range(times)]
AUDIT_EVENTS = f"""
INSERT INTO partners_auditevent (at, actor, action, object_type, object_id, project_id, address,
  request_id, reason, details)
SELECT {_at("audit_events")}, 'staff:' || (%(staff)s::int[])[1 + n %% 12],
  (ARRAY[{_listed(action for action, _ in _EACH)}])[1 + n %% {len(_EACH)}], kind,
  CASE kind WHEN 'user' THEN 'user-' || (%(staff)s::int[])[1 + n %% 12]
    WHEN 'student' THEN 'student-' || ({OFFSET} + n)
    WHEN 'assessmentlink' THEN 'assessmentlink-' || ({OFFSET} + n)
    WHEN 'assessment' THEN 'asm_' || left(md5('attempt' || n), 16)
    WHEN 'accesstoken' THEN token.token_id ELSE p.project_id END,
  CASE WHEN kind <> 'user' THEN p.id END, '192.0.2.7', left(md5('request' || n), 32),
  CASE WHEN n %% 5 = 0 THEN 'asked by telephone' ELSE '' END, '{{}}'
FROM generate_series(1, %(audit_events)s) n
CROSS JOIN LATERAL (SELECT (ARRAY[{_listed(kind for _, kind in _EACH)}])[1 + n %% {len(_EACH)}]
  AS kind) kinds
JOIN partners_project p ON p.id = (%(of_project)s::bigint[])[1 + n %% %(projects)s]
JOIN of_project o ON o.project_id = p.id
JOIN tokens_accesstoken token ON token.id = o.token_id
ORDER BY n
"""

LOG_ENTRIES = f"""
INSERT INTO django_admin_log (action_time, user_id, content_type_id, object_id, object_repr,
  action_flag, change_message)
SELECT {_at("log_entries")}, (%(staff)s::int[])[1 + n %% 12], t.id,
  (%(of_project)s::bigint[])[1 + n %% %(projects)s], 'what it was', 2, '[]'
FROM generate_series(1, %(log_entries)s) n
JOIN django_content_type t
  ON t.model = (ARRAY['project', 'partner', 'course', 'user', 'group'])[1 + n %% 5]
"""

STATEMENTS = [
    ("students", STUDENTS),
    ("attempts", ATTEMPTS),
    ("links", LINKS),
    ("events of links", LINK_EVENTS),
    ("answers", ANSWERS),
    ("audit events", AUDIT_EVENTS),
    ("log entries", LOG_ENTRIES),
]

SEQUENCES = "; ".join(
    f"SELECT setval(pg_get_serial_sequence('assessments_{table}', 'id'),"
    f" (SELECT max(id) FROM assessments_{table}))"
    for table in ("student", "assessment", "assessmentlink")
)
