"""The command that works out norms: what it shows, what it changes, when it refuses."""

from __future__ import annotations

import io
import json
from statistics import fmean, stdev
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessments.measurement.bank_validation import validate
from assessments.models import ItemBank
from partners.models import Project
from tests.assessments.simulated_attempts import (
    PUZZLE_SECONDS,
    STATEMENT_SECONDS,
    simulate_attempts,
)

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> tuple[str, str]:
    """Run the command; return what stood on stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    call_command("update_norms", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def figures(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json")[0])
    return found


def test_a_dry_run_shows_and_changes_nothing(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 100)

    out, err = run()

    assert [line.split()[0] for line in out.splitlines()] == [
        "scale",
        *bank.scoring.norms,
        "section",
        "interests",
        "aptitude",
        "preferences",
    ]
    assert "Use --apply to publish this as bank 2026.1-n1." in err
    assert ItemBank.objects.get() == bank


def test_norms_are_mean_and_sd_of_the_attempts(bank: ItemBank, project: Project) -> None:
    attempts = simulate_attempts(project, bank, 100)
    means = [each.profile["interests"]["social"]["mean"] for each in attempts if each.profile]

    found = figures()

    assert found["sittings"] == 100
    assert found["old"]["norms"]["interests"]["social"] == {"mean": 3.0, "sd": 0.9}
    assert found["new"]["norms"]["interests"]["social"] == {
        "mean": pytest.approx(fmean(means), abs=1e-4),
        "sd": pytest.approx(stdev(means), abs=1e-4),
    }


def test_apply_publishes_norms_and_times(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 100)
    found = figures()

    run("--apply", "--yes")

    new = ItemBank.objects.current().to_file()
    assert new["version"] == "2026.1-n1"
    assert new["made_from"] == ["2026.1"]
    assert new["norms"] == found["new"]["norms"]
    assert {section["code"]: section["seconds"] for section in new["sections"]} == {
        "interests": 24 * STATEMENT_SECONDS,
        "aptitude": 12 * PUZZLE_SECONDS,
        "preferences": 8 * STATEMENT_SECONDS,
    }
    assert new["items"] == bank.to_file()["items"]
    assert validate(new) == []


def test_too_few_attempts(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 60)
    simulate_attempts(project, bank, 50, straight=True)

    with pytest.raises(CommandError, match="60 completed .* and 50 with.* 40 more"):
        run("--apply", "--yes")

    assert ItemBank.objects.get() == bank
