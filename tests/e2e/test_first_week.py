"""The first week of a college, as support and the partner see it, in one walk."""

import csv
import io
import json
import re

import pytest

from tests.e2e.conftest import CATALOGUE, DESKTOP, Staff
from tests.support import hygiene
from tests.support.backend import Applicant, PartnerBackend, Refused
from tests.support.clients import exchange

pytestmark = pytest.mark.slow

PROJECT = "Sahyadri Night College"
INVITED = 30


def applicant(number):
    return Applicant(
        f"Student{number:02} Rao", f"walk.{number}@example.com", f"+91 98{7612 + number:08}"
    )


class Desk:
    """A member of staff at the desk, and what the pages say."""

    def __init__(self, page, home):
        self.page, self.home = page, home

    @property
    def text(self):
        return re.sub(r"\s+", " ", self.page.locator("#container").inner_text())

    def open(self, path=""):
        self.page.goto(f"{self.home}/admin/{path}")
        return self.text

    def press(self, name, **inputs):
        """Fill the inputs by their names, then press a button or a link."""
        for field, value in inputs.items():
            self.page.locator(f"[name={field}]").fill(value)
        button = self.page.get_by_role("button", name=name, exact=True)
        button.or_(self.page.get_by_role("link", name=name, exact=True)).first.click()
        self.page.wait_for_load_state()
        return self.text

    def download(self, name):
        """Press a button whose answer is a file with links. Return its rows by email."""
        self.page.locator("[name=file][value=csv]").check()
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name=name).click()
        rows = csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig")))
        return {row["email"]: hygiene.remember(row["link"]) for row in rows}


def token_ends(service, backend):
    """Return the header of an answer that says when the token ends."""
    body = json.dumps({"projectId": backend.project_id})
    credential = f"{backend.token_id}:{backend.token_secret}"
    headers = {"Content-Type": "application/json", "X-Access-Token": credential}
    answer, _ = exchange(service, "POST", "/partner/get-recent-failures", body, **headers)
    return answer.headers["X-Token-Ends"]


def reason_of_401(backend):
    with pytest.raises(Refused) as refused:
        backend.attempts("walk.1@example.com")
    assert refused.value.status == 401
    return refused.value.body["reason"]


def test_the_first_week_of_a_college(service, open_page, new_student):
    desk = Desk(open_page(viewport=DESKTOP), service.url)
    Staff(service).sign_in(desk.page, service.url)

    # Onboarded without courses, it is warned of, and a result has none.
    desk.open("onboard/")
    desk.press("Onboard", partner_name="Night Portal", project_name=PROJECT)
    ids = [desk.page.locator(each).inner_text().strip() for each in ("#token-id", "#token-secret")]
    [made] = service.rows(f"SELECT id, project_id FROM partners_project WHERE name = '{PROJECT}'")
    backend = PartnerBackend(service.url, made["project_id"], *ids)
    assert f"{PROJECT} has no active course" in desk.open()
    first = new_student()
    first.start(backend.redirect_url(applicant(0)))
    first.answer_to_the_end()
    [attempt] = backend.attempts(applicant(0).email)
    assert (attempt["Status"], attempt["Recommendations"]) == ("Completed", [])

    # Once courses are loaded, the empty result gets some.
    desk.open(f"assessments/course/catalogue/{made['id']}/load/")
    desk.page.get_by_label("File").set_input_files(str(CATALOGUE))
    desk.press("Compare")
    desk.press("Load the file")
    assert f"{PROJECT} has no active course" not in desk.open()
    desk.open(f"partners/project/{made['id']}/change/")
    desk.press("Add courses to results without any")
    desk.press("Add courses to results without any", reason="the list came late")
    [filled] = backend.attempts(applicant(0).email)
    assert filled["AssessmentId"] == attempt["AssessmentId"]
    assert len(filled["Recommendations"]) >= 3
    first.reload()
    assert first.recommended == filled["Recommendations"]

    # A token for ten days warns the partner and support.
    assert token_ends(service, backend) is None
    lifetime = ("--expires-in", "10d", "--reason", "a trial", "--json")
    short = PartnerBackend.from_onboarding(
        service.url, service.manage("issue_token", made["project_id"], *lifetime)
    )
    assert token_ends(service, short)
    assert f"The token {short.token_id} of {PROJECT} ends" in desk.open()

    # Of thirty who are invited three start, and one finishes.
    students = [applicant(number) for number in range(1, INVITED + 1)]
    lines = [f"{each.name},{each.email},{each.mobile}" for each in students]
    desk.open(f"partners/project/{made['id']}/invite/")
    desk.press("Read the list", pasted="\n".join(["name,email,mobile", *lines]))
    assert f"{INVITED} students will get a link" in desk.text
    links = desk.download("Make the links")
    assert links.keys() == {each.email for each in students}
    for number, each in enumerate(students[:3]):
        student = new_student()
        student.start(links[each.email])
        if number == 0:
            student.answer_to_the_end()
    desk.open(f"partners/project/{made['id']}/change/")
    counts = desk.page.locator("[aria-label=Invitations] tbody td").all_inner_texts()
    assert counts[0] == "30"
    assert counts[2:] == ["3", "1"]

    # Who has not finished is seen by name, and gets a fresh link.
    desk.page.locator("[aria-label=Invitations] tbody a").click()
    names = desk.page.locator("#content-main tbody th a").all_inner_texts()
    assert sorted(names) == sorted(each.name for each in students[1:])
    desk.press("Make fresh links for these")
    fresh = desk.download("Make the links")
    assert fresh.keys() == {each.email for each in students[1:]}
    assert not set(fresh.values()) & set(links.values())
    late = new_student()
    late.start(fresh[students[5].email])
    assert late.attempt

    # Rotated, the old token warns; revoked, it is refused; so is a closed project's.
    [row] = service.rows(f"SELECT id FROM tokens_accesstoken WHERE token_id = '{backend.token_id}'")
    desk.open(f"tokens/accesstoken/{row['id']}/rotate/")
    desk.press("Rotate access token", reason="a new developer")
    successor = PartnerBackend(
        service.url,
        made["project_id"],
        *(desk.page.locator(each).inner_text().strip() for each in ("#token-id", "#token-secret")),
    )
    assert token_ends(service, backend)
    assert token_ends(service, successor) is None
    desk.open(f"tokens/accesstoken/{row['id']}/revoke/")
    desk.press("Revoke access token", reason="changed over")
    assert reason_of_401(backend) == "revoked"
    assert successor.attempts(applicant(0).email) == [filled]
    desk.open(f"partners/project/{made['id']}/close/")
    desk.press("Close project", reason="the year is over")
    assert reason_of_401(successor) == "project_closed"
    assert PROJECT not in desk.open()
