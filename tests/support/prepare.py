"""Fill a service's database for a benchmark, in one go. Runs inside `manage.py shell`."""

import secrets

from django.db import connection

from assessments.models.attempts import Attempt
from assessments.models.identity import secret_digest
from assessments.models.links import AssessmentLink
from assessments.models.students import Student
from measurement.courses import OTHER_STREAM
from partners.models import Project

# The values of an attempt that its copies share.
KEPT = (
    *("project_id", "bank_id", "language", "consent_version", "consented_at", "started_at"),
    *("finish_by_at", "completed_at", "retention_months", "leading_fields", "stream", "profile"),
    *("recommendations", "catalogue_id", "takers"),
)
# There are forty answers to an attempt, so the database copies them by itself.
COPY_ANSWERS = """
    INSERT INTO assessments_answer
        (attempt_id, position, item_id, shown_at, choice, answered_at, language)
    SELECT copy.id, given.position, given.item_id, given.shown_at, given.choice, given.answered_at,
        given.language
    FROM assessments_student student
    JOIN assessments_attempt copy ON copy.student_id = student.id,
        assessments_answer given
    WHERE student.email_key LIKE %s AND given.attempt_id = %s
"""


def links(project_id, count):
    """Issue links, each for a new student; return their link tokens."""
    project = Project.objects.get(project_id=project_id)
    return [issue(project, number)[1] for number in range(count)]


def attempts_at(project_id, position, count):
    """Make attempts that wait for the answers of the first page from a position on, 0 for the last.

    Return that page's `positions`; `offered`, the choices of each of its items; and `attempts`, the
    AssessmentId and browser token of each. Only the first attempt is really answered. The others
    are copies of it, each with a new student and link.
    """
    project = Project.objects.get(project_id=project_id)
    first, browser_token = start(project, f"late-{secrets.token_hex(4)}")
    page = answer_up_to(first, position or first.cached_bank.layout.last_page)
    copied = [(first.assessment_id, browser_token), *copies(first, count - 1)]
    return {
        "positions": [answer.position for answer in page],
        "offered": [[option["value"] for option in answer.item.options] for answer in page],
        "attempts": copied,
    }


def issue(project, student):
    return AssessmentLink.objects.issue(
        project, name=f"Student {student}", email=f"s{student}@example.com", mobile="9876543201"
    )


def start(project, student):
    """Return a fresh attempt and its browser token."""
    browser_token = secrets.token_hex(32)
    link, _ = issue(project, student)
    return link.start(browser_token, language="en"), browser_token


def begin(attempt, position, at=None):
    """Begin the section at a position if it has not begun, naming no subjects where asked."""
    answers = attempt.read_answers()
    if attempt.asks_stream(answers):
        attempt.choose_stream(OTHER_STREAM, at)
    if not answers.page(position):
        attempt.begin_section(position, at)


def completed(project):
    """Return a new student's attempt with every page answered."""
    attempt, _ = start(project, f"done-{secrets.token_hex(4)}")
    while attempt.completed_at is None:
        position = attempt.read_answers().resume_position
        begin(attempt, position)
        attempt.record(
            position, {answer.position: 1 for answer in attempt.read_answers().page(position)}
        )
        attempt.refresh_from_db()
    return attempt


def answer_up_to(attempt, last):
    """Answer the pages before a position; return the page that begins there or later."""
    while True:
        position = attempt.read_answers().resume_position
        begin(attempt, position)
        page = attempt.read_answers().page(position)
        if page[0].position >= last:
            return page
        attempt.record(position, {answer.position: 1 for answer in page})


def copies(attempt, count):
    """Copy an attempt; return the AssessmentId and the browser token of each copy."""
    run = secrets.token_hex(4)
    students = Student.objects.bulk_create(
        [
            Student(
                project=attempt.project,
                email_key=f"copy-{run}-{number}@example.com",
                email=f"copy-{run}-{number}@example.com",
                name=f"Copy {number}",
                mobile="+919876543201",
                created_at=attempt.started_at,
            )
            for number in range(count)
        ],
        batch_size=1000,
    )
    browser_tokens = [secrets.token_hex(32) for _ in students]
    same = {name: getattr(attempt, name) for name in KEPT}
    made = Attempt.objects.bulk_create(
        [
            Attempt(student=student, browser_digest=secret_digest(browser_token), **same)
            for student, browser_token in zip(students, browser_tokens, strict=True)
        ],
        batch_size=1000,
    )
    links = [
        AssessmentLink(
            student=copy.student,
            token_digest=secrets.token_hex(32),
            name=copy.student.name,
            mobile=copy.student.mobile,
            issued_at=copy.started_at,
            expires_at=copy.finish_by_at,
            used_at=copy.started_at,
            attempt=copy,
        )
        for copy in made
    ]
    AssessmentLink.objects.bulk_create(links, batch_size=1000)
    with connection.cursor() as cursor:
        cursor.execute(COPY_ANSWERS, [f"copy-{run}-%", attempt.pk])
    return list(zip([copy.assessment_id for copy in made], browser_tokens, strict=True))
