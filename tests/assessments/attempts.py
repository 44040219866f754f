"""Links and attempts in whatever state a test needs, made by the methods that make them outside."""

import secrets

from django.urls import reverse
from django.utils import timezone

from assessments.keeping import retention
from assessments.models import AssessmentLink, Attempt, CatalogueSnapshot, Student
from assessments.models.links import Age
from measurement.courses import OTHER_STREAM
from measurement.scales import INTERESTS
from tests.factories import BY
from tests.support import prepare

GUARDIAN = {"guardian_name": "Meena Rao", "guardian_contact": "meena.rao@example.org"}
MINOR = {"consent": "yes", "age": "minor", **GUARDIAN}
SCORED = ("interests", "aptitude", "preferences", "fields")
A_MINOR = Age(is_minor=True, **GUARDIAN)
DETAILS = {"name": "Asha Rao", "email": "asha.rao@example.com", "mobile": "+91 98765 43201"}


def issue(project, at=None, **details):
    """Issue a link and return it with its address."""
    link, link_token = AssessmentLink.objects.issue(project, **{**DETAILS, **details}, at=at)
    return link, AssessmentLink.url(project, link_token)


def token_of(url):
    return url.partition("?token=")[2]


def new_browser_token():
    return secrets.token_hex(32)


def use(link, browser_token="", **arguments):
    """Start a link in a browser, a new one unless it is named."""
    return link.start(browser_token or new_browser_token(), **{"language": "en"} | arguments)


def started(project, at=None, **details):
    """Return a fresh attempt of a fresh link."""
    link, _ = issue(project, at, **details)
    return use(link, at=at)


def liking(interest):
    """Return a choice for each position: the best for one interest, the worst for the others."""
    place = INTERESTS.index(interest)
    return lambda position: 5 if (position - 1) % len(INTERESTS) == place else 1


def answer_until(attempt, last, at=None, choice=1):
    """Answer the pages that end at or before a position."""
    at = at or timezone.now()
    layout = attempt.cached_bank.layout
    position = attempt.read_answers().resume_position
    while position is not None:
        section = layout.section_at(position)
        page = section.page(position)
        if page[-1] > last:
            return attempt
        if position == section.first:
            if attempt.asks_stream(attempt.read_answers()):
                attempt.choose_stream(OTHER_STREAM, at)
            attempt.begin_section(position, at)
        choices = {each: choice(each) if callable(choice) else choice for each in page}
        position = attempt.record(position, choices, at).next_position
    attempt.refresh_from_db()
    return attempt


def inside(view, attempt, *args):
    return reverse(view, args=[attempt.project.project_id, attempt.assessment_id, *args])


def cookie_of(attempt):
    return f"attempt-{attempt.assessment_id}"


def newest_of(project):
    return Attempt.objects.filter(project_id=project.pk).latest("pk")


def question_path(attempt, position):
    return inside("question", attempt, position)


def last_page(attempt):
    """Return the first position of the last page."""
    layout = attempt.cached_bank.layout
    return layout.section_at(layout.total).page_first(layout.total)


def at_last_page(attempt, at=None):
    return answer_until(attempt, last_page(attempt) - 1, at)


def completed(attempt, at=None, choice=1):
    return answer_until(attempt, attempt.cached_bank.layout.total, at, choice)


def marked_completed(attempt, at=None, names=("Botany",)):
    """Complete it without its questions: quick, for tests that ask for no score."""
    Attempt.objects.filter(pk=attempt.pk).update(
        completed_at=at or timezone.now(),
        profile=dict.fromkeys(SCORED, {}) | {"validity": {"flags": []}},
        recommendations=[{"code": name[0], "name": name} for name in names],
        catalogue=CatalogueSnapshot.objects.current(attempt.student.project),
        takers=attempt.student.project.takers,
    )
    attempt.refresh_from_db()
    return attempt


def purge(at):
    """Purge as of a moment; return what was deleted, by projectId and kind."""
    deleted = {}
    for project, counts in retention.purge(at, by=BY):
        of_project = deleted.setdefault(project.project_id if project else "", {})
        for kind, count in counts.items():
            of_project[kind] = of_project.get(kind, 0) + count
    return deleted


def how_ended(attempt, at=None):
    """Return how an attempt ended, read anew."""
    return Attempt.objects.with_end().get(pk=attempt.pk).kind_of_end(at)


def last_choices(attempt, choice=1):
    return dict.fromkeys(range(last_page(attempt), attempt.cached_bank.layout.total + 1), choice)


def copies(attempt, count):
    """Return attempts like this one of the same student, each with a link of its own."""
    ids = [each for each, _ in prepare.copies(attempt, count)]
    made = Attempt.objects.filter(assessment_id__in=ids)
    AssessmentLink.objects.filter(attempt__in=made).update(student=attempt.student)
    made.update(student=attempt.student)
    Student.objects.filter(email_key__startswith="copy-").delete()
    return list(made.order_by("pk"))
