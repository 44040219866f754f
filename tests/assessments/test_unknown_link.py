"""What is no link of ours: a 404 page, never a crash, and a brake on guessing."""

from __future__ import annotations

from urllib.parse import quote

import pytest
import time_machine
from pytest_django import Settings

from assessments.models import Assessment, AssessmentLink
from partners.models import Project
from tests.assessments.attempts import issue, token_of
from tests.factories import ProjectFactory
from tests.support.browser import Browser

WELL_FORMED = "A" * 43
# Tries are counted in fixed minutes, so the clock stands still while they are made.
WITHIN_A_MINUTE = time_machine.travel(1_780_000_000, tick=False)

pytestmark = pytest.mark.usefixtures("bank")


@pytest.mark.parametrize(
    "query",
    [
        f"token={WELL_FORMED}",
        "token=",
        f"token={'A' * 44}",
        "token=%ff%fe",
        "token=%ED%A0%80",
        f"token={quote('अ' * 43)}",
        f"token={'A' * 8192}",
        f"token={WELL_FORMED}&token={WELL_FORMED}",
        "",
    ],
)
def test_it_is_a_404_page(project: Project, browser: Browser, query: str) -> None:
    page = browser.get(f"/{project.project_id}/assessment?{query}")

    assert page.status == 404
    assert page.name == "error-404"
    assert page.forms == []
    assert page.response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "address",
    [
        "/{id}/assessment?token=%00",
        f"/{{id}}/assessment?token={WELL_FORMED}%00",
        f"/prj_AAAAAAAAAAAAAAA%00/assessment?token={WELL_FORMED}",
    ],
)
def test_a_nul_is_a_404_page(project: Project, browser: Browser, address: str) -> None:
    page = browser.get(address.format(id=project.project_id))

    assert page.status == 404
    assert page.name == "error-404"
    assert page.forms == []


def test_two_tokens_are_none_even_if_one_is_right(project: Project, browser: Browser) -> None:
    link, url = issue(project)

    page = browser.get(f"{url}&token={token_of(url)}")

    assert page.status == 404
    assert link.state_at() == "unused"


@pytest.mark.parametrize(
    "sent", [{}, {"token": "abc"}, {"token": "\0" * 43}, {"token": WELL_FORMED}]
)
def test_an_unknown_token_in_the_form_is_a_404_page(
    project: Project, browser: Browser, sent: dict[str, str]
) -> None:
    _, url = issue(project)
    browser.open(url)

    page = browser.post(f"/{project.project_id}/assessment", {**sent, "consent": "yes"})

    assert page.status == 404
    assert not Assessment.objects.exists()


@pytest.mark.parametrize(
    "path",
    [
        "/prj_unknown/assessment",
        "/prj_AAAAAAAAAAAAAAAA/assessment",
        "/prj_AAAAAAAAAAAAAAAA/assessment/",
        "/partner/assessment",
        "/prj_AAAAAAAAAAAAAAAA/assessment/0000000001",
        "/prj_AAAAAAAAAAAAAAAA/assessment/१",
    ],
)
def test_a_path_that_is_none(project: Project, browser: Browser, path: str) -> None:
    page = browser.get(f"{path}?token={WELL_FORMED}")

    assert page.status == 404


def test_a_project_that_does_not_exist_looks_like_a_token_that_does_not(
    project: Project, browser: Browser
) -> None:
    known = browser.get(f"/{project.project_id}/assessment?token={WELL_FORMED}")
    unknown = browser.get(f"/prj_AAAAAAAAAAAAAAAA/assessment?token={WELL_FORMED}")

    assert unknown.text == known.text
    assert unknown.status == known.status == 404


@WITHIN_A_MINUTE
def test_guessing_is_slowed_down_per_address(project: Project) -> None:
    pages = [
        Browser(address="192.0.2.1").get(f"/{project.project_id}/assessment?token={number:043}")
        for number in range(33)
    ]

    assert [page.status for page in pages] == [404] * 30 + [429] * 3
    assert pages[-1].name == "error-429"
    assert 1 <= int(pages[-1].response.headers["Retry-After"]) <= 60


def test_a_classroom_with_good_links_is_not_slowed_down(
    project: Project, settings: Settings
) -> None:
    """Where one address has used up its guesses, good links go on opening."""
    settings.UNKNOWN_LINKS_PER_MINUTE = 1
    for _ in range(3):
        Browser().get(f"/{project.project_id}/assessment?token={WELL_FORMED}")
    _, url = issue(project)

    pages = [Browser().get(url) for _ in range(5)]

    assert [page.status for page in pages] == [200] * 5
    assert Browser().start(url).status == 200


def test_another_address_is_not_slowed_down(project: Project, settings: Settings) -> None:
    settings.UNKNOWN_LINKS_PER_MINUTE = 1
    for _ in range(3):
        Browser(address="192.0.2.1").get(f"/{project.project_id}/assessment?token={WELL_FORMED}")

    page = Browser(address="192.0.2.2").get(f"/{project.project_id}/assessment?token={WELL_FORMED}")

    assert page.status == 404


def test_a_link_is_not_found_by_its_digest(browser: Browser) -> None:
    project = ProjectFactory.create()
    link, _ = issue(project)

    page = browser.get(f"/{project.project_id}/assessment?token={link.token_digest[:43]}")

    assert page.status == 404
    assert AssessmentLink.objects.get().used_at is None
