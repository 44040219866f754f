"""The key, the parameters and the scales never leave the server before the result."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from assessments.models import Answer, Assessment
from partners.models import Project
from tests.assessments.attempts import issue
from tests.support.browser import Browser, Page

NAMES = [
    "key",
    "keyed",
    "radicals",
    "realistic",
    "investigative",
    "artistic",
    "enterprising",
    "conventional",
    "alone_group",
    "planned_flexible",
    "int-",
    "apt-",
    "pref-",
    "family",
    "theta",
    "weight",
    "correct",
]

pytestmark = pytest.mark.usefixtures("bank")


def run(project: Project, browser: Browser, choice: int = 0) -> list[Page]:
    """Return every page before the result."""
    pages = [browser.open(issue(project)[1])]
    page = browser.press(pages[0], {"consent": "yes"})
    while page.name != "result":
        pages.append(page)
        page = browser.go_on(page, choice)
    return pages


def test_no_page_names_a_key_a_parameter_or_a_scale(project: Project, browser: Browser) -> None:
    for page in run(project, browser):
        text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.text)
        # the words of a statement may hold any word
        markup = re.sub(r'class="[^"]*"', "", " ".join(re.findall(r"<[^>]*>", text)))
        for name in NAMES:
            assert not re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", markup), (
                name,
                page.response.request["PATH_INFO"],
            )


def test_no_page_carries_a_parameter_s_value(project: Project, browser: Browser) -> None:
    pages = run(project, browser)

    for answer in Answer.objects.filter(item__section="aptitude").select_related("item"):
        (page,) = [p for p in pages if p.response.request["PATH_INFO"].endswith(
            f"/assessment/{answer.position}") and p.name == "question"]  # fmt: skip
        for value in (answer.item.a, answer.item.b, answer.item.c):
            assert f'"{value}"' not in page.text
        assert answer.item.code not in page.text


def test_all_options_look_alike(project: Project, browser: Browser) -> None:
    """Only value, id and label differ between the options of a puzzle."""
    for page in run(project, browser):
        if page.form.questions != ["answer"]:
            continue
        radios = [control for control in page.form.inputs if control.get("type") == "radio"]
        bare = [{k: v for k, v in radio.items() if k not in {"value", "id"}} for radio in radios]
        assert all(radio == bare[0] for radio in bare)
        assert [radio["value"] for radio in radios] == [
            *(str(number) for number in range(1, len(radios))),
            "0",
        ]


def test_right_and_wrong_answers_get_the_same_page(project: Project) -> None:
    """Nothing between two puzzles tells whether the first was right."""
    pages = {}
    for name in ("right", "wrong"):
        browser = Browser()
        page = browser.start(issue(project, email=f"{name}@example.com")[1])
        while page.form.questions != ["answer"]:
            page = browser.go_on(page)
        attempt = Assessment.objects.get(student__email_key=f"{name}@example.com")
        key = attempt.read_answers().page(25)[0].item.key
        choice = key if name == "right" else key % 5 + 1
        pages[name] = browser.press(page, {"answer": str(choice)})

    def frame(page: Page) -> str:
        text = re.sub(r"<fieldset.*</fieldset>", "", page.text, flags=re.DOTALL)
        # the next puzzle may have pictures, and then a way round them
        text = re.sub(r'<button[^>]*class="second".*?</button>', "", text, flags=re.DOTALL)
        text = re.sub(r'value="(asm_)?\w+"', "", text)
        return re.sub(r"<title>.*</title>", "", text)

    assert frame(pages["right"]) == frame(pages["wrong"])


def test_static_files_hold_no_key(small_bank: dict[str, Any]) -> None:
    codes = [item["code"] for item in small_bank["items"]]

    for finder in finders.get_finders():
        for path, storage in finder.list([]):
            if path.startswith("admin/"):
                continue
            with storage.open(path) as file:
                content = file.read().decode(errors="replace")
            assert not [code for code in codes if code in content], path
