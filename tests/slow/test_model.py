"""R6: whatever is done in whatever order, all rows are as a model in plain Python has them."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest
from hypothesis.stateful import run_state_machine_as_test

from assessments.models import ItemBank
from tests.conftest import COMMAND
from tests.slow.student_machine import StudentMachine, questionnaire

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

RUNS, STEPS = 5, 50


@pytest.fixture
def _bank_of_the_model(small_bank: dict[str, Any]) -> None:
    bank, _ = ItemBank.objects.publish(questionnaire(small_bank), shipped=True, actor=COMMAND)
    bank.make_current(actor=COMMAND)


@pytest.mark.usefixtures("_bank_of_the_model")
def test_the_rows_are_what_the_model_says(times: int) -> None:
    settings = hypothesis.settings(
        max_examples=RUNS * times,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    run_state_machine_as_test(StudentMachine, settings=settings)
