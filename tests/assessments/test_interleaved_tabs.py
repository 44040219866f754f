"""Two tabs of one browser, sending their pages in any order, one of them possibly stale."""

import hypothesis
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from assessments.models import Assessment
from assessments.models.answers import NotShown
from tests.assessments.attempts import answer_until, started

pytestmark = pytest.mark.slow

PAGES = {1: range(1, 7), 7: range(7, 13), 13: range(13, 19)}
BOUNDED = hypothesis.settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
SENT = st.tuples(
    st.sampled_from(list(PAGES)),
    st.dictionaries(st.integers(0, 5), st.integers(1, 5), max_size=6),
)
FULL = st.fixed_dictionaries({place: st.integers(1, 5) for place in range(6)})
WHOLE = st.tuples(st.sampled_from(list(PAGES)), FULL)


def in_each_tab(attempt):
    """Return the attempt as two requests at one moment would have read it."""
    return Assessment.objects.get(pk=attempt.pk), Assessment.objects.get(pk=attempt.pk)


@BOUNDED
@given(sent=st.lists(SENT | WHOLE, max_size=12), turns=st.lists(st.booleans(), min_size=12))
@pytest.mark.usefixtures("bank")
def test_statements_are_what_was_sent_last(project, sent, turns):
    """T2, against a model: a page counts once the pages before it are whole."""
    attempt = started(project, email="tabs@example.com")
    attempt.begin_section(1)
    tabs = in_each_tab(attempt)
    expected = {}
    shown = 6

    for (first, places), turn in zip(sent, turns, strict=False):
        choices = {first + place: choice for place, choice in places.items()}
        try:
            recorded = tabs[turn].record(first, choices)
        except NotShown:
            assert first > shown
            continue
        assert first <= shown
        expected |= choices
        missing = [position for position in PAGES[first] if position not in expected]
        assert list(recorded.missing) == missing
        if not missing:
            shown = max(shown, min(first + 11, 18))

    stored = dict(attempt.answers.values_list("position", "choice"))
    assert sorted(stored) == list(range(1, shown + 1))
    assert {position: choice for position, choice in stored.items() if choice} == expected
    attempt.abandon()


@BOUNDED
@given(
    sent=st.lists(st.tuples(st.integers(25, 32), st.integers(0, 5)), max_size=20),
    turns=st.lists(st.booleans(), min_size=20),
)
def test_puzzles_are_what_was_sent_first(bank, project, sent, turns):
    """T3, against a model."""
    attempt = answer_until(started(project, email="tabs@example.com"), 24)
    attempt.begin_section(25)
    tabs = in_each_tab(attempt)
    expected = {}

    for (position, choice), turn in zip(sent, turns, strict=False):
        due = 25 + len(expected)
        try:
            recorded = tabs[turn].record(position, {position: choice})
        except NotShown:
            assert position > due
            continue
        assert position <= due
        expected.setdefault(position, choice)
        assert recorded.next_position == position + 1

    stored = dict(attempt.answers.filter(position__gte=25).values_list("position", "choice"))
    assert {position: choice for position, choice in stored.items() if choice is not None} == (
        expected
    )
    assert len(stored) == len(expected) + 1
    attempt.abandon()
