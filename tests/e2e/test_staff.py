"""Staff in a browser: support does what docs/support-runbook.md says, typing is not lost."""

import re
from datetime import timedelta

import pytest

from tests.e2e.conftest import CATALOGUE, DESKTOP, Staff, stored
from tests.support.backend import PartnerBackend
from tests.support.server import ROOT

pytestmark = pytest.mark.slow

MOST_EFFORT = 10  # clicks and page loads for a case of the runbook


def steps(case):
    text = (ROOT / "docs" / "support-runbook.md").read_text()
    section = text.partition(f"\n## {case}\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^\d+\. (.+(?:\n   .+)*)", section, re.MULTILINE)
    assert lines, f"The runbook has no case “{case}”."
    return [re.sub(r"\s+", " ", line) for line in lines]


def do(page, step, values):
    """Do a step of the runbook. What stands in angle brackets there is in `values`."""

    def field(label):
        return page.get_by_label(re.compile(rf"^\s*{re.escape(label)}:?\s*$"))

    def press(name):
        button = page.get_by_role("button", name=name, exact=True)
        button.or_(page.get_by_role("link", name=name, exact=True)).first.click()
        page.wait_for_load_state()

    def read(text):
        assert text in re.sub(r"\s+", " ", page.locator("#container").inner_text())

    acts = {
        r"Press \*\*(.+?)\*\*": press,
        r"Type `(.+?)` into \*\*(.+?)\*\*": lambda value, label: field(label).fill(value),
        r"Choose the file `(.+?)` in \*\*(.+?)\*\*": (
            lambda value, label: field(label).set_input_files(value)
        ),
        r"Read “(.+?)”": read,
    }
    [(act, found)] = [(acts[each], found) for each in acts if (found := re.match(each, step))]
    first, *more = found.groups()
    act(values[first[1:-1]] if first.startswith("<") else first, *more)


@pytest.fixture(scope="module")
def signed_in(chromium, service):
    """Give the cookies of a sign-in of support; an account may try only five a minute."""
    context = chromium.new_context()
    Staff(service).sign_in(context.new_page(), service.url)
    cookies = context.storage_state()
    context.close()
    return cookies


@pytest.fixture
def follow(service, open_page, signed_in):
    """Give a function that does a case of the runbook, and counts clicks and page loads."""

    def follow(case, **values):
        clipboard = ["clipboard-read", "clipboard-write"]
        page = open_page(storage_state=signed_in, viewport=DESKTOP, permissions=clipboard)
        loads = []
        page.on("framenavigated", lambda frame: loads.append(frame))
        page.goto(f"{service.url}/admin/")
        first, *others = steps(case)
        assert first == "Open the start page."
        for step in others:
            try:
                do(page, step, values)
            except Exception as error:
                raise AssertionError(f"“{step}” failed: {page.content()}") from error
        clicks = [step for step in others if not step.startswith("Read")]
        assert len(clicks) + len(loads) <= MOST_EFFORT
        return page

    return follow


def test_a_college_is_onboarded_and_its_backend_calls(service, follow, applicant):
    page = follow(
        "Onboard a college",
        partner="Northern Portal",
        project="Sahyadri Evening College",
    )
    secret = page.locator("#token-secret").inner_text().strip()
    page.get_by_role("link", name="I have copied it: load the courses").click()
    for last in ("Discard this file", "Load the file"):
        page.get_by_label("File").set_input_files(str(CATALOGUE))
        page.get_by_role("button", name="Compare").click()
        page.get_by_role("button", name=last).click()
    page.get_by_text("Saved: ").wait_for()

    [made] = service.rows(
        "SELECT p.project_id, t.token_id, count(*) AS courses FROM partners_project p"
        " JOIN tokens_accesstoken t ON t.project_id = p.id"
        " JOIN assessments_course c ON c.project_id = p.id"
        " WHERE p.name = 'Sahyadri Evening College' GROUP BY 1, 2"
    )
    backend = PartnerBackend(service.url, made["project_id"], made["token_id"], secret)
    assert backend.redirect_url(applicant).startswith(f"{service.url}/{made['project_id']}/")
    assert made["courses"] > 10


def test_a_dead_link_is_explained_and_a_fresh_one_is_copied(
    service, follow, link, applicant, student
):
    [row], days = stored(service, applicant, "assessmentlink"), timedelta(days=5)
    service.rows(
        "UPDATE assessments_assessmentlink SET issued_at = %s, expires_at = %s WHERE id = %s",
        (row["issued_at"] - days, row["expires_at"] - days, row["id"]),
    )

    page = follow("A student says the link is dead", **{"e-mail address or link": link})

    fresh = page.locator("#redirect-url").inner_text().strip()
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == fresh
    student.start(fresh)
    assert student.asks_subjects
    old, new = stored(service, applicant, "assessmentlink")
    assert (old["used_at"], bool(new["used_at"])) == (None, True)


@pytest.mark.parametrize(
    ("role", "app", "model"),
    [("Support", "partners", "project"), ("Content", "assessments", "course")],
)
def test_typing_survives_a_session_that_has_ended(service, partner, open_page, role, app, model):
    someone = Staff(service, role)
    page = open_page(viewport=DESKTOP)
    page.clock.install()
    page.goto(f"{service.url}/admin/{app}/{model}/")
    someone.give_password(page)
    someone.give_code(page)
    page.locator("#result_list tbody th a").first.click()
    page.get_by_label("Name:").fill("Half-filled")
    page.clock.fast_forward("26:00")
    page.get_by_text("You will be signed out in a few minutes.").wait_for()
    service.rows("DELETE FROM django_session RETURNING session_key")
    page.clock.fast_forward("05:00")

    page.get_by_role("button", name="Save", exact=True).click()
    link = page.get_by_role("link", name="Sign in in another tab")
    link.wait_for()
    assert page.get_by_label("Name:").input_value() == "Half-filled"

    with page.context.expect_page() as opened:
        link.click()
    other = opened.value
    someone.give_password(other)
    service.rows("UPDATE otp_totp_totpdevice SET last_t = -1 RETURNING id")  # the same half minute
    someone.give_code(other)
    other.get_by_role("link", name="Sign out").or_(other.locator("#logout-form")).first.wait_for()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("was changed successfully").wait_for()
    names = service.rows(f"SELECT name FROM {app}_{model} WHERE name = 'Half-filled'")
    assert len(names) == 1
