"""Several people act on one token, or issue tokens of one project, at the same moment."""

from collections import Counter
from functools import partial

import pytest

from partners.models import AuditEvent
from tests.factories import BY, ProjectFactory, issued_token
from tests.support.threads import race
from tokens import crypto
from tokens.models import MAX_LIVE_TOKENS, AccessToken

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
ROUNDS = 20


def rotate(token):
    return token.rotate(by=BY)


def revoke(token):
    token.revoke(by=BY)


def outcomes(results):
    """Count the results of racing calls: rotating returns a tuple, revoking None."""
    return Counter(type(each).__name__ for each in results)


@pytest.mark.parametrize(
    ("calls", "allowed"),
    [
        ([rotate, rotate], [{"tuple": 1, "Refused": 1}]),
        ([rotate, revoke], [{"tuple": 1, "NoneType": 1}, {"Refused": 1, "NoneType": 1}]),
        ([revoke] * 4, [{"NoneType": 1, "Refused": 3}]),
    ],
    ids=["rotated twice", "rotated and revoked", "revoked by four"],
)
def test_each_act_on_a_token_happens_once(calls, allowed, times):
    for _ in range(ROUNDS * times):
        token, _ = issued_token()
        seen = [AccessToken.objects.get(pk=token.pk) for _ in calls]

        found = outcomes(race([partial(*each) for each in zip(calls, seen, strict=True)]))

        token.refresh_from_db()
        events = AuditEvent.objects.about(token)
        successors = AccessToken.objects.filter(replaces=token)
        assert found in allowed
        assert successors.count() == events.filter(action="token.rotated").count() == found["tuple"]
        assert events.filter(action="token.revoked").count() == (revoke in calls)
        assert token.is_live() is (revoke not in calls)
        assert all(each.is_live() for each in successors)


def test_eight_who_issue_at_once_get_five_tokens():
    for _ in range(ROUNDS // 4):
        project = ProjectFactory.create()

        found = race([partial(issued_token, project)] * 8)

        assert outcomes(found) == {"tuple": MAX_LIVE_TOKENS, "Refused": 8 - MAX_LIVE_TOKENS}
        assert AccessToken.objects.filter(project=project).count() == MAX_LIVE_TOKENS


@pytest.mark.parametrize("projects", [1, 2])
def test_one_form_sent_four_times_at_once_makes_one_token(projects):
    for _ in range(ROUNDS):
        token_id, chosen = crypto.new_token_id(), ProjectFactory.create_batch(projects)

        send = partial(AccessToken.objects.issue, token_id=token_id, by=BY)
        found = race([partial(send, project) for project in chosen * (4 // projects)])

        assert outcomes(found) == {"tuple": 1, "Refused": 3}
        assert AccessToken.objects.filter(token_id=token_id).count() == 1
