"""The nameless export of answers: what it holds, and what nobody can read out of it."""

import csv
import io
from collections import Counter
from datetime import timedelta

import pytest
from django.core.management import CommandError
from django.utils import timezone

from assessments.keeping import answers_export
from assessments.keeping.answers_export import COLUMNS
from assessments.models import Attempt, ItemBank
from assessments.models.reported_outcomes import ReportedOutcome
from partners.models import AuditEvent
from tests.assessments.simulated_attempts import STATEMENT_SECONDS, simulate_attempts
from tests.assessments.two_stages import STAGE_1, answered_until, publish_field_bank
from tests.factories import BY, ProjectFactory
from tests.support.commands import run

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def shipped():
    return publish_field_bank()


def export(*arguments):
    return list(csv.DictReader(io.StringIO(run("export_answers", *arguments)[0])))


def test_a_row_for_each_question_with_nothing_that_names_or_dates_the_student(shipped, project):
    [attempt] = simulate_attempts(project, shipped, 1, language="hi")

    rows = export()

    assert tuple(rows[0]) == COLUMNS
    answers = list(attempt.answers.order_by("position").select_related("item"))
    assert [(int(row["position"]), row["item"], int(row["choice"])) for row in rows] == [
        (answer.position, answer.item.code, answer.choice) for answer in answers
    ]
    common = {"bank": shipped.version, "completed": "1", "valid": "1", "language": "hi"}
    assert all(row.items() >= {**common, "replaced": "0"}.items() for row in rows)
    assert rows[0]["seconds"] == str(round(STATEMENT_SECONDS))
    student = attempt.student
    for secret in (student.email, student.name, attempt.assessment_id, project.project_id, "2026-"):
        assert secret not in str(rows)


def test_attempts_get_another_number_in_each_export_and_stand_in_its_order(shipped, project):
    simulate_attempts(project, shipped, 8)

    exports = [list(dict.fromkeys(int(row["attempt"]) for row in export())) for _ in range(2)]

    assert [len(numbers) for numbers in exports] == [8, 8]
    assert all(numbers == sorted(numbers) for numbers in exports)
    assert not set(exports[0]) & set(exports[1])
    # one student took all, and nothing but the number stands for an attempt
    assert Attempt.objects.values("student").distinct().count() == 1


def test_open_and_erased_and_test_attempts_are_left_out(shipped, project):
    answered_until(project, STAGE_1)
    [erased] = simulate_attempts(project, shipped, 1)
    erased.student.erase(reason="asked for it", by=BY)
    simulate_attempts(ProjectFactory.create(is_test=True), shipped, 1)

    assert export() == []


def test_an_abandoned_attempt_has_the_question_where_it_stopped(shipped, project):
    attempt = answered_until(project, STAGE_1 + 1)
    attempt.begin_section(STAGE_1 + 1)
    shown = attempt.answers.count()
    Attempt.objects.update(abandoned_at=timezone.now())

    rows = export()

    assert {(row["completed"], row["valid"]) for row in rows} == {("0", "0")}
    assert len(rows) == shown
    assert {row["choice"] for row in rows[STAGE_1:]} == {row["seconds"] for row in rows[STAGE_1:]}
    assert rows[-1]["choice"] == ""
    attempt.refresh_from_db()
    assert rows[-1]["leading_fields"].split() == attempt.leading_fields


def test_a_flagged_attempt_is_not_valid_and_a_replaced_puzzle_is_marked(shipped, project):
    [attempt] = simulate_attempts(project, shipped, 1, straight=True)
    puzzle = attempt.answers.filter(item__section="aptitude").order_by("position")[0]
    attempt.answers.filter(pk=puzzle.pk).update(
        choice=None, answered_at=None, language="", replaced_at=timezone.now()
    )

    rows = export()

    assert {(row["completed"], row["valid"]) for row in rows} == {("1", "0")}
    [replaced] = [row for row in rows if row["replaced"] == "1"]
    assert (replaced["item"], replaced["choice"]) == (puzzle.item.code, "")


def test_the_seconds_of_a_page_are_divided_and_whole(shipped, project):
    [attempt] = simulate_attempts(project, shipped, 1)
    first = attempt.answers.get(position=1)
    page = attempt.answers.filter(position__lte=shipped.layout.sections[0].per_page)
    page.update(answered_at=first.shown_at + timedelta(seconds=20))
    page.filter(position=2).update(answered_at=first.shown_at + timedelta(seconds=49))

    seconds = {row["position"]: row["seconds"] for row in export()}

    assert seconds["1"] == seconds["2"] == str(round(49 / page.count()))


def test_one_bank_may_be_chosen_and_each_export_is_audited(shipped, small_bank, project):
    other, _ = ItemBank.objects.publish({**small_bank, "version": "own"}, by=BY)
    simulate_attempts(project, shipped, 2)
    simulate_attempts(project, other, 3)

    one, all_ = export("--bank", "own"), export()

    attempts = Counter(bank for _, bank in {(row["attempt"], row["bank"]) for row in all_})
    assert {row["bank"] for row in one} == {"own"}
    assert attempts == {shipped.version: 2, "own": 3}
    events = AuditEvent.objects.filter(action="answers.exported").order_by("pk")
    assert sorted((event.object_id, event.reason) for event in events) == [
        (shipped.public_id, "attempts 2"),
        (other.public_id, "attempts 3"), (other.public_id, "attempts 3"),
    ]  # fmt: skip
    with pytest.raises(CommandError, match="no bank 1999"):
        export("--bank", "1999")


def test_courses_named_and_taken_are_told_where_enough_attempts_share_them(
    shipped, project, monkeypatch
):
    attempts = simulate_attempts(project, shipped, 6)
    for number, attempt in enumerate(attempts):
        attempt.considered = ["B A", "RARE"] if number == 0 else ["B A"]
        attempt.recommendations = [{"code": "ART"}, {"code": "B A"}]
        attempt.profile["unnamed"] = ["ART", "LAW", "B A"]
        attempt.save()
        ReportedOutcome.objects.create(
            attempt=attempt, course_code="B A", stage="enrolled", reported_at=timezone.now()
        )
    simulate_attempts(ProjectFactory.create(), shipped, 1)

    assert {row["considered"] + row["taken"] for row in export()} == {""}  # too small a project

    monkeypatch.setattr(answers_export, "MIN_OF_PROJECT", 6)
    rows = export()
    name = next(row["taken"] for row in rows if row["taken"])
    assert name.endswith(":B A")
    told = [COLUMNS[5:10], ("considered", "taken", "stage", "place", "place_unnamed")]
    assert told[0] == told[1]
    assert {tuple(row[column] for column in told[0]) for row in rows} == {
        (name, name, "enrolled", "2", "0"),
        (f"{name}\nother", name, "enrolled", "2", "0"),
        ("", "", "", "", ""),
    }
