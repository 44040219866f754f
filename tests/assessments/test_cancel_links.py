"""A link that nobody has started can be cancelled; after that it starts nothing."""

from datetime import UTC, datetime, timedelta

import pytest

from assessments.models import AssessmentLink
from assessments.models.links import LinkStarted
from partners.models.audit import Actor
from tests.assessments.attempts import DETAILS, issue, marked_completed, use
from tests.factories import BY

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
LATER = AT + timedelta(hours=1)
PARTNER = Actor("token:tok_aaaaaaaaaaaaaaaa")
WHY = "sent to a wrong address"

pytestmark = [pytest.mark.usefixtures("bank"), pytest.mark.sqlite]


def by_id(link, at):
    return AssessmentLink.objects.cancel_named(link.project, str(link.link_id), at=at, by=PARTNER)


def by_email(project, email=DETAILS["email"], at=LATER):
    return AssessmentLink.objects.cancel_for_email(project, email, at=at, by=PARTNER)


@pytest.mark.parametrize("state", ["started", "ended", "cancelled", "expired"])
def test_only_an_unused_link_is_cancelled(project, state, rows):
    link, _ = issue(project, AT)
    if state in {"started", "ended"}:
        attempt = use(link, at=AT)
    if state == "ended":
        marked_completed(attempt, AT)
    if state == "cancelled":
        link.cancel(reason=WHY, at=AT, by=BY)
    at = link.expires_at if state == "expired" else LATER
    before = rows()

    assert link.cancel(reason="once more", at=at, by=BY) is False
    assert by_email(project, at=at) == 0
    if state in {"started", "ended"}:
        with pytest.raises(LinkStarted):
            by_id(link, at)
    else:
        assert by_id(link, at) == 0

    assert rows() == before
