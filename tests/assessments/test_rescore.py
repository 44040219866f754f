"""The command that scores stored answers again and says what differs."""

import copy
import io
import json
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command

from assessments.models import Course, ItemBank
from partners.models import Project
from tests.assessments.attempts import completed, liking, started
from tests.factories import BY, CourseFactory

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
LATER = AT + timedelta(minutes=20)

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt(bank, project):
    for number in range(8):
        fields = [["machines", "helping", "art", "accounts"][number % 4]]
        CourseFactory.create(project=project, name=f"Course {number}", fields=fields)
    return completed(started(project, AT), LATER, choice=liking("social"))


def rescore(*options, status=1):
    """Run the command, which must end with this status; return its stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    ended, said = 0, ""
    try:
        call_command("rescore", *options, stdout=out, stderr=err)
    except CommandError as error:
        ended, said = error.returncode, str(error)
    assert ended == status
    return out.getvalue(), err.getvalue() + said


def publish(small_bank, **norms):
    """Publish the same items with other means of these types and their statements."""
    data = copy.deepcopy(small_bank) | {"version": "other"}
    for scale, mean in norms.items():
        data["norms"]["interests"][scale]["mean"] = mean
    scales = {item["code"]: item["scale"] for item in data["items"] if "scale" in item}
    for norm in data["norms"]["statements"]:
        norm["mean"] = norms.get(scales[norm["code"]], norm["mean"])
    ItemBank.objects.publish(data, by=BY)


def test_the_catalogue_and_the_settings_are_those_of_the_completion(attempt):
    Course.objects.update(name="Renamed", is_active=False)
    Project.objects.update(recommendation_count=3, takers="graduates")

    assert rescore(attempt.assessment_id, status=0) == (
        "",
        "same 1, other courses 0, other figures 0, failed 0\n",
    )


def test_an_answer_that_was_tampered_with_is_found(attempt):
    attempt.answers.filter(position=1).update(choice=4)

    out, err = rescore(attempt.assessment_id)

    assert out.startswith(f"{attempt.assessment_id}: ")
    assert "1 differ, 0 could not be scored" in err


def test_all_completed_attempts_are_looked_at(attempt, project):
    completed(started(project, AT, email="other@example.com"), LATER)
    unfinished = started(project, AT, email="open@example.com")
    started(project, AT, email="left@example.com").abandon(AT)
    attempt.profile["differentiation"] = 9
    attempt.save()

    out, err = rescore("--all")

    assert out == f"{attempt.assessment_id}: other figures\n"
    assert "same 1, other courses 0, other figures 1, failed 0" in err
    assert "is not completed" in rescore(unfinished.assessment_id)[0]


def test_another_bank_shows_who_would_get_other_courses_and_writes_nothing(
    attempt, small_bank, rows
):
    publish(small_bank, social=9.0, realistic=1.0)
    stored_before = rows()

    out, _ = rescore(attempt.assessment_id, "--bank", "other")
    as_json, _ = rescore("--all", "--bank", "other", "--json")

    assert rows() == stored_before
    before = ", ".join(attempt.recommended_names)
    assert out.startswith(f"{attempt.assessment_id}: other courses: {before} -> ")
    [line] = map(json.loads, as_json.splitlines())
    assert line["AssessmentId"] == attempt.assessment_id
    stored = {"profile": attempt.profile, "recommendations": attempt.recommendations}
    assert (line["old"], line["differs"]) == (stored, "other courses")
    assert line["new"]["profile"] != attempt.profile


def test_items_that_another_bank_lacks_are_named(attempt, small_bank):
    data = copy.deepcopy(small_bank) | {"version": "shorter"}
    data["items"] = [item for item in data["items"] if item["code"] != "int-pond"]
    ItemBank.objects.publish(data, by=BY)
    fault = "Bank shorter lacks int-pond."

    out, err = rescore("--all", "--bank", "shorter")
    as_json, _ = rescore(attempt.assessment_id, "--bank", "shorter", "--json")

    assert out == f"{attempt.assessment_id}: {fault}\n"
    assert "0 differ, 1 could not be scored" in err
    assert json.loads(as_json) == {"AssessmentId": attempt.assessment_id, "fault": fault}


def test_erased_students_are_left_out_because_what_they_named_is_gone(attempt):
    attempt.student.erase(by=BY)

    assert rescore("--all", status=0)[1].splitlines()[-1].startswith("same 0,")
