"""list-assessments, get-assessment-detail and report-outcome."""

from datetime import datetime
from typing import Any

from django.core import signing
from django.http import HttpResponse
from django.utils import timezone
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    DateTimeField,
    IntegerField,
    ListField,
)

from assessments.api.operation import PartnerOperation, as_json
from assessments.api.serializers import (
    Call,
    EitherRequest,
    NullIfEmpty,
    Record,
    ResponseBody,
    Text,
    json_type,
)
from assessments.models import feed, partner_results
from assessments.models.attempts import Attempt
from assessments.models.courses import Course
from assessments.models.ended import End
from assessments.models.feed import START, Place
from assessments.models.reported_outcomes import ReportedOutcome, Stage
from measurement import explanation
from measurement.validity import INTERESTS

MAX_ATTEMPTS, DEFAULT_ATTEMPTS = 200, 100  # in one answer
MAX_CURSOR, SALT = 200, "assessments.feed "
CURSOR: Any = {"max_length": MAX_CURSOR, "required": False, "allow_null": True}
INVALID_CURSOR = (
    "This is no `NextCursor` of this project, or not all of one. Leave it out to start from the "
    "beginning."
)
TWO_CURSORS = "Send `cursor` or `NextCursor`, not both."
UNKNOWN_COURSE = "The project has no course with this code."
ENDED_AT_HELP = "When it was completed, left or closed, or its finish-by if nobody finished it."
ASSESSMENT_ID = "The id of an ended attempt, as in get-assessments-info."
NO_ATTEMPT = (
    "Your project has no ended attempt with this `AssessmentId`. An attempt in progress has not "
    "ended: see get-student-status."
)
NO_COMPLETED_ATTEMPT = (
    "Your project has no completed attempt with this `{}`. Check it; get-student-status has all "
    "attempts of an address."
)
STAGES = f"Give {' or '.join(f'`{stage}`' for stage in Stage.values)}."


class Limit(IntegerField):
    """A whole number. `true` and "10" are refused."""

    default_error_messages = {
        "invalid": f"Give a whole number from 1 to {MAX_ATTEMPTS}, but this is {{type}}."
    }

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            decimals = " with decimals" if isinstance(data, float) else ""
            self.fail("invalid", type=f"{json_type(data)}{decimals}")
        return super().to_internal_value(data)


class FeedRequest(Call):
    cursor = Text(
        "The `NextCursor` of an earlier answer. Leave it out to start from the first.", **CURSOR
    )
    NextCursor = Text("The same under its other name. Send one of the two.", **CURSOR)
    limit = Limit(
        min_value=1,
        max_value=MAX_ATTEMPTS,
        default=DEFAULT_ATTEMPTS,
        allow_null=True,
        help_text="The most attempts in the answer.",
    )

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        sent = [name for name in ("cursor", "NextCursor") if fields.get(name) is not None]
        if len(sent) > 1:
            raise ValidationError({sent[1]: [TWO_CURSORS]})
        fields["after"] = START
        for name in sent:
            try:
                fields["after"] = place_of(fields["projectId"], fields[name])
            except signing.BadSignature:
                raise ValidationError({name: [INVALID_CURSOR]}) from None
        return fields


class EndedAssessment(Record):
    """An ended attempt and its student."""

    Email = CharField(help_text="The student's e-mail address, as you gave it last.")
    Reference = NullIfEmpty(
        allow_null=True,
        help_text="The `X-Reference` of the link that started the attempt; null without one.",
    )
    EndedAt = DateTimeField(help_text=ENDED_AT_HELP)


class Feed(ResponseBody):
    """A page of ended attempts."""

    Assessments = EndedAssessment(
        many=True,
        help_text="In the order of `EndedAt`. Fewer than `limit`: these are all for now. An "
        "attempt that got its courses later comes once more, in its place by that time: the latest "
        "record counts.",
    )
    NextCursor = CharField(
        max_length=MAX_CURSOR,
        help_text="Send it, as `cursor` or `NextCursor`, to continue after these, now or later. "
        "It stays valid unless we change a key: then the answer is a 400, and you start without "
        "one.",
    )


class ListAssessments(PartnerOperation):
    name = "list-assessments"
    serializer_class = FeedRequest

    def post(self, request: Request) -> HttpResponse:
        token, fields = self.caller_and_data(request)
        attempts = feed.page(token.project_id, fields["after"], fields["limit"] or DEFAULT_ATTEMPTS)
        partner_results.note_read(attempts, timezone.now())
        after = fields["after"]
        if attempts:
            last: Any = attempts[-1]
            after = Place(last.listed_at, last.pk)
        cursor = cursor_of(fields["projectId"], after)
        return as_json(Feed({"assessments": attempts, "next_cursor": cursor}).data)


def cursor_of(project_id: str, place: Place) -> str:
    return signing.dumps([place.listed_at.isoformat(), place.pk], salt=SALT + project_id)


def place_of(project_id: str, cursor: str) -> Place:
    """Return the place of a cursor. Raise BadSignature unless this project got it."""
    listed_at, pk = signing.loads(cursor, salt=SALT + project_id)
    return Place(datetime.fromisoformat(listed_at), pk)


# Without End.ERASED: partners can't ask for attempts of erased students.
END_REASONS = {
    End.COMPLETED: "completed",
    End.LEFT: "left",
    End.REPLACED: "started_again",
    End.LATE: "late",
    End.CLOSED: "closed",
}


