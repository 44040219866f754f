from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from partners.models import Project
from tests.factories import PartnerFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def test_a_new_project_is_open_and_has_the_usual_clocks() -> None:
    project = Project.objects.create(partner=PartnerFactory.create(), name="College")

    assert project.start_by == timedelta(hours=72)
    assert project.finish_by == timedelta(hours=24)
    assert project.time_zone == "Asia/Kolkata"
    assert project.recommendation_count == 5
    assert project.retention_months == 24
    assert (project.consent_mode, project.accent, project.return_url) == ("obtained", "teal", "")
    assert not project.asks_age
    assert not project.is_closed
    assert project.public_id == project.project_id
    assert project.project_id.startswith("prj_")


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("project_has_a_name_and_an_id", {"name": ""}),
        ("project_has_a_name_and_an_id", {"project_id": ""}),
        ("project_start_by_in_range", {"start_by_minutes": 14}),
        ("project_start_by_in_range", {"start_by_minutes": 43201}),
        ("project_finish_by_in_range", {"finish_by_hours": 19}),
        ("project_finish_by_in_range", {"finish_by_hours": 721}),
        ("project_recommendation_count_in_range", {"recommendation_count": 2}),
        ("project_recommendation_count_in_range", {"recommendation_count": 11}),
        ("project_consent_mode_known", {"consent_mode": ""}),
        ("project_consent_mode_known", {"consent_mode": "never"}),
        ("project_accent_known", {"accent": ""}),
        ("project_accent_known", {"accent": "Teal"}),
        ("project_return_url_is_https", {"return_url": "http://college.example"}),
        ("project_return_url_is_https", {"return_url": "HTTPS://college.example"}),
        ("project_return_url_is_https", {"return_url": "javascript:alert(1)"}),
        ("project_return_url_is_https", {"return_url": " https://college.example"}),
        ("project_link_rate_positive", {"link_rate_per_minute": 0}),
        ("project_results_rate_positive", {"results_rate_per_minute": 0}),
        ("project_retention_in_range", {"retention_months": 0}),
        ("project_retention_in_range", {"retention_months": 25}),
    ],
)
def test_the_database_refuses(constraint: str, fields: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        ProjectFactory.create(**fields)

    assert not Project.objects.exists()


def test_the_database_refuses_two_of_a_name_in_a_partner() -> None:
    project = ProjectFactory.create()

    with pytest.raises(IntegrityError), transaction.atomic():
        ProjectFactory.create(partner=project.partner, name=project.name)

    assert ProjectFactory.create(name=project.name).pk


def test_the_database_refuses_a_partner_without_a_name() -> None:
    with pytest.raises(IntegrityError, match="partner_has_a_name"), transaction.atomic():
        PartnerFactory.create(name="")


@pytest.mark.parametrize("zone", ["", "Kolkata", "asia/kolkata", "../etc/passwd", "\0"])
def test_a_time_zone_must_exist(zone: str) -> None:
    project = ProjectFactory.build(partner=PartnerFactory.create(), time_zone=zone)

    with pytest.raises(ValidationError) as refusal:
        project.full_clean()

    assert list(refusal.value.message_dict) == ["time_zone"]


@pytest.mark.django_db
@pytest.mark.parametrize("is_test", [True, False])
def test_the_database_refuses_a_change_of_kind(is_test: bool) -> None:
    project = ProjectFactory.create(is_test=is_test)
    projects = Project.objects.filter(pk=project.pk)

    with pytest.raises(IntegrityError, match="project_kind_is_fixed"), transaction.atomic():
        projects.update(is_test=not is_test)
    projects.update(is_test=is_test, name="Another name")

    assert projects.get().is_test == is_test
