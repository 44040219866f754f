"""No English is left on a Hindi page: every state by its template, and a run by its views."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from assessments.models import Assessment
from tests.assessments.attempts import issue
from tests.assessments.hindi import as_hindi, english_on
from tests.assessments.page_states import STATES
from tests.assessments.test_templates import STRUCTURE
from tests.assessments.two_stages import publish_field_bank
from tests.factories import CourseFactory, ProjectFactory
from tests.support.browser import Browser


def said_in_hindi(value: Any, name: str = "") -> Any:
    """Return the context with Hindi for each text in it: what is English then, the page said."""
    if name in STRUCTURE:
        return value
    if isinstance(value, str):
        return as_hindi(value)
    if isinstance(value, dict):
        return {key: said_in_hindi(item, key) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [said_in_hindi(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: said_in_hindi(getattr(value, field.name), field.name)
            for field in dataclasses.fields(value)
        }
    return value


@pytest.mark.parametrize("state", STATES)
def test_a_state_has_no_english(state: str) -> None:
    template, context = STATES[state]
    context = said_in_hindi(context) | {"language": "hi"}

    with translation.override("hi"):
        html = render_to_string(template, context, request=RequestFactory().get("/"))

    assert english_on(html) == []


def test_a_whole_run_has_no_english(db: None, browser: Browser) -> None:
    publish_field_bank()
    project = ProjectFactory.create(name="उत्तर कॉलेज")
    CourseFactory.create(project=project, name="भौतिकी")
    _, url = issue(project, name="आशा राव")
    seen = []

    page = browser.open(f"{url}&language=hi")
    while page.name in {"landing", "section", "question"}:
        seen.append(page.name)
        assert 'lang="hi"' in page.text
        assert english_on(page.text) == []
        if page.name == "landing":
            page = browser.press(page, {"consent": "yes"})
        else:
            if page.name == "question":
                gaps = browser.send(page)
                assert gaps.status == 400
                assert english_on(gaps.text) == []
            page = browser.go_on(page)

    assert set(seen) == {"landing", "section", "question"}
    assert page.name == "result"
    assert "भौतिकी" in page.text
    assert english_on(page.text) == []
    assert Assessment.objects.get().language == "hi"
