"""Several requests for one link or one student at the same moment: start, cancel, issue, erase."""

import random
import time
from collections import Counter

import pytest
from django.test import Client

from assessments.models import AssessmentLink, Attempt
from assessments.models.attempts import AttemptEnded
from assessments.models.links import CANCELLED, LinkStarted, LinkUnavailable
from partners.models import AuditEvent, Refused
from partners.models.audit import Actor
from tests.assessments.attempts import DETAILS, cookie_of, issue, new_browser_token, token_of, use
from tests.factories import BY, AccessTokenFactory
from tests.support.threads import race_in_rounds

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("bank"),
]

PARTNER = Actor("token:tok_aaaaaaaaaaaaaaaa")
# Of CSRF cookies, one a browser.
SECRETS = [f"{number:032}" for number in range(16)]
ROUNDS = 8
CANCELS = 40
ERASURES = 12


def issue_each(project, count):
    return [issue(project, email=f"s{number}@example.com") for number in range(count)]


def presser(urls, secret, offered=(), held="", **choice):
    """Return a browser that presses Start of one link after the other; it gives the statuses.

    `offered` are the attempts that its landing pages offered, `held` is its cookie of these.
    """

    def press(number):
        # a client each: the cookie of one round must not help in the next
        client = Client()
        client.cookies["csrftoken"] = secret
        if held:
            client.cookies[cookie_of(offered[number])] = held
        data = {"token": token_of(urls[number]), "consent": "yes", **choice}
        if offered:
            data |= {"attempt": offered[number].assessment_id, "continuations": "0"}
        return client.post(urls[number].partition("?")[0], data).status_code

    return press


@pytest.mark.parametrize(
    ("secrets", "rounds", "statuses"),
    [(SECRETS, ROUNDS, [303, *[410] * 15]), ([SECRETS[0]] * 4, 3 * ROUNDS, [303] * 4)],
    ids=["16 browsers", "4 tabs of one browser"],
)
def test_several_starts_of_one_link_make_one_attempt(project, times, secrets, rounds, statuses):
    urls = [url for _, url in issue_each(project, rounds * times)]

    outcomes = race_in_rounds([presser(urls, secret) for secret in secrets], len(urls))

    assert [sorted(outcome) for outcome in outcomes] == [statuses] * len(urls)
    assert Attempt.objects.count() == len(urls)
    assert AssessmentLink.objects.filter(attempt=None).count() == 0
    assert len(set(AssessmentLink.objects.values_list("attempt_id", flat=True))) == len(urls)


@pytest.mark.parametrize("choice", ["again", "continue"])
@pytest.mark.parametrize("tabs", [1, 2], ids=["two browsers", "two tabs of one"])
def test_two_links_that_offer_one_attempt_are_not_both_used(project, choice, tabs):
    outcomes = []
    for number in range(ROUNDS):
        held = new_browser_token() if tabs == 2 else ""
        details = {"email": f"s{number}@example.com", "mobile": f"98765432{number:02}"}
        earlier = use(issue(project, **details)[0], held)
        fresh = [issue(project, **details) for _ in "ab"]
        pressers = [
            presser([url], secret, [earlier], held, start=choice)
            for (_, url), secret in zip(fresh, SECRETS, strict=False)
        ]

        outcomes += race_in_rounds(pressers, 1)

        earlier.refresh_from_db()
        used = AssessmentLink.objects.filter(pk__in=[link.pk for link, _ in fresh])
        assert used.exclude(used_at=None).count() == 1
        attempts = Attempt.objects.filter(student=earlier.student_id)
        assert attempts.count() == (1 if choice == "continue" else 2)
        assert earlier.continuations == (choice == "continue")
        assert (earlier.answers_hidden_until is not None) is (choice == "continue" and tabs == 1)
        assert (earlier.abandoned_at is not None) is (choice == "again" and tabs == 2)

    assert [sorted(statuses) for statuses in outcomes] == [[303, 409]] * ROUNDS


def test_links_issued_for_one_new_student_at_once_make_one_student(project):
    def ask(number):
        return issue(project, email=f"New{number}@example.com")[1]

    outcomes = race_in_rounds([ask] * 8, ROUNDS)

    assert all(len(set(urls)) == 8 for urls in outcomes)
    assert AssessmentLink.objects.count() == 8 * ROUNDS
    assert len(set(AssessmentLink.objects.values_list("student_id", flat=True))) == ROUNDS


