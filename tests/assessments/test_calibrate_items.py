"""The command that calibrates items: what it shows, what it changes, when it refuses."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from assessments.management import base
from assessments.measurement.bank_validation import validate
from assessments.measurement.response_model import probability
from assessments.models import ItemBank
from partners.models import AuditEvent, Project
from tests.assessments.attempts import started
from tests.assessments.simulated_attempts import simulate_attempts
from tests.assessments.two_stages import publish_field_bank

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> tuple[str, str]:
    """Run the command; return what stood on stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    call_command("calibrate_items", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def figures(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json")[0])
    return found


def puzzles(bank: ItemBank) -> list[str]:
    return list(bank.scoring.aptitude)


def first_is_hard(bank: ItemBank, theta: float, code: str) -> float:
    """The first puzzle is two logits harder than its rule says."""
    item = bank.scoring.aptitude[code]
    harder = 2.0 if code == puzzles(bank)[0] else 0.0
    return probability(theta, item.a, item.b + harder, item.c)


def test_a_dry_run_shows_and_changes_nothing(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 120)

    out, err = run()

    lines = out.splitlines()
    assert lines[0].split()[:3] == ["item", "answers", "right"]
    assert [line.split()[0] for line in lines[1:13]] == puzzles(bank)
    assert all(line.split()[1] == "120" for line in lines[1:13])
    assert "120 attempts" in err
    assert "Use --apply to publish this as bank 2026.1-c1." in err
    assert ItemBank.objects.get() == bank


@pytest.mark.slow
def test_an_item_harder_than_its_rule_is_found(bank: ItemBank, project: Project) -> None:
    simulate_attempts(
        project, bank, 200, chance=lambda theta, code: first_is_hard(bank, theta, code)
    )

    found = figures()

    first, *others = found["items"]
    assert first["new"]["b"] > first["old"]["b"] + 0.8
    assert abs(sum(each["new"]["b"] - each["old"]["b"] for each in others)) / 11 < 0.4
    assert found["converged"] is True
    assert found["published"] is False


def test_apply_publishes_and_makes_current(bank: ItemBank, project: Project) -> None:
    running = started(project)
    simulate_attempts(project, bank, 120)
    before = figures()

    _, err = run("--apply", "--yes")

    new = ItemBank.objects.current()
    first = before["items"][0]
    row = new.to_file()["items"][24]
    assert (new.version, new.shipped) == ("2026.1-c1", False)
    assert row["code"] == first["item"]
    assert (row["a"], row["b"]) == (round(first["new"]["a"], 4), round(first["new"]["b"], 4))
    assert (row["b_rule"], row["seconds"]) == (first["old"]["b"], 30)
    assert new.definition["made_from"] == ["2026.1"]
    assert new.reference == "assumed"
    assert validate(new.to_file()) == []
    assert "is the current one" in err
    running.refresh_from_db()
    assert running.bank == bank
    events = AuditEvent.objects.filter(object_id=new.public_id).order_by("pk")
    assert [event.action for event in events] == ["bank.published", "bank.made_current"]
    assert all(event.actor.startswith("command:") for event in events)


def test_nothing_but_the_items_changes(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 120)
    old = bank.to_file()

    run("--apply", "--yes")

    new = ItemBank.objects.current().to_file()
    assert {**new, "version": old["version"], "items": old["items"]} == {
        **old,
        "made_from": ["2026.1"],
    }
    for one, other in zip(old["items"], new["items"], strict=True):
        same = other.keys() - {"a", "b", "b_rule", "seconds"}
        assert {name: other[name] for name in same} == {
            name: one[name] for name in one.keys() - {"a", "b"}
        }


def test_flagged_attempts_do_not_count(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 98)
    assert simulate_attempts(project, bank, 5, straight=True)[0].flags == ["straight_line"]
    started(project)

    with pytest.raises(CommandError) as refused:
        run("--apply", "--yes")

    assert str(refused.value) == (
        "There are 98 completed attempts without flags on 2026.1, and 5 with. At least 100 without "
        "are needed: 2 more."
    )
    assert ItemBank.objects.get() == bank


@pytest.mark.slow
def test_a_project_for_which_an_item_is_harder(
    bank: ItemBank, project: Project, other_project: Project
) -> None:
    simulate_attempts(project, bank, 300)
    simulate_attempts(
        other_project,
        bank,
        250,
        seed="others",
        chance=lambda theta, code: first_is_hard(bank, theta, code),
    )

    out, err = run()

    graded_c = [line for line in out.splitlines() if ": C, " in line]
    assert len(graded_c) == 1
    assert graded_c[0].startswith(
        f"{puzzles(bank)[0]}: C, harder for project {other_project.project_id} (delta -"
    )
    assert f"project {other_project.project_id} against the others: 12 items" in err


@pytest.mark.slow
def test_languages_are_compared(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 110)
    simulate_attempts(project, bank, 105, language="hi")

    found = figures()

    assert {(row["by"], row["group"]) for row in found["dif"]} == {("language", "hi")}


def test_without_a_terminal_it_does_not_publish_unasked(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 100)

    with pytest.raises(CommandError, match="Add --yes"):
        run("--apply")

    assert ItemBank.objects.get() == bank


@pytest.mark.slow
def test_a_version_in_use_is_refused(bank: ItemBank, project: Project) -> None:
    simulate_attempts(project, bank, 100)

    with pytest.raises(CommandError, match="never changes"):
        run("--apply", "--yes", "--new-version", "2026.1")
    with pytest.raises(CommandError, match="version: missing, or not"):
        run("--apply", "--yes", "--new-version", "spring 2027")

    assert ItemBank.objects.get() == bank


@pytest.mark.slow
def test_a_bank_with_a_second_stage_is_calibrated(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Statements, their norms and where these come from stay as they are."""
    monkeypatch.setattr(base, "FEWEST_ATTEMPTS", 20)
    bank = publish_field_bank()
    simulate_attempts(project, bank, 20)

    run("--apply", "--yes")

    new, old = ItemBank.objects.current().to_file(), bank.to_file()
    assert new["version"] == "2026.4-c1"
    assert validate(new) == []
    assert new["norms"] == old["norms"]
    changed = [item for item in new["items"] if item not in old["items"]]
    assert 0 < len(changed) <= 20 * 12
    assert {item["section"] for item in changed} == {"aptitude"}
