"""The database refuses nonsense: a refused row for each named constraint."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from assessments.measurement.scales import FACETS
from assessments.models import (
    Answer,
    Assessment,
    AssessmentLink,
    CatalogueSnapshot,
    Course,
    Item,
    ItemBank,
    LinkEvent,
    Student,
)
from assessments.models.private_links import PrivateLink
from assessments.models.refused_calls import RefusedCall
from tests.assessments.webhooks import refused_rows
from tests.factories import (
    AssessmentFactory,
    AssessmentLinkFactory,
    CourseFactory,
    ProjectFactory,
    StudentFactory,
    issued_token,
)

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("bank")


def student() -> Student:
    return StudentFactory.create()


def attempt() -> Assessment:
    return AssessmentFactory.create(started_at=AT)


def link() -> AssessmentLink:
    return AssessmentLinkFactory.create(issued_at=AT)


def answer(**fields: Any) -> Answer:
    """Make an answer of a fresh attempt, or of the one named."""
    first = Item.objects.get(code="int-vegetables")
    values = {"position": 1, "item": first, "shown_at": AT, **fields}
    if "assessment" not in values:
        values["assessment"] = attempt()
    return Answer.objects.create(**values)


def snapshot() -> CatalogueSnapshot:
    return CatalogueSnapshot.objects.create(
        project=student().project, digest="0" * 64, courses=[], taken_at=AT
    )


def result() -> dict[str, Any]:
    return {"profile": {}, "recommendations": [], "catalogue": snapshot()}


def change(row: Any, **fields: Any) -> None:
    type(row)._default_manager.filter(pk=row.pk).update(**fields)


def same_position() -> None:
    first = answer()
    answer(assessment=first.assessment, item=Item.objects.get(code="int-phone"))


def same_position_after_a_replacement() -> None:
    """A replaced row leaves its position to one other, which keeps it."""
    first = answer(replaced_at=AT)
    answer(assessment=first.assessment, item=Item.objects.get(code="int-phone"))
    answer(assessment=first.assessment, item=Item.objects.get(code="int-crane"))


def private_link(**fields: Any) -> PrivateLink:
    started = {"assessment": attempt(), "key_digest": "0" * 64, "created_at": AT}
    lifetime = {"expires_at": AT + timedelta(days=90), "with_puzzles": False}
    return PrivateLink.objects.create(**{**started, **lifetime, **fields})


def second_private_link() -> None:
    """An ended link leaves its place to one other."""
    first = private_link(ended_at=AT)
    private_link(assessment=first.assessment, key_digest="1" * 64)
    private_link(assessment=first.assessment, key_digest="2" * 64)


def refused(**fields: Any) -> RefusedCall:
    token, _ = issued_token(fields.get("project") or ProjectFactory.create())
    defaults = {"project": token.project, "access_token": token, "at": AT, "status": 400}
    return RefusedCall.objects.create(**{**defaults, **fields})


def second_row_of_a_minute() -> None:
    """Only calls over a limit share a row."""
    first = refused()
    refused(project=first.project)
    refused(project=first.project, status=429)
    refused(project=first.project, status=429)


def same_item() -> None:
    first = answer()
    answer(assessment=first.assessment, position=2)


def same_email() -> None:
    first = student()
    StudentFactory.create(project=first.project, email_key=first.email_key)


def same_course_code() -> None:
    course = CourseFactory.create()
    CourseFactory.create(project=course.project, code=course.code)


def same_catalogue() -> None:
    first = snapshot()
    CatalogueSnapshot.objects.create(
        project=first.project, digest=first.digest, courses=[], taken_at=AT
    )


def event(**fields: Any) -> LinkEvent:
    values = {"number": 1, "at": AT, "kind": "opened", **fields}
    if "link" not in values:
        values["link"] = link()
    return LinkEvent.objects.create(**values)


def same_number() -> None:
    event(link=event().link)


def item(code: str) -> Item:
    return Item.objects.get(code=code)


def puzzle() -> Item:
    found = Item.objects.filter(section="aptitude").first()
    assert found is not None
    return found


REFUSED: list[tuple[str, Callable[[], Any]]] = [
    ("student_email_unique_in_project", same_email),
    ("student_details_not_empty", lambda: change(student(), email_key="")),
    ("student_details_not_empty", lambda: change(student(), email="")),
    ("student_details_not_empty", lambda: change(student(), name="")),
    ("student_details_not_empty", lambda: change(student(), mobile="")),
    ("assessmentlink_used_iff_assessment", lambda: change(link(), used_at=AT)),
    ("assessmentlink_used_iff_assessment", lambda: change(link(), assessment=attempt())),
    ("assessmentlink_expires_after_issue", lambda: change(link(), expires_at=AT)),
    ("assessmentlink_details_not_empty", lambda: change(link(), name="")),
    ("assessmentlink_details_not_empty", lambda: change(link(), mobile="")),
    (
        "assessmentlink_cancelled_never_used",
        lambda: change(link(), used_at=AT, assessment=attempt(), cancelled_at=AT),
    ),
    ("assessmentlink_link_id_once", lambda: change(link(), link_id=link().link_id)),
    (
        "assessment_one_end_only",
        lambda: change(attempt(), completed_at=AT, abandoned_at=AT, **result()),
    ),
    ("assessment_result_iff_completed", lambda: change(attempt(), completed_at=AT)),
    ("assessment_result_iff_completed", lambda: change(attempt(), **result())),
    ("assessment_result_iff_completed", lambda: change(attempt(), profile={})),
    ("assessment_result_iff_completed", lambda: change(attempt(), recommendations=[])),
    ("assessment_result_iff_completed", lambda: change(attempt(), catalogue=snapshot())),
    (
        "assessment_result_iff_completed",
        lambda: change(attempt(), completed_at=AT, profile={}, catalogue=snapshot()),
    ),
    ("assessment_finish_by_after_start", lambda: change(attempt(), finish_by_at=AT)),
    ("assessment_consent_version_not_empty", lambda: change(attempt(), consent_version="")),
    *(
        ("assessment_moved_at_needs_move", lambda fields=fields: change(attempt(), **fields))
        for fields in ({"moved_at": AT}, {"moves": -1}, {"moves": -1, "moved_at": AT})
    ),
    ("assessment_stream_known", lambda: change(attempt(), stream="maths")),
    *(
        ("assessment_guardian_iff_minor", lambda fields=fields: change(attempt(), **fields))
        for fields in (
            {"is_minor": True},
            {"is_minor": True, "guardian_name": "Meena Rao"},
            {"is_minor": True, "guardian_contact": "+919876543210"},
            {"is_minor": False, "guardian_name": "Meena Rao"},
            {"is_minor": False, "guardian_contact": "+919876543210"},
            {"is_minor": None, "guardian_name": "Meena Rao"},
            {"is_minor": None, "guardian_contact": "+919876543210"},
            {"guardian_name": "Meena Rao", "guardian_contact": "+919876543210"},
        )
    ),
    ("privatelink_one_not_ended_per_attempt", second_private_link),
    ("privatelink_expires_after_creation", lambda: private_link(expires_at=AT)),
    ("refusedcall_limit_once_a_minute", second_row_of_a_minute),
    ("refusedcall_count", lambda: refused(count=2)),
    ("refusedcall_count", lambda: refused(status=429, count=0)),
    ("answer_one_current_per_position", same_position),
    ("answer_one_current_per_position", same_position_after_a_replacement),
    (
        "answer_replaced_has_no_choice",
        lambda: change(answer(choice=1, answered_at=AT), replaced_at=AT),
    ),
    (
        "answer_replaced_has_no_choice",
        lambda: change(answer(replaced_at=AT), choice=1, answered_at=AT),
    ),
    ("answer_one_per_item", same_item),
    ("answer_choice_iff_answered", lambda: change(answer(), choice=1)),
    ("answer_choice_iff_answered", lambda: change(answer(), answered_at=AT)),
    ("answer_position_from_1", lambda: change(answer(), position=0)),
    ("itembank_version_not_empty", lambda: change(ItemBank.objects.get(), version="")),
    ("item_code_unique_in_bank", lambda: change(item("int-vegetables"), code="int-phone")),
    ("item_order_unique_in_bank", lambda: change(item("int-vegetables"), order=2)),
    ("item_section_known", lambda: change(item("int-vegetables"), section="arithmetic")),
    ("item_keyed_plus_or_minus", lambda: change(item("int-vegetables"), keyed=0)),
    ("item_key_and_parameters_iff_aptitude", lambda: change(item("int-vegetables"), key=1)),
    ("item_key_and_parameters_iff_aptitude", lambda: change(item("int-vegetables"), a=1.0)),
    ("item_key_and_parameters_iff_aptitude", lambda: change(puzzle(), key=None)),
    ("item_key_and_parameters_iff_aptitude", lambda: change(puzzle(), b=None)),
    ("course_code_unique_in_project", same_course_code),
    ("course_code_and_name_not_empty", lambda: change(CourseFactory.create(), code="")),
    ("course_code_and_name_not_empty", lambda: change(CourseFactory.create(), name="")),
    *(
        (
            "course_fields_at_most_3_and_proposed_not_empty",
            lambda fields=fields: change(CourseFactory.create(), **fields),
        )
        for fields in (
            {"fields": ["art", "design", "media", "writing"]},
            {"fields": [], "fields_proposed": True},
        )
    ),
    *(
        (
            "course_levels_at_most_3",
            lambda facet=facet: change(
                CourseFactory.create(), **{f"{facet}_level": 4, f"{facet}_importance": 1}
            ),
        )
        for facet in FACETS
    ),
    *(
        (
            "course_importances_at_most_2",
            lambda facet=facet: change(
                CourseFactory.create(), **{f"{facet}_level": 1, f"{facet}_importance": 3}
            ),
        )
        for facet in FACETS
    ),
    *(
        (
            f"course_{facet}_level_iff_importance",
            lambda name=f"{facet}_{what}": change(CourseFactory.create(), **{name: 1}),
        )
        for facet in FACETS
        for what in ("level", "importance")
    ),
    *(
        (
            "course_addresses_are_http",
            lambda column=column, text=text: change(CourseFactory.create(), **{column: text}),
        )
        for column in ("url", "apply_url")
        for text in ("javascript:alert(1)", "college.example.edu")
    ),
    (
        "course_entry_level_known",
        lambda: change(CourseFactory.create(), entry_level="class-8"),
    ),
    ("cataloguesnapshot_once_per_catalogue", same_catalogue),
    *(
        (
            "assessment_retention_in_range",
            lambda months=months: change(attempt(), retention_months=months),
        )
        for months in (0, 25)
    ),
    ("linkevent_number_once", same_number),
    ("linkevent_at_most_20", lambda: event(number=0)),
    ("linkevent_at_most_20", lambda: event(number=21)),
    ("linkevent_kind_known", lambda: event(kind="fetched")),
    ("linkevent_kind_known", lambda: event(kind="")),
    *refused_rows.REFUSED,
]
UNIQUE_COLUMNS: list[Callable[[], Any]] = [
    lambda: AssessmentFactory.create(browser_digest=attempt().browser_digest),
    lambda: AssessmentFactory.create(assessment_id=attempt().assessment_id),
    lambda: AssessmentLinkFactory.create(token_digest=link().token_digest),
    lambda: ItemBank.objects.create(
        version=ItemBank.objects.get().version, digest="x", definition={}, published_at=AT
    ),
]


@pytest.mark.parametrize(
    ("name", "act"), REFUSED, ids=[f"{name}-{i}" for i, (name, _) in enumerate(REFUSED)]
)
def test_it_refuses(name: str, act: Callable[[], Any]) -> None:
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        act()

    # SQLite names the columns of a broken unique constraint, not the constraint
    if connection.vendor == "postgresql" or "UNIQUE" not in str(refused.value):
        assert name in str(refused.value)


def test_every_named_constraint_has_a_refused_row() -> None:
    named = {
        constraint.name
        for model in apps.get_app_config("assessments").get_models()
        for constraint in model._meta.constraints
    }

    assert named == {name for name, _ in REFUSED}


@pytest.mark.parametrize("act", UNIQUE_COLUMNS)
def test_it_refuses_the_same_public_identifier_twice(act: Callable[[], Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        act()


@pytest.mark.parametrize(
    "model", [Student, AssessmentLink, Assessment, Answer, ItemBank, Item, Course]
)
def test_no_constraint_orders_the_times_of_two_requests(model: Any) -> None:
    """A clock that jumps back must not become a 500: one request's own times only."""
    ordered = {"assessmentlink_expires_after_issue", "assessment_finish_by_after_start"}

    for constraint in model._meta.constraints:
        if "_at" in str(getattr(constraint, "condition", "")) and constraint.name not in ordered:
            assert "F(" not in str(constraint.condition), constraint.name


def test_what_others_refer_to_is_not_deleted() -> None:
    used = attempt()
    answer(assessment=used)
    AssessmentLinkFactory.create(student=used.student, used_at=AT, assessment=used, issued_at=AT)

    for row in (used, used.student, used.student.project, item("int-vegetables")):
        with pytest.raises(IntegrityError), transaction.atomic():
            row.delete()
