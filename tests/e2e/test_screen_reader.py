"""Puzzles without sight: what is heard of each kind, and what to press if it has pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.e2e.conftest import choices, stored

if TYPE_CHECKING:
    pass

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shipped_bank")]

FIRST_PUZZLE, LAST_PUZZLE = 51, 62
PICTURES = ["A", "B", "C", "D", "E", "F"]
SAID = {"en": "This puzzle uses pictures.", "hi": "इस पहेली में चित्र हैं।"}
SWAP = {"en": "If you can't see pictures, you can swap", "hi": "अगर आपको चित्र दिखाई नहीं देते,"}
BUTTONS = {"en": "I can't see the pictures", "hi": "मुझे चित्र नहीं दिख रहे"}


class Heard(NamedTuple):
    role: str
    name: str
    description: str = ""


def heard(page):
    """Return the nodes of the page that have a name, as assistive technology reads them."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    by_id = {node["nodeId"]: node for node in nodes}

    def read(node):
        role, name, description = (
            node.get(what, {}).get("value", "").strip() for what in Heard._fields
        )
        if name and not node["ignored"] and role != "InlineTextBox":
            yield Heard(role, name, description)
        for child in node.get("childIds", []):
            yield from read(by_id[child]) if child in by_id else ()

    [root] = [node for node in nodes if "parentId" not in node]
    return list(read(root))


def names(nodes, role):
    return [node.name for node in nodes if node.role == role]


def place_of(nodes, words):
    """Return when the one text that begins with these words is read out."""
    [place] = [place for place, node in enumerate(nodes) if node.name.startswith(words)]
    return place


def go_to_puzzles(student, link, language):
    student.open(f"{link}&language={language}")
    student.consent()
    student.press(student.page.locator("#start"))
    student.answer_until(lambda: student.kind == "section" and student.position == FIRST_PUZZLE)


def show_pictures(service, applicant, student):
    """Begin the section, and show a puzzle of pictures in place of its first one."""
    student.answer()
    [attempt] = stored(service, applicant)
    service.rows(
        "UPDATE assessments_answer SET item_id ="
        " (SELECT id FROM assessments_item WHERE bank_id = %s AND code = 'apt-matrices-01')"
        " WHERE assessment_id = %s AND choice IS NULL AND replaced_at IS NULL",
        (attempt["bank_id"], attempt["id"]),
    )
    student.reload()


@pytest.mark.parametrize(("language", "scripts"), [("en", False), ("hi", True)])
def test_a_picture_puzzle_says_what_to_press_and_no_more_pictures_come(
    service, partner, link, applicant, new_student, language, scripts
):
    student = new_student(java_script_enabled=scripts)
    go_to_puzzles(student, link, language)
    before = heard(student.page)
    examples = student.page.locator("summary").all_inner_texts()
    words = [node.name for node in before]
    assert place_of(before, SWAP[language]) < min(words.index(title) for title in examples)
    show_pictures(service, applicant, student)

    before = heard(student.page)
    assert names(before, "radio")[:-1] == PICTURES
    assert place_of(before, SAID[language]) < [node.name for node in before].index("A")
    [group] = [node for node in before if node.role == "group"]
    assert group.description.startswith(SAID[language])
    assert BUTTONS[language] in names(before, "button")

    student.page.get_by_role("radio").last.check()  # by mistake
    for _ in range(2):  # past Continue, to the button
        student.page.keyboard.press("Tab")
    with student.page.expect_navigation():
        student.page.keyboard.press("Enter")
    after = heard(student.page)

    assert (student.position, student.ticked, student.kept_on_the_phone) == (FIRST_PUZZLE, [], [])
    assert BUTTONS[language] not in names(after, "button")
    assert names(after, "radio")[:-1] != PICTURES
    assert not any(node.name.startswith(SAID[language]) for node in after)
    assert FIRST_PUZZLE not in choices(service, applicant)

    while student.kind == "question" and student.position <= LAST_PUZZLE:
        assert names(heard(student.page), "radio")[:-1] != PICTURES
        student.answer()
    student.answer_to_the_end()
    [record] = partner.assessments(applicant.email)
    assert record["Status"] == "Completed"
