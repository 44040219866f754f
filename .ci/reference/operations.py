"""What partners read about each operation. Its name, limit and request are those of the view.

The fields' texts are the `help_text` of the serializers; examples/ has a call of each.
"""

from __future__ import annotations

from drf_spectacular.utils import (
    OpenApiParameter,
    extend_schema_field,
    extend_schema_serializer,
    inline_serializer,
)
from rest_framework.serializers import BooleanField, IntegerField, URLField

from assessments.api import ended_attempts, serializers
from assessments.api.diagnostics import (
    CheckCredentials,
    Credentials,
    GetRecentFailures,
    RecentFailures,
)
from assessments.api.ended_attempts import (
    AssessmentDetail,
    Feed,
    GetAssessmentDetail,
    ListAssessments,
    ReportOutcome,
)
from assessments.api.links_and_results import REFERENCE, GetAssessmentsInfo, GetRedirectUrl
from assessments.api.student_links import CancelLinks, GetStudentStatus, StudentStatus
from assessments.models.refused_calls import MAX_SHOWN
from assessments.models.reported_outcomes import Stage
from reference.schema import FAILURES, Operation, header

# Subclasses would inherit the name.
extend_schema_serializer(component_name="Assessment")(serializers.Record)
for each in (ended_attempts.EndedAssessment, AssessmentDetail):
    extend_schema_serializer(component_name=each.__name__)(each)
extend_schema_field({"type": "string", "enum": Stage.values})(ended_attempts.StageText)

# Answers for which the view needs no serializer.
RedirectUrl = inline_serializer(
    "RedirectUrl",
    {
        "redirect-url": URLField(
            help_text="The link for the student. It expires and works once: open it in a new tab, "
            "and don't cache it or use it for another student."
        )
    },
)


class Cancelled(serializers.ResponseBody):
    """How many links a call cancelled."""

    Cancelled = IntegerField(
        min_value=0,
        help_text="How many links this call cancelled. Links that were cancelled before, have "
        "expired or were started are not counted.",
    )


class Recorded(serializers.ResponseBody):
    """That an outcome was recorded."""

    Recorded = BooleanField(help_text="Always true.")


OPERATIONS = (
    Operation(
        GetRedirectUrl,
        "Get a link for a student",
        "Returns a new single-use link to the assessment for one student. Every call makes a new "
        "link, even for the same student; earlier unused links stay valid until they expire. "
        "After a timeout, just call again.",
        RedirectUrl,
        answer_name="link",
        answered="The link.",
        headers=[
            OpenApiParameter(
                REFERENCE,
                {"type": "string", "pattern": "^[A-Za-z0-9._:-]{1,64}$"},
                location="header",
                description="Your own id for the student or application: 1 to 64 of "
                "`A-Z a-z 0-9 . _ : -`. get-student-status returns it with the link, and "
                "list-assessments with the attempt. Don't send a name or an address, nor an empty "
                "header or a word such as `undefined`: that is a 400, and there is no link.",
            ),
            header("X-Link-Id", "The id of the link, for cancel-links.", [200]),
        ],
    ),
    Operation(
        GetAssessmentsInfo,
        "Get a student's results",
        f"Returns at most {serializers.MAX_RESULTS} completed and abandoned attempts of one e-mail "
        "address in your project; the one that started last comes first. Open attempts are not "
        "included. If no attempt has ended, or we don't know the address, the answer is `[]`. We "
        "delete an attempt at most 24 months after it ended, or earlier if agreed for the project "
        "or if the student asks: copy what you need.",
        serializers.Record(many=True),
        answered="The attempts that have ended.",
    ),
    Operation(
        GetStudentStatus,
        "Get a student's progress",
        "Returns the links and attempts of one e-mail address in your project, in any state. "
        "Both lists are empty if we don't know the address. To show what to do next, look at "
        "`Advice` of the newest link.",
        StudentStatus,
    ),
    Operation(
        ListAssessments,
        "List ended attempts",
        "Returns the attempts of all students of your project that have ended, in the order of "
        "their ends. Store `NextCursor` with what you read, and send it with the next call: you "
        "get every attempt once. If an answer has fewer than `limit`, wait a minute.\n\n"
        "An attempt appears a minute after its end, rarely later. If your project had no courses "
        "then and support adds them later, it comes once more with its `Recommendations`, in its "
        "place by that time; `EndedAt` stays. So store by `AssessmentId`: the latest counts.\n\n"
        "Reading takes nothing out of the list: the same cursor gives the same attempts again. The "
        "first time that this operation, get-assessments-info or get-assessment-detail returns an "
        "attempt, we note that you read it; only `Advice` of get-student-status shows that.",
        Feed,
    ),
    Operation(
        GetAssessmentDetail,
        "Get an attempt in detail",
        "Returns one ended attempt: how and when it ended, and the recommended courses with "
        "their codes and reasons. An attempt in progress, an unknown one or another project's "
        "is a 404. Scores are not given.",
        AssessmentDetail,
    ),
    Operation(
        CancelLinks,
        "Cancel links",
        "Cancels one unused link by `LinkId`, or all unused links of one student by `email`: send "
        "exactly one of them. A cancelled link cannot be started, and its page says so. Use it "
        "after a mistyped address.\n\n"
        "By `LinkId`, a link that was started is a 409 `link_in_use`, and an unknown one a 404. By "
        "`email`, links that were started are left alone, and an unknown address gives 0. Safe to "
        "repeat: the second call answers 0.",
        Cancelled,
        failures=(*FAILURES, 409),
    ),
    Operation(
        ReportOutcome,
        "Report an outcome",
        "Says which course a student applied for or enrolled in, so that recommendations can be "
        "compared with what became of them. Send exactly one of `AssessmentId` and `email`, which "
        "means the student's newest completed attempt. An attempt has one outcome: "
        "`enrolled` beats `applied`, else your newest call counts. Safe to repeat.\n\n"
        "An unknown student, one without a completed attempt, an attempt that was not completed "
        "and another project's are a 404.",
        Recorded,
    ),
    Operation(
        CheckCredentials,
        "Check your credentials",
        "Answers 200 if the token works for the project, with its dates and the project's "
        "settings. Call it when you deploy, and alert on `TokenExpiresAt`.",
        Credentials,
    ),
    Operation(
        GetRecentFailures,
        "See your refused calls",
        f"Returns the last {MAX_SHOWN} refused calls of the last 7 days, of any token of the "
        "project: 400, 401 with a `reason`, 404, 409 and 429. Calls with a wrong secret are not "
        "among them, nor is a 404 for a wrong path or a 405. A refusal appears here within "
        "seconds; a few may be missing after a fault on our side.",
        RecentFailures,
    ),
)