def starter(links):
    def start(number):
        link = AssessmentLink.objects.select_related("student__project").get(pk=links[number].pk)
        try:
            use(link)
        except LinkUnavailable as refused:
            return str(refused.state)
        return "started"

    return start


def by_id(project, link):
    try:
        return AssessmentLink.objects.cancel_named(project, str(link.link_id), by=PARTNER)
    except LinkStarted:
        return 0


def by_staff(project, link):
    try:
        link.cancel(reason="wrong address", by=BY)
    except Refused:
        return 0
    return 1


WAYS = {
    "by its id": by_id,
    "by the address": lambda project, link: AssessmentLink.objects.cancel_for_email(
        project, link.student.email, by=PARTNER
    ),
    "with its token": lambda project, link: (
        link.access_token.links.cancel(link.access_token, by=PARTNER) if link.access_token else 0
    ),
    "by staff": by_staff,
}


@pytest.mark.parametrize("way", WAYS)
def test_if_a_cancel_and_a_start_race_exactly_one_succeeds(project, way):
    links = [link for link, _ in issue_each(project, CANCELS)]
    for link in links:
        link.access_token = AccessTokenFactory.create(project=project)
        link.save(update_fields=["access_token"])
    # A start takes longer before its UPDATE, so cancelling waits a random part of that time.
    pauses = [random.Random(number).uniform(0, 0.006) for number in range(CANCELS)]

    def cancel(number):
        time.sleep(pauses[number])
        return "cancelled" if WAYS[way](project, links[number]) else "too late"

    outcomes = race_in_rounds([starter(links), cancel], CANCELS)

    wins = Counter(tuple(outcome) for outcome in outcomes)
    assert set(wins) <= {("started", "too late"), ("cancelled", "cancelled")}
    for link, (started, _) in zip(links, outcomes, strict=True):
        link.refresh_from_db()
        assert (link.used_at is not None) is (started == "started")
        assert (link.cancelled_at is not None) is (started == "cancelled")
    assert Attempt.objects.count() == wins["started", "too late"]
    cancelled = AuditEvent.objects.filter(action=CANCELLED)
    assert cancelled.count() == wins["cancelled", "cancelled"]


@pytest.fixture
def students(project):
    return [link.student for link, _ in issue_each(project, ERASURES)]


def race_with_erasure(students, *others):
    """Return the outcomes of the others, after a check that nothing of a student is left."""

    def erase(number):
        return students[number].erase(by=PARTNER)

    outcomes = race_in_rounds([erase, *(others or [erase])], ERASURES)

    for student in students:
        student.refresh_from_db()
        assert student.is_erased
        assert set(student.links.values_list("name", "mobile")) == {("erased", "erased")}
        assert not student.attempts.open().exists()
    assert AuditEvent.objects.filter(action="student.erased").count() == ERASURES
    return [rest if others else [receipt, *rest] for receipt, *rest in outcomes]


def test_a_link_issued_during_an_erasure_is_erased_too_or_a_new_students(project, students):
    def ask(number):
        return issue(project, email=f"s{number}@example.com")[0].student_id

    outcomes = race_with_erasure(students, ask, ask)

    for asked, student in zip(outcomes, students, strict=True):
        for pk in asked:
            link = AssessmentLink.objects.filter(student=pk)[0]
            assert (link.name == DETAILS["name"]) is (pk != student.pk)


def test_two_erasures_give_one_receipt(students):
    assert all(first == second for first, second in race_with_erasure(students))


def test_a_start_during_an_erasure_is_ended_by_it_or_refused(project, students):
    start = starter([link for link, _ in issue_each(project, ERASURES)])

    outcomes = race_with_erasure(students, start)

    assert {outcome for (outcome,) in outcomes} <= {"started", "expired"}
    assert Attempt.objects.count() == outcomes.count(["started"])


def test_an_answer_during_an_erasure_is_stored_before_or_refused(students):
    attempts = [use(student.links.get()) for student in students]
    for attempt in attempts:
        attempt.begin_section(1)

    def answer(number):
        attempt = Attempt.objects.get(pk=attempts[number].pk)
        page = [answer.position for answer in attempt.read_answers().page(1)]
        try:
            attempt.record(1, dict.fromkeys(page, 1))
        except AttemptEnded:
            return False
        return True

    outcomes = race_with_erasure(students, answer)

    for (is_stored,), attempt in zip(outcomes, attempts, strict=True):
        assert (attempt.read_answers().answered_count > 0) is is_stored
