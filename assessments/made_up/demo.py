"""What the demo shows: two projects, and thirty students in every state that support meets."""

import json
import secrets
import shlex
from datetime import datetime, timedelta
from itertools import cycle

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from assessments.catalogue.course_rows import parse
from assessments.desk.onboarding import onboard
from assessments.made_up.students import SCENARIOS, take
from assessments.models import AssessmentLink, Attempt, LinkEvent, PrivateLink
from assessments.models.link_events import FetchKind
from partners.models import Project, command_actor
from tokens.models import AccessToken

LABEL = "demo"
STAFF_NAME = "demo"
# As in the examples of the reference.
STUDENT = {"name": "Asha Rao", "email": "asha.rao@example.com", "mobile": "+91 98765 43201"}
PARTNER, PROJECT, TEST_PROJECT = "Demo Partner", "Sahyadri College", "Sahyadri College, tests"
SHOWN = "Computing"  # the department that the first student's likings are about
COURSES = settings.BASE_DIR / "assessments" / "made_up" / "courses.csv"
MINUTE = timedelta(minutes=1)
FETCHES = {
    "opened": (FetchKind.OPENED, ""),
    "robots only": (FetchKind.ROBOT, "WhatsApp (chat preview)"),
}
# State, days since the link was issued, and names. A link can be started for three days, and an
# attempt can be finished within one.
STUDENTS = (
    ("completed", 1, "Meena Das, Kabir Singh, Tara Nair, Arjun Patel, Nisha Verma"),
    ("completed", 5, "Farhan Ali, Lakshmi Iyer, Rohan Mehta, Zoya Khan, Dev Joshi, Anita Rao"),
    ("loweffort", 2, "Vikram Shetty"),
    ("inprogress", 0, "Priya Menon, Imran Sheikh, Sneha Kulkarni, Joseph D'Souza"),
    ("inprogress", 4, "Gauri Deshmukh, Manoj Yadav"),
    ("abandoned", 3, "Ritu Agarwal, Suresh Pillai"),
    ("never opened", 1, "Kavya Reddy, Nikhil Bose, Aamir Qureshi"),
    ("never opened", 6, "Pooja Mishra, Harish Gowda"),
    ("robots only", 1, "Deepa Thomas, Sanjay Rawat"),
    ("opened", 1, "Ishita Ghosh, Gurpreet Kaur, Rahul Chavan"),
)


@transaction.atomic
def seed(project: Project, token: AccessToken, at: datetime) -> None:
    """Create the students with their links and attempts, unless the project has students."""
    if project.student_set.exists():
        return
    students = [
        (state, days, name) for state, days, names in STUDENTS for name in names.split(", ")
    ]
    # Each likes what one of the courses is about, so that the results suit the list; the first, of
    # whom `finished_result` is, what several are about.
    courses = sorted(project.courses.recommendable(), key=lambda each: each.department != SHOWN)
    likes = cycle(course.fields for course in courses)
    for number, (state, days, name) in enumerate(students):
        issued_at = at - timedelta(days=days, minutes=40 + 7 * number)
        address = name.lower().replace(" ", ".").replace("'", "")
        link, _ = AssessmentLink.objects.issue(
            project,
            name=name,
            email=f"{address}@example.com",
            mobile=f"+91 98450 1{number:04}",
            access_token=token,
            at=issued_at,
        )
        if state in FETCHES:
            LinkEvent.objects.note(link, *FETCHES[state], issued_at + MINUTE)
        elif state in SCENARIOS:
            began = issued_at + 10 * MINUTE
            LinkEvent.objects.note(link, FetchKind.OPENED, "", began - MINUTE)
            scenario = SCENARIOS[state]._replace(likes=next(likes, ()))
            take(link, scenario, began, "hi" if number % 3 == 2 else "en")


def finished_result(project: Project, at: datetime) -> str:
    """Return the address of a new private link to an English result."""
    completed = Attempt.objects.completed().filter(student__project=project, language="en")
    attempt = completed.order_by("pk")[0]
    newest = attempt.private_links.first()
    seen = newest.version if newest else ""
    _, key = PrivateLink.objects.make(
        attempt, with_puzzles=True, with_ideas=True, seen_version=seen, at=at
    )
    return PrivateLink.url(project.project_id, key)


@sensitive_variables()
def examples() -> tuple[dict[str, str], dict[str, str]]:
    """Create what the demo shows. Return what to open and what to paste, by title."""
    at = timezone.now()
    project, token, credential = open_project(PROJECT, at)
    test_project, _, test_credential = open_project(TEST_PROJECT, at, is_test=True)
    seed(project, token, at)
    _, link_token = AssessmentLink.objects.issue(project, **STUDENT, access_token=token, at=at)
    user, _ = User.objects.get_or_create(username=STAFF_NAME)
    user.is_staff = user.is_superuser = user.is_active = True
    password = secrets.token_urlsafe(12)
    user.set_password(password)
    user.save()
    to_open = {
        "A finished result:": finished_result(project, at),
        "Asha Rao's link:": AssessmentLink.url(project, link_token),
        "The admin:": f"{settings.APP_URL}/admin/  user: {STAFF_NAME}  password: {password}",
        "For partners:": f"{settings.APP_URL}/docs/",
    }
    results = {"projectId": project.project_id, "email": STUDENT["email"]}
    tested = {"projectId": test_project.project_id, "email": "completed@example.com"}
    return to_open, {
        "Request another link for her, as a partner's backend:": curl(
            "get-redirect-url", credential, {"projectId": project.project_id, **STUDENT}
        ),
        "Read her results (empty until she ends an attempt):": curl(
            "get-assessments-info", credential, results
        ),
        "Get a completed attempt at once, in the test project:": curl(
            "get-redirect-url", test_credential, {**STUDENT, **tested}
        ),
        "Read its result:": curl("get-assessments-info", test_credential, tested),
    }


@sensitive_variables("secret")
def open_project(
    name: str, at: datetime, *, is_test: bool = False
) -> tuple[Project, AccessToken, str]:
    """Return a project, made at the first start, with a new token and its credential.

    The token of the previous start is revoked.
    """
    by = command_actor()
    project = Project.objects.filter(partner__name=PARTNER, name=name).first()
    if project is None:
        courses = parse(COURSES.read_bytes())
        token, _, _ = onboard(
            PARTNER, name, is_test=is_test, courses=courses, label=LABEL, by=by, at=at
        )
        project = token.project
    for token in project.access_tokens.live(at).filter(label=LABEL):
        token.revoke(by=by, reason="the demo was started again", at=at)
    token, secret = AccessToken.objects.issue(project, label=LABEL, by=by, at=at)
    return project, token, f"{token.token_id}:{secret}"


def curl(operation: str, credential: str, body: dict[str, str]) -> str:
    return (
        f"curl -sS {settings.APP_URL}/partner/{operation} -H 'Content-Type: application/json' "
        f"-H 'Accept: application/json' -H \"X-Access-Token: {credential}\" "
        f"-d {shlex.quote(json.dumps(body))}"
    )
