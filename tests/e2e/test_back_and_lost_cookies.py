"""A browser that goes back, forward and reloads all the time, and one that loses its cookies."""

from __future__ import annotations

import pytest

from tests.e2e import rows
from tests.support.backend import Applicant, PartnerBackend
from tests.support.server import Service
from tests.support.student import Rule, Student

pytestmark = pytest.mark.slow

STATEMENTS = [*range(1, 25), *range(37, 45)]
PUZZLES = [*range(25, 37)]
LAST_PAGE = [*range(41, 45)]


def always(value: int) -> Rule:
    return lambda question, labels: value - 1


def forward(student: Student) -> None:
    response = student.page.go_forward()
    assert response is not None, "the page came out of a cache"


def test_a_run_full_of_back_forward_and_reload_is_stored_as_it_was_last_answered(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    student.start(partner.redirect_url(applicant))
    student.back()  # to the link
    after_start = student.kind
    shown_again: dict[int, int] = {}

    while student.kind != "result":
        assert student.kind in {"section", "question"}, student.text
        if student.kind == "section":
            student.answer()
            student.reload()
            continue
        position = student.position
        student.rule = always(2)
        student.answer()
        if student.kind == "result":
            break
        student.back()
        assert student.position == position
        shown_again[position] = len(student.ticked)
        if position in PUZZLES:
            forward(student)
        else:
            student.rule = always(4)
            student.answer()
        assert student.kind == "section" or student.position > position
    result = student.path, student.recommended
    for _ in range(3):
        student.back()
        assert (student.path, student.recommended) == result

    assert after_start == "section"
    assert shown_again == dict.fromkeys((1, 7, 13, 19, 37), 6) | {37: 4} | dict.fromkeys(PUZZLES, 1)
    [attempt] = rows.attempts(service, applicant)
    assert attempt["completed_at"]
    assert rows.choices(service, attempt) == (
        dict.fromkeys(STATEMENTS, 4) | dict.fromkeys(PUZZLES, 2) | dict.fromkeys(LAST_PAGE, 2)
    )
    [record] = partner.assessments(applicant.email)
    assert record["Recommendations"] == result[1]


def test_answers_outlive_the_loss_of_all_cookies_and_a_fresh_link_sends_them(
    service: Service, partner: PartnerBackend, applicant: Applicant, student: Student
) -> None:
    link = partner.redirect_url(applicant)
    student.rule = always(5)
    student.start(link)
    student.go_to_question(7)
    student.choose()
    student.context.clear_cookies()

    student.press("Continue")
    explained = student.status, student.heading
    student.press("Continue")
    not_here = student.status, student.kind
    student.open(link)
    in_use = student.status, student.kind
    [attempt] = rows.attempts(service, applicant)
    while_lost = sorted(rows.choices(service, attempt))
    student.open(partner.redirect_url(applicant))
    student.consent()
    student.page.get_by_role("button", name="Continue (6 of 44 answered)").click()
    student.page.wait_for_url("**/assessment/13")

    assert explained == (403, "Please press once more")
    assert not_here == (403, "error-403")
    assert in_use == (410, "link-unavailable")
    assert while_lost == [1, 2, 3, 4, 5, 6]
    assert rows.attempts(service, applicant)[0]["assessment_id"] == attempt["assessment_id"]
    assert rows.choices(service, attempt) == dict.fromkeys(range(1, 13), 5)
    assert student.kept_on_the_phone == []
