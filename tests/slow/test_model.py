"""R6: whatever is done in whatever order, all rows are as a model in plain Python has them."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest
from hypothesis.stateful import run_state_machine_as_test

from assessments.models import ItemBank
from tests.assessments.conftest import COMMAND
from tests.slow.student_machine import StudentMachine, questionnaire

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

RUNS, STEPS = 5, 50
# In so many runs each of these has to happen for them to show anything: an act, and its status.
MANY = 300
MUST_BE_MET = {
    "issue 200",
    "issue 401",
    "results 200",
    "results 401",
    "revoke 200",
    "rotate 200",
    "open 200",
    "open 303",
    "open 410",
    "start 303",
    "start 400",
    "start 410",
    "start again 409",
    "start again 303",
    "start continue 303",
    "section 303",
    "section 409",
    "question 303",
    "question 400",
    "question 403",
    "question 409",
    "leave 303",
    "leave 409",
    "visit /result 200",
}


@pytest.fixture
def _bank_of_the_model(small_bank: dict[str, Any]) -> None:
    bank, _ = ItemBank.objects.publish(questionnaire(small_bank), shipped=True, actor=COMMAND)
    bank.make_current(actor=COMMAND)


@pytest.mark.usefixtures("_bank_of_the_model")
def test_the_rows_are_what_the_model_says(times: int) -> None:
    runs = RUNS * times
    settings = hypothesis.settings(
        max_examples=runs,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    run_state_machine_as_test(StudentMachine, settings=settings)

    print(f"{StudentMachine.lengths.total()} runs: {dict(StudentMachine.seen)}")
    if runs >= MANY:
        assert set(StudentMachine.seen) >= MUST_BE_MET
