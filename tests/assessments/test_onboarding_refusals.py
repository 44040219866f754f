"""What the onboarding page does not take: said beside the field, with all that was typed kept."""

from __future__ import annotations

from html import unescape
from urllib.parse import urlencode

import pytest
from django.core.exceptions import ValidationError
from django.http import HttpResponse, QueryDict

from assessments.onboarding import form
from assessments.onboarding.form import OnboardForm
from assessments.onboarding.onboard import onboard
from partners.models import Partner, Project
from tests.assessments.onboarding import MODELS, Desk, counts, secrets_in
from tests.assessments.test_catalogue_file import GOOD, file
from tests.factories import PartnerFactory

pytestmark = pytest.mark.django_db
NOTHING = [0] * len(MODELS)
KB = 1024


@pytest.fixture(autouse=True)
def few_time_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offer two: the page with all 598 takes half a second to be made."""
    monkeypatch.setattr(form, "zones", lambda: ["Asia/Dubai", "Asia/Kolkata"])


def querydict(sent: dict[str, str]) -> QueryDict:
    return QueryDict(urlencode(sent))


def said_beside(answer: HttpResponse, name: str) -> str:
    """Return the errors that stand in the row of a field, empty if there are none."""
    for row in answer.content.decode().split('<div class="form-row')[1:]:
        if f'name="{name}"' in row:
            return unescape(row.partition("<label")[0]) if row.startswith(" errors") else ""
    raise AssertionError(f"no field {name}")


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("partner_name", "", "required"),
        ("partner_name", " ", "required"),
        ("partner_name", "x" * 201, "at most 200"),
        ("contact_email", "no address", "valid email"),
        ("project_name", "", "required"),
        ("project_name", "x" * 201, "at most 200"),
        ("start_by_minutes", "", "required"),
        ("start_by_minutes", "3 days", "Write 90d, 12h or 30m."),
        ("start_by_minutes", "14m", "between 15m and 30d"),
        ("start_by_minutes", "31d", "between 15m and 30d"),
        ("finish_by_hours", "19h", "between 20h and 30d"),
        ("finish_by_hours", "1201m", "in whole hours"),
        ("finish_by_hours", "31d", "between 20h and 30d"),
        ("link_rate_per_minute", "many", "whole number"),
        ("results_rate_per_minute", "-1", "greater than or equal to"),
        ("results_rate_per_minute", "9" * 5000, "whole number"),
        ("partner_name", "North\u202eern", "can't be shown (U+202E, after “North”). Type the text"),
        ("project_name", "\u2066Sahyadri", "can't be shown (U+2066, at the beginning)"),
        ("project_name", "Sahyadri\nCollege", "can't be shown (a line break, after “Sahyadri”)"),
        ("label", "CRM\u200f, live", "can't be shown (U+200F, after “CRM”)"),
        ("consent_mode", "later", "Select a valid choice"),
        ("label", "x" * 101, "at most 100"),
        ("expires_in", "1d", "Select a valid choice"),
        ("courses", "nonsense", "The header lacks code"),
    ],
)
def test_what_is_no_answer_is_a_fault_of_its_field(field: str, value: str, says: str) -> None:
    desk = Desk()

    form = OnboardForm(querydict(desk.form(**{field: value})), user=desk.user)

    assert not form.is_valid()
    assert list(form.errors) == [field]
    assert says in " ".join(form.errors[field])


@pytest.mark.parametrize(
    ("setting", "value", "says"),
    [
        ("time_zone", "Kolkata", "is not a time zone"),
        ("link_rate_per_minute", 0, "greater than or equal to 1"),
        ("link_rate_per_minute", 10**20, "less than or equal to"),
        ("retention_months", 0, "greater than or equal to 1"),
        ("retention_months", 25, "less than or equal to 24"),
    ],
)
def test_a_setting_that_no_project_can_have_is_refused_under_its_name(
    setting: str, value: str | int, says: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        onboard("Northern Portal", "Main", settings={setting: value}, actor="command:tests")

    assert list(refused.value.message_dict) == [setting]
    assert says in refused.value.message_dict[setting][0]
    assert counts() == NOTHING


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("partner_name", "", "required"),
        ("start_by_minutes", "3 days", "Write 90d, 12h or 30m."),
        ("retention_months", "25", "less than or equal to 24"),
        ("courses", "nonsense", "The header lacks code"),
    ],
)
def test_it_is_said_beside_the_field_and_nothing_is_made(field: str, value: str, says: str) -> None:
    answer = Desk().send(**{field: value})

    assert says in said_beside(answer, field)
    assert "Nothing was created." in answer.content.decode()
    assert not secrets_in(answer)
    assert counts() == NOTHING


@pytest.mark.parametrize("name", ["northern portal", "NORTHERN PORTAL"])
def test_a_partner_that_differs_in_capitals_only_is_asked_about(name: str) -> None:
    PartnerFactory.create(name="Northern Portal")

    answer = Desk().send(partner_name=name)

    assert "There is already a partner “Northern Portal”." in said_beside(answer, "partner_name")
    assert (Partner.objects.count(), Project.objects.count()) == (1, 0)


@pytest.mark.parametrize("by_file", [True, False])
def test_each_bad_row_of_the_catalogue_is_named_and_the_text_kept(by_file: bool) -> None:
    bad = file(GOOD, "PHY,,2", "CHE,Chemistry,x")

    answer = Desk().send(bad) if by_file else Desk().send(courses=bad.decode())

    errors = said_beside(answer, "courses")
    assert "Line 3: name is empty." in errors
    assert "Line 4: order is 'x'" in errors
    assert "CHE,Chemistry,x" in answer.content.decode()
    assert counts() == NOTHING


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "file is empty"),
        (b"PK\x03\x04\xff\xfe\x00", "The workbook can't be read."),
        (b"\xff\xfe\x00", "not UTF-8 text"),
        (b"x" * (256 * KB + 1), "The catalogue is larger than 256 kB."),
        (b"x" * (900 * KB), "The catalogue is larger than 256 kB."),
    ],
)
def test_a_file_that_is_none_is_said_beside_it(content: bytes, says: str) -> None:
    answer = Desk().send(content)

    assert says in said_beside(answer, "courses_file")
    assert counts() == NOTHING


def test_columns_that_the_page_does_not_ask_for_cannot_be_set() -> None:
    forged = {"project_id": "prj_mine", "accent": "rose", "closed_at": "2020-01-01", "id": "7"}

    answer = Desk().send(**forged)

    project = Project.objects.get()
    assert secrets_in(answer)
    assert project.project_id != "prj_mine"
    assert (project.accent, project.closed_at) == ("teal", None)