class DetailRequest(Call):
    AssessmentId = Text(ASSESSMENT_ID)


class RecommendedCourse(ResponseBody):
    """A recommended course, and why."""

    Code = CharField(help_text="The course's code in your catalogue.")
    Name = CharField(help_text="Its name at completion, as in `Recommendations`.")
    Group = ChoiceField(
        ["best", "also"],
        help_text="`best`: among the best matches, which fit well. `also`: also worth a look.",
    )
    Reasons = ListField(
        child=CharField(),
        help_text="Sentences to the student, in the language of the attempt. They quote no "
        "answer and tell no score, so the student's own page says more.",
    )


class Outcome(ResponseBody):
    """What became of the student, as you reported it."""

    CourseCode = CharField(help_text="The course's code in your catalogue.")
    Stage = ChoiceField(Stage.values, help_text="`applied` or `enrolled`.")
    ReportedAt = DateTimeField(help_text="When you reported it last.")


class AssessmentDetail(Record):
    """An attempt that has ended, in detail."""

    StartedAt = DateTimeField(help_text="When the student pressed Start.")
    EndedAt = DateTimeField(source="ends_at", help_text=ENDED_AT_HELP)
    EndReason = ChoiceField(
        list(END_REASONS.values()),
        help_text="`completed`; `left` by the student; `started_again` with a newer link; `late`: "
        "not finished in time; `closed` by support.",
    )
    Language = CharField(help_text="`en` or `hi`.")
    Effort = ChoiceField(
        ["ok", "low"],
        allow_null=True,
        help_text="`low` if the answers about what the student would like to do look careless, for "
        "example very quick, all alike, or contradicting each other. The courses rest on these, so "
        "read them with care: none is a `best` match. Puzzles or study habits answered in a hurry "
        "don't make it low: the courses then leave them out. Null if the student did not finish.",
    )
    Courses = RecommendedCourse(
        many=True, help_text="The courses of `Recommendations`, in the same order."
    )
    Considered = ListField(
        child=CharField(),
        help_text="The codes of up to three courses that the student was thinking of before the "
        "result. Empty if they named none.",
    )
    Outcome = Outcome(
        allow_null=True, help_text="What you reported with `report-outcome`, or null."
    )


class GetAssessmentDetail(PartnerOperation):
    name = "get-assessment-detail"
    serializer_class = DetailRequest

    def post(self, request: Request) -> HttpResponse:
        token, fields = self.caller_and_data(request)
        at = timezone.now()
        attempt: Any = (
            Attempt.objects.ended(at)
            .select_related("student", "reported_outcome")
            .with_progress()
            .with_end()
            .filter(assessment_id=fields["AssessmentId"], student__project=token.project)
            .first()
        )
        if attempt is None or attempt.student.is_erased:
            raise NotFound(NO_ATTEMPT)
        partner_results.note_read([attempt], at)
        attempt.end_reason = END_REASONS[attempt.kind_of_end(at)]
        effort = "low" if INTERESTS in attempt.validity.doubts else "ok"
        attempt.effort = effort if attempt.completed_at else None
        attempt.courses = explain_courses(attempt)
        attempt.considered = attempt.considered or []
        attempt.outcome = getattr(attempt, "reported_outcome", None)
        return as_json(AssessmentDetail(attempt).data)


def explain_courses(attempt: Attempt) -> list[dict[str, Any]]:
    """Return what RecommendedCourse reads, the best match first."""
    recommendations = attempt.recommendations or []
    best = explanation.count_best_matches(recommendations)
    names = attempt.cached_bank.names(attempt.language)
    return [
        {
            "code": each["code"],
            "name": each["name"],
            "group": "best" if place < best else "also",
            "reasons": explanation.course_texts(
                explanation.without_answers(each), attempt.language, names
            )["reasons"],
        }
        for place, each in enumerate(recommendations)
    ]


class StageText(Text):
    max_length = 16
    default_error_messages = dict.fromkeys(("required", "blank", "too_long", "invalid"), STAGES)

    @staticmethod
    def read(text: str) -> str:
        return Stage(text).value


class OutcomeRequest(EitherRequest):
    other = "AssessmentId"
    AssessmentId = Text("The id of a completed attempt.", required=False)
    CourseCode = Text(
        "The course's code in your catalogue, as support loaded it. Case does not matter."
    )
    Stage = StageText("`enrolled` beats `applied`, whichever came first.")


class ReportOutcome(PartnerOperation):
    name = "report-outcome"
    serializer_class = OutcomeRequest

    def post(self, request: Request) -> HttpResponse:
        token, fields = self.caller_and_data(request)
        try:
            ReportedOutcome.objects.report(
                token.project,
                course_code=fields["CourseCode"],
                stage=fields["Stage"],
                email=fields.get("email", ""),
                assessment_id=fields.get("AssessmentId", ""),
            )
        except Attempt.DoesNotExist:
            by = "AssessmentId" if "AssessmentId" in fields else "email"
            raise NotFound(NO_COMPLETED_ATTEMPT.format(by)) from None
        except Course.DoesNotExist:
            raise ValidationError({"CourseCode": [UNKNOWN_COURSE]}) from None
        return as_json({"Recorded": True})
