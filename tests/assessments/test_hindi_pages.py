"""No English is left on a Hindi page: every state by its template, and a run by its views."""

import dataclasses

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation

from tests.assessments.hindi import as_hindi, english_on
from tests.assessments.page_states import STATES
from tests.assessments.test_templates import STRUCTURE


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
