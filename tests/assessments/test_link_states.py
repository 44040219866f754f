"""What a link can still do follows from timestamps alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from assessments.models import AssessmentLink, ItemBank
from assessments.models.links import LinkState, LinkUnavailable
from partners.models import Project
from tests.assessments.attempts import completed, issue, new_browser_token, token_of, use

AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
COMMAND = "command:tests"

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("offset", "state"),
    [
        (-MILLISECOND, LinkState.UNUSED),
        (timedelta(0), LinkState.EXPIRED),
        (MILLISECOND, LinkState.EXPIRED),
    ],
)
def test_expiry_is_half_open(project: Project, offset: timedelta, state: LinkState) -> None:
    link, _ = issue(project, at=AT)

    at = link.expires_at + offset

    assert link.state_at(at) == state
    assert AssessmentLink.objects.unused(at).exists() is (state == LinkState.UNUSED)


def test_a_link_can_be_started_up_to_its_expiry(bank: ItemBank, project: Project) -> None:
    link, _ = issue(project, at=AT)
    with pytest.raises(LinkUnavailable) as refused:
        use(link, at=link.expires_at)
    assert refused.value.state == LinkState.EXPIRED
    link.refresh_from_db()
    assert link.used_at is None
    assert not link.student.assessments.exists()

    attempt = use(link, at=link.expires_at - MILLISECOND)

    link.refresh_from_db()
    assert link.assessment == attempt
    assert link.used_at == link.expires_at - MILLISECOND


def test_the_update_itself_decides_on_expiry(bank: ItemBank, project: Project) -> None:
    """A link that a stale row still shows as valid is refused by the database."""
    link, _ = issue(project, at=AT)
    stale = AssessmentLink.objects.get(pk=link.pk)
    AssessmentLink.objects.filter(pk=link.pk).update(expires_at=AT + timedelta(minutes=1))

    with pytest.raises(LinkUnavailable):
        use(stale, at=AT + timedelta(minutes=2))

    link.refresh_from_db()
    assert link.used_at is None
    assert not link.student.assessments.exists()


def test_a_used_link_is_in_use_until_its_attempt_ends(bank: ItemBank, project: Project) -> None:
    link, _ = issue(project, at=AT)

    attempt = use(link, at=AT)

    assert link.state_at(AT) == LinkState.IN_USE
    assert link.state_at(attempt.finish_by_at - MILLISECOND) == LinkState.IN_USE
    assert link.state_at(attempt.finish_by_at) == LinkState.ENDED


def test_expiry_of_a_used_link_cuts_off_nobody(bank: ItemBank, project: Project) -> None:
    project.start_by_minutes = 15
    project.save()
    link, _ = issue(project, at=AT)

    use(link, at=AT)

    assert link.state_at(link.expires_at + timedelta(hours=1)) == LinkState.IN_USE


def test_a_link_is_finished_when_its_attempt_is_completed(bank: ItemBank, project: Project) -> None:
    link, _ = issue(project, at=AT)

    completed(use(link, at=AT), at=AT)

    link.refresh_from_db()
    assert link.state_at(AT) == LinkState.FINISHED
    assert link.state_at(AT + timedelta(days=300)) == LinkState.FINISHED


def test_a_link_has_ended_when_its_attempt_was_left(bank: ItemBank, project: Project) -> None:
    link, _ = issue(project, at=AT)

    use(link, at=AT).abandon(AT)

    link.refresh_from_db()
    assert link.state_at(AT) == LinkState.ENDED


def test_links_of_a_closed_project_cannot_be_started(bank: ItemBank, project: Project) -> None:
    link, _ = issue(project, at=AT)
    project.close(at=AT, actor=COMMAND)
    link = AssessmentLink.objects.get(pk=link.pk)

    with pytest.raises(LinkUnavailable) as refused:
        use(link, at=AT)

    assert refused.value.state == LinkState.CLOSED
    link.refresh_from_db()
    assert link.used_at is None
    project.reopen(at=AT, actor=COMMAND)
    assert AssessmentLink.objects.get(pk=link.pk).state_at(AT) == LinkState.UNUSED


def test_closing_a_project_cuts_off_nobody_inside(bank: ItemBank, project: Project) -> None:
    link, _ = issue(project, at=AT)
    use(link, at=AT)
    project.close(at=AT, actor=COMMAND)

    link = AssessmentLink.objects.get(pk=link.pk)

    assert link.state_at(AT) == LinkState.IN_USE


def test_a_link_is_found_by_its_token_in_its_project_alone(
    project: Project, other_project: Project
) -> None:
    link, url = issue(project)

    assert AssessmentLink.objects.for_token(project.project_id, token_of(url)) == link
    with pytest.raises(AssessmentLink.DoesNotExist):
        AssessmentLink.objects.for_token(other_project.project_id, token_of(url))


def test_what_is_no_token_is_refused_without_a_question(
    project: Project, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0), pytest.raises(AssessmentLink.DoesNotExist):
        AssessmentLink.objects.for_token(project.project_id, "x" * 44)


def test_started_in_the_same_browser_twice_is_one_attempt(bank: ItemBank, project: Project) -> None:
    link, _ = issue(project, at=AT)
    browser_token = new_browser_token()
    first = use(link, browser_token, at=AT)

    second = use(link, browser_token, at=AT + timedelta(hours=1))

    assert second == first
    assert link.student.assessments.count() == 1
    second.refresh_from_db()
    assert second.started_at == AT


def test_started_in_another_browser_is_refused(bank: ItemBank, project: Project) -> None:
    link, _ = issue(project, at=AT)
    first = use(link, at=AT)

    with pytest.raises(LinkUnavailable) as refused:
        use(AssessmentLink.objects.get(pk=link.pk), at=AT)

    assert refused.value.state == LinkState.IN_USE
    first.refresh_from_db()
    assert list(link.student.assessments.all()) == [first]
    assert first.is_open(AT)
