"""A student prints, shares and forgets a result in a real browser, and nothing of it leaks."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.e2e.conftest import NewStudent
from tests.support.backend import Applicant, PartnerBackend
from tests.support.hygiene import remember
from tests.support.server import Service
from tests.support.student import Student

pytestmark = pytest.mark.slow

DRAFT = 'localStorage.setItem("answers of asm_other 1", "{}")'


def test_a_result_is_printed_shared_and_forgotten(
    service: Service,
    partner: PartnerBackend,
    applicant: Applicant,
    student: Student,
    new_student: NewStudent,
) -> None:
    link = partner.redirect_url(applicant)
    student.context.grant_permissions(["clipboard-read", "clipboard-write"])
    student.start(link)
    student.answer_to_the_end()
    page = student.page

    page.evaluate("window.print = () => { window.hasPrinted = true }")
    page.get_by_role("button", name="Print or save as PDF").click()
    assert page.evaluate("window.hasPrinted")

    student.press("Get a private link")
    student.press("Make the link")
    address = remember(page.locator("input[readonly]").input_value())
    page.get_by_role("button", name="Copy").click()
    page.get_by_text("Copied", exact=True).wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == address
    sent = page.get_by_role("link", name="Send with WhatsApp").get_attribute("href") or ""
    assert address in parse_qs(urlsplit(sent).query)["text"][0]

    reader = new_student()
    reader.open(address)
    assert (reader.status, reader.kind) == (200, "private-result")
    assert reader.recommended
    assert "Meenakshi" in reader.heading
    assert "Meenakshi" not in reader.page.title()
    assert reader.context.cookies() == []

    student.press(page.get_by_role("link", name="Your result"))
    page.evaluate(DRAFT)
    student.press(page.get_by_role("link", name="Forget this browser"))
    assert "only your private link" in student.text
    student.press("Forget this browser")
    assert (student.kind, student.context.cookies()) == ("forgotten", [])
    assert page.evaluate("localStorage.length") == 0
    for _ in range(2):  # the question whether to forget, then the result
        student.back()
    assert student.status == 403
    student.open(link)
    assert student.status == 410

    reader.reload()
    assert reader.status == 200
    assert urlsplit(address).query.partition("=")[2] not in service.logs()


def test_without_scripts_the_menu_is_named_and_the_address_can_be_selected(
    partner: PartnerBackend, applicant: Applicant, new_student: NewStudent
) -> None:
    student = new_student(java_script_enabled=False)
    student.start(partner.redirect_url(applicant))
    student.answer_to_the_end()

    assert "open the menu of your browser" in student.text
    assert not student.page.get_by_role("button", name="Print").is_visible()
    student.press("Get a private link")
    student.press("Make the link")

    assert remember(student.page.locator("input[readonly]").input_value())
    assert not student.page.get_by_role("button", name="Copy").is_visible()
