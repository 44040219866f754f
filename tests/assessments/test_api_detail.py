"""get-assessment-detail: how an attempt ended, and its courses with reasons that tell no answer."""

import re
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from assessments.models import Attempt
from assessments.models.ended import End
from measurement import explanation
from measurement.reasons import QUOTING, Reason
from partners.times import rfc3339
from tests.assessments.attempts import answer_until, completed, liking, marked_completed, started
from tests.assessments.partner import DETAIL, RESULTS, assert_problem
from tests.assessments.two_stages import publish_field_bank
from tests.factories import BY, CourseFactory

AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.mark.usefixtures("bank")
def test_a_completed_attempt_has_its_courses_in_order(api):
    CourseFactory.create_batch(6, project=api.project)
    attempt = completed(started(api.project, at=AT), at=AT + HOUR, choice=liking("artistic"))
    stored = attempt.recommendations or []
    [four] = api.read(RESULTS)
    Attempt.objects.update(results_read_at=None)

    answer = api.read(DETAIL, AssessmentId=attempt.assessment_id)

    reasons = [course.pop("Reasons") for course in answer["Courses"]]
    best = explanation.count_best_matches(stored)
    assert list(answer)[:4] == list(four)
    assert answer == {
        **four,
        "StartedAt": rfc3339(AT),
        "EndedAt": rfc3339(AT + HOUR),
        "EndReason": "completed",
        "Language": "en",
        "Effort": "low" if "interests" in attempt.validity.doubts else "ok",
        "Courses": [
            {"Code": each["code"], "Name": name, "Group": "best" if place < best else "also"}
            for place, (each, name) in enumerate(zip(stored, four["Recommendations"], strict=True))
        ],
        "Considered": [],
        "Outcome": None,
    }
    assert len(reasons) == len(stored)
    assert all(reasons)
    attempt.refresh_from_db()
    assert attempt.results_read_at is not None


@pytest.mark.usefixtures("bank")
@pytest.mark.parametrize(
    ("validity", "effort"),
    [
        ({"flags": ["hurried_section"], "hurried_sections": ["preferences"]}, "ok"),
        ({"flags": ["fast_aptitude"]}, "ok"),
        ({"flags": ["hurried_section"], "hurried_sections": ["fields"]}, "low"),
        ({"flags": ["inconsistent"]}, "low"),
    ],
)
def test_effort_is_low_if_the_answers_are_doubtful_on_which_courses_rest(api, validity, effort):
    attempt = marked_completed(started(api.project, at=AT), at=AT + HOUR)
    Attempt.objects.update(profile={"validity": validity}, recommendations=[])

    assert api.read(DETAIL, AssessmentId=attempt.assessment_id)["Effort"] == effort


ENDS = {
    End.LEFT: ("left", lambda attempt: attempt.abandon(AT + HOUR)),
    End.CLOSED: ("closed", lambda attempt: attempt.close(at=AT + HOUR, by=BY)),
    End.LATE: ("late", lambda attempt: None),
    End.REPLACED: (
        "started_again",
        lambda attempt: (attempt.abandon(AT + HOUR), started(attempt.project, at=AT + HOUR)),
    ),
}


@pytest.mark.usefixtures("bank")
@pytest.mark.parametrize("end", ENDS)
def test_each_end_has_its_reason(api, end):
    attempt = answer_until(started(api.project, at=AT), 6, AT + HOUR / 2)
    reason, bring_about = ENDS[end]
    bring_about(attempt)

    answer = api.read(DETAIL, AssessmentId=attempt.assessment_id)

    assert answer["EndReason"] == reason
    assert answer["EndedAt"] == rfc3339(attempt.finish_by_at if end == End.LATE else AT + HOUR)
    assert (answer["Status"], answer["Effort"], answer["Courses"]) == ("Abandoned", None, [])


@pytest.mark.usefixtures("bank")
def test_an_attempt_in_progress_of_another_project_or_erased_is_not_found(api, other_project):
    in_progress = started(api.project, at=timezone.now())
    foreign = marked_completed(started(other_project, at=AT), at=AT + HOUR)
    erased = marked_completed(started(api.project, at=AT, email="b@college.example"), at=AT + HOUR)
    erased.student.erase(by=BY)

    for attempt in (in_progress, foreign, erased, Attempt(assessment_id="asm_x")):
        response = api.post(DETAIL, api.body(DETAIL, AssessmentId=attempt.assessment_id))
        assert_problem(response, 404, "not_found")
    assert not Attempt.objects.exclude(results_read_at=None).exists()


@pytest.mark.parametrize("language", ["en", "hi"])
def test_no_reason_quotes_an_answer_or_rests_on_puzzles(project, language):
    bank = publish_field_bank()
    names = bank.names(language)
    statements = [item.code for item in bank.items.values() if "text" in item.content]

    def sentence(point):
        recommendation = {
            **{"reasons": [asdict(point)], "counterpoint": asdict(Reason("unmeasured"))},
            **{"note": "", "entry_level": "", "streams": []},
        }
        told = explanation.without_answers(recommendation)
        [text] = explanation.course_texts(told, language, names)["reasons"]
        return str(text)

    quoted = [statement for statement in statements if statement in names]
    for code in QUOTING:
        for statement in quoted:
            told = sentence(Reason(code, statement, "machines", answer=5.0))
            assert names[statement][1:] not in told
    assert not re.search("puzzle|पहेली", sentence(Reason("well_overall")))
