"""A student's way from the partner's link to a result that is kept, and what it leaves behind."""

import csv
import json
import re
import secrets
from dataclasses import replace
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tests.e2e.conftest import CATALOGUE, DESKTOP, PHONE, stored
from tests.support.backend import Refused
from tests.support.clients import exchange
from tests.support.hygiene import remember

pytestmark = pytest.mark.slow

RECORD = ["AssessmentDuration", "AssessmentId", "Recommendations", "Status"]
CLIPBOARD = ["clipboard-read", "clipboard-write"]


@pytest.mark.parametrize(
    ("viewport", "scripts"),
    [
        pytest.param(PHONE, False, id="phone without scripts", marks=pytest.mark.sqlite),
        pytest.param(DESKTOP, True, id="desktop"),
    ],
)
def test_a_student_comes_from_the_link_to_a_result_that_the_partner_reads(
    service, partner, applicant, new_student, viewport, scripts
):
    partner.redirect_url(applicant)
    link = partner.redirect_url(applicant)  # again, after the payment went through
    token = re.fullmatch(
        rf"{service.url}/{partner.project_id}/assessment\?token=([A-Za-z0-9_-]{{22}})", link
    )
    assert token
    student = new_student(viewport=viewport, java_script_enabled=scripts)

    student.start(link)
    assert partner.attempts(applicant.email) == []  # while it is in progress
    student.answer_to_the_end()

    [record] = partner.attempts(applicant.email.upper())
    with CATALOGUE.open(newline="") as file:
        offered = {row["name"] for row in csv.DictReader(file)}
    assert sorted(record) == RECORD
    assert re.fullmatch(r"asm_[A-Za-z0-9]{16}", record["AssessmentId"])
    assert record["Status"] == "Completed"
    assert re.fullmatch(r"\d+m [1-5]?\ds", record["AssessmentDuration"])
    assert record["Recommendations"] == student.recommended != []
    assert len(offered.intersection(student.recommended)) == len(student.recommended)
    [attempt] = stored(service, applicant)
    assert attempt["assessment_id"] == record["AssessmentId"]
    assert (bool(attempt["completed_at"]), attempt["abandoned_at"]) == (True, None)
    links = stored(service, applicant, "assessmentlink")
    assert [bool(each["used_at"]) for each in links] == [False, True]
    # The link token is in the first GET and in the form of Start, and nowhere else.
    asked = student.requests
    assert [each.url for each in asked if token[1] in each.url] == [link]
    in_bodies = [each.url for each in asked if token[1] in (each.post_data or "")]
    assert in_bodies == [link.partition("?")[0]]
    assert not any(token[1] in str(each.all_headers()) for each in asked)
    cookies = student.context.cookies()
    assert all(each["httpOnly"] and each["sameSite"] == "Lax" for each in cookies)
    assert token[1] not in str(cookies) + service.logs()

    # Keeping the result: without scripts, nothing is offered that would not work.
    page = student.page
    assert page.get_by_role("button", name="Save as PDF").is_visible() is scripts
    assert scripts or "open the menu of your browser" in student.text
    student.press("Send to my family")
    student.press("Make the link")
    assert remember(page.locator("input[readonly]").input_value())
    assert page.get_by_role("button", name="Copy").is_visible() is scripts


