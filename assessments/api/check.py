"""check-credentials: whether a token works, and the settings of its project."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    BooleanField,
    CharField,
    IntegerField,
    Serializer,
)

from assessments.api import schema
from assessments.api.operation import PartnerOperation
from assessments.api.serializers import Moment, ProjectId
from tokens.limits import LINKS, RESULTS, rate_of


class CheckRequest(Serializer[Any]):
    """The body of a call of check-credentials."""

    projectId = ProjectId()


class Rate(IntegerField):
    """The calls a minute that a project may make under a limit."""

    def __init__(self, limit: str, **kwargs: Any) -> None:
        super().__init__(source="project", **kwargs)
        self.limit = limit

    def to_representation(self, value: Any) -> int:
        return rate_of(value, self.limit)


class Credentials(Serializer[Any]):
    """A token that works, and what its project allows."""

    Project = CharField(source="project.name", help_text="The project's name, as students see it.")
    TokenLabel = CharField(
        source="label", help_text="What the token is used for, as support noted it."
    )
    TokenExpiresAt = Moment(
        source="expires_at",
        allow_null=True,
        help_text="When the token stops working; null if it does not expire.",
    )
    RotatedAt = Moment(
        source="rotated_at",
        allow_null=True,
        help_text="When the token got a successor; null if it has none. It then works until "
        "`TokenExpiresAt`: switch to its successor.",
    )
    LinksPerMinute = Rate(LINKS, help_text="Calls of get-redirect-url that you may make.")
    ResultsPerMinute = Rate(RESULTS, help_text="Calls of get-assessments-info that you may make.")
    StartByMinutes = IntegerField(
        source="project.start_by_minutes", help_text="How long a student can start a link."
    )
    FinishByHours = IntegerField(
        source="project.finish_by_hours", help_text="How long a student can continue an assessment."
    )
    RetentionMonths = IntegerField(
        source="project.retention_months",
        help_text="We delete an assessment this long after its end.",
    )
    ActiveCourses = IntegerField(
        source="project.courses.active.count", help_text="Courses that can be recommended."
    )
    Test = BooleanField(source="project.is_test", help_text="Whether this is a test project.")


class CheckCredentials(PartnerOperation):
    name = "check-credentials"
    serializer_class = CheckRequest

    @schema.operation(
        "checkCredentials",
        "Check your credentials",
        "Answers 200 if the token works for the project, with its dates and the project's "
        "settings. Call it when you deploy, and alert on `TokenExpiresAt`.",
        Credentials,
        request={"projectId": schema.PROJECT_ID},
        answer={
            "Project": "Riverside College, admissions",
            "TokenLabel": "CRM, production",
            "TokenExpiresAt": None,
            "RotatedAt": None,
            "LinksPerMinute": 300,
            "ResultsPerMinute": 600,
            "StartByMinutes": 4320,
            "FinishByHours": 24,
            "RetentionMonths": 24,
            "ActiveCourses": 42,
            "Test": False,
        },
    )
    def post(self, request: Request) -> Response:
        token, _ = self.caller_and_data(request)
        return Response(Credentials(token).data)
