"""The command that works out norms: what it shows, what it changes, when it refuses."""

from __future__ import annotations

import io
import json
from statistics import fmean, pvariance, stdev
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessments.management.commands import update_norms
from assessments.measurement.bank_validation import validate
from assessments.models import ItemBank
from partners.models import AuditEvent, Project
from tests.assessments.simulated_attempts import (
    PUZZLE_SECONDS,
    STATEMENT_SECONDS,
    simulate_attempts,
)
from tests.assessments.two_stages import publish_field_bank

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def run(*arguments: str) -> tuple[str, str]:
    """Run the command; return what stood on stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    call_command("update_norms", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def figures(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json")[0])
    return found


@pytest.fixture
def bank(db: None) -> ItemBank:
    """Return the shipped bank, published and current."""
    return publish_field_bank()


def test_a_dry_run_shows_and_changes_nothing(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 30)

    out, err = run()

    assert [line.split()[0] for line in out.splitlines()] == [
        "scale",
        *bank.scoring.norms,
        "statement",
        *bank.scoring.statement_norms,
        "field",
        *bank.scoring.fields,
        "section",
        "interests",
        "fields",
        "aptitude",
        "preferences",
    ]
    assert "Use --apply to publish this as bank 2026.4-n1." in err
    assert ItemBank.objects.get() == bank


def test_too_few_attempts(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 20)
    simulate_attempts(project, bank, 15, straight=True)

    with pytest.raises(CommandError, match="20 completed .* and 15 with.* 10 more"):
        run("--apply", "--yes")

    assert ItemBank.objects.get() == bank


def test_apply_publishes_norms_and_times(bank: ItemBank, project: Project) -> None:
    attempts = simulate_attempts(project, bank, 30)
    answers = [attempt.answers.get(item__code="int-mixer").choice for attempt in attempts]
    found = figures()

    run("--apply", "--yes")

    new = ItemBank.objects.current()
    file = new.to_file()
    assert (new.version, new.succeeds, new.norms_from) == ("2026.4-n1", "2026.4", 30)
    assert validate(file) == []
    assert file["norms"] == found["new"]["norms"]
    # Statements by whole pages, of eight and of seven.
    assert {section["code"]: section["seconds"] for section in file["sections"]} == {
        "interests": 40 * STATEMENT_SECONDS,
        "fields": 14 * STATEMENT_SECONDS,
        "aptitude": 12 * PUZZLE_SECONDS,
        "preferences": 8 * STATEMENT_SECONDS,
    }
    norms = new.scoring.statement_norms
    assert norms["int-mixer"].mean == pytest.approx(fmean(answers), abs=1e-4)
    assert norms["int-mixer"].sd == pytest.approx(stdev(answers), abs=1e-4)
    assert min(norm.sd for norm in (*norms.values(), *new.scoring.norms.values())) >= 0.5
    assert norms.keys() == bank.scoring.statement_norms.keys()
    assert file["items"] == bank.to_file()["items"]
    assert AuditEvent.objects.about(new).filter(action="bank.published").count() == 1


@pytest.mark.slow
def test_norms_of_fields_are_made_with_the_new_norms_of_statements(
    bank: ItemBank, project: Project
) -> None:
    """Scored again by the new bank, the same students have its means and variances, in part."""
    attempts = simulate_attempts(project, bank, 40)

    run("--apply", "--yes")

    new = ItemBank.objects.current()
    profiles = [new.evaluate(list(attempt.given()), [], 5)[0] for attempt in attempts]
    for field in ("machines", "helping", "office"):
        scores = [profile["fields"][field] for profile in profiles]
        before, after = bank.scoring.field_norms, new.scoring.field_norms
        mean = (40 * fmean(scores) + 100 * before.means[field]) / 140
        assert after.means[field] == pytest.approx(mean, abs=1e-3)
        variance = (40 * pvariance(scores) + 100 * before.covariances[field][field]) / 140
        assert after.covariances[field][field] == pytest.approx(variance, abs=1e-3)


@pytest.mark.slow
def test_attempts_on_the_bank_it_succeeds_count(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 30)
    run("--apply", "--yes")
    simulate_attempts(project, ItemBank.objects.current(), 10)

    assert figures()["sittings"] == 40


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counted", "published"),
    [(29, False), (30, True), (44, False), (45, True), (50, False)],
)
def test_a_timer_publishes_when_the_attempts_have_grown_by_half(
    bank: ItemBank, project: Project, counted: int, published: bool
) -> None:
    """The first norms come from 30 attempts; from 50 on, the timer leaves them alone."""
    if counted > 30:
        simulate_attempts(project, bank, 30)
        run("--apply", "--yes")
    simulate_attempts(project, bank, counted - 30 * (counted > 30))
    before = ItemBank.objects.current()

    _, err = run("--apply", "--yes", "--until", "50")

    assert (ItemBank.objects.current() != before) == published
    assert f"{counted} attempts on {before} count." in err


def test_a_timer_that_does_nothing_publishes_nothing(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 5)

    for until in ("300", "5"):
        assert figures("--apply", "--yes", "--until", until) == {
            "bank": "2026.4", "newVersion": None, "published": False, "sittings": 5
        }  # fmt: skip
    with pytest.raises(CommandError, match="at least 1"):
        run("--until", "0")


def test_a_bank_published_meanwhile_is_not_replaced(
    bank: ItemBank, project: Project, small_bank: dict[str, Any], monkeypatch: Any
) -> None:
    simulate_attempts(project, bank, 30)
    publish = update_norms.Command.publish

    def release(self: update_norms.Command, *args: Any, **kwargs: Any) -> None:
        other, _ = ItemBank.objects.publish(small_bank, shipped=True, actor="command:tests")
        other.make_current(actor="command:tests")
        publish(self, *args, **kwargs)

    monkeypatch.setattr(update_norms.Command, "publish", release)

    with pytest.raises(CommandError, match="2026.4 is not the current one any more"):
        run("--apply", "--yes")

    assert ItemBank.objects.current().version == small_bank["version"]
    assert ItemBank.objects.count() == 2
