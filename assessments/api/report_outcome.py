"""report-outcome: what became of a student in the end."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BooleanField, Serializer

from assessments.api import schema
from assessments.api.detail import AssessmentId
from assessments.api.operation import NotFound, PartnerOperation
from assessments.api.serializers import Email, ProjectId, Text, opaque_text
from assessments.models.attempts import Assessment
from assessments.models.reported_outcomes import ReportedOutcome, Stage, UnknownCourse

NEITHER = "Send `AssessmentId` or `email`."
BOTH = "Send `AssessmentId` or `email`, not both."
UNKNOWN = "The project has no course with this code."


@opaque_text("The course's code in your catalogue. Case does not matter.")
class CourseCode(Text):
    max_length = 64


@extend_schema_field(
    {
        "type": "string",
        "enum": Stage.values,
        "description": "`enrolled` beats `applied`, whichever came first.",
    }
)
class StageText(Text):
    max_length = 16

    def read(self, text: str) -> str:
        return Stage(text).value


class OutcomeRequest(Serializer[Any]):
    """The body of a call of report-outcome."""

    projectId = ProjectId()
    AssessmentId = AssessmentId(required=False)
    email = Email(required=False)
    CourseCode = CourseCode()
    Stage = StageText()

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        if "AssessmentId" in fields and "email" in fields:
            raise ValidationError({"email": [ErrorDetail(BOTH, "invalid")]})
        if "AssessmentId" not in fields and "email" not in fields:
            raise ValidationError({"AssessmentId": [ErrorDetail(NEITHER, "required")]})
        return fields


class Recorded(Serializer[Any]):
    """That an outcome was recorded."""

    Recorded = BooleanField(help_text="Always true.")


class ReportOutcome(PartnerOperation):
    name = "report-outcome"
    serializer_class = OutcomeRequest

    @schema.operation(
        "reportOutcome",
        "Report an outcome",
        "Says which course a student applied for or enrolled in, so that recommendations can be "
        "compared with what became of them. Send exactly one of `AssessmentId` and `email`, which "
        "means the student's newest completed assessment. An assessment has one outcome: "
        "`enrolled` beats `applied`, else your newest call counts. Safe to repeat.\n\n"
        "An unknown student, one without a completed assessment and another project's assessment "
        "are a 404.",
        Recorded,
        request={
            "projectId": schema.PROJECT_ID,
            "email": "asha.rao@example.com",
            "CourseCode": "BSC-PHY",
            "Stage": "enrolled",
        },
        answer={"Recorded": True},
    )
    def post(self, request: Request) -> Response:
        token, fields = self.caller_and_data(request)
        try:
            ReportedOutcome.objects.report(
                token.project,
                course_code=fields["CourseCode"],
                stage=fields["Stage"],
                email=fields.get("email", ""),
                assessment_id=fields.get("AssessmentId", ""),
            )
        except Assessment.DoesNotExist:
            raise NotFound from None
        except UnknownCourse:
            raise ValidationError({"CourseCode": [ErrorDetail(UNKNOWN, "invalid")]}) from None
        return Response({"Recorded": True})
