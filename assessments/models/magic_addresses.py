"""E-mail addresses that bring a state about at once, in test projects only.

A partner's test of its integration would otherwise send forty forms. The attempts are played by the
methods that students' pages call, on the current bank and the project's own courses.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction

from assessments.models import identity
from assessments.models.ages import Age
from assessments.models.attempts import Assessment
from assessments.models.items import Item
from assessments.models.links import AssessmentLink
from measurement.ability import probability
from measurement.bank import Bank
from measurement.courses import OTHER_STREAM
from measurement.scales import INTERESTS
from partners.models import Project
from tokens.models import AccessToken

AT_MOST_A_DAY = 1000
DAY = timedelta(days=1)
# How long before the call an attempt began.
CAREFUL, CARELESS = timedelta(minutes=25), timedelta(minutes=2)
RATE_LIMITED = "ratelimited@example.com"
ERROR = "error@example.com"
EXPIRED = "expired@example.com"

Act = Callable[["Assessment", datetime, datetime], None]


class TooManyAttempts(Exception):
    """The project has made as many attempts as it may in a day; `wait` is the time to wait."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(f"at most {AT_MOST_A_DAY} a day")
        self.wait = wait


class CarefulStudent:
    """A student who likes two kinds of work best and has an ability in puzzles, both drawn."""

    def __init__(self, bank: Bank, draw: random.Random) -> None:
        self._bank = bank
        self._draw = draw
        self._ability = self._draw.gauss(0, 1)
        types = set(self._draw.sample(INTERESTS, 2))
        fields = {field for field, of in bank.fields.items() if types & set(of)}
        self._liked = types | fields

    def choose(self, item: Item) -> int:
        """Return the choice for a question, as a student who reads it would choose."""
        if item.is_aptitude:
            parameters = self._bank.aptitude[item.code]
            right = probability(self._ability, parameters.a, parameters.b, parameters.c)
            return item.key if item.key is not None and self._draw.random() < right else 0
        if "expected" in item.content:
            return int(item.content["expected"])
        most = 5 if item.scale in self._liked else 2
        return most - self._draw.randint(0, 1)


def careless(item: Item) -> int:
    """Return the same choice for every statement, and “I don't know” for every puzzle."""
    return 0 if item.is_aptitude else 3


Choose = Callable[[Item], int]


def completed(attempt: Assessment, began: datetime, at: datetime) -> None:
    choose = CarefulStudent(attempt.cached_bank.scoring, random.SystemRandom()).choose
    play(attempt, attempt.cached_bank.layout.total, began, at, choose)


def in_progress(attempt: Assessment, began: datetime, at: datetime) -> None:
    choose = CarefulStudent(attempt.cached_bank.scoring, random.SystemRandom()).choose
    play(attempt, attempt.cached_bank.layout.total // 2, began, at, choose)


def abandoned(attempt: Assessment, began: datetime, at: datetime) -> None:
    in_progress(attempt, began, at)
    attempt.abandon(at)


def low_effort(attempt: Assessment, began: datetime, at: datetime) -> None:
    play(attempt, attempt.cached_bank.layout.total, began, at, careless)


ATTEMPTS: dict[str, tuple[timedelta, Act]] = {
    "completed@example.com": (CAREFUL, completed),
    "abandoned@example.com": (CAREFUL, abandoned),
    "inprogress@example.com": (CAREFUL, in_progress),
    "loweffort@example.com": (CARELESS, low_effort),
}


@transaction.atomic
def issue(
    project: Project,
    *,
    name: str,
    email: str,
    mobile: str,
    reference: str,
    access_token: AccessToken,
    at: datetime,
) -> tuple[AssessmentLink, str]:
    """Issue a link in a test project like `AssessmentLinkQuerySet.issue`, in its address's state.

    An address that is not magic gets an ordinary link.

    Raises TooManyAttempts if the state is one of an attempt and the project has made too many.
    """
    issued_at, email_key = at, identity.email_key(email)
    if email_key == EXPIRED:
        issued_at = at - project.start_by
    if email_key in ATTEMPTS:
        # One call at a time, so that no two of them take the last place.
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        refuse_too_many(project, at)
        issued_at = at - ATTEMPTS[email_key][0]
    link, link_token = AssessmentLink.objects.issue(
        project,
        name=name,
        email=email,
        mobile=mobile,
        reference=reference,
        access_token=access_token,
        at=issued_at,
    )
    if email_key in ATTEMPTS:
        _, act = ATTEMPTS[email_key]
        attempt = link.start(
            secrets.token_hex(32),
            language="en",
            start="again",  # an open attempt of an earlier call goes on
            age=Age(is_minor=False),
            at=issued_at,
        )
        act(attempt, issued_at, at)
    return link, link_token


def refuse_too_many(project: Project, at: datetime) -> None:
    """Raise TooManyAttempts if the project has made its attempts of a day."""
    made = Assessment.objects.filter(
        student__project=project,
        student__email_key__in=ATTEMPTS,
        started_at__gt=at - DAY - CAREFUL,  # they were set back
    )
    newest = made.order_by("-started_at").values_list("started_at", flat=True)
    oldest_that_counts = newest[AT_MOST_A_DAY - 1 : AT_MOST_A_DAY].first()
    if oldest_that_counts:
        raise TooManyAttempts(oldest_that_counts + DAY + CAREFUL - at)


def play(attempt: Assessment, last: int, began: datetime, until: datetime, choose: Choose) -> None:
    """Answer the pages that begin at or before a position, evenly from `began` to `until`."""
    layout = attempt.cached_bank.layout
    answers = attempt.read_answers()
    if attempt.asks_stream(answers):
        attempt.choose_stream(OTHER_STREAM, began)
    position: int | None = answers.resume_position
    while position is not None and position <= last:
        section = layout.section_at(position)
        at = began + (until - began) * (section.page(position)[-1] / last)
        if position == section.first:
            attempt.begin_section(position, began + (until - began) * ((position - 1) / last))
        page = attempt.read_answers().page(position)
        choices = {each.position: choose(each.item) for each in page}
        position = attempt.record(position, choices, min(at, until)).next_position
