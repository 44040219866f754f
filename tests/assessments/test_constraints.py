"""The database refuses nonsense: a refused row for each named constraint."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from assessments.models import (
    Answer,
    CatalogueSnapshot,
    Item,
    ItemBank,
    LinkEvent,
    ReportedOutcome,
    Upload,
    WebhookEndpoint,
    WebhookEvent,
)
from assessments.models.private_links import PrivateLink
from assessments.models.refused_calls import RefusedCall
from measurement.scales import FACETS
from tests.factories import (
    AssessmentLinkFactory,
    AttemptFactory,
    CourseFactory,
    ProjectFactory,
    StudentFactory,
    UserFactory,
    issued_token,
)

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("bank")

student, course = StudentFactory.create, CourseFactory.create


def attempt():
    return AttemptFactory.create(started_at=AT)


def link():
    return AssessmentLinkFactory.create(issued_at=AT)


def answer(**fields):
    """Make an answer of a fresh attempt, or of the one named."""
    fields = {"attempt": fields.get("attempt") or attempt(), **fields}
    return Answer.objects.create(**{"position": 1, "item": statement(), "shown_at": AT, **fields})


def snapshot():
    return CatalogueSnapshot.objects.create(
        project=ProjectFactory.create(), digest="0" * 64, courses=[], course_counts={}, taken_at=AT
    )


def on(make, **fields):
    """Return an act that makes a row and changes columns; a function is called for the value."""

    def change():
        row = make()
        values = {name: value() if callable(value) else value for name, value in fields.items()}
        type(row)._default_manager.filter(pk=row.pk).update(**values)

    return change


def answer_again(*codes, **first):
    """Answer the first position, and then once more by each of these items."""
    attempt = answer(**first).attempt
    for code in codes:
        answer(attempt=attempt, item=Item.objects.get(code=code))


def private_link(**fields):
    started = {"attempt": attempt(), "key_digest": "0" * 64, "created_at": AT}
    lifetime = {"expires_at": AT + timedelta(days=90), "with_puzzles": False, "with_ideas": False}
    return PrivateLink.objects.create(**{**started, **lifetime, **fields})


def outcome(**fields):
    made = {"attempt": attempt(), "course_code": "BOT", "stage": "applied", "reported_at": AT}
    return ReportedOutcome.objects.create(**{**made, **fields})


def second_private_link():
    """An ended link leaves its place to one other."""
    first = private_link(ended_at=AT)
    private_link(attempt=first.attempt, key_digest="1" * 64)
    private_link(attempt=first.attempt, key_digest="2" * 64)


def refused(**fields):
    token, _ = issued_token(fields.get("project") or ProjectFactory.create())
    defaults = {"project": token.project, "access_token": token, "at": AT, "status": 400}
    return RefusedCall.objects.create(**{**defaults, **fields})


def second_row_of_a_minute():
    """Only calls over a limit share a row."""
    first = refused()
    refused(project=first.project)
    refused(project=first.project, status=429)
    refused(project=first.project, status=429)


def upload(**values):
    user, project = UserFactory.create(), ProjectFactory.create()
    return Upload.objects.create(user=user, project=project, **values)


def same_catalogue():
    values = {"digest": "1" * 64, "courses": [], "course_counts": {}, "taken_at": AT}
    for project in [snapshot().project] * 2:
        CatalogueSnapshot.objects.create(project=project, **values)


def event(**fields):
    values = {"link": fields.get("link") or link(), "number": 1, "at": AT, "kind": "opened"}
    return LinkEvent.objects.create(**{**values, **fields})


def statement():
    return Item.objects.get(code="int-vegetables")


def puzzle():
    found = Item.objects.filter(section="aptitude").first()
    assert found is not None
    return found


def endpoint(**fields):
    values = {"url": "https://hooks.example.com/", "created_at": AT, "swept_until": AT, **fields}
    return WebhookEndpoint.objects.create(project=ProjectFactory.create(), **values)


def webhook(kind="webhook.test", **fields):
    values = {"kind": kind, "happened_at": AT, "created_at": AT, **fields}
    return WebhookEvent.objects.create(endpoint=endpoint(), **values)


def webhooks_of_one(column, row, *kinds):
    for kind in kinds:
        webhook(kind, **{column: row})


ANSWERED = {"choice": 1, "answered_at": AT, "language": "en"}
RESULT = {"profile": {}, "recommendations": [], "catalogue": snapshot}
GUARDIAN = {"guardian_name": "Meena Rao", "guardian_contact": "+919876543210"}
REFUSED = {
    "student_email_unique_in_project": [
        lambda: StudentFactory.create_batch(2, project=ProjectFactory.create(), email_key="a@b.co")
    ],
    "student_details_not_empty": [
        on(student, **{column: ""}) for column in ("email_key", "email", "name", "mobile")
    ],
    "assessmentlink_used_iff_attempt": [on(link, used_at=AT), on(link, attempt=attempt)],
    "assessmentlink_expires_after_issue": [on(link, expires_at=AT)],
    "assessmentlink_details_not_empty": [on(link, name=""), on(link, mobile="")],
    "assessmentlink_cancelled_never_used": [
        on(link, used_at=AT, attempt=attempt, cancelled_at=AT)
    ],
    "assessmentlink_link_id_once": [on(link, link_id=lambda: link().link_id)],
    "assessmentlink_token_once": [on(link, token_digest=lambda: link().token_digest)],
    "attempt_assessment_id_once": [on(attempt, assessment_id=lambda: attempt().assessment_id)],
    "attempt_browser_once": [on(attempt, browser_digest=lambda: attempt().browser_digest)],
    "privatelink_key_once": [
        lambda: private_link(key_digest=private_link(ended_at=AT).key_digest)
    ],
    "attempt_one_end_only": [
        on(attempt, completed_at=AT, abandoned_at=AT, takers="both", **RESULT)
    ],
    "attempt_takers_iff_completed": [
        on(attempt, takers="both"),
        *(on(attempt, completed_at=AT, takers=takers, **RESULT) for takers in ("", "parents")),
    ],
    "attempt_filled_after_completion": [
        on(attempt, courses_filled_at=AT),
        on(attempt, completed_at=AT, courses_filled_at=AT, takers="both", **RESULT),
    ],
    "attempt_result_iff_completed": [
        on(attempt, completed_at=AT),
        on(attempt, **RESULT),
        *(on(attempt, **{column: value}) for column, value in RESULT.items()),
        on(attempt, completed_at=AT, profile={}, catalogue=snapshot),
    ],
    "attempt_finish_by_after_start": [on(attempt, finish_by_at=AT)],
    "attempt_consent_version_not_empty": [on(attempt, consent_version="")],
    "attempt_hidden_until_needs_continuation": [
        on(attempt, answers_hidden_until=AT),
        on(attempt, continuations=-1),
        on(attempt, continuations=-1, answers_hidden_until=AT),
    ],
    "attempt_stream_known": [on(attempt, stream="maths")],
    "attempt_guardian_iff_minor": [
        on(attempt, is_minor=True),
        on(attempt, **GUARDIAN),
        *(
            on(attempt, is_minor=is_minor, **{column: value})
            for is_minor in (True, False, None)
            for column, value in GUARDIAN.items()
        ),
    ],
    "attempt_retention_in_range": [on(attempt, retention_months=n) for n in (0, 25)],
    "privatelink_one_not_ended_per_attempt": [second_private_link],
    "privatelink_expires_after_creation": [lambda: private_link(expires_at=AT)],
    "reportedoutcome_stage_known": [lambda: outcome(stage="hired")],
    "reportedoutcome_course_not_empty": [lambda: outcome(course_code="")],
    "refusedcall_limit_once_a_minute": [second_row_of_a_minute],
    "refusedcall_count": [
        lambda: refused(count=2),
        lambda: refused(status=429, count=0),
        lambda: refused(status=401, count=0),
    ],
    "answer_one_current_per_position": [
        lambda: answer_again("int-phone"),
        # A replaced row leaves its position to one other, which keeps it.
        lambda: answer_again("int-phone", "int-crane", replaced_at=AT),
    ],
    "answer_replaced_has_no_choice": [
        on(lambda: answer(**ANSWERED), replaced_at=AT),
        on(lambda: answer(replaced_at=AT), **ANSWERED),
    ],
    "answer_one_per_item": [lambda: answer(attempt=answer().attempt, position=2)],
    "answer_choice_iff_answered": [
        on(answer, choice=1),
        on(answer, answered_at=AT),
        on(answer, language="en"),
        on(lambda: answer(**ANSWERED), language=""),
    ],
    "answer_position_from_1": [on(answer, position=0)],
    "itembank_version_not_empty": [on(lambda: ItemBank.objects.get(), version="")],
    "item_code_unique_in_bank": [on(statement, code="int-phone")],
    "item_order_unique_in_bank": [on(statement, order=2)],
    "item_section_known": [on(statement, section="arithmetic")],
    "item_keyed_plus_or_minus": [on(statement, keyed=0)],
    "item_key_and_parameters_iff_aptitude": [
        on(statement, key=1), on(statement, a=1.0), on(puzzle, key=None), on(puzzle, b=None)
    ],
    "course_code_unique_in_project": [
        lambda: CourseFactory.create_batch(2, project=ProjectFactory.create(), code="A")
    ],
    "course_code_and_name_not_empty": [on(course, code=""), on(course, name="")],
    "course_fields_at_most_3_and_proposed_not_empty": [
        on(course, fields=["art", "design", "media", "writing"]),
        on(course, fields=[], fields_proposed=True, is_active=False),
    ],
    "course_active_has_a_field": [on(course, fields=[])],
    "course_levels_at_most_3": [
        on(course, **{f"{facet}_level": 4, f"{facet}_importance": 1}) for facet in FACETS
    ],
    "course_importances_at_most_2": [
        on(course, **{f"{facet}_level": 1, f"{facet}_importance": 3}) for facet in FACETS
    ],
    **{
        f"course_{facet}_level_iff_importance": [
            on(course, **{f"{facet}_{what}": 1}) for what in ("level", "importance")
        ]
        for facet in FACETS
    },
    "course_addresses_are_http": [
        on(course, **{column: text})
        for column in ("url", "apply_url")
        for text in ("javascript:alert(1)", "college.example.edu")
    ],
    "course_entry_level_known": [on(course, entry_level="class-8")],
    "cataloguesnapshot_once_per_catalogue": [same_catalogue],
    "upload_kind_known": [lambda: upload(kind="items")],
    "linkevent_number_once": [lambda: event(link=event().link)],
    "linkevent_at_most_20": [lambda: event(number=0), lambda: event(number=21)],
    "linkevent_kind_known": [lambda: event(kind="fetched"), lambda: event(kind="")],
    "webhookendpoint_url_not_empty": [lambda: endpoint(url="")],
    "webhookendpoint_version_positive": [lambda: endpoint(secret_version=0)],
    "webhookendpoint_previous_needs_one": [lambda: endpoint(previous_until=AT)],
    "webhookendpoint_why_needs_off": [lambda: endpoint(switched_off_why="moving")],
    "webhookevent_attempt_once": [
        lambda: webhooks_of_one(
            "attempt", attempt(), "assessment.completed", "assessment.abandoned"
        )
    ],
    "webhookevent_link_once": [
        lambda: webhooks_of_one("link", link(), "link.expired", "link.expired")
    ],
    "webhookevent_about_what_it_says": [
        partial(webhook, "assessment.completed"),
        *(partial(webhook, "link.expired"), partial(webhook, "link.opened")),
        lambda: webhook(link=link()),
    ],
    "webhookevent_delivered_not_queued": [lambda: webhook(delivered_at=AT, queued_at=AT)],
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_it_refuses(name):
    for act in REFUSED[name]:
        with pytest.raises(IntegrityError) as refused, transaction.atomic():
            act()
        # SQLite names the columns of a broken unique constraint, not the constraint
        if connection.vendor == "postgresql" or "UNIQUE" not in str(refused.value):
            assert name in str(refused.value)


def test_every_named_constraint_has_a_refused_row():
    named = {
        constraint.name
        for model in apps.get_app_config("assessments").get_models()
        for constraint in model._meta.constraints
    }

    assert named == REFUSED.keys()


def test_it_refuses_a_version_of_a_bank_twice():
    version = attempt().bank.version

    with pytest.raises(IntegrityError), transaction.atomic():
        ItemBank.objects.create(version=version, digest="x", definition={}, published_at=AT)


def test_what_others_refer_to_is_not_deleted():
    used = attempt()
    answer(attempt=used)
    AssessmentLinkFactory.create(student=used.student, used_at=AT, attempt=used, issued_at=AT)

    for row in (used, used.student, used.student.project, statement()):
        with pytest.raises(IntegrityError), transaction.atomic():
            row.delete()
