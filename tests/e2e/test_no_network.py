"""Answers given while the network is away: kept on the phone, said so, sent on return, once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e import rows
from tests.e2e.waiting import SECOND_PAGE, WAITING, cut_off, given, stop_timers, wait_for_words
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow


def test_an_answer_given_offline_is_kept_and_sent_when_the_network_returns(
    service: Service,
    applicant: Applicant,
    student: Student,
    at_the_first_page: Callable[[Student], None],
) -> None:
    stop_timers(student)  # so that nothing but the network's return can send it
    at_the_first_page(student)
    student.lose_network()

    student.tap()
    wait_for_words(student, WAITING)
    while_away = len(student.kept_on_the_phone), given(service, applicant)
    student.regain_network()
    student.page.wait_for_url(SECOND_PAGE)

    assert while_away == (1, {})
    assert sorted(given(service, applicant)) == [1, 2, 3, 4, 5, 6]
    assert student.kept_on_the_phone == []
    stored = [r for r in student.requests if r.method == "POST" and r.url.endswith("/1")]
    answered = [request for request in stored if request.failure is None]
    # the first one began the part; the script's is the second one that arrived
    assert [request.resource_type for request in answered] == ["document", "fetch"]


def test_after_a_reload_the_waiting_answer_is_ticked_and_sent(
    service: Service,
    applicant: Applicant,
    student: Student,
    at_the_first_page: Callable[[Student], None],
) -> None:
    at_the_first_page(student)
    ticked = student.page.eval_on_selector_all(
        "fieldset input:checked", "inputs => inputs.map(i => +i.value)"
    )
    student.page.route("**/assessment/*", cut_off)
    student.tap()
    wait_for_words(student, WAITING)
    student.page.unroute("**/assessment/*")

    student.page.reload(wait_until="commit")
    student.page.wait_for_url(SECOND_PAGE)

    assert given(service, applicant) == dict(enumerate(ticked, start=1))
    assert student.kept_on_the_phone == []


def test_answers_ticked_but_not_sent_are_ticked_after_a_reload(
    service: Service,
    applicant: Applicant,
    student: Student,
    at_the_first_page: Callable[[Student], None],
) -> None:
    at_the_first_page(student)
    ticked = student.ticked

    student.reload()

    assert len(ticked) == 6
    assert student.ticked == ticked
    assert student.position == 1
    assert given(service, applicant) == {}


def test_the_waiting_answer_of_one_student_is_never_sent_for_another(
    service: Service,
    partner: PartnerBackend,
    applicant: Applicant,
    student: Student,
    at_the_first_page: Callable[[Student], None],
) -> None:
    sister = Applicant("Lakshmi Iyer", f"l.{applicant.email}", applicant.mobile)
    link = partner.redirect_url(applicant)
    stop_timers(student)
    student.start(link)
    student.go_to_question(1)
    student.choose()
    # Not `lose_network`: Chromium gives a page its network back while it closes the page.
    student.context.route("**/assessment/*", cut_off)
    student.tap()
    wait_for_words(student, WAITING)
    student.page.close()
    student.page = student.context.new_page()
    student.context.unroute("**/assessment/*")

    student.start(partner.redirect_url(sister))
    student.go_to_question(1)
    for_sister = student.ticked, student.position
    student.page.wait_for_timeout(300)
    kept = student.kept_on_the_phone
    student.choose()
    student.press("Continue")

    assert for_sister == ([], 1)
    assert len(kept) == 1  # for the first student's return
    [first], [second] = rows.attempts(service, applicant), rows.attempts(service, sister)
    assert rows.choices(service, first) == {}
    assert sorted(rows.choices(service, second)) == [1, 2, 3, 4, 5, 6]
    assert student.kept_on_the_phone == kept


def test_a_waiting_answer_of_an_attempt_that_has_ended_is_refused_and_forgotten(
    service: Service,
    applicant: Applicant,
    student: Student,
    at_the_first_page: Callable[[Student], None],
) -> None:
    at_the_first_page(student)
    student.lose_network()
    student.tap()
    wait_for_words(student, WAITING)
    service.rows(
        "UPDATE assessments_assessment SET abandoned_at = started_at WHERE id = %s",
        (rows.attempts(service, applicant)[0]["id"],),
    )

    student.regain_network()
    student.page.get_by_role("heading", name="This assessment has ended").wait_for()

    assert student.kind == "error-409"
    assert student.kept_on_the_phone == []
    assert given(service, applicant) == {}


def test_left_overs_go_when_no_attempt_can_be_that_old(
    student: Student, at_the_first_page: Callable[[Student], None]
) -> None:
    day = 24 * 60 * 60 * 1000
    at_the_first_page(student)
    for age in (5, 40):
        entry = f"{{at: Date.now() - {age * day}}}"
        student.page.evaluate(f"localStorage['answers of asm_{age} 1'] = JSON.stringify({entry})")

    student.press("Continue")

    assert student.kept_on_the_phone == ["answers of asm_5 1"]
