"""Thirty students for the demo, in every state that support meets."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.db import transaction

from assessments.made_up.magic_addresses import ATTEMPTS, play
from assessments.models import AssessmentLink, Attempt
from assessments.models.consent import Age
from assessments.models.link_events import FetchKind, LinkEvent
from assessments.models.private_links import PrivateLink
from partners.models import Project
from tokens.models import AccessToken

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
        scenario = ATTEMPTS.get(f"{state}@example.com")
        if scenario is None:
            continue
        began = issued_at + 10 * MINUTE
        LinkEvent.objects.note(link, FetchKind.OPENED, "", began - MINUTE)
        attempt = link.start(
            secrets.token_hex(32),
            language="hi" if number % 3 == 2 else "en",
            age=Age(is_minor=False),
            at=began,
        )
        play(attempt, scenario, began, began + scenario.lasts)


def finished_result(project: Project, at: datetime) -> str:
    """Return the address of a new private link to an English result."""
    completed = Attempt.objects.completed().filter(student__project=project, language="en")
    attempt = completed.order_by("pk")[0]
    newest = PrivateLink.objects.newest_of(attempt)
    seen = newest.version if newest else ""
    _, key = PrivateLink.objects.make(
        attempt, with_puzzles=True, with_ideas=True, seen_version=seen, at=at
    )
    return PrivateLink.url(project.project_id, key)
