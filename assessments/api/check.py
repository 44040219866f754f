"""check-credentials: whether a token works, and the settings of its project."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import (
    BooleanField,
    CharField,
    DateTimeField,
    IntegerField,
    Serializer,
)

from assessments.api import schema
from assessments.api.operation import PartnerOperation
from assessments.api.serializers import ProjectId
from partners.times import rfc3339
from tokens.limits import LINKS, RESULTS, rate_of
from tokens.models import AccessToken


class CheckRequest(Serializer[Any]):
    """The body of a call of check-credentials."""

    projectId = ProjectId()


class Credentials(Serializer[Any]):
    """A token that works, and what its project allows."""

    Project = CharField(help_text="The project's name, as students see it.")
    TokenLabel = CharField(help_text="What the token is used for, as support noted it.")
    TokenExpiresAt = DateTimeField(
        allow_null=True, help_text="When the token stops working; null if it does not expire."
    )
    RotatedAt = DateTimeField(
        allow_null=True,
        help_text="When the token got a successor; null if it has none. It then works until "
        "`TokenExpiresAt`: switch to its successor.",
    )
    LinksPerMinute = IntegerField(help_text="Calls of get-redirect-url that you may make.")
    ResultsPerMinute = IntegerField(help_text="Calls of get-assessments-info that you may make.")
    StartByMinutes = IntegerField(help_text="How long a student can start a link.")
    FinishByHours = IntegerField(help_text="How long a student can continue an assessment.")
    RetentionMonths = IntegerField(help_text="We delete an assessment this long after its end.")
    ActiveCourses = IntegerField(help_text="Courses that can be recommended.")
    Test = BooleanField(help_text="Whether this is a test project.")


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
        token, _ = self.validated(request)
        return Response(credentials(token))


def credentials(token: AccessToken) -> dict[str, Any]:
    """Return the wire form of a token that works, and of its project's settings."""
    project = token.project
    return {
        "Project": project.name,
        "TokenLabel": token.label,
        "TokenExpiresAt": token.expires_at and rfc3339(token.expires_at),
        "RotatedAt": token.rotated_at and rfc3339(token.rotated_at),
        "LinksPerMinute": rate_of(project, LINKS),
        "ResultsPerMinute": rate_of(project, RESULTS),
        "StartByMinutes": project.start_by_minutes,
        "FinishByHours": project.finish_by_hours,
        "RetentionMonths": project.retention_months,
        "ActiveCourses": project.courses.active().count(),
        "Test": project.is_test,
    }
