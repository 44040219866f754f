"""Purges beside each other, calls and erasures: no crash, and nothing deleted twice."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from assessments.keeping import retention
from assessments.models import Answer, AssessmentLink, Attempt, Student
from partners.models import AuditEvent
from tests.assessments.attempts import completed, copies, issue, started
from tests.factories import BY
from tests.support.threads import race_in_rounds

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
LATER = AT + timedelta(days=1000)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]


def purge(number):
    return sum((counts for _, counts in retention.purge(LATER, by=BY)), Counter())


def email(number):
    return f"s{number}@example.com"


def test_purges_at_once_share_the_work(project, other_project, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 7)
    for each in (project, other_project):
        copies(completed(started(each, AT), AT), 30)
        for number in range(20):
            issue(each, AT, email=email(number))

    [outcomes] = race_in_rounds([purge, purge, purge], 1)

    # What one holds another leaves, which may be a student whom the first left to it.
    total = sum(outcomes, Counter()) + purge(0)
    assert total == {"attempts": 62, "unused links": 40, "students": 42}
    recorded = Counter()
    for event in AuditEvent.objects.filter(action="data.purged"):
        for part in event.reason.split(", "):
            kind, _, count = part.rpartition(" ")
            recorded[kind] += int(count)
    assert recorded == total
    for model in (Student, AssessmentLink, Attempt, Answer):
        assert not model.objects.exists()


def test_a_purge_beside_a_call_leaves_the_new_link_and_a_student(project):
    rounds = 12
    for number in range(rounds):
        issue(project, AT, email=email(number))

    def ask(number):
        return issue(project, LATER, email=email(number))[0].pk

    outcomes = race_in_rounds([purge, ask], rounds)

    links = AssessmentLink.objects.select_related("student")
    fresh = {link.pk: link.student.email_key for link in links if link.issued_at == LATER}
    assert fresh == {pk: email(number) for number, (_, pk) in enumerate(outcomes)}
    purge(0)
    assert Student.objects.count() == rounds


def test_a_purge_beside_an_erasure_deletes_all_and_fails_neither(project):
    rounds = 8
    students = []
    for number in range(rounds):
        attempt = completed(started(project, AT, email=email(number)), AT)
        issue(project, AT, email=email(number))
        students.append(attempt.student)

    def erase(number):
        try:
            return students[number].erase(at=LATER, by=BY)
        except Student.DoesNotExist:
            return "gone"

    outcomes = race_in_rounds([erase, purge], rounds)

    assert all(receipt for receipt, _ in outcomes)
    purge(0)
    assert not Student.objects.exists()
    assert not Attempt.objects.exists()
