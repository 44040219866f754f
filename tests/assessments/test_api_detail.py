"""get-assessment-detail: how an attempt ended, and its courses with reasons that tell no answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from assessments import explanation
from assessments.api.detail import END_REASONS
from assessments.measurement.reasons import OF_STATEMENTS, Point
from assessments.measurement.scales import FACETS
from assessments.models import Assessment
from assessments.models.ends import End
from partners.models import Project
from partners.times import rfc3339
from tests.assessments.attempts import answer_until, completed, liking, started
from tests.assessments.partner import DETAIL, RESULTS, Backend, assert_problem
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory, ProjectFactory

AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
FOUR = ["AssessmentId", "Status", "Recommendations", "AssessmentDuration"]

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def ask(api: Backend, attempt: Assessment) -> Any:
    return api.post(DETAIL, api.body(DETAIL, AssessmentId=attempt.assessment_id))


def answer_of(api: Backend, attempt: Assessment) -> dict[str, Any]:
    response = ask(api, attempt)
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = json.loads(response.content)
    return answer


@pytest.mark.usefixtures("bank")
def test_a_completed_attempt_has_its_courses_in_order(api: Backend) -> None:
    CourseFactory.create_batch(6, project=api.project)
    attempt = completed(started(api.project, at=AT), at=AT + HOUR, choice=liking("artistic"))
    attempt.refresh_from_db()

    answer = answer_of(api, attempt)

    four = json.loads(api.post(RESULTS, api.body(RESULTS)).content)[0]
    assert list(answer)[:4] == FOUR
    assert {name: answer[name] for name in FOUR} == four
    assert (answer["StartedAt"], answer["EndedAt"]) == (rfc3339(AT), rfc3339(AT + HOUR))
    assert (answer["EndReason"], answer["Language"]) == ("completed", "en")
    assert [course["Name"] for course in answer["Courses"]] == answer["Recommendations"]
    stored = attempt.recommendations or []
    assert [course["Code"] for course in answer["Courses"]] == [each["code"] for each in stored]
    best = [course["Group"] for course in answer["Courses"]].count("best")
    assert best == explanation.best_matches(stored)
    assert all(course["Reasons"] for course in answer["Courses"])


@pytest.mark.usefixtures("bank")
def test_reading_the_detail_is_reading_the_outcome(api: Backend) -> None:
    attempt = completed(started(api.project, at=AT), at=AT + HOUR)

    answer_of(api, attempt)

    attempt.refresh_from_db()
    assert attempt.results_read_at is not None


ENDS: dict[End, Callable[[Assessment], object]] = {
    End.COMPLETED: lambda attempt: completed(attempt, at=AT + HOUR),
    End.LEFT: lambda attempt: attempt.abandon(AT + HOUR),
    End.CLOSED: lambda attempt: attempt.close(at=AT + HOUR, actor="staff:1"),
    End.LATE: lambda attempt: None,
    End.REPLACED: lambda attempt: (
        attempt.abandon(AT + HOUR),
        started(attempt.project, at=AT + HOUR),
    ),
}


@pytest.mark.usefixtures("bank")
@pytest.mark.parametrize("end", ENDS)
def test_each_end_has_its_reason(api: Backend, end: End) -> None:
    attempt = started(api.project, at=AT)
    answer_until(attempt, 6, AT + HOUR / 2)
    ENDS[end](attempt)

    answer = answer_of(api, attempt)

    assert answer["EndReason"] == END_REASONS[end]
    ended = attempt.finish_by_at if end == End.LATE else AT + HOUR
    assert answer["EndedAt"] == rfc3339(ended)
    if end != End.COMPLETED:
        assert (answer["Status"], answer["Effort"], answer["Courses"]) == ("Abandoned", None, [])


@pytest.mark.usefixtures("bank")
def test_careless_answers_are_a_low_effort(api: Backend) -> None:
    attempt = completed(started(api.project, at=AT), at=AT + HOUR)
    profile = dict(Assessment.objects.get().profile or {})

    for flags, effort in (([], "ok"), (["straight_line"], "low")):
        profile["validity"] = {"flags": flags}
        Assessment.objects.update(profile=profile)
        assert answer_of(api, attempt)["Effort"] == effort


@pytest.mark.usefixtures("bank")
def test_what_has_not_ended_or_is_not_the_projects_is_not_found(api: Backend) -> None:
    in_progress = started(api.project, at=timezone.now())
    foreign = completed(started(ProjectFactory.create(), at=AT), at=AT + HOUR)
    erased = completed(started(api.project, at=AT, email="b@college.example"), at=AT + HOUR)
    erased.student.erase(actor="command:tests")

    for attempt in (in_progress, foreign, erased, Assessment(assessment_id="asm_x")):
        assert_problem(ask(api, attempt), 404, "not_found")
    assert not Assessment.objects.exclude(results_read_at=None).exists()


@pytest.mark.usefixtures("bank")
@pytest.mark.parametrize("value", [None, 5, "", [], {}, "x" * 65])
def test_an_id_that_is_none_is_a_400(api: Backend, value: Any) -> None:
    response = api.post(DETAIL, api.body(DETAIL, AssessmentId=value))

    assert response.status_code == 400


# --- reasons


def sentences_of(point: Point, language: str, names: dict[str, str]) -> list[str]:
    recommendation = {
        "reasons": [point.to_json()],
        "counterpoint": Point("unmeasured").to_json(),
        "note": "",
        "entry_level": "",
        "streams": [],
    }
    told = explanation.without_answers(recommendation)
    return explanation.texts(told, language, names)["reasons"]


@pytest.mark.parametrize("language", ["en", "hi"])
def test_no_reason_quotes_an_answer_or_rests_on_puzzles(project: Project, language: str) -> None:
    """Of every statement of a bank, and of every kind of puzzle."""
    bank = publish_field_bank()
    names = bank.names(language)
    statements = [item.code for item in bank.items.values() if "text" in item.content]

    for code in OF_STATEMENTS:
        for statement in statements:
            if statement in names:
                [text] = sentences_of(Point(code, statement, answer=5.0), language, names)
                quote = names[statement]
                assert quote[1:] not in text
    for code in ("well", "ready", "well_overall", "ready_overall"):
        for facet in FACETS:
            [text] = sentences_of(Point(code, facet, importance=2), language, names)
            assert not re.search("puzzle|पहेली", text)
