"""Private links as rows: made once, found by their key alone, and ended for good."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from assessments.models import Assessment, PrivateLink
from assessments.models.digests import secret_digest
from assessments.models.private_links import AnotherMade, NoResult
from assessments.models.retention import purge
from partners.models import Project
from tests.assessments.attempts import marked_completed, started
from tests.factories import ProjectFactory

AT = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
Ending = Callable[[PrivateLink], object]

pytestmark = [pytest.mark.sqlite, pytest.mark.usefixtures("bank")]


@pytest.fixture
def attempt(project: Project) -> Assessment:
    with time_machine.travel(AT, tick=False):
        return marked_completed(started(project))


def make(attempt: Assessment, seen: str = "", at: datetime = AT) -> tuple[PrivateLink, str]:
    return PrivateLink.objects.make(attempt, with_puzzles=False, seen=seen, at=at)


def opens(link: PrivateLink, key: str, at: datetime = AT) -> bool:
    project_id = link.assessment.student.project.project_id
    try:
        return PrivateLink.objects.for_key(project_id, key, at) == link
    except PrivateLink.DoesNotExist:
        return False


def test_its_key_opens_it_for_90_days_and_is_not_stored(attempt: Assessment) -> None:
    link, key = make(attempt)

    assert len(key) == 43
    assert opens(link, key, AT + timedelta(days=90) - timedelta(seconds=1))
    assert not opens(link, key, AT + timedelta(days=90))
    [row] = PrivateLink.objects.values()
    assert row["key_digest"] == secret_digest(key)
    assert key not in str(row)


def test_another_one_ends_the_earlier_one(attempt: Assessment) -> None:
    first, first_key = make(attempt)

    second, second_key = make(attempt, first.version, AT + timedelta(hours=1))

    first.refresh_from_db()
    assert first.ended_at == second.created_at
    assert not opens(first, first_key)
    assert opens(second, second_key, AT + timedelta(hours=2))


def test_a_form_that_did_not_show_the_newest_link_makes_none(attempt: Assessment) -> None:
    first, key = make(attempt)
    PrivateLink.objects.end(attempt, AT)

    for stale in ("", "x", "2026"):
        with pytest.raises(AnotherMade):
            make(attempt, stale)

    assert list(PrivateLink.objects.all()) == [first]
    assert not opens(first, key)


def test_of_many_links_only_the_last_two_rows_are_kept(attempt: Assessment) -> None:
    made = [make(attempt)[0]]
    for hour in range(1, 5):
        made.append(make(attempt, made[-1].version, AT + timedelta(hours=hour))[0])

    assert list(PrivateLink.objects.order_by("pk")) == made[-2:]


def test_it_ends_with_the_retention_of_the_attempt(attempt: Assessment) -> None:
    Assessment.objects.update(retention_months=1)

    link, _ = make(attempt)

    assert link.expires_at == datetime(2026, 12, 24, tzinfo=UTC)
    with pytest.raises(NoResult):
        make(attempt, link.version, link.expires_at)


@pytest.mark.parametrize(
    "change",
    [
        {"completed_at": None, "profile": None, "recommendations": None, "catalogue": None},
        {"browser_digest": "0" * 64},
    ],
)
def test_without_a_result_in_this_browser_there_is_none(
    attempt: Assessment, change: dict[str, Any]
) -> None:
    Assessment.objects.filter(pk=attempt.pk).update(**change)

    with pytest.raises(NoResult):
        make(attempt)

    assert not PrivateLink.objects.exists()


def end(link: PrivateLink) -> None:
    assert PrivateLink.objects.end(link.assessment, AT)


def erase(link: PrivateLink) -> None:
    link.assessment.student.erase(at=AT, actor="command:tests")


def purge_all(link: PrivateLink) -> None:
    Assessment.objects.update(completed_at=AT - timedelta(days=900))
    assert list(purge(AT, actor="command:tests"))


@pytest.mark.parametrize("ending", [end, erase, purge_all])
def test_an_ended_one_is_not_found_by_the_same_work_as_an_unknown_one(
    attempt: Assessment, ending: Ending
) -> None:
    link, key = make(attempt)
    project_id = attempt.student.project.project_id
    ending(link)

    asked = []
    for tried in (key, "A" * 43):
        with (
            CaptureQueriesContext(connection) as queries,
            pytest.raises(PrivateLink.DoesNotExist),
        ):
            PrivateLink.objects.for_key(project_id, tried, AT)
        asked.append([query["sql"].replace(secret_digest(tried), "?") for query in queries])

    assert asked[0] == asked[1]
    assert len(asked[0]) == 1


@pytest.mark.parametrize("ending", [erase, purge_all])
def test_erasure_and_purge_delete_the_row(attempt: Assessment, ending: Ending) -> None:
    ending(make(attempt)[0])

    assert not PrivateLink.objects.exists()


@pytest.mark.parametrize("wrong", ["", "A" * 42, "A" * 44, "\0" * 43, "अ" * 43])
def test_a_malformed_key_is_refused_without_a_query(attempt: Assessment, wrong: str) -> None:
    make(attempt)
    project_id = attempt.student.project.project_id

    with (
        CaptureQueriesContext(connection) as queries,
        pytest.raises(PrivateLink.DoesNotExist),
    ):
        PrivateLink.objects.for_key(project_id, wrong, AT)

    assert len(queries) == 0


def test_neither_digest_nor_another_project_opens_it(attempt: Assessment) -> None:
    link, key = make(attempt)
    elsewhere = ProjectFactory.create().project_id

    assert not opens(link, link.key_digest[:43])
    with pytest.raises(PrivateLink.DoesNotExist):
        PrivateLink.objects.for_key(elsewhere, key, AT)


def test_the_database_refuses_a_second_open_link(
    attempt: Assessment,
) -> None:
    make(attempt)
    more = {"assessment": attempt, "with_puzzles": False, "created_at": AT}

    with pytest.raises(IntegrityError, match="privatelink|assessment_id"):
        PrivateLink.objects.create(key_digest="1", expires_at=AT + timedelta(days=1), **more)


def test_the_database_refuses_one_that_expired_before_it_was_made(attempt: Assessment) -> None:
    with pytest.raises(IntegrityError, match="privatelink_expires_after_creation"):
        PrivateLink.objects.create(
            assessment=attempt, with_puzzles=False, key_digest="1", created_at=AT, expires_at=AT
        )


def test_a_forgotten_browser_makes_none_and_opens_nothing(attempt: Assessment) -> None:
    before = attempt.browser_digest

    assert attempt.forget_browser()
    assert not attempt.forget_browser()

    attempt.refresh_from_db()
    assert attempt.browser_digest != before
    assert len(attempt.browser_digest) == 64
    stale = Assessment(pk=attempt.pk, browser_digest=before)
    with pytest.raises(NoResult):
        make(stale)


def test_it_works_until_it_is_ended_or_expires(attempt: Assessment) -> None:
    link, _ = make(attempt)

    assert link.works(AT)
    assert not link.works(link.expires_at)
    assert PrivateLink.objects.end(attempt, AT)
    assert not PrivateLink.objects.end(attempt, AT)
    link.refresh_from_db()
    assert not link.works(AT)
