"""E-mail addresses that bring a link or attempt into a state at once, in test projects only.

Attempts are made by the methods that students' pages call, with the current bank and courses.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple, NoReturn

from django.db import transaction
from django.utils import timezone
from rest_framework.exceptions import APIException, Throttled

from assessments.api.links_and_results import issuers
from assessments.api.operation import PartnerOperation
from assessments.models.attempts import Attempt
from assessments.models.consent import Age
from assessments.models.items import Item
from assessments.models.links import AssessmentLink
from measurement.ability import probability
from measurement.bank import Bank
from measurement.courses import OTHER_STREAM
from measurement.scales import INTERESTS
from partners.models import Project
from tokens.limits import MINUTE

MAX_A_DAY = 1000  # attempts of a project
DAY = timedelta(days=1)


class Scenario(NamedTuple):
    """How an attempt goes; `share` is the share of its questions that is answered."""

    lasts: timedelta = timedelta(minutes=25)
    is_careful: bool = True
    share: float = 1
    is_left: bool = False


ATTEMPTS = {
    "completed@example.com": Scenario(),
    "abandoned@example.com": Scenario(share=1 / 2, is_left=True),
    "inprogress@example.com": Scenario(share=1 / 2),
    "loweffort@example.com": Scenario(lasts=timedelta(minutes=2), is_careful=False),
}
# A start is set back by up to this.
MAX_DURATION = max(scenario.lasts for scenario in ATTEMPTS.values())


def careful(bank: Bank, draw: random.Random) -> Callable[[Item], int]:
    """Return a function that answers as a careful student with random ability and likings."""
    ability, types = draw.gauss(0, 1), set(draw.sample(INTERESTS, 2))
    liked = types | {name for name, of in bank.fields.items() if types & set(of)}

    def choose(item: Item) -> int:
        if item.is_aptitude:
            parameters = bank.aptitude[item.code]
            right = probability(ability, parameters.a, parameters.b, parameters.c)
            return item.key if item.key is not None and draw.random() < right else 0
        if "expected" in item.content:
            return int(item.content["expected"])
        return (5 if item.scale in liked else 2) - draw.randint(0, 1)

    return choose


def careless(item: Item) -> int:
    """Answer all statements alike, and every puzzle with “I don't know”."""
    return 0 if item.is_aptitude else 3


@transaction.atomic
def issue_with_attempt(
    scenario: Scenario, operation: PartnerOperation, project: Project, **fields: Any
) -> tuple[AssessmentLink, str]:
    """Issue a link and play its attempt. Raises Throttled if the project has too many today."""
    # One call at a time, so that no two of them take the last place.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    at = timezone.now()
    refuse_too_many(project, at)
    issued_at = at - scenario.lasts
    link, link_token = AssessmentLink.objects.issue(project, at=issued_at, **fields)
    attempt = link.start(
        secrets.token_hex(32),
        language="en",
        start="again",  # an open attempt of an earlier call goes on
        age=Age(is_minor=False),
        at=issued_at,
    )
    play(attempt, scenario, issued_at, at)
    return link, link_token


def issue_expired(
    operation: PartnerOperation, project: Project, **fields: Any
) -> tuple[AssessmentLink, str]:
    return AssessmentLink.objects.issue(project, at=timezone.now() - project.start_by, **fields)


def simulate_rate_limit(operation: PartnerOperation, *_: Any, **fields: Any) -> NoReturn:
    if operation.usage:
        operation.usage = operation.usage._replace(remaining=0, reset=MINUTE)
    raise Throttled(wait=MINUTE)


def simulate_error(operation: PartnerOperation, *_: Any, **fields: Any) -> NoReturn:
    # config/logging.py leaves it out of the log of errors.
    operation.request.META["assess.is_simulated"] = True
    raise APIException


def refuse_too_many(project: Project, at: datetime) -> None:
    """Raise Throttled if the project has MAX_A_DAY attempts in the last day."""
    day = DAY + MAX_DURATION
    attempts = Attempt.objects.filter(
        student__project=project, student__email_key__in=ATTEMPTS, started_at__gt=at - day
    )
    starts = attempts.order_by("-started_at").values_list("started_at", flat=True)
    if oldest := starts[MAX_A_DAY - 1 : MAX_A_DAY].first():
        raise Throttled(wait=(oldest + day - at).total_seconds())


def play(attempt: Attempt, scenario: Scenario, began: datetime, until: datetime) -> None:
    """Answer the pages of an attempt as the scenario says, evenly from `began` to `until`."""
    bank = attempt.cached_bank
    choose = careful(bank.scoring, random.SystemRandom()) if scenario.is_careful else careless
    last = int(bank.layout.total * scenario.share)
    answers = attempt.read_answers()
    if attempt.asks_stream(answers):
        attempt.choose_stream(OTHER_STREAM, began)
    position: int | None = answers.resume_position
    while position is not None and position <= last:
        section = bank.layout.section_at(position)
        at = began + (until - began) * (section.page(position)[-1] / last)
        if position == section.first:
            attempt.begin_section(position, began + (until - began) * ((position - 1) / last))
        page = attempt.read_answers().page(position)
        choices = {each.position: choose(each.item) for each in page}
        position = attempt.record(position, choices, min(at, until)).next_position
    if scenario.is_left:
        attempt.abandon(until)


issuers.update({email: partial(issue_with_attempt, each) for email, each in ATTEMPTS.items()})
issuers["expired@example.com"] = issue_expired
issuers["ratelimited@example.com"] = simulate_rate_limit
issuers["error@example.com"] = simulate_error
