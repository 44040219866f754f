"""A project: its defaults, what it and the database refuse, the return address, closing it."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from partners.models import AuditEvent, Partner, Project, Refused
from partners.models.audit import Actor
from tests.factories import BY, PartnerFactory, ProjectFactory

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
STEM = "https://college.example/"
LONGEST = STEM + "a" * (500 - len(STEM))


def test_a_new_project_is_open_and_has_the_usual_clocks():
    project = Project.objects.create(partner=PartnerFactory.create(), name="College")

    assert Project.objects.values().get() == {
        "id": project.pk,
        "partner_id": project.partner.pk,
        "project_id": project.project_id,
        "name": "College",
        "start_by_minutes": 72 * 60,
        "finish_by_hours": 24,
        "link_rate_per_minute": None,
        "results_rate_per_minute": None,
        "recommendation_count": 5,
        "takers": "school-leavers",
        "time_zone": "Asia/Kolkata",
        "consent_mode": "obtained",
        "return_url": "",
        "accent": "teal",
        "retention_months": 24,
        "is_test": False,
        "created_at": project.created_at,
        "closed_at": None,
    }
    assert (project.start_by, project.finish_by) == (timedelta(hours=72), timedelta(hours=24))
    assert (project.asks_age, project.is_closed) == (False, False)
    assert project.public_id == project.project_id
    assert re.fullmatch(r"prj_[A-Za-z0-9]{16}", project.project_id)


HTTPS = ["http://college.example", "HTTPS://college.example", "javascript:alert(1)"]


@pytest.mark.parametrize(
    ("constraint", "field", "values"),
    [
        ("partner_has_a_name", "partner__name", [""]),
        ("project_has_a_name_and_an_id", "name", [""]),
        ("project_has_a_name_and_an_id", "project_id", [""]),
        ("project_start_by_in_range", "start_by_minutes", [14, 43201]),
        ("project_finish_by_in_range", "finish_by_hours", [19, 721]),
        ("project_recommendation_count_in_range", "recommendation_count", [2, 11]),
        ("project_takers_known", "takers", ["", "parents"]),
        ("project_consent_mode_known", "consent_mode", ["", "never"]),
        ("project_accent_known", "accent", ["", "Teal"]),
        ("project_return_url_is_https", "return_url", [*HTTPS, " https://college.example"]),
        ("project_link_rate_positive", "link_rate_per_minute", [0]),
        ("project_results_rate_positive", "results_rate_per_minute", [0]),
        ("project_retention_in_range", "retention_months", [0, 25]),
    ],
)
def test_the_database_refuses(constraint, field, values):
    for value in values:
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            ProjectFactory.create(**{field: value})

    assert not Project.objects.exists()
    assert not Partner.objects.exists()


def test_a_name_is_used_once_in_a_partner_and_again_in_another(project):
    with pytest.raises(IntegrityError, match="unique"), transaction.atomic():
        ProjectFactory.create(partner=project.partner, name=project.name)

    assert ProjectFactory.create(name=project.name).pk


@pytest.mark.parametrize("is_test", [True, False])
def test_the_database_refuses_to_change_whether_a_project_is_for_tests(is_test):
    project = ProjectFactory.create(is_test=is_test)
    projects = Project.objects.filter(pk=project.pk)

    with pytest.raises(IntegrityError, match="project_kind_is_fixed"), transaction.atomic():
        projects.update(is_test=not is_test)
    projects.update(is_test=is_test, name="Another name")

    assert projects.get().is_test == is_test


def test_a_time_zone_or_return_address_is_refused_or_taken():
    partner = PartnerFactory.create()
    for field, value, says in (
        *(("time_zone", it, "") for it in ("", "Kolkata", "asia/kolkata", "../etc/passwd", "\0")),
        *(
            ("return_url", url, "starts with https://")
            for url in (
                *("http://college.example", "https:///apply", "HTTPS://college.example"),
                *("https://college.example:99999/apply", "https://college.example:0"),
            )
        ),
        ("return_url", "https://college.example/a b", "has no spaces"),
        ("return_url", "https://college.example/\0", "has no spaces"),
        ("return_url", "https://college.example\\@evil.example", ""),
        ("return_url", "https://asha@college.example", "before the host"),
        ("return_url", "https://college.example#", "Remove the #"),
        ("return_url", LONGEST + "a", "at most 500 characters"),
    ):
        with pytest.raises(ValidationError) as refusal:
            ProjectFactory.build(partner=partner, **{field: value}).full_clean()
        assert list(refusal.value.message_dict) == [field], value
        assert says in " ".join(refusal.value.message_dict[field])
    for address in (
        *("", "https://college.example", "https://apply.college.example/@asha", LONGEST),
        "https://college.example:8443/apply?form=7&next=a%20b",
        "https://महाविद्यालय.भारत/आवेदन",
    ):
        project = ProjectFactory.build(partner=partner, return_url=address)
        project.full_clean()
        project.save()
        assert Project.objects.get(pk=project.pk).return_url == address


def test_closing_and_reopening_are_recorded_and_a_second_time_change_nothing(project, rows):
    steps = []

    with pytest.raises(Refused):
        project.reopen(by=BY)
    for act in (project.close, project.reopen):
        act(by=Actor("staff:7", "192.0.2.1"), reason="left us", at=NOON)
        stored = rows()
        with pytest.raises(Refused):
            act(by=BY)
        steps.append(project.is_closed)
        assert rows() == stored
        assert Project.objects.get().closed_at == project.closed_at

    events, noon = AuditEvent.objects.order_by("pk"), "2026-06-01T12:00:00Z"
    assert steps == [True, False]
    assert [event.action for event in events] == ["project.closed", "project.reopened"]
    assert {(event.at, event.object_id) for event in events} == {(NOON, project.project_id)}
    by = {(event.actor, event.address, event.reason) for event in events}
    assert by == {("staff:7", "192.0.2.1", "left us")}
    changes = [event.details["changes"]["closed_at"] for event in events]
    assert changes == [[None, noon], [noon, None]]
