"""What issuing, rotating and revoking a token store, record and refuse, also at the same moment."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.db import IntegrityError, models, transaction

from partners.models import AuditEvent, Project, Refused
from partners.models.audit import Actor
from tests.factories import BY, AccessTokenFactory, ProjectFactory, issued_token
from tests.support.threads import race
from tokens import crypto
from tokens.models import MAX_LIVE_TOKENS, AccessToken, TokenState

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY, WEEK = timedelta(days=1), timedelta(days=7)
TAKEN = "tok_" + "a" * 16


@pytest.fixture
def token(project):
    return issued_token(project, label="CRM", at=NOON - WEEK)[0]


def events(token):
    found = AuditEvent.objects.about(token).newest_first()
    return [(event.action, event.actor, event.address, event.reason) for event in found]


def test_issuing_stores_a_digest_and_records_who_did_it_but_never_the_secret(project):
    token, secret = AccessToken.objects.issue(
        project, label="CRM", reason="asked for", at=NOON, by=Actor("staff:7", "192.0.2.1", "r-1")
    )

    row, event = AccessToken.objects.values().get(), AuditEvent.objects.values().get()
    assert row == {
        "id": token.pk,
        "project_id": project.pk,
        "token_id": token.token_id,
        "secret_digest": crypto.digest(secret),
        "label": "CRM",
        "issued_at": NOON,
        "expires_at": None,
        "rotated_at": None,
        "replaces_id": None,
        "revoked_at": None,
        "revoke_reason": "",
        "last_used_at": None,
    }
    assert (event["action"], event["object_id"]) == ("token.issued", token.token_id)
    assert (event["at"], event["reason"], event["request_id"]) == (NOON, "asked for", "r-1")
    assert (event["actor"], event["address"]) == ("staff:7", "192.0.2.1")
    for hidden in (secret, token.secret_digest):
        assert hidden not in f"{token!r} {token} {event}"


def close(project):
    project.close(by=BY)


def issue_five(project):
    AccessTokenFactory.create_batch(MAX_LIVE_TOKENS, project=project)


@pytest.mark.parametrize(
    ("before", "arguments", "says"),
    [
        (Project.refresh_from_db, {"expires_in": timedelta(0)}, "at once"),
        (Project.refresh_from_db, {"expires_in": -DAY}, "at once"),
        (close, {}, r"prj_\w+ is closed"),
        (lambda project: close(Project.objects.get(pk=project.pk)), {}, "is closed"),
        (issue_five, {}, "5 live tokens"),
        (
            lambda project: AccessTokenFactory(project=project, token_id=TAKEN),
            {"token_id": TAKEN},
            TAKEN,
        ),
    ],
)
def test_issuing_is_refused(project, rows, before, arguments, says):
    before(project)
    stored = rows()

    with pytest.raises(Refused, match=says):
        AccessToken.objects.issue(project, by=BY, **arguments)

    assert rows() == stored


def test_tokens_that_end_or_are_of_another_project_are_not_counted_among_the_five(project):
    for ended in (
        {"expires_at": NOON + WEEK, "rotated_at": NOON},
        {"expires_at": NOON, "rotated_at": NOON - WEEK},
        {"expires_at": NOON},
        {"revoked_at": NOON},
    ):
        AccessTokenFactory.create(project=project, **ended)
    AccessTokenFactory.create_batch(MAX_LIVE_TOKENS)
    AccessTokenFactory.create_batch(MAX_LIVE_TOKENS - 1, project=project)

    assert issued_token(project, at=NOON)
    with pytest.raises(Refused):
        issued_token(project, at=NOON)


def test_after_a_rotation_both_work_for_a_week_then_only_the_successor(token):
    successor, secret = token.rotate(at=NOON, by=Actor("staff:7", "192.0.2.1"))

    successor.refresh_from_db()
    assert crypto.matches(secret, successor.secret_digest)
    assert not crypto.matches(secret, token.secret_digest)
    assert (token.rotated_at, token.expires_at) == (NOON, NOON + WEEK)
    assert (successor.label, successor.project, successor.replaces) == ("CRM", token.project, token)
    assert (successor.issued_at, successor.expires_at) == (NOON, None)
    assert token.state_at(NOON + WEEK - timedelta(microseconds=1)) is TokenState.ENDING
    assert token.state_at(NOON + WEEK) is TokenState.EXPIRED
    assert successor.state_at(NOON + WEEK) is TokenState.LIVE
    by = ("staff:7", "192.0.2.1")
    assert events(token)[0] == ("token.rotated", *by, f"successor {successor}")
    assert events(successor) == [("token.issued", *by, f"replaces {token}")]
    assert secret not in str(AuditEvent.objects.values())


@pytest.mark.parametrize(("age", "ends_after"), [(80, 7), (83, 7), (88, 2)])
def test_the_successor_gets_the_same_lifetime_and_an_earlier_expiry_stands(
    project, age, ends_after
):
    token, _ = issued_token(project, expires_in=90 * DAY, at=NOON - age * DAY)

    successor, _ = token.rotate(overlap=WEEK, at=NOON, by=BY)

    assert token.expires_at == NOON + ends_after * DAY
    assert successor.expires_at == NOON + 90 * DAY


def test_a_project_with_five_tokens_can_rotate_all_of_them(project):
    issue_five(project)

    for token in AccessToken.objects.all():
        token.rotate(at=NOON, by=BY)

    assert AccessToken.objects.live(NOON).count() == 2 * MAX_LIVE_TOKENS
    assert AccessToken.objects.counted_against_cap(NOON).count() == MAX_LIVE_TOKENS


def rotate(token):
    token.rotate(at=NOON, by=BY)


def revoke(token):
    token.revoke(reason="leaked", at=NOON, by=BY)


def expire(token):
    AccessToken.objects.filter(pk=token.pk).update(expires_at=NOON)


@pytest.mark.parametrize(
    ("before", "arguments", "error", "says"),
    [
        (rotate, {}, Refused, r"rotated 1 Jun .*\. .* is tok_\w+\."),
        (revoke, {}, Refused, "revoked 1 Jun 2026, 17:30 IST. .*: leaked"),
        (expire, {}, Refused, "expired 1 Jun 2026, 17:30 IST"),
        (lambda token: close(token.project), {}, Refused, "is closed"),
        (AccessToken.refresh_from_db, {"overlap": timedelta(seconds=-1)}, ValueError, "negative"),
    ],
    ids=["rotated", "revoked", "expired", "closed", "negative overlap"],
)
def test_rotating_is_refused(token, rows, before, arguments, error, says):
    before(token)
    stored = rows()

    with pytest.raises(error, match=says):
        token.rotate(**{"by": BY, "at": NOON} | arguments)

    assert rows() == stored


def test_revoking_ends_a_token_at_once_and_a_second_time_changes_nothing(token, rows):
    token.revoke(by=Actor("staff:7", "192.0.2.1"), reason="leaked", at=NOON)
    stored = rows()
    with pytest.raises(Refused, match="leaked"):
        token.revoke(reason="again", by=BY)

    token.refresh_from_db()
    assert (token.revoked_at, token.revoke_reason) == (NOON, "leaked")
    assert token.state_at(NOON) is TokenState.REVOKED
    assert events(token)[0] == ("token.revoked", "staff:7", "192.0.2.1", "leaked")
    assert rows() == stored


def test_a_rotated_token_is_revoked_without_its_successor(token):
    successor, _ = token.rotate(at=NOON, by=BY)

    token.revoke(at=NOON, by=BY)

    successor.refresh_from_db()
    assert (token.is_live(NOON), successor.is_live(NOON)) == (False, True)


def test_a_clock_that_jumped_back_stops_neither_rotation_nor_revocation(project):
    token, _ = issued_token(at=NOON)

    successor, _ = token.rotate(overlap=timedelta(0), at=NOON - DAY, by=BY)
    successor.revoke(at=NOON - 2 * DAY, by=BY)

    assert not successor.is_live(NOON - DAY)
    assert not token.is_live(NOON - DAY)


ROUNDS = 20


def rotate_now(token):
    return token.rotate(by=BY)


def revoke_now(token):
    token.revoke(by=BY)


def outcomes(results):
    """Count the results of racing calls: rotating returns a tuple, revoking None."""
    return Counter(type(each).__name__ for each in results)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("calls", "allowed"),
    [
        ([rotate_now, rotate_now], [{"tuple": 1, "Refused": 1}]),
        ([rotate_now, revoke_now], [{"tuple": 1, "NoneType": 1}, {"Refused": 1, "NoneType": 1}]),
        ([revoke_now] * 4, [{"NoneType": 1, "Refused": 3}]),
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
        assert events.filter(action="token.revoked").count() == (revoke_now in calls)
        assert token.is_live() is (revoke_now not in calls)
        assert all(each.is_live() for each in successors)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_eight_who_issue_at_once_get_five_tokens():
    for _ in range(ROUNDS // 4):
        project = ProjectFactory.create()

        found = race([partial(issued_token, project)] * 8)

        assert outcomes(found) == {"tuple": MAX_LIVE_TOKENS, "Refused": 8 - MAX_LIVE_TOKENS}
        assert AccessToken.objects.filter(project=project).count() == MAX_LIVE_TOKENS


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("projects", [1, 2])
def test_one_form_sent_four_times_at_once_makes_one_token(projects):
    for _ in range(ROUNDS):
        token_id, chosen = crypto.new_token_id(), ProjectFactory.create_batch(projects)

        send = partial(AccessToken.objects.issue, token_id=token_id, by=BY)
        found = race([partial(send, project) for project in chosen * (4 // projects)])

        assert outcomes(found) == {"tuple": 1, "Refused": 3}
        assert AccessToken.objects.filter(token_id=token_id).count() == 1


JUNE_10 = datetime(2026, 6, 10, 12, tzinfo=UTC)
BEFORE, AFTER = JUNE_10 - timedelta(milliseconds=1), JUNE_10 + timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("times", "state"),
    [
        ({}, TokenState.LIVE),
        ({"expires_at": AFTER}, TokenState.LIVE),
        ({"expires_at": JUNE_10}, TokenState.EXPIRED),
        ({"expires_at": AFTER, "rotated_at": BEFORE}, TokenState.ENDING),
        ({"expires_at": JUNE_10, "rotated_at": BEFORE}, TokenState.EXPIRED),
        ({"revoked_at": AFTER}, TokenState.REVOKED),
        ({"revoked_at": BEFORE, "expires_at": BEFORE}, TokenState.REVOKED),
        ({"revoked_at": BEFORE, "expires_at": AFTER, "rotated_at": BEFORE}, TokenState.REVOKED),
    ],
)
def test_a_token_and_the_sets_of_rows_agree_on_its_state(times, state):
    token = AccessTokenFactory.create(**times)
    tokens = AccessToken.objects.all()

    is_live = state in {TokenState.LIVE, TokenState.ENDING}
    assert token.state_at(JUNE_10) is state
    assert [each for each in TokenState if tokens.in_state(each, JUNE_10).exists()] == [state]
    assert (token.is_live(JUNE_10), tokens.live(JUNE_10).exists()) == (is_live, is_live)
    assert tokens.counted_against_cap(JUNE_10).exists() is (state is TokenState.LIVE)


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("accesstoken_has_an_id_and_a_digest", {"token_id": ""}),
        ("accesstoken_has_an_id_and_a_digest", {"secret_digest": ""}),
        ("accesstoken_has_an_id_and_a_digest", {"secret_digest": "sec_plain"}),
        ("accesstoken_rotated_has_an_end", {"rotated_at": JUNE_10}),
        ("accesstoken_reason_only_if_revoked", {"revoke_reason": "leaked"}),
        ("accesstoken_replaces_another", {"pk": 7, "replaces_id": 7}),
    ],
)
def test_the_database_refuses_a_row(constraint, fields):
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        AccessTokenFactory.create(**fields)

    assert not AccessToken.objects.exists()


def test_the_database_refuses_a_second_successor_and_a_token_id_twice():
    token = AccessTokenFactory.create()
    AccessTokenFactory.create(replaces=token)

    for fields in ({"replaces": token}, {"token_id": token.token_id}):
        with pytest.raises(IntegrityError, match="unique"), transaction.atomic():
            AccessTokenFactory.create(**fields)
    with pytest.raises(models.ProtectedError):
        token.project.delete()
    assert AccessToken.objects.count() == 2


def test_a_token_is_of_its_own_project_only():
    token, other = AccessTokenFactory.create_batch(2)
    own = token.project.project_id

    asked = [own, other.project.project_id, own.lower(), ""]

    assert [token.allows(project_id) for project_id in asked] == [True, False, False, False]


def test_without_its_audit_event_a_token_still_tells_when_it_was_revoked():
    token = AccessTokenFactory.create(revoked_at=datetime(2026, 6, 1, 10, tzinfo=UTC))

    assert "1 Jun 2026, 15:30 IST" in token.end_in_words()
