"""Several students on one phone, each in a tab, and a student who changes the language."""

import secrets

import pytest

from tests.e2e.conftest import choices, stored
from tests.support.backend import Applicant

pytestmark = pytest.mark.slow


def likes(number):
    return lambda question, labels: number % len(labels)


@pytest.fixture
def new_link(partner):
    def new(name):
        number = secrets.randbelow(10**8)
        address = f"{name.split()[0].lower()}.{number}@example.com"
        applicant = Applicant(name, address, f"+91 98{number:08}")
        return applicant, partner.redirect_url(applicant)

    return new


@pytest.mark.parametrize(
    "scripts", [pytest.param(True, marks=pytest.mark.sqlite, id="scripts"), False]
)
def test_two_students_go_on_side_by_side_to_their_own_results(
    service, partner, new_student, new_link, scripts
):
    asha, asha_link = new_link("Asha Rao")
    ravi, ravi_link = new_link("Ravi Nair")
    first = new_student(java_script_enabled=scripts)
    first.rule = likes(0)
    first.start(asha_link)
    first.go_to_question(7)
    second = first.new_tab(ravi_link)
    second.rule = likes(3)
    second.consent()
    second.press("Start")
    second.go_to_question(1)

    def is_whose(tab, name, other):
        assert name in tab.text
        assert other not in tab.text

    # The phone loads tabs anew by itself; each goes on with its own.
    first.reload()
    is_whose(first, "Asha", "Ravi")
    first.answer()
    second.answer()
    second.back()
    is_whose(second, "Ravi", "Asha")
    assert second.ticked != []
    second.answer()
    # A killed tab comes back at its address, or from its link; Start twice is one attempt.
    address = first.page.url
    first.page.close()
    first = second.new_tab(address)
    first.rule = likes(0)
    is_whose(first, "Asha", "Ravi")
    first.open(asha_link)
    is_whose(first, "Asha", "Ravi")
    chooser = first.new_tab(f"{service.url}/{partner.project_id}/assessment")
    assert chooser.kind == "choose"
    assert {"Asha", "Ravi"} <= set(chooser.text.split())
    chooser.page.close()

    first.answer_to_the_end()
    is_whose(first, "Asha", "Ravi")
    second.reload()
    assert second.kind in {"question", "section"}
    second.answer_to_the_end()
    is_whose(second, "Ravi", "Asha")

    assert [r["Status"] for r in partner.attempts(asha.email)] == ["Completed"]
    assert [r["Status"] for r in partner.attempts(ravi.email)] == ["Completed"]
    assert partner.attempts(asha.email)[0]["Recommendations"] == first.recommended
    assert partner.attempts(ravi.email)[0]["Recommendations"] == second.recommended
    # Statements of the first stage are the same for both; what was stored is each one's own.
    statements = range(1, 7)
    assert len({choices(service, asha)[each] for each in statements}) == 1
    assert choices(service, asha)[1] != choices(service, ravi)[1]

    first.press(first.page.locator("a", has_text="Forget this browser"))
    first.press("Forget this browser")
    second.reload()
    assert (second.status, second.kind) == (200, "result")
    first.open(address)
    assert first.status == 403


@pytest.mark.usefixtures("shipped_bank")
@pytest.mark.parametrize("scripts", [True, False])
def test_the_language_changes_on_a_page_without_losing_what_is_ticked(
    service, applicant, link, new_student, scripts
):
    student = new_student(java_script_enabled=scripts)
    student.start(link)
    student.go_to_question(1)
    student.choose()
    ticked = len(student.ticked)

    def switch(words, language):
        before = student.path
        student.press(student.page.get_by_role("button", name=words))
        assert student.page.locator("html").get_attribute("lang") == language
        assert student.path == before

    switch("हिन्दी", "hi")
    assert len(student.ticked) == ticked == len(choices(service, applicant))
    switch("English", "en")
    student.press("Continue")
    student.answer_until(student.page.get_by_role("button", name="Begin part 3").count)
    student.answer()
    stored_before = choices(service, applicant)
    student.choose()
    switch("हिन्दी", "hi")
    # A puzzle's answer is final only after Continue. The script ticks it again.
    assert (len(student.ticked), choices(service, applicant)) == (int(scripts), stored_before)
    assert stored(service, applicant)[0]["language"] == "hi"
