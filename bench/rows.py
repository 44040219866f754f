"""SQL that fills the large tables. A row's contents follow from its number n.

What was created otherwise comes first: one completed attempt, of which all others are copies.
"""

OFFSET = 1000  # ids below it are of rows that were created otherwise
# Times are spread evenly over the days before now.
AT = (
    "now() - make_interval(secs => %(days)s * 86400.0 * (1 - n::float8 / {count})) AS at"
    " FROM generate_series(1, {count}) n"
)
# `project` is the key of a student's project.
STUDENTS = f"""
INSERT INTO assessments_student (id, project_id, email_key, email, name, mobile, created_at)
SELECT {OFFSET} + n, {{project}}, email, email, 'Student ' || n,
  '+9198' || lpad((n / 2 * 7919::bigint %% 100000000)::text, 8, '0'), at
FROM (SELECT n, left(md5(n::text), 8) || '.' || n || '@example.com' AS email,
  {AT.format(count="%(students)s")}) numbered
"""
# `source` gives n, at, student_id, is_completed, is_read and is_left.
ATTEMPTS = f"""
INSERT INTO assessments_attempt (id, assessment_id, student_id, project_id, bank_id, language,
  browser_digest, consent_version, consented_at, is_minor, guardian_name, guardian_contact,
  started_at, finish_by_at, completed_at, abandoned_at, retention_months, results_read_at, profile,
  recommendations, catalogue_id, takers, continuations, stream, dismissed)
SELECT {OFFSET} + n, 'asm_' || left(md5('attempt' || n), 16), s.id, s.project_id, done.bank_id,
  CASE WHEN n %% 3 = 0 THEN 'hi' ELSE 'en' END,
  md5('browser' || n) || md5('other' || n), '1', at, NULL, '', '', at, at + interval '24 hours',
  CASE WHEN is_completed THEN at + make_interval(mins => (15 + n %% 30)::int) END,
  CASE WHEN is_left THEN at + interval '10 minutes' END, 24,
  CASE WHEN is_completed AND is_read THEN at + interval '1 hour' END,
  CASE WHEN is_completed THEN done.profile END,
  CASE WHEN is_completed THEN done.recommendations END,
  CASE WHEN is_completed THEN coalesce((SELECT max(id) FROM assessments_cataloguesnapshot
    WHERE project_id = s.project_id), done.catalogue_id) END,
  CASE WHEN is_completed THEN done.takers ELSE '' END, 0, '', '[]'
FROM ({{source}}) kind
JOIN assessments_student s ON s.id = kind.student_id,
  (SELECT * FROM assessments_attempt WHERE id < {OFFSET} AND completed_at IS NOT NULL) done
ORDER BY n
"""
# `source` gives n, student_id, attempt_id, issued_at and used_at.
LINKS = f"""
INSERT INTO assessments_assessmentlink (id, student_id, access_token_id, token_digest, name, mobile,
  issued_at, expires_at, used_at, attempt_id, link_id, reference)
SELECT {OFFSET} + n, s.id, (SELECT max(id) FROM tokens_accesstoken WHERE project_id = s.project_id),
  md5('link' || n) || md5('token' || n), s.name, s.mobile, issued_at,
  issued_at + interval '72 hours', used_at, attempt_id, 'lnk_' || left(md5('id' || n), 16), ''
FROM ({{source}}) link
JOIN assessments_student s ON s.id = link.student_id
ORDER BY n
"""
BEFORE = "SET session_replication_role = replica; SET synchronous_commit = off; SELECT setseed(0.5)"
AFTER = "SET session_replication_role = DEFAULT" + "".join(
    f"; SELECT setval(pg_get_serial_sequence('assessments_{table}', 'id'), max(id))"
    f" FROM assessments_{table}"
    for table in ("student", "attempt", "assessmentlink")
)


def fill(cursor, values, project, attempts, links, more=()):
    """Fill the tables, then run `more` statements by name. Foreign keys are not checked."""
    cursor.execute(BEFORE)
    for what, statement in {
        "students": STUDENTS.format(project=project),
        "attempts": ATTEMPTS.format(source=attempts),
        "links": LINKS.format(source=links),
        **dict(more),
    }.items():
        cursor.execute(statement, values)
        print(f"     {cursor.rowcount:,} {what}", flush=True)
    cursor.execute(AFTER)
    cursor.execute("VACUUM ANALYZE")
