"""To onboard a partner: everything that its backend needs for the first call, or nothing."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from assessments.catalogue.courses_file import parse
from assessments.models import Course
from assessments.models.catalogues import Catalogue
from assessments.onboarding import onboard
from partners.models import AuditEvent, Partner, Project
from tests.assessments.test_catalogue_file import GOOD, file
from tokens import crypto
from tokens.models import AccessToken

COMMAND = "command:tests"
MODELS = (Partner, Project, AccessToken, Course, AuditEvent)

pytestmark = pytest.mark.django_db


def counts() -> list[int]:
    return [model._default_manager.count() for model in MODELS]


def run(*arguments: str) -> tuple[str, str]:
    """Run the command; return what stood on stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    call_command("onboard_partner", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_it_makes_partner_project_token_and_catalogue() -> None:
    made = onboard(
        "Sahyadri", "Main campus", contact_email="it@example.com", courses=parse(file(GOOD)),
        actor=COMMAND,
    )  # fmt: skip

    project = Project.objects.get()
    token = AccessToken.objects.get()
    assert made.project == project
    assert made.token == token
    assert project.partner.name == "Sahyadri"
    assert project.partner.contact_email == "it@example.com"
    assert project.name == "Main campus"
    assert crypto.matches(made.secret, token.secret_digest)
    assert project.courses.get().code == "BOT"
    assert set(AuditEvent.objects.values_list("action", "actor")) == {
        ("partner.created", COMMAND),
        ("project.created", COMMAND),
        ("courses.loaded", COMMAND),
        ("token.issued", COMMAND),
    }


def test_a_known_partner_gets_another_project() -> None:
    onboard("Sahyadri", "One", contact_email="it@example.com", actor=COMMAND)

    onboard("Sahyadri", "Two", contact_email="other@example.com", actor=COMMAND)

    partner = Partner.objects.get()
    assert partner.contact_email == "it@example.com"
    assert sorted(partner.projects.values_list("name", flat=True)) == ["One", "Two"]
    assert AuditEvent.objects.filter(action="partner.created").count() == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("partner_name", ""),
        ("partner_name", "x" * 201),
        ("contact_email", "no address"),
        ("time_zone", "Kolkata"),
        ("retention_months", 0),
    ],
)
def test_a_wrong_value_is_refused_under_its_name_and_nothing_made(name: str, value: Any) -> None:
    names = {"partner_name": "Sahyadri", "project_name": "Main", "contact_email": ""}
    given = {**names, name: value} if name in names else {**names, "settings": {name: value}}

    with pytest.raises(ValidationError) as refused:
        onboard(**given, actor=COMMAND)

    assert list(refused.value.message_dict) == [name]
    assert counts() == [0] * len(MODELS)


def test_a_project_of_that_name_is_refused_and_nothing_made() -> None:
    onboard("Sahyadri", "Main", actor=COMMAND)
    before = counts()

    with pytest.raises(ValidationError, match="already has a project with this name"):
        onboard("Sahyadri", "Main", courses=parse(file(GOOD)), actor=COMMAND)

    assert counts() == before


@pytest.mark.parametrize("step", ["load", "issue", "record"])
def test_whatever_fails_nothing_is_made(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError(step)

    owners = {
        "load": Catalogue,
        "issue": type(AccessToken.objects),
        "record": AuditEvent,
    }
    monkeypatch.setattr(owners[step], step, fail)

    with pytest.raises(RuntimeError, match=step):
        onboard("Sahyadri", "Main", courses=parse(file(GOOD)), actor=COMMAND)

    assert counts() == [0] * len(MODELS)


def test_the_secret_does_not_show_in_the_outcome_s_text() -> None:
    made = onboard("Sahyadri", "Main", actor=COMMAND)

    assert made.secret not in repr(made)


def test_the_command_prints_the_pair_once() -> None:
    out, err = run("Sahyadri", "--project", "Main campus", "--contact-email", "it@example.com")

    lines = dict(line.split(": ", 1) for line in out.splitlines())
    token = AccessToken.objects.get()
    assert list(lines) == ["partner", "project", "projectId", "TokenId", "TokenSecret"]
    assert lines["projectId"] == Project.objects.get().project_id
    assert lines["TokenId"] == token.token_id
    assert crypto.matches(lines["TokenSecret"], token.secret_digest)
    assert "sec_" not in err
    assert "can't be shown again" in err
    assert lines["TokenSecret"] not in str(list(AuditEvent.objects.values()))


def test_the_command_prints_json(tmp_path: Path) -> None:
    courses = tmp_path / "courses.csv"
    courses.write_bytes(file(GOOD))

    out, err = run("Sahyadri", "--project", "Main", "--courses", str(courses), "--json")

    made = json.loads(out)
    assert list(made) == ["partner", "project", "projectId", "TokenId", "TokenSecret"]
    assert (made["partner"], made["project"]) == ("Sahyadri", "Main")
    assert err == ""
    assert Course.objects.get().project.project_id == made["projectId"]
    assert AuditEvent.objects.get(action="token.issued").actor.startswith("command:")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--project", ""], "Nothing was created"),
        (["--project", "Main", "--contact-email", "x"], "Nothing was created"),
        (["--project", "Main", "--courses", "/nothing.csv"], "can't be read"),
        (["--project", "Main", "--courses", "bad.csv"], "Line 2: name is empty"),
        (["--project", "Main", "--secret", "x"], "unrecognized arguments"),
    ],
)
def test_the_command_says_what_is_wrong_and_makes_nothing(
    arguments: list[str], fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.csv").write_bytes(file("BOT,,1"))

    with pytest.raises(CommandError, match=fault):
        run("Sahyadri", *arguments)

    assert counts() == [0] * len(MODELS)
