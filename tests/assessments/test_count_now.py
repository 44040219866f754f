"""The button that counts now: for a gap of some days, at most once a minute."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from assessments.models import ItemBank, ProjectDay
from partners.models import Project
from tests.assessments.counted import AT, DAY, NOON, count, issued
from tests.assessments.dashboard_pages import COUNT, PAGE, RIGHT, tiles
from tests.factories import staff_with

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at() -> Iterator[None]:
    with time_machine.travel(AT, tick=False):
        yield


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(staff_with(RIGHT))
    return client


def test_a_button_counts_and_comes_back_to_the_same_figures(
    staff: Client, project: Project, bank: ItemBank
) -> None:
    issued(project, NOON)

    response = staff.post(COUNT, {"project": str(project.pk), "days": "7"}, follow=True)

    assert response.redirect_chain == [(f"{PAGE}?project={project.pk}&days=7", 302)]
    assert ">Counted.<" in response.content.decode()
    assert tiles(response)["Links issued"] == "1"
    assert ProjectDay.objects.of(project).get().day == DAY


def test_it_is_not_done_over_and_over(staff: Client, project: Project) -> None:
    count(AT - timedelta(seconds=59))
    issued(project, AT - timedelta(seconds=30))

    response = staff.post(COUNT, follow=True)

    assert "counted less than a minute ago" in response.content.decode()
    assert not ProjectDay.objects.of(project).exists()


def test_where_to_go_back_is_not_taken_from_a_stranger(staff: Client) -> None:
    response = staff.post(COUNT, {"project": "//evil.example", "days": "//evil.example"})

    assert response.headers["Location"] == f"{PAGE}?days=30"


def test_it_is_no_business_of_other_sites(project: Project) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(staff_with(RIGHT))

    assert strict.post(COUNT).status_code == 403
    assert not ProjectDay.objects.exists()
