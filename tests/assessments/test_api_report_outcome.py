"""report-outcome: the course that a student applied for or enrolled in, after an attempt."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.models import ReportedOutcome
from assessments.models.reported_outcomes import Stage
from tests.assessments.attempts import DETAILS, completed, marked_completed, started
from tests.assessments.partner import DETAIL, OUTCOME, assert_problem
from tests.factories import BY, CourseFactory

pytestmark = [pytest.mark.usefixtures("bank"), pytest.mark.sqlite]
EMAIL = DETAILS["email"]


@pytest.fixture
def attempt(api):
    for code in ("BOT", "ZOO"):
        CourseFactory.create(project=api.project, code=code, fields=["nature"])
    return completed(started(api.project))


def report(api, **fields):
    of_student = {} if "AssessmentId" in fields else {"email": EMAIL}
    body = {"projectId": api.project.project_id, "CourseCode": "BOT", "Stage": "applied"}
    return api.post(OUTCOME, {**body, **of_student, **fields})


def test_an_outcome_is_recorded_by_address_or_id_and_read_in_detail(api, attempt):
    assert report(api).json() == {"Recorded": True}
    assert report(api, AssessmentId=attempt.assessment_id, CourseCode="zoo").status_code == 200

    detail = api.read(DETAIL, AssessmentId=attempt.assessment_id)

    assert (detail["Outcome"]["CourseCode"], detail["Outcome"]["Stage"]) == ("ZOO", "applied")
    assert detail["Considered"] == []


def test_an_attempt_has_one_outcome_and_enrolled_beats_applied(api, attempt):
    for first, second, left in (
        (("BOT", "applied"), ("BOT", "applied"), ("BOT", "applied")),
        (("BOT", "applied"), ("ZOO", "applied"), ("ZOO", "applied")),
        (("BOT", "applied"), ("ZOO", "enrolled"), ("ZOO", "enrolled")),
        (("BOT", "enrolled"), ("ZOO", "applied"), ("BOT", "enrolled")),
        (("BOT", "enrolled"), ("ZOO", "enrolled"), ("ZOO", "enrolled")),
    ):
        ReportedOutcome.objects.all().delete()
        for code, stage in (first, second):
            assert report(api, CourseCode=code, Stage=stage).json() == {"Recorded": True}
        assert ReportedOutcome.objects.values_list("course_code", "stage").get() == left


def test_an_address_means_the_newest_completed_attempt(api, attempt):
    newest = marked_completed(started(api.project), timezone.now() + timedelta(hours=1))
    started(api.project)

    report(api)

    assert ReportedOutcome.objects.get().attempt == newest


def test_a_wrong_field_is_named_and_nothing_is_stored(api, attempt):
    for fields, error in (
        *(({"CourseCode": "XYZ"}, ("CourseCode", "invalid")), ({"Stage": ""}, ("Stage", "blank"))),
        *(({"Stage": stage}, ("Stage", "invalid")) for stage in ("hired", "Enrolled")),
        ({"Stage": "enrolled in the autumn"}, ("Stage", "too_long")),
        ({"AssessmentId": "asm_AAAAAAAAAAAAAAAA", "email": EMAIL}, ("email", "invalid")),
    ):
        [found] = assert_problem(report(api, **fields), 400, "invalid_request", [error])["errors"]
        if "Stage" in fields:
            assert all(stage in found["detail"] for stage in Stage.values)
    assert not ReportedOutcome.objects.exists()


def test_without_a_completed_attempt_of_this_project_it_is_unknown(api, attempt, other_project):
    elsewhere = marked_completed(started(other_project, email="b@example.com"))
    open_one = started(api.project, email="c@example.com")
    erased = marked_completed(started(api.project, email="d@example.com"))
    erased.student.erase(reason="asked", by=BY)

    for fields in (
        {"email": "b@example.com"},
        {"email": "c@example.com"},
        {"email": "d@example.com"},
        {"AssessmentId": elsewhere.assessment_id},
        {"AssessmentId": open_one.assessment_id},
        {"AssessmentId": erased.assessment_id},
    ):
        detail = assert_problem(report(api, **fields), 404, "not_found")["detail"]
        assert f"completed attempt with this `{next(iter(fields))}`" in detail
    assert list(ReportedOutcome.objects.values_list("course_code", "stage")) == []


def test_erasure_deletes_it_and_the_detail_has_what_was_named(api, attempt):
    attempt.considered = ["BOT"]
    attempt.save()
    report(api)
    assert api.read(DETAIL, AssessmentId=attempt.assessment_id)["Considered"] == ["BOT"]

    attempt.student.erase(reason="asked", by=BY)

    assert list(ReportedOutcome.objects.values_list("course_code", "stage")) == []
