"""A whole attempt, page by page: nothing reveals the key or a parameter, and pages are light."""

import re

import pytest

from assessments.models import Answer, Attempt
from tests.assessments.attempts import issue
from tests.assessments.two_stages import WHOLE, publish_field_bank
from tests.support.browser import Browser

NAMES = [
    *("key", "keyed", "radicals", "realistic", "investigative", "artistic", "enterprising"),
    *("conventional", "alone_group", "planned_flexible", "int-", "apt-", "pref-", "family"),
    *("theta", "weight", "correct"),
]


def walk(project, browser):
    """Return every page of an attempt, from the landing page to the result."""
    seen = [browser.open(issue(project)[1])]
    page = browser.press(seen[0], {"consent": "yes"})
    while page.name != "result":
        seen.append(page)
        page = browser.go_on(page, choice=len(seen) % 5 if page.name == "question" else 0)
    return [*seen, page]


def markup(page, *ignored):
    """Return the tags of a page without these attributes: the words between may be any."""
    tags = " ".join(re.findall(r"<[^>]*>", page.text))
    return re.sub(rf'({"|".join(ignored)})="[^"]*"', "", tags)


def found(names, text):
    return [name for name in names if re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", text)]


def test_no_page_reveals_the_key_a_parameter_or_a_scale(bank, project, browser):
    pages = walk(project, browser)[:-1]
    puzzles = {
        f"/{answer.position}": answer.item
        for answer in Answer.objects.filter(item__section="aptitude").select_related("item")
    }

    for page in pages:
        text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", markup(page, "class"))
        assert found(NAMES, text) == [], page.place
        if page.form.questions == ["answer"]:
            item = puzzles.pop(page.place)
            hidden = [item.code, *(f'"{value}"' for value in (item.a, item.b, item.c))]
            assert [each for each in hidden if each in page.text] == []
            # Only value, id and label differ between the options.
            radios = [control for control in page.form.inputs if control.get("type") == "radio"]
            values = [*map(str, range(1, len(radios))), "0"]
            assert [radio["value"] for radio in radios] == values
            bare = [{k: v for k, v in r.items() if k not in {"value", "id"}} for r in radios]
            assert all(radio == bare[0] for radio in bare)
    assert puzzles == {}


def test_right_and_wrong_answers_get_the_same_page(bank, project):
    pages = {}
    for name in ("right", "wrong"):
        browser = Browser()
        page = browser.start(issue(project, email=f"{name}@example.com")[1])
        while page.form.questions != ["answer"]:
            page = browser.go_on(page)
        attempt = Attempt.objects.get(student__email_key=f"{name}@example.com")
        key = attempt.read_answers().page(25)[0].item.key
        choice = key if name == "right" else key % 5 + 1
        pages[name] = browser.press(page, {"answer": str(choice)})

    def frame(page):
        text = re.sub(r"<fieldset.*</fieldset>", "", page.text, flags=re.DOTALL)
        # the next puzzle may have pictures, and then a way round them
        text = re.sub(r'<button[^>]*class="second".*?</button>', "", text, flags=re.DOTALL)
        text = re.sub(r'value="\w+"|asm_\w+', "", text)
        return re.sub(r"<title>.*</title>", "", text)

    assert frame(pages["right"]) == frame(pages["wrong"])


@pytest.mark.slow
def test_no_page_of_the_shipped_bank_reveals_how_a_puzzle_was_made(db, project, browser):
    publish_field_bank(WHOLE)
    pages = walk(project, browser)
    items = [item for item in WHOLE["items"] if item["section"] == "aptitude"]
    names = {item["template"] for item in items} | {name for i in items for name in i["radicals"]}
    # What is said of a drawing is said in words, and a rule may be called by such a word; the
    # values are numbers, random or addresses.
    words = ("aria-label", "class", "value", "data-sending", "data-waiting")

    for page in pages:
        if page.name == "question":
            # An example is open; a radical is called so too.
            shown = re.sub(r"<details\b[^>]*>", "", markup(page, *words))
            assert found(names, shown) == []

    # Right and wrong pictures are marked up alike.
    drawn = [page.text for page in pages if 'class="answers pictures"' in page.text]
    assert drawn
    for text in drawn:
        options = text.split('class="answers pictures"')[1].split("</fieldset>")[0]
        tags = re.findall(r'<svg class="([^"]*)"\s+viewBox="([^"]*)"', options)
        assert tags == [("drawing cell", tags[0][1])] * 6
