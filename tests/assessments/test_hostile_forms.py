"""Fields that no page of ours would send: refused, and no attempt changed."""

import pytest

from assessments.models import Attempt
from tests.assessments.attempts import inside, issue

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("bank")]


def test_another_s_id_opens_and_changes_nothing(attempt, project, browser, other_browser, rows):
    """T13: every address, with the other's AssessmentId wherever one could stand."""
    other_browser.start(issue(project, email="other@example.com", name="Zoya")[1])
    other = Attempt.objects.exclude(pk=attempt.pk).get().assessment_id
    before = rows()
    form = dict.fromkeys(("leave", "begin", "make", "end", "forget"), "yes") | {
        **{"attempt": other, **{f"answer-{n}": "1" for n in range(1, 7)}}
    }
    ends = ("", "/subjects", "/leave", "/result", "/result/link", "/forget", "/1", "/25")
    home = f"/{project.project_id}/assessment"

    for extra in ({}, {"HTTP_X_ASSESSMENT_ID": other}):
        for end in ends:
            shown = browser.open(f"{home}/{other}{end}", **extra)
            sent = browser.post(f"{home}/{other}{end}", form, **extra)
            assert {shown.status, sent.status} <= ({200} if end == "/forget" else {403, 405})
            mine = inside("attempt", attempt)
            named = browser.open(f"{mine}{end}?assessment={other}&AssessmentId={other}", **extra)
            for text in (shown.text, sent.text, named.text):
                assert other not in text
                assert "Zoya" not in text
    assert browser.post(home, form).status == 404
    assert browser.get(f"/{other}/assessment").status == 404

    assert rows() == before
