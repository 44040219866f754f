"""get-assessment-detail: one ended attempt, with its courses and the reasons for them."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_serializer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import CharField, ChoiceField, ListField, Serializer

from assessments.api import schema
from assessments.api.operation import NotFound, PartnerOperation
from assessments.api.serializers import Moment, ProjectId, Record, Text, opaque_text
from assessments.models import outcomes
from assessments.models.attempts import Assessment
from assessments.models.ends import End
from assessments.models.reported_outcomes import Stage
from assessments.models.retention import ENDED_AT
from measurement import explanation

# The erasure of a student leaves an attempt that no partner can name.
END_REASONS = {
    End.COMPLETED: "completed",
    End.LEFT: "left",
    End.REPLACED: "started_again",
    End.LATE: "late",
    End.CLOSED: "closed",
}


@opaque_text("The id of an ended assessment, as in get-assessments-info.")
class AssessmentId(Text):
    max_length = 64


class DetailRequest(Serializer[Any]):
    """The body of a call of get-assessment-detail."""

    projectId = ProjectId()
    AssessmentId = AssessmentId()


class RecommendedCourse(Serializer[Any]):
    """A recommended course, and why."""

    Code = CharField(source="code", help_text="The course's code in your catalogue.")
    Name = CharField(source="name", help_text="Its name at completion, as in `Recommendations`.")
    Group = ChoiceField(
        ["best", "also"],
        source="group",
        help_text="`best`: among the best matches. `also`: also worth a look.",
    )
    Reasons = ListField(
        child=CharField(),
        source="reasons",
        help_text="Sentences to the student, in the language of the assessment. They quote no "
        "answer and tell no score, so the student's own page says more.",
    )


class Outcome(Serializer[Any]):
    """What became of the student, as you reported it."""

    CourseCode = CharField(source="course_code", help_text="The course's code in your catalogue.")
    Stage = ChoiceField(Stage.values, source="stage", help_text="`applied` or `enrolled`.")
    ReportedAt = Moment(source="reported_at", help_text="When you reported it last.")


class EndReason(ChoiceField):
    def to_representation(self, value: Any) -> str:
        return END_REASONS[value.end_at(self.context["at"])]


class Effort(ChoiceField):
    def to_representation(self, value: Any) -> Any:
        if not value.completed_at:
            return None
        return "low" if value.flags else "ok"


@extend_schema_serializer(component_name="AssessmentDetail")
class AssessmentDetail(Record):
    """An attempt that has ended, in detail."""

    # Needs `with_progress()`, `with_end()`, `ended_at`, `courses`, `named` and `outcome`, and `at`
    # in the context.

    StartedAt = Moment(source="started_at", help_text="When the student pressed Start.")
    EndedAt = Moment(
        source="ended_at",
        help_text="When it was completed, left or closed, or its finish-by if nobody finished it.",
    )
    EndReason = EndReason(
        list(END_REASONS.values()),
        source="*",
        help_text="`completed`; `left` by the student; `started_again` with a newer link; `late`: "
        "not finished in time; `closed` by support.",
    )
    Language = CharField(source="language", help_text="`en` or `hi`.")
    Effort = Effort(
        ["ok", "low"],
        source="*",
        allow_null=True,
        help_text="`low` if the answers look careless, for example all alike or very quick: read "
        "the courses with care. Null if the student did not finish.",
    )
    Courses = RecommendedCourse(
        many=True,
        source="courses",
        help_text="The courses of `Recommendations`, in the same order.",
    )

    Considered = ListField(
        child=CharField(),
        source="named",
        help_text="The codes of up to three courses that the student was thinking of before the "
        "result. Empty if they named none.",
    )
    Outcome = Outcome(
        source="outcome",
        allow_null=True,
        help_text="What you reported with `report-outcome`, or null.",
    )


class GetAssessmentDetail(PartnerOperation):
    name = "get-assessment-detail"
    serializer_class = DetailRequest

    @schema.operation(
        "getAssessmentDetail",
        "Get an assessment in detail",
        "Returns one ended assessment: how and when it ended, and the recommended courses with "
        "their codes and reasons. An assessment in progress, an unknown one or another project's "
        "is a 404. Scores are not given.",
        AssessmentDetail,
        request={"projectId": schema.PROJECT_ID, "AssessmentId": "asm_xxxxxxxxxxxxxxxx"},
        answer={
            "AssessmentId": "asm_xxxxxxxxxxxxxxxx",
            "Status": "Completed",
            "Recommendations": ["B.Sc. Physics"],
            "AssessmentDuration": "24m 7s",
            "StartedAt": "2026-11-23T08:41:30Z",
            "EndedAt": "2026-11-23T09:05:37Z",
            "EndReason": "completed",
            "Language": "en",
            "Effort": "ok",
            "Courses": [
                {
                    "Code": "BSC-PHY",
                    "Name": "B.Sc. Physics",
                    "Group": "best",
                    "Reasons": ["You enjoy physics and space. Expect a good deal of it here."],
                }
            ],
            "Considered": ["BSC-PHY"],
            "Outcome": None,
        },
    )
    def post(self, request: Request) -> Response:
        token, fields = self.caller_and_data(request)
        at = timezone.now()
        ended = Assessment.objects.finished(at).annotate(ended_at=ENDED_AT)
        attempt: Any = (
            ended.select_related("student", "reported_outcome")
            .with_progress()
            .with_end()
            .filter(assessment_id=fields["AssessmentId"], student__project=token.project)
            .first()
        )
        if attempt is None or attempt.student.is_erased:
            raise NotFound
        outcomes.note_read([attempt], at)
        attempt.courses = explained_courses(attempt)
        attempt.named = attempt.considered or []
        attempt.outcome = getattr(attempt, "reported_outcome", None)
        return Response(AssessmentDetail(attempt, context={"at": at}).data)


def explained_courses(attempt: Assessment) -> list[dict[str, Any]]:
    """Return the recommended courses in order, with what RecommendedCourse shows of them."""
    recommendations = attempt.recommendations or []
    best = explanation.best_matches(recommendations)
    names = attempt.cached_bank.names(attempt.language)
    return [
        {
            "code": each["code"],
            "name": each["name"],
            "group": "best" if place < best else "also",
            "reasons": explanation.texts(
                explanation.without_answers(each), attempt.language, names
            )["reasons"],
        }
        for place, each in enumerate(recommendations)
    ]
