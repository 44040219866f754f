"""The onboarding pack: complete but for the secret, and its lines work as they stand."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError
from pytest_django import Settings

from assessments.onboarding.handover import pack
from partners.models import Project
from tests.assessments.test_onboarding import run
from tests.factories import ProjectFactory, issued_token
from tests.support import hygiene
from tests.support.server import ROOT, Service
from tokens import crypto
from tokens.models import AccessToken

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def pack_of(**fields: Any) -> str:
    token, _ = issued_token(ProjectFactory.create(**fields), at=NOON)
    return pack(token.project, token)


def lines(text: str) -> dict[str, str]:
    """Return what stands beside each word of the tables."""
    return dict(re.findall(r"^([\w-]+(?: \w+)?) {2,}(\S.*)$", text, re.MULTILINE))


@pytest.mark.django_db
def test_the_pack_of_a_test_project_says_when_its_rows_are_deleted() -> None:
    assert "a test project: everything" in lines(pack_of(is_test=True))["Retention"]
    assert "24 months after" in lines(pack_of(retention_months=24))["Retention"]


@pytest.mark.django_db
def test_it_names_everything_that_a_developer_needs(settings: Settings) -> None:
    settings.APP_URL, settings.SUPPORT_EMAIL = "https://assess.example", "help@assess.example"
    token, secret = issued_token(ProjectFactory.create(name="St. Xavier’s"), at=NOON)

    text = pack(token.project, token)

    entries = lines(text)
    assert entries["Partner"] == token.project.partner.name
    assert entries["Project"] == "St. Xavier’s"
    assert entries["Base address"] == "https://assess.example"
    assert entries["projectId"] == token.project.project_id
    assert entries["TokenId"] == token.token_id
    assert entries["Token expires"] == "never"
    assert entries["Documentation"] == "https://assess.example/docs/"
    assert entries["Support"] == "help@assess.example"
    assert {"400", "401", "410", "429", "500"} <= set(entries)
    assert secret not in text
    assert not crypto.SECRET.search(text)


@pytest.mark.django_db
def test_limits_and_clocks_are_the_projects_own(settings: Settings) -> None:
    settings.LINK_RATE_PER_MINUTE = 300
    entries = lines(
        pack_of(
            start_by_minutes=60 * 24 * 7,
            finish_by_hours=30,
            results_rate_per_minute=42,
            consent_mode="ask",
            retention_months=1,
        )
    )

    assert entries["Links"] == "300 calls a minute"
    assert entries["Results"] == "42 calls a minute"
    assert entries["Start-by"] == "a link can be started for 7 days"
    assert entries["Finish-by"] == "a started assessment can be continued for 30 hours"
    assert entries["Consent"].startswith("students say whether they are under 18")
    assert entries["Retention"] == "answers are deleted 1 month after an assessment ends"


@pytest.mark.django_db
def test_the_command_takes_the_same_settings_and_gives_the_same_pack() -> None:
    out, err = run(
        *("Sahyadri", "--project", "Main", "--time-zone", "Asia/Dubai", "--start-by", "7d"),
        *("--finish-by", "48h", "--links-per-minute", "50", "--results-per-minute", "70"),
        *("--consent", "ask", "--retention-months", "12", "--label", "CRM"),
        *("--expires-in", "90d"),
    )

    project, token = Project.objects.get(), AccessToken.objects.get()
    assert (project.time_zone, project.consent_mode) == ("Asia/Dubai", "ask")
    assert (project.start_by_minutes, project.finish_by_hours) == (7 * 24 * 60, 48)
    assert (project.link_rate_per_minute, project.results_rate_per_minute) == (50, 70)
    assert project.retention_months == 12
    assert (token.label, token.lifetime) == ("CRM", timedelta(days=90))
    assert pack(project, token) in err
    assert "curl" not in out


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--time-zone", "Kolkata"], "time zone: “Kolkata” is not a time zone."),
        (["--start-by", "31d"], "between 15m and 30d"),
        (["--start-by", "soon"], "is not a duration"),
        (["--finish-by", "19h"], "between 20h and 30d"),
        (["--links-per-minute", "0"], "link rate per minute: Ensure this value"),
        (["--links-per-minute", "many"], "invalid int value"),
        (["--consent", "later"], "invalid choice"),
        (["--retention-months", "25"], "retention months: Ensure this value"),
        (["--label", "x" * 101], "At most 100 characters"),
        (["--expires-in", "0"], "would expire at once"),
    ],
)
def test_the_command_says_what_is_wrong_and_makes_nothing(arguments: list[str], says: str) -> None:
    with pytest.raises(CommandError) as refused:
        run("Sahyadri", "--project", "Main", *arguments)

    assert says in str(refused.value)
    assert not Project.objects.exists()


@pytest.fixture
def handed_over(service: Service) -> tuple[str, str]:
    """Onboard a partner at a running service; give the pack and the secret, as a partner gets."""
    name = f"Partner {service.rows('SELECT count(*) AS n FROM partners_partner')[0]['n']}"
    done = subprocess.run(
        [sys.executable, "manage.py", "onboard_partner", name, "--project", "College of the pack"],
        cwd=ROOT,
        env=service.environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    hygiene.remember(done.stdout)
    secret = re.search(r"^TokenSecret: (\S+)$", done.stdout, re.MULTILINE)
    assert secret
    return done.stderr, secret[1]


@pytest.fixture
def paste(handed_over: tuple[str, str]) -> Callable[[str], Any]:
    """Give a way to paste a line of the pack into a shell that has the secret."""
    text, secret = handed_over
    export = re.search(r"^ export TOKEN_SECRET='your TokenSecret'$", text, re.MULTILINE)
    assert export

    def pasted(line: str, secret: str = secret) -> Any:
        exported = export[0].replace("your TokenSecret", secret)
        done = subprocess.run(
            ["sh", "-c", f"{exported}\n{line}"], capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    return pasted


@pytest.mark.slow
def test_both_lines_work_as_pasted(
    handed_over: tuple[str, str], paste: Callable[..., Any], service: Service
) -> None:
    link_line, results_line = re.findall(r"^curl .*$", handed_over[0], re.MULTILINE)

    link, results = paste(link_line), paste(results_line)
    refused = paste(link_line, secret=crypto.new_secret())

    project_id = lines(handed_over[0])["projectId"]
    assert link["redirect-url"].startswith(f"{service.url}/{project_id}/assessment?token=")
    assert results == []
    assert refused["code"] == "invalid_credentials"
    students = service.rows(
        "SELECT s.email_key FROM assessments_student s JOIN partners_project p "
        "ON p.id = s.project_id WHERE p.project_id = %s",
        (project_id,),
    )
    assert students == [{"email_key": "asha.rao@example.com"}]
