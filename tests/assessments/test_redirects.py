"""No field of a student's request is the target of a redirect."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from assessments.models import Assessment
from partners.models import Project
from tests.assessments.attempts import issue
from tests.support.browser import Browser

EVIL = [
    "https://evil.example/",
    "/\\evil.example/",
    "javascript:alert(1)",
    "%2f%2fevil.example",
]
NAMES = ["next", "url", "redirect", "return", "returnTo", "continue", "redirect-url", "r", "goto"]

pytestmark = pytest.mark.usefixtures("bank")


def assert_ours(location: str, project: Project) -> None:
    parts = urlsplit(location)
    assert (parts.scheme, parts.netloc) == ("", "")
    assert location.startswith(f"/{project.project_id}/assessment")
    assert "evil" not in location


@pytest.mark.parametrize("target", EVIL)
def test_start_goes_to_the_attempt(project: Project, browser: Browser, target: str) -> None:
    _, url = issue(project)
    landing = browser.open(url)
    evil = dict.fromkeys(NAMES, target)

    page = browser.post(
        f"{landing.form.action}?next={target}", {**landing.form.filled, "consent": "yes", **evil}
    )

    assert page.status == 303
    assert_ours(page.location, project)


@pytest.mark.parametrize("target", EVIL)
def test_every_redirect_inside_stays_inside(
    project: Project, browser: Browser, target: str
) -> None:
    _, url = issue(project)
    browser.start(url)
    query = "&".join(f"{name}={target}" for name in NAMES)
    base = f"/{project.project_id}/assessment"

    locations = [
        page.location
        for path in ("", "/1", "/2", "/44", "/result", "/leave")
        if (page := browser.get(f"{base}{path}?{query}")).status == 303
    ]
    begin = browser.post(
        f"{base}/1?{query}",
        {"assessment": Assessment.objects.get().assessment_id, "begin": "yes", "next": target},
    )

    assert len(locations) == 4
    for location in [*locations, begin.location]:
        assert_ours(location, project)


def test_the_host_header_decides_no_redirect(project: Project, browser: Browser) -> None:
    _, url = issue(project)
    browser.start(url)

    page = browser.get(f"/{project.project_id}/assessment", HTTP_X_FORWARDED_HOST="evil.example")

    assert_ours(page.location, project)
