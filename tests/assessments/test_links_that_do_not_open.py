"""A link that cannot be started here is a 410 page without a word about the person; what is no
link of ours is a 404 page, and guessing is slowed down."""

from datetime import timedelta
from urllib.parse import quote

import pytest
import time_machine
from django.db.models import F

from assessments.models import AssessmentLink, Attempt
from tests.assessments.attempts import issue, marked_completed, token_of
from tests.factories import BY
from tests.support.browser import Browser

STUDENT = {"name": "Asha Padmini", "email": "secret@example.net", "mobile": "+91 91234 56789"}
WHY = "sent to a wrong address"
PERSONAL = ("Asha", "Padmini", "secret@", "91234", "56789", WHY, "lnk_", "asm_", " of 44")
WELL_FORMED = "A" * 22
PHONE = "Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36"

pytestmark = pytest.mark.usefixtures("bank")


def move_back(hours):
    """Let hours have passed for every link and attempt."""
    by = timedelta(hours=hours)
    AssessmentLink.objects.update(issued_at=F("issued_at") - by, expires_at=F("expires_at") - by)
    AssessmentLink.objects.exclude(used_at=None).update(used_at=F("used_at") - by)
    Attempt.objects.update(started_at=F("started_at") - by, finish_by_at=F("finish_by_at") - by)


EVENTS = {
    "nothing": lambda link: None,
    "completed": lambda link: marked_completed(Attempt.objects.get()),
    "left": lambda link: Attempt.objects.get().abandon(),
    "late": lambda link: move_back(25),
    "expired": lambda link: move_back(72),
    "project closed": lambda link: link.project.close(by=BY),
    "cancelled": lambda link: link.cancel(reason=WHY, by=BY),
}


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("is_started", "happens", "state", "heading"),
    [
        (True, "nothing", "in-use", "This link is open in another browser"),
        (True, "completed", "finished", "This assessment is finished"),
        (True, "left", "ended", "This attempt has ended"),
        (True, "late", "ended", "This attempt has ended"),
        (True, "project closed", "in-use", "This link is open in another browser"),
        (False, "expired", "expired", "This link is no longer valid"),
        (False, "project closed", "closed", "This assessment is closed"),
        (False, "cancelled", "cancelled", "This link was cancelled"),
    ],
)
def test_neither_the_link_opens_nor_start_on_a_page_that_was_open_before(
    project, rows, is_started, happens, state, heading
):
    link, url = issue(project, **STUDENT)
    browser = Browser(HTTP_USER_AGENT=PHONE)
    landing = browser.open(url)
    if is_started:
        Browser(HTTP_USER_AGENT=PHONE).start(url)
    EVENTS[happens](link)
    before = rows(Attempt, AssessmentLink)

    pages = [browser.get(url), browser.send(landing, {"consent": "yes"})]

    for page in pages:
        assert (page.status, page.name, page.heading) == (410, "link-unavailable", heading)
        assert page.forms == []
        assert project.name in page.text
        assert page.response.headers["Cache-Control"] == "no-store"
        assert not [word for word in PERSONAL if word in page.text]
    assert "attempt" not in browser.cookies
    assert rows(Attempt, AssessmentLink) == before
    fetches = link.events.order_by("number").values_list("kind", "what")
    assert list(fetches) == [("opened", ""), ("refused", state)]


NO_LINKS = [
    *("/{id}/assessment", f"/{{id}}/assessment?token={WELL_FORMED}", "/{id}/assessment?token="),
    *("/{id}/assessment?token=%ED%A0%80", f"/{{id}}/assessment?token={quote('अ' * 22)}"),
    *("/{id}/assessment?token={cut}", f"/{{id}}/assessment?token={'A' * 8192}"),
    f"/{{id}}/assessment?token={WELL_FORMED}&token={WELL_FORMED}",
    *("/{id}/assessment?token={token}&token={token}", "/{id}/assessment?token={digest}"),
    f"/{{id}}/assessment?token={WELL_FORMED}%00",
    f"/prj_AAAAAAAAAAAAAAA%00/assessment?token={WELL_FORMED}",
    f"/prj_AAAAAAAAAAAAAAAA/assessment?token={WELL_FORMED}",
    f"/prj_AAAAAAAAAAAAAAAA/assessment/?token={WELL_FORMED}",
    f"/partner/assessment?token={WELL_FORMED}",
    *("/{id}/assessment/0000000001", "/{id}/assessment/१"),
]


def test_what_is_no_link_is_a_404_page(project, browser):
    link, url = issue(project)
    token = token_of(url)
    ours = {"id": project.project_id, "token": token, "cut": token[:-1]}
    for path in NO_LINKS:
        page = browser.get(path.format(**ours, digest=link.token_digest[:22]))

        assert (page.status, page.forms) == (404, []), path
        assert page.name == ("" if path.startswith("/partner") else "error-404")
        assert page.response.headers["Cache-Control"] == "no-store"
    assert link.state_at() == "unused"


def guess(project_id, number=0, address="192.0.2.1"):
    return Browser(address=address).get(f"/{project_id}/assessment?token={number:022}")


# The limit counts by the minute, so the clock is stopped during the tries.
@time_machine.travel(1_780_000_000, tick=False)
def test_guessing_is_slowed_down_for_an_address_but_not_for_others(project):
    pages = [guess(project.project_id, number) for number in range(33)]

    assert [page.status for page in pages] == [404] * 30 + [429] * 3
    assert pages[-1].name == "error-429"
    assert 1 <= int(pages[-1].response.headers["Retry-After"]) <= 60
    assert guess(project.project_id, address="192.0.2.2").status == 404
