"""Links of an earlier release get their id when they are first named."""

from __future__ import annotations

import re

import pytest
from pytest_django import DjangoAssertNumQueries

from assessments.models import AssessmentLink
from assessments.models.link_ids import name_links
from partners.models import Project
from tests.assessments.attempts import issue

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def unnamed(project: Project) -> AssessmentLink:
    link, _ = issue(project)
    AssessmentLink.objects.filter(pk=link.pk).update(link_id=None)
    link.refresh_from_db()
    return link


def test_a_link_of_before_gets_an_id_once(project: Project) -> None:
    link = unnamed(project)

    name_links([link])

    assert re.fullmatch("lnk_[A-Za-z0-9]{16}", link.link_id or "")
    assert AssessmentLink.objects.get().link_id == link.link_id


def test_a_link_that_was_named_meanwhile_keeps_its_id(project: Project) -> None:
    link = unnamed(project)
    name_links([AssessmentLink.objects.get()])

    name_links([link])

    assert link.link_id == AssessmentLink.objects.get().link_id


def test_a_named_link_costs_no_query(
    project: Project, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    link, _ = issue(project)

    with django_assert_num_queries(0):
        name_links([link])
