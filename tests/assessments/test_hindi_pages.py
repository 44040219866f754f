"""No English is left on a Hindi page: every state by its template, and a run by its views."""

import dataclasses

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


def in_hindi(value, name=""):
    """Return the context with Hindi for each text in it: English words then are the page's."""
    if name in STRUCTURE:
        return value
    if isinstance(value, str):
        return as_hindi(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {key: in_hindi(item, key) for key, item in value.items()}
    return [in_hindi(item) for item in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("state", STATES)
def test_a_state_has_no_english(state):
    template, context = STATES[state]
    context = in_hindi(context) | {"language": "hi"}

    with translation.override("hi"):
        html = render_to_string(template, context, request=RequestFactory().get("/"))

    assert english_on(html) == []


def test_a_whole_run_has_no_english(db, browser):
    publish_field_bank()
    project = ProjectFactory.create(name="उत्तर कॉलेज")
    CourseFactory.create(project=project, name="भौतिकी", required_streams=["science-maths"])
    headings = []

    page = browser.open(f"{issue(project, name='आशा राव')[1]}&language=hi")
    while page.name != "result":
        headings.append(page.heading)
        pages = [page, browser.send(page)] if page.name == "question" else [page]
        assert [each.status for each in pages] == [200, 400][: len(pages)]
        for each in pages:
            assert 'lang="hi"' in each.text
            assert english_on(each.text) == []
        if page.name == "landing":
            page = browser.press(page, {"consent": "yes"})
        else:
            page = browser.answer_subjects(page) if page.asks_subjects else browser.go_on(page)

    assert "क्लास 11 और 12 के आपके विषय" in headings
    assert "भौतिकी" in page.text
    assert english_on(page.text) == []
    assert Assessment.objects.get().language == "hi"