def test_a_result_is_printed_shared_and_forgotten(service, link, student, new_student):
    page = student.page
    student.context.grant_permissions(CLIPBOARD)
    student.start(link)
    student.answer_to_the_end()

    page.evaluate("window.print = () => { window.hasPrinted = true }")  # as in a chat app
    page.get_by_role("button", name="Save as PDF").press("Enter")
    assert page.evaluate("window.hasPrinted")
    page.locator("[role=status]:not(:empty)").wait_for()

    student.press("Send to my family")
    student.press("Make the link")
    address = remember(page.locator("input[readonly]").input_value())
    refuse = "void (navigator.clipboard.writeText = () => Promise.reject())"
    for refusal, told in (
        (refuse, "Press long"),
        ("delete navigator.clipboard.writeText", "Copied"),
    ):
        page.evaluate(refusal)
        page.get_by_role("button", name="Copy").press("Enter")
        page.locator("[role=status]", has_text=told).wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == address
    sent = page.get_by_role("link", name="Send with WhatsApp").get_attribute("href") or ""
    assert address in parse_qs(urlsplit(sent).query)["text"][0]

    reader = new_student()
    reader.open(address)
    assert (reader.status, reader.kind, reader.context.cookies()) == (200, "private-result", [])
    assert reader.recommended
    assert "Meenakshi" in reader.heading
    assert "Meenakshi" not in reader.page.title()

    student.press(page.get_by_role("link", name="Your result"))
    own, others = f"answers of {student.attempt} 1", "answers of asm_other 1"
    page.evaluate("keys => keys.map(key => localStorage.setItem(key, '{}'))", [own, others])
    student.press(page.get_by_role("link", name="Forget this browser"))
    assert "only your private link" in student.text
    student.press("Forget this browser")
    assert (student.kind, student.context.cookies()) == ("forgotten", [])
    assert student.kept_on_the_phone == [others]
    for _ in range(2):  # the question whether to forget, then the result
        student.back()
    assert student.status == 403
    student.open(link)
    assert student.status == 410

    reader.reload()
    assert reader.status == 200
    assert urlsplit(address).query.partition("=")[2] not in service.logs()


def test_back_opens_every_page_that_was_the_answer_to_a_form(link, student):
    student.open(link)
    student.press("Start")
    assert (student.status, student.kind) == (400, "landing")
    student.reload()
    assert (student.status, student.kind) == (200, "landing")
    student.press("Start")
    student.consent()
    student.press("Start")
    student.back()
    assert student.asks_subjects

    student.press("Continue")
    assert student.status == 400
    student.answer()
    student.back()
    assert (student.status, student.asks_subjects, len(student.ticked)) == (200, True, 1)

    student.answer_to_the_end()
    student.press(student.page.get_by_role("link", name="Send to my family"))
    student.press("Make the link")
    remember(student.page.locator("input[readonly]").input_value())
    student.press(student.page.get_by_role("link", name="Your result"))
    student.back()
    assert (student.status, student.kind) == (200, "private-link")


def test_no_line_of_the_log_holds_a_secret_or_a_persons_data(
    service, partner, link, applicant, student
):
    credential = f"{partner.token_id}:{partner.token_secret}"
    unknown, email = secrets.token_urlsafe(16), applicant.email
    start = f"/{partner.project_id}/assessment"
    student.start(link)
    student.go_to_question(7)
    student.leave()
    partner.attempts(email)
    for caller, who in (
        (replace(partner, token_secret=partner.token_secret[:-3] + "AAA"), applicant),
        (partner, replace(applicant, mobile=applicant.mobile + "x")),
    ):
        with pytest.raises(Refused):
            caller.redirect_url(who)
    in_json = {"X-Access-Token": credential, "Content-Type": "application/json"}
    cut_off = f'{{"projectId": "{partner.project_id}", "email": "{email}"'
    for method, path, body, headers, status in [
        ("POST", "/partner/get-assessments-info", cut_off, in_json, 400),
        ("GET", f"{start}?token={unknown}", "", {}, 404),
        ("GET", f"/{partner.project_id}/result?key={unknown}", "", {}, 404),
        ("GET", f"/partner/{quote(email)}", "", {"X-Access-Token": credential}, 404),
        ("GET", f"/nowhere/{email}/{quote(applicant.mobile)}?token={unknown}", "", {}, 404),
        ("GET", "/healthz", "", {"X-Request-ID": email, "User-Agent": email}, 200),
        ("POST", start, f"token={unknown}", {"Referer": link}, 403),
    ]:
        assert exchange(service, method, path, body, **headers)[0].status == status, path

    logged = service.logs()
    private = [
        *(partner.token_secret, partner.token_secret.removeprefix("sec_")[:20]),
        *(link.partition("?token=")[2], unknown),
        *(email, email.partition("@")[0], quote(email, safe="")),
        *(applicant.mobile, applicant.mobile.removeprefix("+91 "), applicant.name.split()[0]),
    ]
    assert [each for each in private if each in logged] == []
    lines = [json.loads(line) for line in logged.splitlines()]
    assert all(line["time"].endswith("+00:00") and line["level"] for line in lines)
    of_start = [line for line in lines if line.get("path") == start]
    assert {"GET", "POST"} <= {line["method"] for line in of_start}
    assert all(line["request_id"] for line in of_start)
