"""E-mail addresses that bring a link or attempt into a state at once, in test projects only.

Attempts are made by the methods that students' pages call, with the current bank and courses.
"""

from datetime import timedelta
from functools import partial
from typing import Any, NoReturn

from django.db import transaction
from django.utils import timezone
from rest_framework.exceptions import APIException, Throttled

from assessments.api.links_and_results import issuers
from assessments.api.operation import PartnerOperation
from assessments.made_up.students import SCENARIOS, Scenario, take
from assessments.models import AssessmentLink, Attempt
from partners.models import Project
from tokens.limits import MINUTE

ATTEMPTS = {f"{name}@example.com": scenario for name, scenario in SCENARIOS.items()}
MAX_A_DAY = 1000  # attempts of a project
# A day, and the longest time by which a start is set back.
DAY = timedelta(days=1) + max(scenario.lasts for scenario in ATTEMPTS.values())


@transaction.atomic
def issue_with_attempt(
    scenario: Scenario, operation: PartnerOperation, project: Project, **fields: Any
) -> tuple[AssessmentLink, str]:
    """Issue a link and make its attempt. Raises Throttled after MAX_A_DAY attempts in a day."""
    # One call at a time, so that no two of them take the last place.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    at = timezone.now()
    attempts = Attempt.objects.filter(
        student__project=project, student__email_key__in=ATTEMPTS, started_at__gt=at - DAY
    )
    starts = attempts.order_by("-started_at").values_list("started_at", flat=True)
    if oldest := starts[MAX_A_DAY - 1 : MAX_A_DAY].first():
        raise Throttled(wait=(oldest + DAY - at).total_seconds(), code="test_attempts")
    began = at - scenario.lasts
    link, link_token = AssessmentLink.objects.issue(project, at=began, **fields)
    take(link, scenario, began)
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


issuers.update({email: partial(issue_with_attempt, each) for email, each in ATTEMPTS.items()})
issuers["expired@example.com"] = issue_expired
issuers["ratelimited@example.com"] = simulate_rate_limit
issuers["error@example.com"] = simulate_error
